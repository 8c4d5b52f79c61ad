"""`errkb list`: the records that are known."""

import json

import click

from errkb.cli.options import data_option, json_option, open_knowledge, repo_option
from errkb.cli.output import write
from errkb.render.clean import one_line


@click.command(name="list")
@json_option
@repo_option
@data_option
@click.pass_context
def command(ctx: click.Context, as_json: bool, repo: str | None, data: tuple[str, ...]) -> None:
    """List records: id, repo, class and message, a line each; with --json one object a line."""
    records = [record for record in open_knowledge(data).records() if repo in (None, record.repo)]
    for record in records:
        if as_json:
            fields = {"id": record.id, "repo": record.repo, "slug": record.slug}
            fields |= {"errorClass": record.error_class or "", "errorMessage": record.error_message}
            write(json.dumps(fields) + "\n")
        else:
            about = f"{record.error_class or '-'}: {record.error_message}"
            write(f"{record.id}  {one_line(record.repo)}  {one_line(about, 160)}\n")
    ctx.exit(0 if records else 1)
