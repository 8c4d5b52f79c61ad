"""errkb turns an error text into what is known about the error.

>>> import errkb
>>> match = errkb.lookup("ZeroDivisionError: division by zero")  # doctest: +SKIP
"""

from errkb.errors import DatasetError, ErrkbError, PatternError
from errkb.explanation import Explanation, explain
from errkb.knowledge.base import KnowledgeBase, load, lookup, search
from errkb.matching.match import Evidence, Kind, Match
from errkb.reading import Frame, Occurrence, Role, occurrences
from errkb.records.record import Record

__version__ = "0.1.0"

__all__ = [
    "DatasetError",
    "ErrkbError",
    "Evidence",
    "Explanation",
    "Frame",
    "Kind",
    "KnowledgeBase",
    "Match",
    "Occurrence",
    "PatternError",
    "Record",
    "Role",
    "explain",
    "load",
    "lookup",
    "occurrences",
    "search",
]
