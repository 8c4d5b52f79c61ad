"""`errkb search`: records by words."""

import json
from collections.abc import Iterator

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
from errkb.exception_names import with_class
from errkb.knowledge.word_search import WordHit
from errkb.render.clean import one_line
from errkb.render.lines import Line, Piece, prose, shown, wrapped


@click.command(name="search")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "-n",
    "--limit",
    "count",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="How many records, at most.",
)
@json_option
@repo_option
@data_option
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    count: int,
    as_json: bool,
    repo: str | None,
    data: tuple[str, ...],
    color: str,
) -> None:
    """Search records by words of their message, class, repo, tags and documentation.

    Best first. To find the record of an error that you have the text of, use `errkb explain`.
    """
    kb = open_knowledge(data, searchable=True)
    hits = kb.search_words(" ".join(words), limit=count, repo=repo)
    if repo and not hits:
        tell_unknown_repo(kb, repo)
    if as_json:
        rows = [
            {
                "id": hit.record.id,
                "repo": hit.record.repo,
                "slug": hit.record.slug,
                "errorClass": hit.record.error_class,
                "errorMessage": hit.record.error_message,
                "score": round(hit.score, 4),
                "missing": hit.missing,
            }
            for hit in hits
        ]
        write(json.dumps({"version": 1, "hits": rows}, indent=2) + "\n")
        ctx.exit(0 if hits else 1)
    if not hits:
        click.echo("errkb: no record has these words", err=True)
        ctx.exit(1)
    if hits[0].missing:
        click.echo("errkb: no record has all of these words", err=True)
    columns = width()
    lines = [line for hit in hits for line in ((), *_hit_lines(hit, columns))]
    write(shown(lines[1:], colour=use_colour(color)))


def _hit_lines(hit: WordHit, columns: int) -> Iterator[Line]:
    """Id and repo, class and message, and two lines of what it means."""
    record = hit.record
    lacking = f"  (without {', '.join(hit.missing)})" if hit.missing else ""
    yield (Piece(record.id, "dim"), Piece("  " + one_line(f"{record.repo}{lacking}", columns - 18)))
    yield (Piece("  "), Piece(one_line(with_class(record.error_class, record.error_message), columns - 2), "error"))
    about = one_line(record.documentation, 2 * (columns - 4))
    yield from list(wrapped(prose(about), columns, "  "))[:2]
