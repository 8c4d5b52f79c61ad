"""`errkb explain`: what is known about an error text."""

import itertools
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from errkb.cli.options import (
    color_option,
    data_option,
    json_option,
    open_knowledge,
    repo_option,
    tell_unknown_repo,
    use_colour,
    width,
)
from errkb.cli.output import write
from errkb.explanation import Explanation, explain_each, explain_found, find_raise_site
from errkb.files import is_file, open_regular
from errkb.reading import LONGEST_MESSAGE, Occurrence, explain_reading, occurrences

if TYPE_CHECKING:
    from errkb.raise_sites.result import Compiled, RaiseSite

_NAME_OF_RECORD = re.compile(r"[0-9a-f]{16}|[\w.-]+/[\w.-]+/[a-z0-9-]+")
_AT_ONCE = 1 << 20
_LONGEST_INPUT = 32 * 1024 * 1024


class _Explain(click.Command):
    """Says what to type where a text begins with a dash."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = "If it is part of the error, put -- before the text: errkb explain -- '-…'"
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from None


@click.command(name="explain", cls=_Explain)
@click.argument("text", nargs=-1)
@click.option("-f", "--file", type=click.File("rb"), metavar="FILE", help="Read the text from a file.")
@json_option
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--full", is_flag=True, help="Show all that the record holds.")
@click.option(
    "--why",
    is_flag=True,
    help="Show the evidence, and how each line was read.",
)
@click.option("--all", "each", is_flag=True, help="Explain every error found in the text.")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 50), default=3, show_default=True, help="How many records to name."
)
@click.option(
    "--python",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Interpreter or environment whose packages are read where there is no record.",
)
@click.option("--deep", is_flag=True, help="Where there is no record, search the sources of all its packages.")
@repo_option
@data_option
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    text: tuple[str, ...],
    file: BinaryIO | None,
    as_json: bool,
    markdown: bool,
    full: bool,
    why: bool,
    each: bool,
    limit: int,
    python: Path | None,
    deep: bool,
    repo: str | None,
    data: tuple[str, ...],
    color: str,
) -> None:
    """Explain an error: TEXT, a file, or what is piped in (also as -).

    The text may be a bare message, a line of a log or a whole traceback. The id or name of a record shows that record.
    """
    if as_json and markdown:
        raise click.UsageError("--json and --markdown exclude each other.")
    if len(text) == 1 and file is None and _NAME_OF_RECORD.fullmatch(text[0]) and open_knowledge(data).get(text[0]):
        from errkb.cli.show import command as show

        ctx.invoke(show, name=text[0], as_json=as_json, data=data, color=color)
        return
    pasted = _read(ctx, text, file)
    found = occurrences(pasted)
    if any(len(one.message) >= LONGEST_MESSAGE for one in found):
        click.echo(f"errkb: of a very long message the first {LONGEST_MESSAGE} characters were read", err=True)
    kb = open_knowledge(data)
    find_site = partial(_find_site, python, deep)
    chosen = (
        explain_each(kb, found, text=pasted, limit=limit, repo=repo, python=python, find_site=find_site) if each else []
    )
    explanations = chosen or [
        explain_found(kb, found, text=pasted, limit=limit, repo=repo, python=python, find_site=find_site)
    ]
    if as_json:
        from errkb.render.json import document, dumps

        documents = [document(one) for one in explanations]
        write(dumps(documents if each else documents[0]) + "\n")
    else:
        write(
            ("\n" if not markdown else "\n---\n\n").join(
                _rendered(one, pasted if why else "", markdown, full, why, color) for one in explanations
            )
        )
    known = any(one.answer or _is_site(one.raised) for one in explanations)
    if repo and not known:
        tell_unknown_repo(kb, repo)
    ctx.exit(0 if known else 1)


def _is_site(raised: "RaiseSite | Compiled | None") -> bool:
    if raised is None:
        return False
    from errkb.raise_sites.result import RaiseSite

    return isinstance(raised, RaiseSite)


def _find_site(python: Path | None, deep: bool, occurrence: Occurrence) -> "RaiseSite | Compiled | None":
    """Where the packages of an interpreter raise an error."""
    from errkb.cli.progress import progress

    number = itertools.count(1)
    with progress("searching packages") as report:
        tell = (lambda _name: report(next(number))) if report else None
        return find_raise_site(occurrence, python=python, deep=deep, progress=tell)


def _rendered(explanation: Explanation, pasted: str, markdown: bool, full: bool, why: bool, color: str) -> str:
    if markdown:
        from errkb.render.markdown import render_markdown

        return render_markdown(explanation)
    from errkb.render.text import render_text

    read = explain_reading(pasted) if pasted else ()
    return render_text(explanation, width=width(), full=full, why=why, read=read, colour=use_colour(color))


def _read(ctx: click.Context, text: tuple[str, ...], file: BinaryIO | None) -> str:
    if file is not None:
        if text:
            raise click.UsageError("TEXT and --file exclude each other.")
        return _decoded(file)
    if len(text) == 1 and text[0] != "-" and _is_file_name(text[0]):
        path = Path(text[0])
        if is_file(path):
            click.echo(f"errkb: reading the file {text[0]}", err=True)
            with open_regular(path) as opened:
                return _decoded(opened)
    if text and text != ("-",):
        return " ".join(text)
    if sys.stdin is None:
        click.echo(ctx.get_usage(), err=True)
        click.echo("Give an error text, pipe one in, or name a file with -f.", err=True)
        ctx.exit(2)
    if sys.stdin.isatty():
        click.echo("Paste the error, then press Ctrl-D on a line of its own.", err=True)
    return _decoded(sys.stdin.buffer)


def _is_file_name(word: str) -> bool:
    """Whether a word may be meant as a file: it has no blank, and is no class with a message."""
    return len(word) < 400 and not any(sign in word for sign in " \n\t:") and ("." in word or "/" in word)


def _decoded(stream: BinaryIO) -> str:
    """The text of a stream, whatever its bytes; of a very long one the end, where errors stand."""
    kept = b""
    dropped = 0
    while chunk := stream.read(_AT_ONCE):
        kept += chunk
        if len(kept) > 2 * _LONGEST_INPUT:
            dropped += len(kept) - _LONGEST_INPUT
            kept = kept[-_LONGEST_INPUT:]
        if len(chunk) < _AT_ONCE:
            break  # the end: at a terminal, asking once more would want a second Ctrl-D
    if len(kept) > _LONGEST_INPUT:
        dropped += len(kept) - _LONGEST_INPUT
        kept = kept[-_LONGEST_INPUT:]
    if dropped:
        click.echo(f"errkb: the text is very long: its first {dropped} bytes were left out", err=True)
    if kept[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return kept.decode("utf-16", "replace")
    return kept.decode("utf-8-sig", "replace")
