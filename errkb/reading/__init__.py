"""From text to occurrences: what errors stand in a pasted text or hang on a live exception."""

from errkb.reading.occurrence import Frame, Occurrence, Role
from errkb.reading.reader import from_exception, occurrences

__all__ = ["Frame", "Occurrence", "Role", "from_exception", "occurrences"]
