"""`errkb enable`: explain uncaught exceptions of every program of an environment."""

import click

from errkb.integrations.startup import VARIABLE, enable, is_always, present, site_packages


@click.command(name="enable")
@click.option("--always", is_flag=True, help=f"Without {VARIABLE}=1 too.")
@click.option("--show", is_flag=True, help="Only tell how it stands.")
def command(always: bool, show: bool) -> None:
    """Explain uncaught exceptions below their tracebacks, in every program of this environment.

    Only programs that run with ERRKB=1 set, unless --always. `errkb disable` takes it back.
    """
    folder = site_packages()
    if not show:
        for path in enable(folder, always=always):
            click.echo(f"wrote {path}")
    if not present(folder):
        click.echo(f"not enabled in {folder}")
    elif is_always(folder):
        click.echo("enabled for every program of this environment")
    else:
        click.echo(f"enabled for programs that run with {VARIABLE}=1")
