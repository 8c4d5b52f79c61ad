"""How the time for a text grows with its length: steps inside regular expressions are seen, too."""

from collections.abc import Callable
from time import process_time
from typing import NamedTuple

SHORT, LONG = 2_500, 40_000
_LINEAR = LONG / SHORT
_GENEROUS = 5
"""Quadratic time is sixteen times more than linear time here, so this leaves room on both sides."""
_TOO_SHORT_TO_TELL = 0.4
"""Seconds: what takes no longer is not judged."""


class Growth(NamedTuple):
    """Seconds of the processor for a short text and for a long one."""

    short: float
    long: float

    @property
    def is_linear(self) -> bool:
        """Whether the longer text takes about as much longer as it is longer."""
        return self.long <= max(_TOO_SHORT_TO_TELL, _GENEROUS * _LINEAR * self.short)


def growth(read: Callable[[str], object], text: Callable[[int], str]) -> Growth:
    """The growth of one function. The long text is not read again unless the first time is suspicious."""
    short = seconds(read, text(SHORT))
    found = Growth(short, seconds(read, text(LONG)))
    if found.is_linear:
        return found
    return Growth(
        min(short, *(seconds(read, text(SHORT)) for _ in range(3))), min(found.long, seconds(read, text(LONG)))
    )


def seconds(read: Callable[[str], object], text: str) -> float:
    """The processor's seconds for one reading."""
    start = process_time()
    read(text)
    return process_time() - start
