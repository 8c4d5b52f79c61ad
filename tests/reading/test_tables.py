"""The tables of shapes: each row matches its example, every match holds a hint, and the fast ways refuse them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from errkb.reading import occurrences
from errkb.reading.carriers.line_joins import SERVICES
from errkb.reading.carriers.prefix_pieces import FURTHER, PIECES
from errkb.reading.carriers.signs import BOX, CLASS_OBJECT, ENTITIES, FENCE, QUOTE, RECORDS
from errkb.reading.fast_path import is_one_line, read_clean
from errkb.reading.full_parse import read_thoroughly
from errkb.reading.grammars.last_words import LAST_WORDS
from errkb.reading.grammars.openings import OPENINGS
from errkb.reading.grammars.productions import PRODUCTIONS
from errkb.reading.ranking import POINTERS
from errkb.reading.refusals import module_text
from errkb.reading.shape import Shape
from errkb.reading.shapes.class_heads import NAMES_BEFORE_COLON
from errkb.reading.shapes.exception_reprs import QUOTED_REPR
from errkb.reading.shapes.frames import FRAMES, PLACE
from errkb.reading.shapes.message_text import GUESS
from errkb.reading.shapes.progress import PROGRESS, SUMMARY
from errkb.reading.shapes.says_its_own import ANOTHER, SOURCE
from errkb.reading.shapes.stops import STOPS
from errkb.reading.shapes.voices import BELOW, PERSONS, PLEAS, PROGRAMS

ANYWHERE = (*PROGRESS, *POINTERS)
SHAPES = (
    *OPENINGS, *STOPS, *ANOTHER, *FRAMES, *PIECES, *FURTHER, *SERVICES, *RECORDS, *NAMES_BEFORE_COLON, *ANYWHERE,
    *LAST_WORDS, *PERSONS, *BELOW, *PLEAS, *PROGRAMS, SOURCE,
    PLACE, SUMMARY, QUOTED_REPR, GUESS, BOX, CLASS_OBJECT, ENTITIES, FENCE, QUOTE,
)  # fmt: skip
ROWS = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
FEW = 24
"""A set of so many characters is spelt out."""
DIGIT = "\1"
"""In a spelling: a digit of a log."""
GAP = "\0"
"""In a spelling: anything may stand here."""


def alternatives(parsed: Any, hints: Sequence[str] = ()) -> Iterator[str]:
    """All spellings of what an expression matches, what is not fixed as a gap; one that holds a hint is cut to it."""
    texts = [""]
    for code, value in parsed:
        more = spellings(code, value, hints)
        joined = dict.fromkeys(re.sub(f"{GAP}+", GAP, text + part) for text in texts for part in more)
        texts = list(dict.fromkeys(next((hint for hint in hints if hint in text), text) for text in joined))
        assert len(texts) < 200_000
    yield from texts


def spellings(code: Any, value: Any, hints: Sequence[str]) -> list[str]:
    """The spellings of one part of an expression."""
    if code is codes.LITERAL:
        return [DIGIT if chr(value).isdigit() else chr(value)]
    if code is codes.IN:
        characters = [
            chr(point)
            for kind, item in value
            for point in (
                [item] if kind is codes.LITERAL else range(item[0], item[1] + 1) if kind is codes.RANGE else []
            )
        ]
        if value == [(codes.CATEGORY, codes.CATEGORY_DIGIT)]:
            return [DIGIT]
        is_few = len(characters) <= FEW and all(kind in (codes.LITERAL, codes.RANGE) for kind, _ in value)
        return [DIGIT if point.isdigit() else point for point in characters] if is_few else [GAP]
    if code is codes.SUBPATTERN:
        return list(dict.fromkeys(alternatives(value[3], hints)))
    if code is codes.BRANCH:
        return list(dict.fromkeys(text for branch in value[1] for text in alternatives(branch, hints)))
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return repeated(list(dict.fromkeys(alternatives(value[2], hints))), *value[:2])
    if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
        return [""]
    return [GAP]


def repeated(once: list[str], least: int, most: int) -> list[str]:
    """The spellings of a repetition."""
    if most == 1:
        return once if least else ["", *once]
    if not least:
        return [GAP]
    if len(once) > 1:
        return [text + GAP for text in once]
    text = once[0] * min(least, 8)
    return [text] if least == most else [text, text + GAP + text]


def with_what_follows(pattern: str) -> str:
    """A pattern whose last look-ahead is part of it, for hints that reach into it."""
    return pattern.replace("(?=", "(?:")


@ROWS
def test_a_row_matches_its_example(shape: Shape) -> None:
    """The example of a row is matched by its pattern, where the reader looks for it."""
    flags = re.IGNORECASE if shape in POINTERS else 0
    find = re.search if shape.reach or shape in ANYWHERE else re.match
    assert find(rf"[ \t]*(?:{shape.pattern})" if find is re.match else shape.pattern, shape.example, flags)


@ROWS
def test_the_example_holds_a_hint(shape: Shape) -> None:
    """The example of a row holds one of its hints."""
    text = shape.example.lower() if shape in POINTERS else shape.example
    assert any(hint in text for hint in shape.hint)


@ROWS
def test_every_match_holds_a_hint(shape: Shape) -> None:
    """Whatever a pattern matches holds one of the hints: proved over all spellings of the pattern."""
    hints = [re.sub(r"\d", DIGIT, hint) for hint in shape.hint]
    for text in alternatives(parser.parse(with_what_follows(shape.pattern)), hints):
        text = text.lower() if shape in POINTERS else text
        assert any(hint in text for hint in hints), text.replace(GAP, "…").replace(DIGIT, "0")


@pytest.mark.parametrize("shape", [*STOPS, *PIECES], ids=lambda shape: shape.name)
def test_a_row_that_may_begin_with_a_letter_has_an_example_that_does(shape: Shape) -> None:
    """The fast way looks only for rows that may begin with a letter; their examples say which."""
    if shape.begins_with_letter or any(mark in hint for mark in "|:[]" for hint in shape.hint):
        return
    for text in alternatives(parser.parse(shape.pattern)):
        assert not text[:1].isalpha()


def test_names_of_rows_are_their_own() -> None:
    """Within a table no two rows have one name, so an explanation is never ambiguous."""
    for table in (OPENINGS, STOPS, ANOTHER, FRAMES, PIECES, FURTHER, LAST_WORDS, PERSONS, PROGRAMS):
        assert len({shape.name for shape in table}) == len(table)


def test_every_opening_has_a_production() -> None:
    """The production that a row names is there."""
    assert {shape.production for shape in OPENINGS} == set(PRODUCTIONS) - {""}


@ROWS
def test_the_fast_ways_refuse_or_agree(shape: Shape) -> None:
    """The example of a row alone, and after a word, is read by the fast ways as by the whole reading."""
    for text in (shape.example, f"seed {shape.example}", f"{shape.example} seed"):
        if is_one_line(text) and (clean := read_clean(text)) is not None:
            assert read_thoroughly(text)[:1] == [clean]
            assert occurrences(text)[:1] == [clean]


def test_the_written_hints_are_those_of_the_tables(root: Path) -> None:
    """errkb/reading/hints.py is what scripts/write_hints.py computes from the tables."""
    assert (root / "errkb" / "reading" / "hints.py").read_text(encoding="utf-8") == module_text()
