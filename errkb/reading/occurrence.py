"""What is read from a text: occurrences of errors, with their frames and their place."""

from enum import StrEnum

import msgspec

LONGEST_MESSAGE = 20_000
"""Characters of a message that are read, so that time and memory stay bounded."""


class Role(StrEnum):
    """How an occurrence stands to the others of its text."""

    RAISED = "raised"
    """The exception that ended a traceback, or the only one there is."""
    CAUSE = "cause"
    """The direct cause of another one (``raise … from …``, a quoted remote traceback)."""
    CONTEXT = "context"
    """It was being handled when another one was raised."""
    MEMBER = "member"
    """A member of an exception group."""
    WRAPPED = "wrapped"
    """It stands inside the message of another one (a pydantic envelope, ``Caused by …``)."""
    IGNORED = "ignored"
    """Python could not raise it (``Exception ignored in …``)."""
    LOG = "log"
    """A logged or printed line that reports an error without a traceback of its own."""


class Frame(msgspec.Struct, frozen=True):
    """One frame of a traceback, as written."""

    file: str
    line: int | None = None
    function: str | None = None
    source: str | None = None
    """The source line that stands below the frame in the text."""


class Occurrence(msgspec.Struct, frozen=True, kw_only=True):
    """One error found in a text.

    `span` is the half-open range of character offsets into the original text that
    class and message were read from, prefixes and line breaks between them included.
    """

    message: str
    """The message, carrier noise (prefixes, colour, boxes, gutters) undone, lines joined by ``\\n``."""
    span: tuple[int, int]
    error_class: str | None = None
    """The class as written, module path included (``torch.OutOfMemoryError``)."""
    frames: tuple[Frame, ...] = ()
    """The frames of its traceback, outermost first."""
    notes: tuple[str, ...] = ()
    """What ``add_note`` added."""
    role: Role = Role.RAISED
    location: str | None = None
    """The field that a validation error is about (``settings.max_turns``)."""
