"""What the readers of a stream find: an occurrence in the making, and what its rank depends on."""

from enum import IntEnum

import msgspec

from errkb.reading.occurrence import LONGEST_MESSAGE, Frame, Occurrence, Role


class Certainty(IntEnum):
    """How sure it is that a candidate is an error that was raised; the surest first.

    The members have an order and nothing else: what an order among them is for is in `ranking`.
    """

    TRACE = 0
    """It ends a traceback, or a test report says that it was raised."""
    CLASS = 1
    """A class and a message, without a traceback."""
    PROBABLE = 2
    """The line before a traceback that is cut before its exception."""
    LABELLED = 3
    """A line that says by level or label that it reports an error."""
    SOURCE = 4
    """A message in quoted source code: what would be raised, its placeholders not filled."""
    UNMARKED = 5
    """Any other line."""
    WARNING = 6
    """A warning."""
    IGNORED = 7
    """An exception that Python says it ignored."""


class Candidate(msgspec.Struct, frozen=True):
    """An occurrence in the making."""

    certainty: Certainty
    message: str
    start: int
    end: int
    error_class: str | None = None
    role: Role = Role.RAISED
    frames: tuple[Frame, ...] = ()
    notes: tuple[str, ...] = ()
    location: str | None = None
    chain_start: int = 0
    """Where the chain, group or report that it belongs to begins in the text."""
    rank_in_chain: float = 0.0
    """Its place in the chain: lower comes first."""
    loudness: int | None = None
    """Its place among unmarked lines, whose order is not that of the text: lower comes first."""
    is_mild: bool = False
    """Its traceback was logged as a warning: the program went on."""
    is_outside: bool = False
    """It is a line of a page, outside of fences."""
    shape: str = ""
    """The row of a table of shapes by which it was found."""

    @property
    def is_raised(self) -> bool:
        """Whether it has the marks of an exception: a class, or the end of a traceback."""
        return self.certainty <= Certainty.CLASS


def as_occurrence(candidate: Candidate, length: int) -> Occurrence:
    """A candidate as what the rest of errkb knows, in a text of `length` characters."""
    start = min(max(candidate.start, 0), length)
    message = candidate.message
    return Occurrence(
        # One that was cut keeps its length, which tells that it was.
        message=message if len(message) >= LONGEST_MESSAGE else message.strip(),
        span=(start, min(max(candidate.end, start), length)),
        error_class=candidate.error_class,
        frames=candidate.frames,
        notes=candidate.notes,
        role=candidate.role,
        location=candidate.location,
    )
