"""From text to occurrences: what errors stand in a pasted text or hang on a live exception."""

from typing import TYPE_CHECKING

from errkb.reading.occurrence import LONGEST_MESSAGE, Frame, Occurrence, Role
from errkb.reading.reader import from_exception, occurrences

if TYPE_CHECKING:
    from errkb.reading.line_reasons import ReadLine

__all__ = [
    "LONGEST_MESSAGE",
    "Frame",
    "Occurrence",
    "Role",
    "explain_reading",
    "from_exception",
    "occurrences",
    "read_error",
]


def read_error(error: str | BaseException) -> list[Occurrence]:
    """The errors of a text or of a live exception, best first. Raises TypeError for anything else."""
    if isinstance(error, BaseException):
        return from_exception(error)
    if not isinstance(error, str):
        raise TypeError(f"an error is a str or an exception, not {type(error).__name__}")
    return occurrences(error)


def explain_reading(text: str) -> "list[ReadLine]":
    """What each line of a text was read as, in the order of the text, by the thorough reading."""
    from errkb.reading.line_reasons import explain

    return explain(text)
