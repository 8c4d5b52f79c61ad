"""`errkb show`: one record by its id or name."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice

import click
from click.shell_completion import CompletionItem

from errkb.cli.options import color_option, data_option, json_option, open_knowledge, use_colour, width
from errkb.cli.output import write
from errkb.knowledge.base import KnowledgeBase
from errkb.records.record import Record
from errkb.render.clean import clean, one_line

_SHORTEST = 4
"""Characters of the beginning of an id."""
_MOST_NAMED = 5
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


def _beginning(kb: KnowledgeBase, name: str) -> Iterator[Record]:
    """The records whose id or name begins so; four characters at least, so that few do."""
    if len(name) >= _SHORTEST:
        yield from (one for one in kb.records() if one.id.startswith(name) or f"{one.repo}/{one.slug}".startswith(name))


def _not_found(name: str, near: Sequence[Record]) -> str:
    if not near:
        return f"no record {clean(name)!r}; `errkb list` names all, `errkb search` finds some by words"
    named = ", ".join(one.id for one in near[:_MOST_NAMED])
    return f"several records begin with {clean(name)!r}: {named}{' and more' if len(near) > _MOST_NAMED else ''}"


@click.command(name="show")
@click.argument("name", metavar="ID", shell_complete=_complete)
@json_option
@data_option
@color_option
@click.pass_context
def command(ctx: click.Context, name: str, as_json: bool, data: tuple[str, ...], color: str) -> None:
    """Show the record ID with all its fields: an id, the beginning of one, or owner/repo/slug."""
    kb = open_knowledge(data)
    record = kb.get(name)
    if record is None:
        near = list(islice(_beginning(kb, name), _MOST_NAMED + 1))
        if len(near) != 1:
            click.echo(f"errkb: {_not_found(name, near)}", err=True)
            ctx.exit(1)
        record = near[0]
    if as_json:
        write(json.dumps(record.to_dict(), indent=2) + "\n")
        return
    from errkb.render.record_fields import render_fields

    write(render_fields(record, kb.supplement(record.id), width=width(), colour=use_colour(color)))
