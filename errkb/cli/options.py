"""Options that several commands share."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from errkb.cli.output import to_terminal
from errkb.cli.progress import progress
from errkb.datasets.defaults import default_datasets
from errkb.errors import DatasetError
from errkb.knowledge.base import KnowledgeBase, open_datasets

Command = Callable[..., Any]

data_option = click.option(
    "--data",
    multiple=True,
    metavar="PATH",
    type=click.Path(),
    help="Use only this dataset. Repeat to add more; later ones override earlier ones.",
)
repo_option = click.option("--repo", metavar="OWNER/NAME", help="Only records of this repo.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON (see docs/json.md).")
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colour; auto heeds NO_COLOR and FORCE_COLOR.",
)


def open_knowledge(data: tuple[str, ...], *, searchable: bool = False) -> KnowledgeBase:
    """The knowledge base of `--data`, or of the datasets that are used; stderr names what is broken in it."""
    datasets = list(map(Path, data)) or default_datasets()
    with progress("indexing") as report:
        kb = open_datasets(datasets, lenient=not data, searchable=searchable, progress=report)
    problems = kb.problems
    if problems:
        _name_problems(problems)
    return kb


def _name_problems(problems: Sequence[DatasetError]) -> None:
    from errkb.render.clean import one_line

    for problem in problems[:5]:
        click.echo(f"errkb: skipped: {one_line(str(problem), 500)}", err=True)
    if len(problems) > 5:
        click.echo(f"errkb: and {len(problems) - 5} more; `errkb validate` lists all", err=True)


def tell_unknown_repo(kb: KnowledgeBase, repo: str) -> None:
    """Say on stderr that there are no records of a repo, and which may be meant; nothing if there are some."""
    import difflib

    from errkb.render.clean import one_line

    repos = {record.repo for record in kb.records()}
    if repo in repos:
        return
    last = repo.rpartition("/")[2].lower()
    near = [one for one in sorted(repos) if last and last in one.lower()][:2] or difflib.get_close_matches(
        repo, repos, 2
    )
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    click.echo(f"errkb: there are no records of the repo {one_line(repo, 80)!r}.{meant}", err=True)


def use_colour(choice: str) -> bool:
    """Whether to colour what goes to stdout (https://no-color.org, https://force-color.org)."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return to_terminal() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to write prose in: those of the terminal, up to 100; 80 where there is none."""
    return min(terminal_width() or 80, 100)


def terminal_width() -> int | None:
    """Columns of the terminal; None where stdout is none, and lines are for other programs."""
    import shutil

    return max(40, shutil.get_terminal_size((80, 24)).columns) if to_terminal() else None
