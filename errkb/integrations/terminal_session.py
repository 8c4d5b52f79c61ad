"""A command run in a terminal of its own, so that it behaves as at a terminal, while all it writes is watched."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence

from errkb.integrations.child_process import CannotStart, Sink, pass_on

_AT_ONCE = 65536
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126


def run_in_terminal(command: Sequence[str], sink: Sink) -> int | CannotStart:
    """Run a command in a pseudo-terminal, stdin and both outputs; `sink` gets each chunk of what it writes.

    Gives the exit status, negative for a signal. The command cannot be suspended with ^Z.
    """
    process, terminal = pty.fork()
    if process == 0:
        _execute(command)
    _copy_size(terminal)
    with _raw_input(), _size_followed(terminal):
        _relay(terminal, sink)
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status == _NOT_FOUND and os.path.sep not in command[0] and not _is_known(command[0]):
        return CannotStart(_NOT_FOUND, f"{command[0]}: command not found")
    return status


def _execute(command: Sequence[str]) -> None:
    try:
        os.execvp(command[0], list(command))  # noqa: S606  # the command is what the user typed
    except FileNotFoundError:
        os._exit(_NOT_FOUND)
    except BaseException:  # noqa: BLE001  # this is the child: nothing of ours may go on in it
        os._exit(_NOT_EXECUTABLE)


def _is_known(name: str) -> bool:
    import shutil

    return shutil.which(name) is not None


def _relay(terminal: int, sink: Sink) -> None:
    """Pass bytes on in both directions until the command has closed its terminal."""
    sources = [terminal, 0] if sys.stdin is not None else [terminal]
    while True:
        ready = select.select(sources, [], [])[0]
        if terminal in ready:
            try:
                chunk = os.read(terminal, _AT_ONCE)
            except OSError:  # Linux says so when the last process has closed it
                return
            if not chunk:
                return
            sink(chunk)
            pass_on(1, chunk)
        if 0 in ready:
            typed = os.read(0, _AT_ONCE)
            if typed:
                pass_on(terminal, typed)
            else:
                sources.remove(0)
                pass_on(terminal, b"\x04")  # what a terminal sends at the end of input


@contextlib.contextmanager
def _raw_input() -> Iterator[None]:
    """Our terminal hands every key on, as the command's own terminal interprets them."""
    if sys.stdin is None or not os.isatty(0):
        yield
        return
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSAFLUSH, before)


@contextlib.contextmanager
def _size_followed(terminal: int) -> Iterator[None]:
    """The command's terminal has the size of ours, also when that changes."""
    before = signal.signal(signal.SIGWINCH, lambda *_: _copy_size(terminal))
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)


def _copy_size(terminal: int) -> None:
    with contextlib.suppress(OSError):
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, fcntl.ioctl(1, termios.TIOCGWINSZ, b"\0" * 8))
