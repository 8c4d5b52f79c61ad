"""Validation reports of pydantic, version 1 and 2: a count, then errors with the field they are about."""

import re
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate
from errkb.reading.grammars.openings import COUNT, VALIDATION_ERRORS
from errkb.reading.line import MAX_LINE, Line
from errkb.reading.occurrence import Role

_COUNT = lazy(COUNT.pattern.removeprefix(r"\s*"))
_RAISED, _KIND_2, _KIND_1 = (lazy(shape.pattern) for shape in VALIDATION_ERRORS)
_CLASSES = {"Value error": "ValueError", "Assertion failed": "AssertionError"}
_CLASSES_1 = {"value_error": "ValueError", "assertion_error": "AssertionError", "type_error": "TypeError"}
_LINK = "For further information visit"
_MAX_PARAGRAPH = 60


class Inner(NamedTuple):
    """One error of a report."""

    message: str
    error_class: str | None
    """The class that a validator raised, None if pydantic itself found the fault."""
    location: str | None
    first: int
    last: int
    start: int
    """The column of the message in the first line."""
    is_own: bool
    """True for a fault of pydantic version 1's own kinds, whose words mean nothing by themselves."""


def find_count(text: str, reach: int = MAX_LINE) -> re.Match[str] | None:
    """The count of errors that a report begins with, wherever it stands in a line."""
    return _COUNT.search(text, 0, reach)


def begins_inner(text: str) -> bool:
    """Whether a line holds an error of a report, whatever stands around it."""
    return (
        _RAISED.match(text) is not None
        or ("[type=" in text and _KIND_2.search(text) is not None)
        or ("(type=" in text and _KIND_1.search(text) is not None)
    )


def read_inner(lines: list[Line], at: int, location: str | None = None) -> Inner | None:
    """The error of a report whose message begins in the line `at`."""
    text = lines[at].text
    raised = _RAISED.match(text)
    start = raised.end() if raised else lines[at].indent
    parts: list[str] = []
    kind: str | None = None
    old = False
    last = at
    for number in range(at, min(at + _MAX_PARAGRAPH, len(lines))):
        text = lines[number].text
        if number > at and (_LINK in text or _COUNT.match(text.strip()) or lines[number].is_structure):
            break
        if number > at and lines[number].record_id != lines[at].record_id:
            break
        part = text[start:] if number == at else text
        match = _KIND_2.search(part) or _KIND_1.search(part)
        if match:
            kind, old, last = match["kind"], match[0].lstrip().startswith("("), number
            parts.append(part[: match.start()])
            break
        parts.append(part)
    if kind is None:
        parts = parts[:1]  # cut before its end: the first line is sure
    message = "\n".join(part.rstrip() for part in parts).strip()
    if not message:
        return None
    name = _CLASSES.get(raised["label"]) if raised else _CLASSES_1.get(kind or "") if old else None
    return Inner(message, name, location, at, last, start, old and name is None)


def read_report(lines: list[Line], at: int) -> tuple[list[Inner], int]:
    """The errors of the report whose count stands in the line `at`, and the last line of it."""
    found: list[Inner] = []
    location: str | None = None
    last = number = at
    while (number := number + 1) < len(lines):
        text = lines[number].text
        stripped = text.strip()
        if not stripped:
            if number + 1 < len(lines) and begins_inner(lines[number + 1].text):
                continue
            break
        if _LINK in text:
            continue
        if lines[number].record_id not in ("", lines[at].record_id) or lines[number].is_structure:
            break
        indented = text[:1] in " \t"
        if not indented and not begins_inner(text):
            if location is not None or not _is_location(lines, number):
                break
            location = stripped
            last = number
            continue
        inner = read_inner(lines, number, location)
        if inner is None:
            break
        found.append(inner)
        last = number = inner.last
        location = None
    return found, last


def inner_candidates(lines: list[Line], inners: list[Inner], outer: Candidate, *, is_whole: bool) -> list[Candidate]:
    """The errors of a report as candidates around that of the report itself.

    They come before it if it is nothing but a report (`is_whole`), for then its own words are only a
    count and a name.
    """
    before = is_whole and not (inners and inners[0].is_own)
    return [
        Candidate(
            outer.certainty,
            inner.message,
            lines[inner.first].offset(inner.start),
            lines[inner.last].end(),
            inner.error_class or (outer.error_class if is_whole else None),
            Role.WRAPPED,
            outer.frames,
            location=inner.location,
            chain_start=outer.chain_start,
            shape="error of a validation report",
            rank_in_chain=outer.rank_in_chain + (-0.5 if before else 0.1) + count * 1e-4,
        )
        for count, inner in enumerate(inners)
    ]


def without_links(lines: list[Line]) -> list[Line]:
    """The lines of a report without those that only point to documentation."""
    return [line for number, line in enumerate(lines) if not number or _LINK not in line.text]


def _is_location(lines: list[Line], number: int) -> bool:
    text = lines[number].text
    after = lines[number + 1].text if number + 1 < len(lines) else ""
    return len(text) < 300 and (after[:1] in (" ", "\t", "") or begins_inner(after))
