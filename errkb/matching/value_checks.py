"""Whether the values of a reading can be what the source puts there: a repr, a number, text of one paragraph."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.matching.match import Evidence
from errkb.records.template import Placeholder, placeholders

Span = tuple[int, int]
_REPR = lazy(
    r"[bBuUrR]{0,2}['\"]|[-+]?[\d.]|[\[({<]|\\|(?:None|True|False|nan|inf|NaT|Ellipsis|\.\.\.)$"
    r"|[A-Za-z_][\w.]{0,120}[(\[<{]|[A-Z]\w{0,80}(?:\.\w{1,80}){0,4}$"
)
"""How a repr begins: a string, a number, a bracket, a constant, a call of a class, a name of an enumeration."""
_NEXT_PART = lazy(
    r"(?:\n[ \t]*+)?\n(?:(?:LINE \d{1,6}|DETAIL|HINT|CONTEXT|QUERY|STATEMENT|LOCATION):"
    r"|\[SQL: |\[parameters: |\(Background on )"
)
"""Where a message of several parts goes on after a value: the labels of PostgreSQL's and SQLAlchemy's messages."""
_BLANK_LINE = lazy(r"\n[ \t]*\n|```")


class ValueCheck(NamedTuple):
    """A test of one value: which placeholders it is for, when the value passes, how much a failure weighs."""

    name: str
    concerns: Callable[[Placeholder, bool], bool]
    """Given the placeholder, and whether its value ends the message."""
    passes: Callable[[str], bool]
    factor: float
    note: str


CHECKS = (
    ValueCheck(
        "repr",
        lambda placeholder, _last: placeholder.conversion == "r",
        lambda value: bool(_REPR.match(value)),
        0.6,
        "the source prints a repr there, and {value} is none",
    ),
    ValueCheck(
        "number",
        lambda placeholder, _last: placeholder.conversion == "d",
        lambda value: any(map(str.isdigit, value)) or value.strip("+-") in ("nan", "inf"),
        0.6,
        "the source prints a number there, and {value} is none",
    ),
    ValueCheck(
        "paragraph",
        lambda _placeholder, last: not last,
        lambda value: not _BLANK_LINE.search(value),
        0.5,
        "a value would go on across a blank line",
    ),
)
"""All checks; the first that fails decides for the reading."""


def value_evidence(template: str, message: str, captures: Sequence[Span | None]) -> Evidence | None:
    """Evidence against a reading one of whose values cannot be right; None if all can be."""
    fields = _cached_placeholders(template)
    if len(fields) != len(captures):
        return None
    for placeholder, span in zip(fields, captures, strict=True):
        if span is None:
            continue
        value, last = message[span[0] : span[1]].strip(), span[1] >= len(message.rstrip(" ."))
        for check in CHECKS:
            if value and check.concerns(placeholder, last) and not check.passes(value):
                return Evidence("values", check.factor, check.note.format(value=repr(value[:40])))
    return None


def without_next_parts(message: str, captures: Sequence[Span | None]) -> Sequence[Span | None]:
    """The captures, the last one without the parts of the message that follow its value."""
    last = captures[-1] if captures else None
    cut = _NEXT_PART.search(message, *last) if last else None
    return (*captures[:-1], (last[0], cut.start())) if last and cut and cut.start() > last[0] else captures


def lost_line_break(pattern: str, message: str) -> Evidence | None:
    """Evidence against a message on one line, where the record's text goes over several."""
    if "\n" in pattern and "\n" not in message:
        return Evidence("values", 0.9, "the record's text has a line break where the message has a blank")
    return None


_cached_placeholders = lru_cache(4096)(placeholders)
