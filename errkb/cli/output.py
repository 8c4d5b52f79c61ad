"""Writing to standard output, which may be closed or know few characters."""

import os
import sys


def write(text: str) -> None:
    """Text to stdout as it is, whatever the encoding of stdout can hold."""
    if sys.stdout is None:  # the process was started with a closed output
        return
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def discard_output() -> None:
    """After a closed pipe: the reader has what it wanted, and the interpreter must not flush into the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report_unwritable(error: OSError) -> int:
    """Say on stderr that stdout cannot be written, a full disk mostly; the exit status."""
    discard_output()
    if sys.stderr is not None:
        sys.stderr.write(f"errkb: the output cannot be written: {error.strerror}\n")
    return 2


def to_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()
