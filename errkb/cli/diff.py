"""`errkb diff`: two versions of a dataset compared."""

from pathlib import Path

import click

from errkb.cli.options import color_option, terminal_width, use_colour
from errkb.cli.output import write


@click.command(name="diff")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--markdown", is_flag=True, help="Print Markdown, for release notes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--exit-code", is_flag=True, help="Exit 1 if ids of OLD are not in NEW.")
@color_option
@click.pass_context
def command(
    ctx: click.Context, old: Path, new: Path, markdown: bool, as_json: bool, exit_code: bool, color: str
) -> None:
    """Compare two versions of a dataset.

    Records added, removed and changed, field by field; and messages that are not answered any more
    with the record that they were answered with. Exit status 2 if a dataset cannot be read or is
    broken.
    """
    from errkb.knowledge.dataset_diff import compare
    from errkb.render.comparison import comparison_json, comparison_markdown, comparison_text

    if as_json and markdown:
        raise click.UsageError("--json and --markdown exclude each other.")
    comparison = compare(old, new)
    if as_json or markdown:
        write(comparison_json(comparison) if as_json else comparison_markdown(comparison))
    else:
        write(comparison_text(comparison, width=terminal_width(), colour=use_colour(color)))
    ctx.exit(1 if exit_code and comparison.removed else 0)
