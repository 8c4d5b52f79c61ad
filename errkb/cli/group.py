"""The commands, each in a module that is imported when it is called."""

import errno
import sys
from importlib import import_module

import click

from errkb.cli.output import discard_output, report_unwritable
from errkb.errors import ErrkbError
from errkb.version import __version__

_COMMANDS = (
    "explain",
    "show",
    "search",
    "list",
    "index",
    "validate",
    "fmt",
    "new",
    "diff",
    "prove",
    "stats",
    "harvest",
    "drift",
    "mcp",
    "ci",
    "run",
    "enable",
    "disable",
)


_CANNOT_WRITE = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EROFS)


class _Commands(click.Group):
    """Commands that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"errkb.cli.{cmd_name}").command
        return command


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"errkb {__version__}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
def cli() -> None:
    """Explain error messages: what they mean, why they happened, how to fix them."""


def run() -> int:
    """Run the command line; returns its exit status."""
    stdout = sys.stdout
    try:
        status = cli.main(prog_name="errkb", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = 2
    except ErrkbError as error:
        from errkb.render.clean import one_line

        click.echo(f"errkb: {one_line(str(error), 1000)}", err=True)
        status = 2
    except (click.Abort, KeyboardInterrupt):
        status = 130
    except BrokenPipeError:
        discard_output()
        status = 0
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            raise
        status = report_unwritable(error)
    except SystemExit as leaving:  # click's own way out; at a closed pipe it has put a wrapper around stdout
        status = 0 if sys.stdout is not stdout else leaving.code
    return int(status or 0)
