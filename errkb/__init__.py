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

from errkb.version import __version__ as __version__

if TYPE_CHECKING:
    from errkb.diagnosis.causes import Diagnosis
    from errkb.diagnosis.class_notes import ClassNote
    from errkb.diagnosis.your_line import YourLine
    from errkb.environment.installed import InstalledPlace
    from errkb.errors import DatasetError, ErrkbError, PatternError
    from errkb.explanation import Explanation, explain
    from errkb.integrations.hooks import Installed, install
    from errkb.knowledge.base import KnowledgeBase, load, lookup, search
    from errkb.knowledge.word_search import WordHit
    from errkb.matching.match import Evidence, Kind, Match
    from errkb.proof.results import Proof
    from errkb.raise_sites.result import Compiled, RaiseSite
    from errkb.reading import Frame, Occurrence, Role, occurrences
    from errkb.records.record import Record
    from errkb.records.supplement import Cause, DoNot, Link, Related, Supplement, Wording

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
    "Installed",
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
    "install",
    "load",
    "lookup",
    "occurrences",
    "search",
]

_PLACES = {
    "diagnosis.causes": ("Diagnosis",),
    "diagnosis.class_notes": ("ClassNote",),
    "diagnosis.your_line": ("YourLine",),
    "environment.installed": ("InstalledPlace",),
    "errors": ("DatasetError", "ErrkbError", "PatternError"),
    "explanation": ("Explanation", "explain"),
    "integrations.hooks": ("Installed", "install"),
    "integrations.ipython": ("load_ipython_extension", "unload_ipython_extension"),
    "knowledge.base": ("KnowledgeBase", "load", "lookup", "search"),
    "knowledge.word_search": ("WordHit",),
    "matching.match": ("Evidence", "Kind", "Match"),
    "proof.results": ("Proof",),
    "raise_sites.result": ("Compiled", "RaiseSite"),
    "reading": ("Frame", "Occurrence", "Role", "occurrences"),
    "records.record": ("Record",),
    "records.supplement": ("Cause", "DoNot", "Link", "Related", "Supplement", "Wording"),
}
"""Module → the public names in it. All are imported when they are first used: a program that never fails needs none."""
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}


if not TYPE_CHECKING:  # so that type checkers know the names there are

    def __getattr__(name: str) -> Any:
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"errkb.{_MODULE_OF[name]}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
