"""`errkb list`: the records that are known."""

import json

import click

from errkb.cli.options import (
    color_option,
    data_option,
    json_option,
    open_knowledge,
    repo_option,
    tell_unknown_repo,
    terminal_width,
    use_colour,
)
from errkb.cli.output import write
from errkb.exception_names import with_class
from errkb.records.record import Record
from errkb.render.clean import one_line
from errkb.render.lines import Line, Piece, shown

_LONGEST = 160
"""Characters of class and message where there is no terminal."""
_AT_A_TIME = 1000


@click.command(name="list")
@json_option
@repo_option
@data_option
@color_option
@click.pass_context
def command(ctx: click.Context, as_json: bool, repo: str | None, data: tuple[str, ...], color: str) -> None:
    """List records: id, repo, class and message, a line each; with --json one object a line."""
    kb = open_knowledge(data)
    records = [record for record in kb.records() if repo in (None, record.repo)]
    if repo and not records:
        tell_unknown_repo(kb, repo)
    if as_json:
        for record in records:
            fields = {"id": record.id, "repo": record.repo, "slug": record.slug}
            fields |= {"errorClass": record.error_class or "", "errorMessage": record.error_message}
            write(json.dumps(fields) + "\n")
        ctx.exit(0 if records else 1)
    columns, colour = terminal_width(), use_colour(color)
    for start in range(0, len(records), _AT_A_TIME):
        write(shown((_line(record, columns) for record in records[start : start + _AT_A_TIME]), colour=colour))
    ctx.exit(0 if records else 1)


def _line(record: Record, columns: int | None) -> Line:
    """Id, repo, class and message, cut to the terminal's width."""
    repo = one_line(record.repo)
    room = max(20, columns - len(record.id) - len(repo) - 4) if columns else _LONGEST
    about = one_line(with_class(record.error_class or "-", record.error_message), room)
    return (Piece(record.id, "dim"), Piece(f"  {repo}  "), Piece(about, "code"))
