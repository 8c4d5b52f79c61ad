"""`errkb fmt`: datasets in canonical form."""

from pathlib import Path

import click

from errkb.cli.output import write
from errkb.cli.unified_diff import unified
from errkb.datasets.canonical_form import format_file
from errkb.datasets.dataset import dataset_files
from errkb.datasets.supplements import supplement_files
from errkb.folders import relative_name


@click.command(name="fmt")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; exit 1 if anything would change.")
@click.option("--diff", is_flag=True, help="Show what would change; change nothing.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], check: bool, diff: bool) -> None:
    """Bring datasets into the one canonical form.

    Fields in the order of the schema, unknown ones after them, a record or supplement on a line, sorted
    by repo, slug and id; no value is changed. Exit status 1 with --check or --diff if a file is not in that
    form, 2 if one cannot be read or is broken.
    """
    changed = 0
    for dataset in paths:
        for path in dict.fromkeys((*dataset_files(dataset), *supplement_files(dataset))):
            formatted = format_file(path)
            if not formatted.changed:
                continue
            changed += 1
            if diff:
                write(unified(path, formatted.before, formatted.after))
            elif check:
                write(f"not formatted: {relative_name(path)}\n")
            else:
                formatted.write()
                write(f"formatted: {relative_name(path)}\n")
    ctx.exit(1 if changed and (check or diff) else 0)
