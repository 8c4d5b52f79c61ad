"""`errkb completion`: completion of commands, options, ids and repos in the shell."""

import os
from pathlib import Path

import click

from errkb.cli.output import write
from errkb.folders import home

_SHELLS = {
    "bash": (".bashrc", 'eval "$(_ERRKB_COMPLETE=bash_source errkb)"'),
    "zsh": (".zshrc", 'eval "$(_ERRKB_COMPLETE=zsh_source errkb)"'),
    "fish": (".config/fish/completions/errkb.fish", "_ERRKB_COMPLETE=fish_source errkb | source"),
}
"""The file of the user's that each shell reads, and the line in it."""


@click.command(name="completion")
@click.argument("shell", required=False, type=click.Choice(list(_SHELLS)))
@click.option("--install", is_flag=True, help="Add the line to the file that the shell reads.")
def command(shell: str | None, install: bool) -> None:
    """Print the line that completes errkb's commands, ids and repos in SHELL; with --install add it.

    SHELL is the one that runs, by default.
    """
    name = shell or Path(os.environ.get("SHELL", "")).name
    if name not in _SHELLS:
        raise click.UsageError(f"Name the shell: {', '.join(_SHELLS)}.")
    file, line = _SHELLS[name]
    if not install:
        write(f"{line}\n")
        return
    folder = home()
    if folder is None:
        raise click.ClickException("there is no home folder to write to")
    path = folder / file
    try:
        before = path.read_text("utf-8") if path.exists() else ""
        if line in before:
            click.echo(f"{path} has it already")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{before.rstrip()}\n{line}\n".lstrip("\n"), "utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from None
    click.echo(f"added to {path}; it works in the next shell")
