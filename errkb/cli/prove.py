"""`errkb prove`: the examples of records, run."""

import datetime
import os
import random
import shutil
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import click

from errkb.cli.options import json_option
from errkb.cli.output import write
from errkb.cli.progress import progress
from errkb.errors import DatasetError
from errkb.knowledge.base import load
from errkb.proof.environments import environment_info, fits, read_requirements
from errkb.proof.proofs_file import current_digests, merge_runs, read_runs, write_runs
from errkb.proof.proving import Attempt, Task, prove
from errkb.proof.results import REASONS, unprovable
from errkb.proof.running import Limits, network_is_cut
from errkb.proof.selection import Selection, plans, runnable, select
from errkb.records.record import Record
from errkb.render.clean import one_line
from errkb.render.proofs import Lacking, lacking_json, lacking_text, tried_json, tried_text

_MEBIBYTE = 1024 * 1024
_DEFAULT = Limits()


def _interpreters(_ctx: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> list[Path]:
    found = [shutil.which(name) for name in names]
    if None in found:
        raise click.BadParameter(f"no such program: {names[found.index(None)]}")
    return [Path(one).absolute() for one in found if one]


@click.command(name="prove")
@click.argument("names", nargs=-1, metavar="[ID|REPO|PATH]...")
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="PATH",
    callback=_interpreters,
    help="An interpreter to run in as it stands, or that --with starts from; may be repeated.",
)
@click.option(
    "--with", "wanted", multiple=True, metavar="REQUIREMENT", help="Run in an environment with this; may be repeated."
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    help="How many to run at once; as many as there are processors.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=_DEFAULT.seconds,
    show_default=True,
    help="Seconds for each half.",
)
@click.option(
    "--memory",
    type=click.IntRange(16),
    default=_DEFAULT.memory // _MEBIBYTE,
    show_default=True,
    help="Address space for each half, in MiB.",
)
@click.option("--stale", is_flag=True, help="Only records without a proof that holds.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only so many, chosen at random.")
@click.option("--save/--no-save", default=True, help="Whether to keep the results (default) or only report them.")
@click.option("--check", is_flag=True, help="Run nothing: tell whose proof is stale or missing.")
@click.option(
    "--unprovable",
    "reason",
    metavar="REASON",
    help=f"Run nothing: note that the records named cannot be run: {', '.join(REASONS)}; ': ' and a note may follow.",
)
@click.option(
    "--only", type=click.Choice(["examples", "triggers"]), help="Run only the examples, or only the triggers of causes."
)
@click.option("--yes-run-code", is_flag=True, help="Run the examples of a dataset that is not errkb's own.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    pythons: list[Path],
    wanted: tuple[str, ...],
    jobs: int,
    timeout: float,
    memory: int,
    stale: bool,
    sample: int | None,
    save: bool,
    check: bool,
    reason: str | None,
    only: str | None,
    yes_run_code: bool,
    as_json: bool,
) -> None:
    """Run the examples of records and the triggers of causes: THIS RUNS CODE that stands in the dataset.

    The 'before' code must raise this record's error, the 'after' code must exit with status 0. The trigger
    of a cause must raise the record's error, with values that choose this cause. Without names
    all records of errkb's dataset are run, each in an environment with what environments.toml names
    for it. What proves a record is kept in proofs.jsonl beside the dataset.

    Exit status 0 if all that was run is proven, 1 if not.
    """
    selection = select(names)
    if check:
        ctx.exit(_check(selection, as_json))
    if reason is not None:
        _mark(selection, reason)
        return
    if not (selection.trusted or yes_run_code):
        raise click.UsageError(
            f"{selection.dataset} is not errkb's own dataset. Its examples are programs that would run with your "
            "rights: add --yes-run-code if you have read them or trust their authors."
        )
    chosen, skipped = runnable(selection, stale=stale)
    with_triggers = [record for record, proof in selection.triggers_status if not (stale and proof.status == "proven")]
    chosen, with_triggers = ([] if only == "triggers" else chosen), ([] if only == "examples" else with_triggers)
    if sample is not None:
        chosen = random.sample(chosen, min(sample, len(chosen)))
        with_triggers = random.sample(with_triggers, min(sample, len(with_triggers)))
    network = "cut" if network_is_cut() else "open"
    count = len({record.id for record in (*chosen, *with_triggers)})
    click.echo(f"errkb: running the code of {count} records of {selection.dataset}, network {network}", err=True)
    limits = Limits(timeout, memory * _MEBIBYTE)
    tasks, results, left_out = _tasks(selection, chosen, with_triggers, wanted, pythons)
    skipped |= left_out
    try:
        with progress("proving", len(tasks)) as report:
            for done, tried in enumerate(prove(tasks, selection.knowledge, limits, jobs=jobs, on_environment=_show), 1):
                results.append(tried)
                if report:
                    report(done)
    finally:
        if save:
            _save(selection, results)
    results.sort(key=lambda tried: (tried.record.repo, tried.record.slug, tried.run.key if tried.run else ()))
    write(tried_json(results, skipped, str(selection.dataset), network) if as_json else tried_text(results, skipped))
    ctx.exit(0 if all(tried.outcome == "proven" for tried in results) else 1)


