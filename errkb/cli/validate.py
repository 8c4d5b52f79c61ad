"""`errkb validate`: a linter for datasets."""

import click

from errkb.cli.output import write
from errkb.validation import validate


@click.command(name="validate")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to report."
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], form: str) -> None:
    """Check datasets: files or folders, in any form that errkb reads.

    Every finding is reported. Exit status 0 if the datasets are valid, 1 if not, 2 if one cannot be read.
    """
    from errkb.render.report import report_json, report_text

    report = validate(paths)
    write(report_json(report) if form == "json" else report_text(report))
    ctx.exit(0 if report.valid else 1)
