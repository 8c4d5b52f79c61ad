"""`errkb disable`: take back what `errkb enable` did."""

import click

from errkb.integrations.startup import disable, site_packages


@click.command(name="disable")
def command() -> None:
    """Take back what `errkb enable` did in this environment."""
    removed = disable(site_packages())
    for path in removed:
        click.echo(f"removed {path}")
    if not removed:
        click.echo(f"not enabled in {site_packages()}")
