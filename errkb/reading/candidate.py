"""What the readers of a stream hand on: an occurrence in the making, and what its rank depends on."""

from enum import IntEnum

import msgspec

from errkb.reading.occurrence import Frame, Occurrence, Role


class Kind(IntEnum):
    """How sure it is that a finding is an error that was raised; the surest first."""

    TRACE = 0
    """It ends a traceback, or a test report says that it was raised."""
    CLASS = 1
    """A class and a message, without a traceback."""
    NEAR = 2
    """The line before a traceback that is cut before its exception."""
    LOG = 3
    """A line that says by level or label that it reports an error."""
    SOURCE = 4
    """A message in quoted source code: what would be raised, its placeholders not filled."""
    BARE = 5
    """Any other line."""
    WARNING = 6
    """A warning."""
    ASIDE = 7
    """An exception that Python says it ignored."""


class Finding(msgspec.Struct):
    """An occurrence in the making."""

    kind: Kind
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


def as_occurrence(finding: Finding, length: int) -> Occurrence:
    """Return a finding as what the rest of errkb knows."""
    start = min(max(finding.start, 0), length)
    return Occurrence(
        message=finding.message,
        span=(start, min(max(finding.end, start), length)),
        error_class=finding.error_class,
        frames=finding.frames,
        notes=finding.notes,
        role=finding.role,
        location=finding.location,
    )
