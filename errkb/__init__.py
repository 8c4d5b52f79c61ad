"""errkb turns an error text into what is known about the error.

Call `explain` with an error text or an exception: it says which cause it is and what to do.

>>> import errkb
>>> explanation = errkb.explain("ValueError: invalid literal for int() with base 10: '2.5'")
>>> print(explanation.match.record.id, explanation.match.captures["text"])
2aa14af794a3a468 '2.5'

`lookup` and `search` give just the matching records, `occurrences` what is read from a text, and
`load` opens datasets of your own.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from errkb.errors import DatasetError, ErrkbError, PatternError
from errkb.knowledge.base import KnowledgeBase, load, lookup, search
from errkb.matching.match import Evidence, Kind, Match
from errkb.reading import Frame, Occurrence, Role, occurrences
from errkb.records.record import Record

if TYPE_CHECKING:
    from errkb.diagnosis.causes import Diagnosis
    from errkb.diagnosis.class_notes import ClassNote
    from errkb.diagnosis.your_line import YourLine
    from errkb.environment.installed import InstalledPlace
    from errkb.explanation import Explanation, explain
    from errkb.knowledge.word_search import WordHit
    from errkb.proof.results import Proof
    from errkb.raise_sites.result import Compiled, RaiseSite
    from errkb.records.supplement import Cause, DoNot, Link, Related, Supplement, Wording

__version__ = "0.1.0"

__all__ = [
    "Cause",
    "ClassNote",
    "Compiled",
    "DatasetError",
    "Diagnosis",
    "DoNot",
    "ErrkbError",
    "Evidence",
    "Explanation",
    "Frame",
    "InstalledPlace",
    "Kind",
    "KnowledgeBase",
    "Link",
    "Match",
    "Occurrence",
    "PatternError",
    "Proof",
    "RaiseSite",
    "Record",
    "Related",
    "Role",
    "Supplement",
    "WordHit",
    "Wording",
    "YourLine",
    "explain",
    "load",
    "lookup",
    "occurrences",
    "search",
]

_LAZY = {
    "Cause": "records.supplement",
    "ClassNote": "diagnosis.class_notes",
    "Compiled": "raise_sites.result",
    "Diagnosis": "diagnosis.causes",
    "DoNot": "records.supplement",
    "Explanation": "explanation",
    "InstalledPlace": "environment.installed",
    "Link": "records.supplement",
    "Proof": "proof.results",
    "RaiseSite": "raise_sites.result",
    "Related": "records.supplement",
    "Supplement": "records.supplement",
    "WordHit": "knowledge.word_search",
    "Wording": "records.supplement",
    "YourLine": "diagnosis.your_line",
    "explain": "explanation",
}
"""Names that are imported when they are first used: `lookup` in a hot program needs none of them."""


if not TYPE_CHECKING:  # so that type checkers know the names there are

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"errkb.{_LAZY[name]}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
