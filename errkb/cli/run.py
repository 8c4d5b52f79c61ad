"""`errkb run`: a command, and below its error what is known of it."""

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

import click

from errkb.cli.options import data_option, open_knowledge
from errkb.explanation import Explanation, explain_each, explain_found, find_raise_site
from errkb.integrations.child_process import CannotStart, Sink, Tail, end_as, pass_on, run_watched
from errkb.reading import occurrences

_STOPPED = {
    -getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGQUIT") if hasattr(signal, name)
}
"""Signals by which a person or another program stopped the command."""
_STATUS_STOPPED = {129, 130, 131, 141, 143}


@click.command(name="run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--stdout", is_flag=True, help="Watch stdout too: pytest, pip and npm report there.")
@click.option("--pty", is_flag=True, help="Run it in a terminal of its own, which ^Z cannot suspend.")
@click.option("--all", "each", is_flag=True, help="Explain every error that it wrote.")
@click.option("--ci", is_flag=True, help="Watch both outputs, and report its errors as errkb ci does.")
@data_option
@click.argument("command", nargs=-1, required=True, metavar="[--] COMMAND...", type=click.UNPROCESSED)
@click.pass_context
def command(
    ctx: click.Context, stdout: bool, pty: bool, each: bool, ci: bool, data: tuple[str, ...], command: tuple[str, ...]
) -> None:
    """Run a command as it would run by itself; if it fails, explain its error below.

    A file that ends in .py is run by Python. The exit status is that of the command.
    """
    words = _with_python(command)
    if pty and sys.platform == "win32":
        raise click.UsageError("--pty needs a POSIX terminal.")
    if ci:
        with tempfile.TemporaryFile() as kept:
            status = _run(words, lambda chunk: _keep(cast("BinaryIO", kept), chunk), stdout=True, pty=pty)
            if isinstance(status, int):
                _report(cast("BinaryIO", kept), data)
    else:
        tail = Tail()
        status = _run(words, tail, stdout=stdout, pty=pty)
        if isinstance(status, int) and status != 0 and status not in _STOPPED and status not in _STATUS_STOPPED:
            _explain(tail.text(), words, data, each=each)
    if isinstance(status, CannotStart):
        click.echo(f"errkb: {status.said}", err=True)
        ctx.exit(status.status)
    ctx.exit(end_as(status))


def _run(words: Sequence[str], sink: Sink, *, stdout: bool, pty: bool) -> int | CannotStart:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    if pty:
        from errkb.integrations.terminal_session import run_in_terminal

        return run_in_terminal(words, sink)
    return run_watched(words, sink, stdout=stdout)


def _with_python(words: Sequence[str]) -> list[str]:
    """The command, with Python in front of a script."""
    if not words[0].endswith(".py"):
        return list(words)
    as_module = Path(sys.argv[0]).name == "__main__.py"
    found = sys.executable if as_module else shutil.which("python3") or shutil.which("python")
    return [found or sys.executable, *words]


def _explain(text: str, words: Sequence[str], data: tuple[str, ...], *, each: bool) -> None:
    """Say below the error what is known of it. Trouble of ours is no trouble of the command."""
    if sys.stderr is None:
        return
    try:
        kb = open_knowledge(data)
        python = _python_of(words[0])
        find_site = partial(find_raise_site, python=python)
        found = occurrences(text)
        explanations = (
            explain_each(kb, found, text=text, python=python, find_site=find_site)
            if each
            else [explain_found(kb, found, text=text, python=python, find_site=find_site)]
        )
        is_terminal = sys.stderr.isatty()
        width = shutil.get_terminal_size((80, 24)).columns if is_terminal else 80
        colour = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        for one in filter(_is_known, explanations):
            answer = one.text(width=max(40, min(width, 100)), colour=colour)
            pass_on(2, f"\n{answer}".encode("utf-8", "replace"))
    except Exception:
        if os.environ.get("ERRKB_DEBUG"):
            raise


def _is_known(one: Explanation) -> bool:
    from errkb.raise_sites.result import RaiseSite

    return one.answer is not None or isinstance(one.raised, RaiseSite)


def _python_of(program: str) -> Path | None:
    """The Python whose packages a command uses: itself, or the one beside it."""
    found = shutil.which(program)
    if found is None:
        return None
    path = Path(found)
    if path.name.startswith("python"):
        return path
    beside = path.parent / "python"
    return beside if beside.exists() else None


def _keep(file: BinaryIO, chunk: bytes) -> None:
    with suppress(OSError):  # a full disk: what is there is reported
        file.write(chunk)


def _report(kept: BinaryIO, data: tuple[str, ...]) -> None:
    """The errors of what a command wrote, as the service of this job likes it."""
    from errkb.cli.ci import Wanted, report
    from errkb.integrations.ci.inputs import read_stream

    kept.seek(0)
    report(read_stream(kept, "output"), open_knowledge(data), Wanted())
