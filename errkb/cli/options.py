"""Options that several commands share."""

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from errkb.knowledge import KnowledgeBase, default, load

Command = Callable[..., Any]

data_option = click.option(
    "--data",
    multiple=True,
    metavar="PATH",
    type=click.Path(),
    help="A dataset to use in place of all those in force; may be repeated, later over earlier.",
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


def open_knowledge(data: tuple[str, ...]) -> KnowledgeBase:
    """The knowledge base of `--data`, or of the datasets in force; what is broken in it is told on stderr."""
    kb = load(*data) if data else default()
    for problem in kb.problems[:5]:
        click.echo(f"errkb: skipped: {problem}", err=True)
    if len(kb.problems) > 5:
        click.echo(f"errkb: and {len(kb.problems) - 5} more; `errkb validate` lists all", err=True)
    return kb


def use_colour(choice: str) -> bool:
    """Whether to colour what goes to stdout (https://no-color.org, https://force-color.org)."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to write in: those of the terminal, up to 100; 80 where there is none."""
    import shutil

    return min(shutil.get_terminal_size((80, 24)).columns, 100) if sys.stdout.isatty() else 80


def write(text: str) -> None:
    """Text to stdout as it is, whatever the encoding of stdout can hold."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
