"""`errkb show`: one record by its id or name."""

import json
from itertools import islice

import click
from click.shell_completion import CompletionItem

from errkb.cli.options import color_option, data_option, json_option, open_knowledge, use_colour, width
from errkb.cli.output import write
from errkb.render.clean import clean, one_line

_MOST_LOOKED_AT = 20_000
"""Records that a completion looks through, so that nobody waits for it."""


def _complete(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    records = islice(open_knowledge(ctx.params.get("data") or ()).records(), _MOST_LOOKED_AT)
    names = ((name, record) for record in records for name in (record.id, f"{record.repo}/{record.slug}"))
    return [
        CompletionItem(name, help=one_line(record.error_message, 60))
        for name, record in names
        if name.startswith(incomplete)
    ]


@click.command(name="show")
@click.argument("name", metavar="ID", shell_complete=_complete)
@json_option
@data_option
@color_option
@click.pass_context
def command(ctx: click.Context, name: str, as_json: bool, data: tuple[str, ...], color: str) -> None:
    """Show the record ID, an id or owner/repo/slug, with all its fields."""
    kb = open_knowledge(data)
    record = kb.get(name)
    if record is None:
        click.echo(f"errkb: no record {clean(name)!r}; `errkb list` names all", err=True)
        ctx.exit(1)
    if as_json:
        write(json.dumps(record.to_dict(), indent=2) + "\n")
        return
    from errkb.render.record_fields import render_fields

    write(render_fields(record, kb.supplement(record.id), width=width(), colour=use_colour(color)))
