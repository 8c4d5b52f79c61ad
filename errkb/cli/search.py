"""`errkb search`: records by words."""

import json
import textwrap

import click

from errkb.cli.options import data_option, json_option, open_knowledge, repo_option, width
from errkb.cli.output import write
from errkb.exception_names import with_class
from errkb.render.clean import one_line


@click.command(name="search")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "-n", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many records, at most."
)
@json_option
@repo_option
@data_option
@click.pass_context
def command(
    ctx: click.Context, words: tuple[str, ...], count: int, as_json: bool, repo: str | None, data: tuple[str, ...]
) -> None:
    """Search records by words of their message, class, repo, tags and documentation.

    Best first. To find the record of an error that you have the text of, use `errkb explain`.
    """
    hits = open_knowledge(data, searchable=True).search_words(" ".join(words), limit=count, repo=repo)
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
    columns = width()
    if hits[0].missing:
        click.echo("errkb: no record has all of these words", err=True)
    for place, hit in enumerate(hits):
        record = hit.record
        about = with_class(record.error_class, record.error_message)
        lacking = f"  (without {', '.join(hit.missing)})" if hit.missing else ""
        write("\n" * bool(place) + one_line(f"{record.id}  {record.repo}{lacking}", columns) + "\n")
        write(f"  {one_line(about, columns - 2)}\n")
        for line in textwrap.wrap(one_line(record.documentation, 2 * (columns - 4)), columns - 2)[:2]:
            write(f"  {line}\n")
