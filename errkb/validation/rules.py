"""The rules that a dataset is held to, each with its code, its name and the reason for it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from errkb.dataset import Entry
from errkb.errors import PatternError
from errkb.knowledge import KnowledgeBase
from errkb.patterns import Message, Pattern
from errkb.records import Record, derive_id, derive_slug, slug_after_collision
from errkb.template import derive_pattern, fill


class Trouble(NamedTuple):
    """What a rule says about one record: a sentence and the JSON pointer of the field."""

    message: str
    pointer: str


class Subject(NamedTuple):
    """A record under check, with its place."""

    entry: Entry
    record: Record


class Dataset(NamedTuple):
    """All that was read, for rules that compare records."""

    subjects: Sequence[Subject]
    by_id: dict[str, Subject]
    by_slug: dict[tuple[str, str], Subject]
    knowledge: KnowledgeBase


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule: `check` yields what is wrong with a record; `after` names rules whose finding makes it moot."""

    code: str
    name: str
    severity: str = "error"
    why: str
    check: Callable[[Subject, Dataset], Iterator[Trouble]] | None = None
    after: tuple[str, ...] = ()


def _duplicate_id(subject: Subject, dataset: Dataset) -> Iterator[Trouble]:
    first = dataset.by_id[subject.record.id]
    if first is not subject:
        yield Trouble(f"id {subject.record.id} is already that of {_place(first)}", "/id")


def _duplicate_slug(subject: Subject, dataset: Dataset) -> Iterator[Trouble]:
    record = subject.record
    first = dataset.by_slug[record.repo, record.slug]
    if first is not subject:
        wanted = slug_after_collision(record.slug, record.id)
        yield Trouble(f"slug of {_place(first)} too, in the same repo: make it {wanted!r}", "/slug")


def _derived_id(subject: Subject, _dataset: Dataset) -> Iterator[Trouble]:
    record = subject.record
    wanted = derive_id(record.repo, record.error_code, record.error_message, record.file_path)
    if record.id != wanted:
        yield Trouble(f"id of this repo, message and path is {wanted}", "/id")


def _derived_slug(subject: Subject, _dataset: Dataset) -> Iterator[Trouble]:
    record = subject.record
    plain = derive_slug(record.error_code, record.error_message)
    if record.slug not in (plain, slug_after_collision(plain, record.id)):
        yield Trouble(f"slug of this message is {plain!r}", "/slug")


def _pattern_dialect(subject: Subject, _dataset: Dataset) -> Iterator[Trouble]:
    try:
        Pattern(subject.record.message_pattern)
    except PatternError as error:
        yield Trouble(str(error), "/messagePattern")


def _derived_pattern(subject: Subject, _dataset: Dataset) -> Iterator[Trouble]:
    record = subject.record
    derived = derive_pattern(record.error_message)
    if (
        record.message_pattern != derived
        and Pattern(record.message_pattern).read(Message(sample_message(record))) is None
    ):
        yield Trouble(f"does not match the record's own message; derived from it is {derived!r}", "/messagePattern")


def _wins_own_message(subject: Subject, dataset: Dataset) -> Iterator[Trouble]:
    record = subject.record
    text = sample_message(record)
    if record.error_class:
        text = f"{record.error_class}: {text}"
    matches = dataset.knowledge.search(text, limit=20)
    if not matches:
        yield Trouble("its own message gets no answer: the pattern is too unspecific", "/messagePattern")
        return
    first = matches[0]
    if first.record.id == record.id:
        return
    if first.record.error_message == record.error_message and first.tied:
        return
    yield Trouble(
        f"its own message is answered with {first.record.id} ({first.record.repo}/{first.record.slug})",
        "/messagePattern",
    )


def sample_message(record: Record) -> str:
    """The record's template with neutral values filled in."""
    return fill(record.error_message, lambda number, _name: f"qz{number + 1}zq")


def _place(subject: Subject) -> str:
    return f"line {subject.entry.line} of {subject.entry.path.name}"


BROKEN = Rule(
    code="D001",
    name="broken-json",
    why="A line or file that is no JSON cannot be read at all. The other lines are read all the same.",
)
SCHEMA = Rule(
    code="D002",
    name="schema",
    why="A record must be valid under schema/record.schema.json; readers skip records that are not.",
)
UNKNOWN_FIELD = Rule(
    code="D003",
    name="unknown-field",
    severity="warning",
    why="A field that this version does not know is kept but has no effect: often a misspelt name.",
    check=lambda subject, _dataset: (
        Trouble(f"unknown field {name!r}", f"/{name.replace('~', '~0').replace('/', '~1')}")
        for name in subject.record.extra
    ),
)
DUPLICATE_ID = Rule(
    code="I001",
    name="duplicate-id",
    why="Of records with one id only the last is used.",
    check=_duplicate_id,
)
DERIVED_ID = Rule(
    code="I002",
    name="id-not-derived",
    why="An id is the hash of repo, code or message, and path, so that every producer gives a record the same.",
    check=_derived_id,
    after=("I001",),
)
DERIVED_SLUG = Rule(
    code="I003",
    name="slug-not-derived",
    why="A slug is made from the code or message, so that links can be foreseen.",
    check=_derived_slug,
    after=("I001",),
)
DUPLICATE_SLUG = Rule(
    code="I004",
    name="duplicate-slug",
    why="owner/repo/slug names one record; a later one with the same slug gets six digits of its id appended.",
    check=_duplicate_slug,
    after=("I001", "I003"),
)
PATTERN_DIALECT = Rule(
    code="P001",
    name="pattern-dialect",
    why="Patterns hold what Python, JavaScript and RE2 read alike, and what matches in linear time: "
    "literals, (.+?) and its kin, classes, repeats, groups, alternation; no look-around, back-references, anchors.",
    check=_pattern_dialect,
)
DERIVED_PATTERN = Rule(
    code="P002",
    name="pattern-misses-template",
    why="A hand-written pattern is fine as long as it accepts what the derived one accepts.",
    check=_derived_pattern,
    after=("P001",),
)
WINS = Rule(
    code="M001",
    name="loses-own-message",
    why="The message that a record is about must be answered with that record, or with one of the same template.",
    check=_wins_own_message,
    after=("I001", "P001", "P002"),
)

RULES = (
    BROKEN,
    SCHEMA,
    UNKNOWN_FIELD,
    DUPLICATE_ID,
    DERIVED_ID,
    DERIVED_SLUG,
    DUPLICATE_SLUG,
    PATTERN_DIALECT,
    DERIVED_PATTERN,
    WINS,
)
"""All rules, in the order in which they are checked."""
