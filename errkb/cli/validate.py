"""`errkb validate`: a linter for datasets."""

from collections.abc import Sequence
from pathlib import Path

import click

from errkb.cli.options import color_option, terminal_width, use_colour
from errkb.cli.output import write
from errkb.datasets.configuration import Validation, find_configuration
from errkb.folders import expanded, working_folder
from errkb.validation import Report, Settings, validate
from errkb.validation.reporters import FORMATS, render
from errkb.validation.settings import settings


@click.command(name="validate")
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
@click.option("--select", multiple=True, metavar="RULES", help="Report these rules only: codes, names, letters.")
@click.option("--ignore", multiple=True, metavar="RULES", help="Do not report these rules.")
@click.option("--fix", is_flag=True, help="Mend what follows from other fields, and order.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; without --fix, change nothing.")
@click.option("--statistics", is_flag=True, help="Report only how often each rule was broken.")
@click.option("--explain", metavar="RULE", help="Tell what a rule says and why, and leave.")
@click.option("--list-rules", is_flag=True, help="List all rules and leave.")
@color_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fix: bool,
    diff: bool,
    statistics: bool,
    explain: str | None,
    list_rules: bool,
    color: str,
) -> None:
    """Check datasets: files or folders, in any form that errkb reads.

    Without PATH, the datasets that the project's configuration names. Rules are selected there too:
    [tool.errkb.validate] in pyproject.toml, or errkb.toml; flags go before it. Exit status 0 if
    the datasets are valid (warnings aside), 1 if not, 2 if one cannot be read.
    """
    if explain or list_rules:
        from errkb.validation.reference import explanation, rule_list

        write(explanation(explain) if explain else rule_list())
        return
    configured, named = _configured(select, ignore)
    datasets = paths or named
    if not datasets:
        raise click.UsageError("Name a dataset, or `datasets` in the configuration.")
    if (fix or diff) and _fix(datasets, configured, write_files=fix, show=diff) and not fix:
        ctx.exit(1)
    if diff and not fix:
        return
    report = _report(datasets, configured)
    if statistics or form == "text":
        from errkb.validation.reporters import text

        colour = use_colour(color)
        write(text.statistics(report) if statistics else text.render(report, width=terminal_width(), colour=colour))
    else:
        write(render(report, form))
    ctx.exit(0 if report.valid else 1)


def _configured(select: Sequence[str], ignore: Sequence[str]) -> tuple[Settings, tuple[Path, ...]]:
    """The settings of flags and configuration, and the datasets that the latter names."""
    configuration = find_configuration()
    table = configuration.validate if configuration else Validation()
    folder = configuration.folder if configuration else working_folder() or Path()
    chosen = settings(
        select=_split(select) or table.select,
        ignore=(*_split(ignore), *table.ignore),
        per_file_ignores=table.per_file_ignores,
        severity=table.severity,
        folder=folder,
    )
    names = configuration.datasets if configuration else ()
    return chosen, tuple(folder / expanded(name) for name in names)


def _split(values: Sequence[str]) -> list[str]:
    """`--select P001,P002 --select L` as one list."""
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def _report(datasets: Sequence[Path], chosen: Settings) -> Report:
    from errkb.cli.progress import progress

    with progress("records checked") as report:
        return validate(datasets, chosen, report)


def _fix(datasets: Sequence[Path], chosen: Settings, *, write_files: bool, show: bool) -> int:
    """Fix what can be fixed; how many findings."""
    from errkb.validation.fixing import find_fixes

    count = files = 0
    for fixed in find_fixes(datasets, chosen):
        count, files = count + fixed.findings, files + 1
        if show:
            from errkb.cli.unified_diff import unified

            write(unified(fixed.path, fixed.before(), b"".join(fixed.chunks())))
        if write_files:
            fixed.write()
    if count:
        done = "fixed" if write_files else "can be fixed"
        click.echo(f"errkb: {count} finding{'s' * (count != 1)} in {files} file{'s' * (files != 1)} {done}", err=True)
    return count
