"""What a line is, by itself: asked once a line, by whoever needs it first."""

from enum import Enum

from errkb.reading.occurrence import Frame
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


STRUCTURE = (LineKind.FRAME, LineKind.PLACE, LineKind.STOP)
"""The parts of a traceback, a report or a console's dialogue."""
_LAST_OF_REPR = ").`;"


def structure_of(text: str, frame: Frame | None) -> LineKind | None:
    """The kind of a line that has a fixed form, given the frame that it names; None if it is text of some kind."""
    stripped = text.strip()
    if not stripped:
        return LineKind.BLANK
    if frame is not None:
        return LineKind.FRAME
    if ".py" in stripped and read_place(stripped) is not None:
        return LineKind.PLACE
    return LineKind.STOP if ends_message(text) else None


def is_repr(text: str) -> bool:
    """Whether a line as a whole is an exception's repr."""
    return text.rstrip()[-1:] in _LAST_OF_REPR and read_repr(text) is not None
