"""From text to occurrences: what errors stand in a pasted text or hang on a live exception."""

from errkb.reading.occurrence import LONGEST_MESSAGE, Frame, Occurrence, Role
from errkb.reading.reader import from_exception, occurrences

__all__ = ["LONGEST_MESSAGE", "Frame", "Occurrence", "Role", "from_exception", "occurrences"]
