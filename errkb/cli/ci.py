"""`errkb ci`: the errors of a continuous integration job."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from errkb.cli.options import data_option, open_knowledge
from errkb.cli.output import write
from errkb.errors import ErrkbError
from errkb.integrations.ci.grouping import Group, group_errors
from errkb.integrations.ci.inputs import InputError, Piece, read_input, read_stream
from errkb.integrations.ci.reports import LARGEST_SUMMARY, REPORTS, report_of, summary
from errkb.integrations.ci.words import headline, shown
from errkb.knowledge.base import KnowledgeBase


@click.command(name="ci")
@click.argument("files", nargs=-1, metavar="[FILE|-]...", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", *REPORTS]),
    default="auto",
    show_default=True,
    help="For which service; auto asks the environment.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the summary or report of the service goes.",
)
@click.option(
    "--workspace",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=".",
    help="The checkout: annotations are for its files.",
)
@click.option(
    "--python", type=click.Path(path_type=Path), metavar="PATH", help="Interpreter or environment that the job used."
)
@click.option("--no-values", is_flag=True, help="Repeat no value of a message: they may be secrets.")
@click.option("--strict", is_flag=True, help="Exit status 1 if there is an error, 2 if a file cannot be read.")
@data_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[Path, ...],
    form: str,
    output: Path | None,
    workspace: Path,
    python: Path | None,
    no_values: bool,
    strict: bool,
    data: tuple[str, ...],
) -> None:
    """Group and explain the errors of a job: logs, JUnit files, or - for what is piped in.

    Root causes and frequent errors come first. Exit status 0, so that the step's own status stays, unless --strict.
    """
    unread: list[ErrkbError] = []
    wanted = Wanted(form, output, workspace, python, values=not no_values)
    groups = report(_pieces(files, unread), open_knowledge(data), wanted)
    ctx.exit(_status(groups, unread) if strict else 0)


class Wanted(NamedTuple):
    """Which report, and where it goes."""

    form: str = "auto"
    output: Path | None = None
    workspace: Path = Path()
    python: Path | None = None
    values: bool = True


def report(pieces: Iterable[Piece], kb: KnowledgeBase, wanted: Wanted) -> list[Group]:
    """Group the errors of a job and report them as its service likes it; gives the groups."""
    groups = group_errors(pieces, kb, wanted.workspace, wanted.python)
    ready = shown(groups, kb, values=wanted.values)
    form = report_of(os.environ) if wanted.form == "auto" else wanted.form
    said = headline(groups)
    made = REPORTS[form](said, ready)
    if made.written is None and wanted.output is not None:
        _write(wanted.output, made.printed, append=False)
        return groups
    write(made.printed)
    target = wanted.output or _summary_of(form)
    if made.written is not None and target is not None:
        is_summary = form == "github"
        room = LARGEST_SUMMARY - (target.stat().st_size if target.exists() else 0)
        _write(target, summary(said, ready, room) if is_summary else made.written, append=is_summary)
        if form == "azure":
            write(f"##vso[task.uploadsummary]{target}\n")
    return groups


def _pieces(files: Sequence[Path], unread: list[ErrkbError]) -> Iterator[Piece]:
    for file in files or (Path("-"),):
        try:
            if str(file) != "-":
                yield from read_input(file)
            elif sys.stdin is not None:
                yield from read_stream(sys.stdin.buffer, "stdin")
        except InputError as error:
            unread.append(error)
            click.echo(f"errkb: {error}", err=True)


def _summary_of(form: str) -> Path | None:
    """Where a service takes its summary from."""
    if form == "github" and (named := os.environ.get("GITHUB_STEP_SUMMARY")):
        return Path(named)
    if form == "azure" and (folder := os.environ.get("AGENT_TEMPDIRECTORY")):
        return Path(folder) / "errkb.md"
    return None


def _write(path: Path, text: str, *, append: bool) -> None:
    with path.open("a" if append else "w", encoding="utf-8", errors="replace") as file:
        file.write(text)


def _status(groups: Sequence[Group], unread: Sequence[ErrkbError]) -> int:
    return 2 if unread else 1 if groups else 0
