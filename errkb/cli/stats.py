"""`errkb stats`: how many records there are, and how many of them are proven."""

import click

from errkb.cli.options import color_option, data_option, json_option, open_knowledge, terminal_width, use_colour
from errkb.cli.output import write
from errkb.proof.proofs_file import proofs_path, read_runs
from errkb.proof.results import proof_status


@click.command(name="stats")
@json_option
@data_option
@color_option
@click.pass_context
def command(ctx: click.Context, as_json: bool, data: tuple[str, ...], color: str) -> None:
    """Count records by repo: all, proven, stale (changed since they were), not proven yet, unprovable."""
    from errkb.render.proofs import Causes, stats_json, stats_text

    kb = open_knowledge(data)
    runs = [run for dataset in kb.datasets for run in read_runs(proofs_path(dataset))]
    records = list(kb.records())
    stood = proof_status(records, runs)
    causes = Causes.counted(records, kb.supplement, runs)
    if as_json:
        write(stats_json(stood, causes))
    else:
        write(stats_text(stood, causes, width=terminal_width() or 80, colour=use_colour(color)))
    ctx.exit(0 if stood else 1)
