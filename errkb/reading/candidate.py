"""What the readers of a stream hand on: an occurrence in the making, and what its rank depends on."""

from enum import IntEnum

import msgspec

from errkb.reading.occurrence import Frame, Occurrence, Role


class Certainty(IntEnum):
    """How sure it is that a candidate is an error that was raised; the surest first."""

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


class Candidate(msgspec.Struct):
    """An occurrence in the making."""

    kind: Certainty
    message: str
    start: int
    end: int
    error_class: str | None = None
    role: Role = Role.RAISED
    frames: tuple[Frame, ...] = ()
    notes: tuple[str, ...] = ()
    location: str | None = None
    chain: int = 0
    """Where the chain, group or report that it belongs to begins in the text."""
    place: float = 0.0
    """Its place in the chain: lower comes first."""


def as_occurrence(candidate: Candidate, length: int) -> Occurrence:
    """Return a candidate as what the rest of errkb knows."""
    start = min(max(candidate.start, 0), length)
    return Occurrence(
        message=candidate.message,
        span=(start, min(max(candidate.end, start), length)),
        error_class=candidate.error_class,
        frames=candidate.frames,
        notes=candidate.notes,
        role=candidate.role,
        location=candidate.location,
    )
