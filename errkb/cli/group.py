"""The commands, each in a module that is imported when it is called."""

import errno
import sys
from importlib import import_module

import click

from errkb.cli.output import discard_output, report_unwritable
from errkb.errors import ErrkbError
from errkb.version import __version__

GROUPS = {
    "For an error": {
        "explain": "Explain an error text: which cause it is, what to do.",
        "show": "Show a record.",
        "search": "Search records by words.",
        "list": "List records.",
    },
    "Where errors happen": {
        "run": "Run a command, and explain its error below.",
        "ci": "Explain the errors of a continuous integration job.",
        "mcp": "Serve coding agents.",
        "enable": "Explain uncaught exceptions of an environment.",
        "disable": "Take that back.",
    },
    "For those who keep a dataset": {
        "new": "Begin a record.",
        "validate": "Check datasets.",
        "fmt": "Bring datasets into the one form.",
        "diff": "Compare two versions of a dataset.",
        "prove": "Run the examples of records.",
        "stats": "Count records, and how many are proven.",
        "index": "Show, build or clear the indexes in the cache.",
        "harvest": "List the messages that a package's source raises.",
        "drift": "Compare records with the source they are about.",
    },
    "About errkb": {
        "help": "Show the help of errkb or of a command.",
        "completion": "Complete commands, ids and repos in the shell.",
    },
}
"""The headings of the help; below each the commands, with what they do in a few words."""
_COMMANDS = tuple(name for commands in GROUPS.values() for name in commands)


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; an error text without a command is to be explained."""
        if args and args[0] not in _COMMANDS and (_looks_like_error(args[0]) or args == ["-"]):
            args = ["explain", *args]
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(_unknown(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The commands below their headings; none of them is imported for it."""
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()))


def _looks_like_error(word: str) -> bool:
    """Whether a word is no command, but the text of an error or a file that holds one."""
    return any(sign in word for sign in (" ", ":", "\n", "(")) or word.endswith(("Error", "Exception", ".log", ".txt"))


def _unknown(name: str) -> str:
    """What is said of a command that there is not, with those that may be meant."""
    import difflib

    from errkb.render.clean import one_line

    near = difflib.get_close_matches(name, _COMMANDS, n=2, cutoff=0.6)
    meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else " `errkb help` lists all."
    return f"There is no command {one_line(name, 60)!r}.{meant}"


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"errkb {__version__}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version.",
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
