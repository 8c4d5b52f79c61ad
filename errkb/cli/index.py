"""`errkb index`: the indexes of the datasets that are used."""

import json
from pathlib import Path

import click

from errkb.cli.options import data_option, json_option
from errkb.cli.output import write
from errkb.cli.progress import progress
from errkb.datasets.defaults import default_datasets
from errkb.folders import cache_folder
from errkb.index.cache import clear_cache, index_path, index_state, open_index
from errkb.render.clean import one_line


@click.command(name="index")
@click.option("--build", "action", flag_value="build", help="Build them, also those that are good.")
@click.option("--clear", "action", flag_value="clear", help="Remove all indexes and harvested sites from the cache.")
@click.option("--info", "action", flag_value="info", default=True, help="Show them (the default).")
@json_option
@data_option
def command(action: str, as_json: bool, data: tuple[str, ...]) -> None:
    """Show, build or clear the indexes of the datasets that are used.

    They are built when first needed and again when a dataset changes; nothing has to be done by hand.
    --build makes them complete: with the words that `errkb search` asks for.
    """
    if action == "clear":
        count = clear_cache()
        write(f"{count} index file{'s' * (count != 1)} removed from {one_line(str(cache_folder()))}\n")
        return
    datasets = [Path(path) for path in data] or default_datasets()
    if action == "build":
        for dataset in datasets:
            with progress(f"indexing {dataset.name}") as report:
                open_index(dataset, searchable=True, rebuild=True, progress=report)
    rows = [
        {"dataset": str(dataset), "index": str(index_path(dataset)), **index_state(dataset)} for dataset in datasets
    ]
    if as_json:
        write(json.dumps(rows, indent=2) + "\n")
        return
    for row in rows:
        write(f"{one_line(row['dataset'], 400)}\n")
        if row["state"] == "good":
            write(f"  {row['records']} records, {row['bytes']:,} bytes: {one_line(row['index'], 400)}\n")
        else:
            write(f"  {row['state']}\n")