def _check(selection: Selection, as_json: bool) -> int:
    known = {record.id for record in selection.every}
    orphans = sorted({run.id for run in selection.runs} - known)
    status = [
        *((record, proof, "example") for record, proof in selection.proof_status),
        *((record, proof, "triggers") for record, proof in selection.triggers_status),
    ]
    lacking = [Lacking(record, proof.status, what) for record, proof, what in status if proof and proof.is_due]
    report = lacking_json if as_json else lacking_text
    write(report(lacking, orphans, len(selection.chosen)))
    return 1 if orphans or any(one.what == "example" for one in lacking) else 0


def _mark(selection: Selection, reason: str) -> None:
    if not selection.named:
        raise click.UsageError("--unprovable needs records by their ids.")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    marks = [unprovable(record, reason, today) for record in selection.chosen if record.id in selection.named]
    write_runs(selection.proofs, merge_runs(selection.runs, marks, selection.digests))


def _tasks(
    selection: Selection,
    chosen: list[Record],
    with_triggers: list[Record],
    wanted: tuple[str, ...],
    pythons: list[Path],
) -> tuple[list[Task], list[Attempt], dict[str, int]]:
    """What to run, what cannot be for want of an environment, and how many another version of Python leaves out."""
    requirements = read_requirements(selection.proofs.with_name("environments.toml"))
    tasks: list[Task] = []
    nowhere: list[Attempt] = []
    left_out: Counter[str] = Counter()
    version = cache(lambda python: environment_info(python, ()).python)
    supplement = selection.knowledge.supplement
    work = [*((record, None) for record in chosen), *((record, supplement(record.id)) for record in with_triggers)]
    for record, causes in work:
        found = plans(record, requirements, wanted, pythons)
        python = requirements.python_of(record)
        for plan in found:
            if python is None or fits(version(plan.python), python):
                tasks.append(Task(record, plan, causes))
            else:
                left_out[f"needs {python}"] += 1
        if not found:
            trouble = f"environments.toml names nothing for {record.repo}: use --with or --python"
            nowhere.append(Attempt(record, "unavailable", trouble=trouble))
    return tasks, nowhere, left_out


def _show(environment: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"errkb: environment: {environment}", err=True)


def _save(selection: Selection, results: list[Attempt]) -> None:
    """Keep the results, over what dataset and proofs hold by now: somebody else may have worked on them."""
    proven = [tried.run for tried in results if tried.run and tried.outcome == "proven"]
    failed = [tried.run.key for tried in results if tried.run and tried.outcome == "failed"]
    try:
        now = load(selection.dataset)
        digests = current_digests(now.records(), now.supplement)
        write_runs(selection.proofs, merge_runs(read_runs(selection.proofs), proven, digests, failed))
    except DatasetError as error:
        click.echo(f"errkb: the results are not kept: {one_line(str(error), 500)}", err=True)
