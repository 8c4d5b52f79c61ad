"""`errkb help`: the help of errkb or of one command."""

import click


@click.command(name="help")
@click.argument("name", required=False, metavar="[COMMAND]")
@click.pass_context
def command(ctx: click.Context, name: str | None) -> None:
    """Show the help of errkb, or of COMMAND."""
    parent = ctx.parent
    if parent is None or not isinstance(parent.command, click.Group):
        return
    if name is None:
        click.echo(parent.get_help())
        return
    _, found, _ = parent.command.resolve_command(parent, [name])
    if found is not None:
        click.echo(found.get_help(click.Context(found, info_name=name, parent=parent)))
