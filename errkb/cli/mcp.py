"""`errkb mcp`: the tools for coding agents."""

import click

from errkb.cli.options import data_option, open_knowledge
from errkb.version import __version__

_EXTRA = "errkb mcp needs the package mcp: pip install 'errkb[mcp]'"


@click.command(name="mcp")
@click.option(
    "--http",
    metavar="[HOST:]PORT",
    help="Serve streamable HTTP at /mcp, on this machine only unless HOST says otherwise.",
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="With --http: a name that clients know HOST by.")
@click.option("--no-values", is_flag=True, help="Repeat no value of a message in answers: they may be secrets.")
@data_option
def command(http: str | None, allow_host: tuple[str, ...], no_values: bool, data: tuple[str, ...]) -> None:
    """Serve coding agents: an MCP server on stdin and stdout.

    Its tools explain an error text, search records, show one, and list projects. They only read.
    """
    try:
        from errkb.integrations import mcp_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "anyio"):
            raise
        raise click.ClickException(_EXTRA) from None
    from errkb.integrations.mcp_tools import ErrorTools

    tools = ErrorTools(lambda: open_knowledge(data), show_values=not no_values)
    server = mcp_server.make_server(tools, __version__)
    if http is None:
        mcp_server.serve_stdio(server)
        return
    host, port = _address(http)
    if not mcp_server.is_loopback(host):
        click.echo(f"errkb: other machines can reach {host}:{port}; there is no password", err=True)
    click.echo(f"errkb: serving http://{host}:{port}/mcp", err=True)
    mcp_server.serve_http(server, host, port, allow_host)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise click.UsageError(f"{text!r} is not a port, nor HOST:PORT.")
    return host.strip("[]") or "127.0.0.1", int(port)
