"""`errkb ci`: the errors of a continuous integration job."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from errkb.cli.options import data_option, open_knowledge
from errkb.cli.output import write
from errkb.errors import ErrkbError
from errkb.integrations.ci.grouping import Group, group_errors
from errkb.integrations.ci.inputs import InputError, Piece, read_input, read_stream
from errkb.integrations.ci.reports import LARGEST_SUMMARY, REPORTS, report_of, summary
from errkb.integrations.ci.words import headline, shown


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
    kb = open_knowledge(data)
    groups = group_errors(_pieces(files, unread), kb, workspace, python)
    ready = shown(groups, kb, values=not no_values)
    chosen = report_of(os.environ) if form == "auto" else form
    said = headline(groups)
    report = REPORTS[chosen](said, ready)
    target = output or _summary_of(chosen)
    if report.written is None and output is not None:
        output.write_text(report.printed, "utf-8")
    else:
        write(report.printed)
        if report.written is not None and target is not None:
            room = LARGEST_SUMMARY - (target.stat().st_size if target.exists() else 0)
            written = summary(said, ready, room) if chosen == "github" else report.written
            _append(target, written, replace=chosen != "github")
            if chosen == "azure":
                write(f"##vso[task.uploadsummary]{target}\n")
    ctx.exit(_status(groups, unread) if strict else 0)


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


def _append(path: Path, written: str, *, replace: bool) -> None:
    with path.open("w" if replace else "a", encoding="utf-8", errors="replace") as file:
        file.write(written)


def _status(groups: Sequence[Group], unread: Sequence[ErrkbError]) -> int:
    return 2 if unread else 1 if groups else 0
