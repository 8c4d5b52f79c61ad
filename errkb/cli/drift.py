"""`errkb drift`: whether a repo's records still say what its source says."""

from collections import Counter
from pathlib import Path

import click

from errkb.cli.options import json_option
from errkb.cli.output import write
from errkb.cli.progress import progress
from errkb.errors import ErrkbError
from errkb.knowledge.base import load


@click.command(name="drift")
@click.argument("dataset", type=click.Path())
@click.option("--source", required=True, metavar="PACKAGE_OR_PATH", help="The source to compare with.")
@click.option("--repo", required=True, metavar="OWNER/NAME", help="The repo whose records are compared.")
@click.option("--python", type=click.Path(path_type=Path), metavar="PATH", help="Interpreter that has the package.")
@json_option
@click.pass_context
def command(ctx: click.Context, dataset: str, source: str, repo: str, python: Path | None, as_json: bool) -> None:
    """Compare the records of a repo in DATASET with its source.

    For each: unchanged, moved, reworded or gone. Exit status 1 if any is reworded or gone.
    """
    from errkb.environment.distributions import Environment
    from errkb.environment.interpreter import find_interpreter
    from errkb.environment.target import find_target
    from errkb.raise_sites.drift import DriftStatus, compare_with_source
    from errkb.render.drift import drift_json, drift_text
    from errkb.source_analysis.harvest import harvest_files

    records = [record for record in load(dataset).records() if record.repo == repo]
    if not records:
        raise ErrkbError(f"{dataset} has no records of {repo}")
    target = find_target(source, Environment(find_interpreter(python)))
    with progress(f"reading {target.name}", len(target.files)) as report:
        found = harvest_files(target.root, target.files, report)
    drifts = list(compare_with_source(records, found.sites))
    write(drift_json(drifts, repo, target) if as_json else drift_text(drifts, repo, target))
    counts = Counter(drift.status for drift in drifts)
    ctx.exit(1 if counts[DriftStatus.REWORDED] or counts[DriftStatus.GONE] else 0)
