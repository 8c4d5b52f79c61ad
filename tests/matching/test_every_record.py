"""Every record wins its own message with exactly its values (C2)."""

import random
import re
import textwrap
from itertools import pairwise

import pytest

from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Match
from errkb.patterns import Pattern
from errkb.records.record import Record
from errkb.records.sample import sample
from errkb.records.template import Placeholder, fill, parse_template

FORMS = {
    "bare": lambda text, name: text,
    "with class": lambda text, name: f"{name}: {text}",
    "prefixed": lambda text, name: f"2026-03-14 09:26:53,589 ERROR app.jobs {name}: {text}",
    "behind a worker": lambda text, name: f"(Worker pid=77) {name}: {text}".replace("\n", "\n(Worker pid=77) "),
    "wrapped": lambda text, name: f"{name}: " + textwrap.fill(text, 60, break_long_words=False, break_on_hyphens=False),
}
VALUES = ("qz1", "17", "alpha-beta", "/srv/app/x.py", "Qk9", "'w8'", "[3, 4]", "0.75", "kx_zz")

FITS = {"": lambda value: True, "r": lambda value: value[0] in "'[1", "d": str.isdigit}
"""Values that a source can print, by what its placeholder makes of them."""


def values_for(record: Record, rng: random.Random) -> list[str] | None:
    """Values for the placeholders that hold no literal text; None where none can be told apart."""
    parts = parse_template(record.error_message)
    if any(isinstance(a, Placeholder) and isinstance(b, Placeholder) for a, b in pairwise(parts)):
        return None  # of two placeholders side by side nobody knows where one ends
    literals = [" ".join(part.split()) for part in parts if isinstance(part, str)]
    values = []
    for position, part in enumerate(parts):
        if isinstance(part, Placeholder):
            after = parts[position + 1] if position + 1 < len(parts) else ""
            usable = [
                value
                for value in VALUES
                if not any(literal.strip() and literal.strip() in value for literal in literals)
                and not (isinstance(after, str) and after and (value + after).find(after) < len(value))
                and not (isinstance(after, str) and after.strip(" '") == "" and " " in value)
                and FITS[part.conversion](value)
            ]
            if not usable:
                return None
            values.append(rng.choice(usable))
    return values


def right(matches: list[Match], record: Record) -> Match | None:
    """The first match, if it is the record or tied with one of the same message."""
    same = [match for match in matches if match.record.error_message == record.error_message]
    if not matches or not same or same[0].score < matches[0].score:
        return None
    return next((match for match in same if match.record.id == record.id), same[0])


NEEDS_ITS_CLASS = {
    "%.200s() %.200s must be %.50s, not %.50s",
    "[<class 'decimal.%s'>]",
    "_strptime",
    "argument %zd: %s: %s",
    "expected '%s'",
    "Task was destroyed but it is pending!",
}
"""Messages of words so common that they are known only with a class, or behind a logger's name."""


def misses(kb: KnowledgeBase, records: list[Record], form: str) -> list[tuple[str, object]]:
    """Records that do not win their own message, or with other values, whichever of three sets of values it has.

    One set may by chance make another text of it: a value that looks like the literal behind it, a
    line as wide as a console.
    """
    found: list[tuple[str, object]] = []
    for record in records:
        if form == "bare" and record.error_message in NEEDS_ITS_CLASS:
            continue
        if form == "prefixed" and "\n" in record.error_message:
            continue  # of a log record of several lines only the first has a prefix: see the tests of reading
        if form == "behind a worker" and "\n" in record.error_message and "Error" not in (record.error_class or ""):
            continue  # without a telling class, paragraphs behind a prefix are lines of a log
        missed = [miss(kb, record, form, random.Random(f"{record.id} {number}")) for number in range(3)]
        if all(missed):
            found += missed[:1]
    return found


def miss(kb: KnowledgeBase, record: Record, form: str, rng: random.Random) -> tuple[str, object] | None:
    """The message with random values, and what is wrong with the answer to it; None if that is the record."""
    supplement = kb.supplement(record.id)
    if supplement and supplement.class_only:
        return None  # its message has no text of its own: see the tests of supplements
    values = values_for(record, rng)
    if values is None or Pattern(record.message_pattern).capture_count != len(values):
        return None
    text = FORMS[form](fill(record.error_message, values), record.error_class or "RuntimeError")
    match = right(kb.search(text, limit=30), record)
    if match is None:
        return text, [(m.record.error_message, m.score) for m in kb.search(text, limit=2)]
    supplement = kb.supplement(match.record.id)
    names = (supplement.capture_names if supplement else None) or ["shown"] * len(values)
    shown = [value for value, name in zip(values, names, strict=True) if name]
    if [re.sub(r"\s+", " ", value) for value in match.captures.values()] != shown:
        return text, list(match.captures.values())
    return None


@pytest.mark.parametrize("form", FORMS)
def test_bundled_records_win(bundled: KnowledgeBase, form: str) -> None:
    """Each bundled record is the answer to its own message, bare, prefixed and wrapped, with its very values."""
    assert misses(bundled, list(bundled.records()), form) == []


@pytest.mark.parametrize("form", ["bare", "with class", "wrapped"])
def test_library_records_win(library: KnowledgeBase, form: str) -> None:
    """Among thousands of messages of the standard library each specific one is the answer to itself."""
    records = [record for record in library.records() if len(re.findall(r"[A-Za-z]{3,}", record.error_message)) >= 6]
    chosen = random.Random(4).sample(records, 400)
    wrong = misses(library, chosen, form)
    assert len(wrong) <= 0.02 * len(chosen), wrong[:3]


def test_wordings_win(bundled: KnowledgeBase) -> None:
    """C8: the filled template of every wording finds its record first, or tied with one that has the same wording."""
    wrong = []
    for record in bundled.records():
        supplement = bundled.supplement(record.id)
        for wording in supplement.wordings if supplement else ():
            name = wording.error_class or record.error_class
            message = sample(wording.error_message).message
            matches = bundled.search(f"{name}: {message}" if name else message, limit=20)
            first = [one.record.id for one in matches if one.tied or one is matches[0]]
            if record.id not in first:
                wrong.append((record.id, message, first))
    assert wrong == []


def test_no_value_is_nameless(bundled: KnowledgeBase) -> None:
    """Every value of a message that fits a bundled record has a name: nobody is shown a number in its place."""
    nameless = []
    for record in bundled.records():
        text = f"{record.error_class}: {sample(record.error_message).message}"
        match = next((one for one in bundled.search(text) if one.record.id == record.id), None)
        nameless += [(record.id, name) for name in match.captures if name.isdigit()] if match else []
    assert nameless == []
