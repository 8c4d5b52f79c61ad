"""errkb turns an error text into what is known about the error.

>>> import errkb
>>> match = errkb.lookup("ZeroDivisionError: division by zero")  # doctest: +SKIP
"""

from typing import TYPE_CHECKING

from errkb.errors import DatasetError, ErrkbError, PatternError
from errkb.knowledge import KnowledgeBase, load, lookup, search
from errkb.match import Evidence, Kind, Match
from errkb.reading import Frame, Occurrence, Role, occurrences
from errkb.records import Record

__all__ = [
    "DatasetError",
    "ErrkbError",
    "Evidence",
    "Frame",
    "Kind",
    "KnowledgeBase",
    "Match",
    "Occurrence",
    "PatternError",
    "Record",
    "Role",
    "load",
    "lookup",
    "occurrences",
    "search",
]


if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        if name == "__version__":
            from importlib.metadata import version  # slow to import, and rarely asked for

            return version("errkb")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
