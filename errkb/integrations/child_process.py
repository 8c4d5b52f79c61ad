"""A command run as it would run by itself, while what it writes is watched: bytes at once, signals, exit status."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import Any, NamedTuple

_AT_ONCE = 65536
_KEPT = 256 * 1024
"""Bytes that are kept of what a command wrote last."""
_STDOUT, _STDERR = 1, 2
_FORWARDED = tuple(signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_OF_THE_TERMINAL = tuple(signal.Signals[name] for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name))
"""A terminal sends these to every process of the foreground, the command included."""
Sink = Callable[[bytes], None]


class Tail:
    """The last bytes of a stream, in bounded memory."""

    def __init__(self, most: int = _KEPT) -> None:
        self._most = most
        self._chunks: deque[bytes] = deque()
        self._size = 0

    def __call__(self, chunk: bytes) -> None:
        """Keep a chunk, and let go of the oldest ones."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        while self._size - len(self._chunks[0]) >= self._most:
            self._size -= len(self._chunks.popleft())

    def text(self) -> str:
        """What is kept, whatever its bytes."""
        return b"".join(self._chunks).decode("utf-8", "replace")


class CannotStart(NamedTuple):
    """Why a command did not start: the status that a shell gives, and a sentence."""

    status: int
    said: str


def child_environment(environment: Mapping[str, str], *, stderr_is_terminal: bool) -> dict[str, str]:
    """The environment of a command whose stderr is a pipe: Python colours its tracebacks as it would at a terminal."""
    colours = stderr_is_terminal and not environment.get("NO_COLOR") and "PYTHON_COLORS" not in environment
    return {**environment, "PYTHON_COLORS": "1"} if colours else dict(environment)


def run_watched(command: Sequence[str], sink: Sink, *, stdout: bool = False) -> int | CannotStart:
    """Run a command and pass its stderr, with `stdout` its stdout too, on as it comes; `sink` gets each chunk.

    Gives the exit status, negative for the signal that ended it, as `subprocess` has it. stdin is the command's own.
    """
    try:
        terminal = sys.stderr is not None and sys.stderr.isatty()
    except ValueError:
        terminal = False
    if sys.stderr is None:  # closed for us, so for the command: whatever has its number now is ours
        with contextlib.suppress(OSError):
            os.set_inheritable(_STDERR, False)
    with _signals_kept(Forwarding()) as forwarding:
        try:
            child = subprocess.Popen(  # noqa: S603  # the command is what the user typed
                command,
                stdout=subprocess.PIPE if stdout else None,
                stderr=subprocess.PIPE if sys.stderr is not None else None,
                env=child_environment(os.environ, stderr_is_terminal=terminal),
                bufsize=0,
            )
        except FileNotFoundError:
            return CannotStart(127, f"{command[0]}: command not found")
        except OSError as error:
            return CannotStart(126, f"{command[0]}: {error.strerror or error}")
        forwarding.child = child
        streams = {child.stderr.fileno(): _STDERR} if child.stderr else {}
        if child.stdout:
            streams[child.stdout.fileno()] = _STDOUT
        if sys.platform == "win32":
            _relay_by_threads(child, streams, sink)
        else:
            _relay(child, streams, sink)
        return child.wait()


class Forwarding:
    """Passes signals that are for us on to the command."""

    child: subprocess.Popen[bytes] | None = None

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        """Send the signal to the command, if it runs."""
        if self.child is not None and self.child.poll() is None:
            self.child.send_signal(number)


@contextlib.contextmanager
def _signals_kept(forwarding: Forwarding) -> Iterator[Forwarding]:
    """While a command runs, leave the terminal's signals to it, and pass others on.

    A handler, unlike "ignore", is not inherited by the command. What is ignored already stays so for both.
    """
    before: dict[signal.Signals, Any] = {}
    wanted: dict[signal.Signals, Callable[[int, FrameType | None], None]] = dict.fromkeys(
        _OF_THE_TERMINAL, _leave_to_child
    )
    wanted |= dict.fromkeys(_FORWARDED, forwarding)
    for number, handler in wanted.items():
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            before[number] = signal.signal(number, handler)
    try:
        yield forwarding
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave_to_child(_number: int, _frame: FrameType | None) -> None:
    pass


def _relay(child: subprocess.Popen[bytes], streams: dict[int, int], sink: Sink) -> None:
    """Pass bytes on until the command has ended and written all; what it left running may go on writing."""
    ended, waiter = os.pipe()
    threading.Thread(target=_tell_end, args=(child, waiter), daemon=True).start()
    is_running = True
    try:
        while streams:
            ready, _, _ = select.select([*streams, *([ended] if is_running else [])], [], [], None if is_running else 0)
            if not ready:
                break
            is_running &= ended not in ready
            for descriptor in ready:
                if descriptor == ended:
                    continue
                chunk = os.read(descriptor, _AT_ONCE)
                if chunk:
                    sink(chunk)
                    pass_on(streams[descriptor], chunk)
                else:
                    del streams[descriptor]
        if streams and child.wait() is not None:
            _leave_a_relay(streams)
    finally:
        os.close(ended)


def _tell_end(child: subprocess.Popen[bytes], waiter: int) -> None:
    child.wait()
    os.close(waiter)


def _leave_a_relay(streams: dict[int, int]) -> None:
    """A process of the command still holds the pipe: another one of ours goes on passing its bytes, till it ends."""
    if sys.platform == "win32" or os.fork():
        return
    status = 0
    try:
        os.setsid()
        unused = os.open(os.devnull, os.O_RDWR)
        os.dup2(unused, 0)
        if _STDOUT not in streams.values():
            os.dup2(unused, _STDOUT)
        while streams:
            for descriptor in select.select(list(streams), [], [])[0]:
                chunk = os.read(descriptor, _AT_ONCE)
                if not chunk:
                    del streams[descriptor]
                else:
                    pass_on(streams[descriptor], chunk)
    except BaseException:  # noqa: BLE001  # nobody is left to be told
        status = 1
    finally:
        os._exit(status)


def pass_on(descriptor: int, chunk: bytes) -> None:
    """Write all of a chunk; a reader that has gone, or a full disk, is no reason to stop the command."""
    view = memoryview(chunk)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            select.select([], [descriptor], [])
        except OSError:
            return


def _relay_by_threads(child: subprocess.Popen[bytes], streams: dict[int, int], sink: Sink) -> None:
    """The same where pipes cannot be waited for together."""

    def relay(descriptor: int, target: int) -> None:
        while chunk := os.read(descriptor, _AT_ONCE):
            sink(chunk)
            pass_on(target, chunk)

    threads = [threading.Thread(target=relay, args=pair, daemon=True) for pair in streams.items()]
    for thread in threads:
        thread.start()
    child.wait()
    for thread in threads:
        thread.join(1)


def end_as(status: int) -> int:
    """End as the command ended: die of its signal, or give its exit status."""
    if status >= 0 or sys.platform == "win32":
        return status
    import resource

    with contextlib.suppress(OSError, ValueError):  # its core is the command's, one is enough
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    with contextlib.suppress(OSError, ValueError):
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
    return 128 - status
