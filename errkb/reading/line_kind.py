"""What a line is, by itself: asked once a line, by whoever needs it first."""

from enum import Enum

from errkb.reading.occurrence import Frame
from errkb.reading.shapes.class_heads import ClassHead
from errkb.reading.shapes.exception_reprs import read_repr
from errkb.reading.shapes.frames import read_place
from errkb.reading.shapes.stops import ends_message


class LineKind(Enum):
    """What a line is; of two that fit, the first here."""

    BLANK = "blank"
    FRAME = "frame"
    """A frame of a traceback."""
    PLACE = "place"
    """Where a test failed, as pytest writes it: ``path:line: Class``."""
    STOP = "stop"
    """A line with a meaning of its own (`shapes.stops`)."""
    EXCEPTION = "exception"
    """It begins with the class of an exception."""
    REPR = "repr"
    """The whole line is an exception's repr."""
    TEXT = "text"


STRUCTURE = frozenset({LineKind.FRAME, LineKind.PLACE, LineKind.STOP})
"""The parts of a traceback, a report or a console's dialogue."""
_LAST_OF_REPR = ").`;"


def kind_of(text: str, frame: Frame | None, head: ClassHead | None) -> LineKind:
    """The kind of a line, given the frame and the class that are read from it."""
    stripped = text.strip()
    if not stripped:
        return LineKind.BLANK
    if frame is not None:
        return LineKind.FRAME
    if read_place(stripped) is not None:
        return LineKind.PLACE
    if ends_message(text):
        return LineKind.STOP
    if head is not None:
        return LineKind.EXCEPTION
    if stripped[-1] in _LAST_OF_REPR and read_repr(text) is not None:
        return LineKind.REPR
    return LineKind.TEXT
