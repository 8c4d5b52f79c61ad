"""A match: an occurrence, the record that explains it, and how well it does."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from errkb.reading.occurrence import Occurrence
from errkb.records.record import Record


class Kind(StrEnum):
    """What kind of evidence a match rests on, strongest first."""

    PATTERN = "pattern"
    """The record's pattern covers the whole message."""
    INSIDE = "inside"
    """The record's pattern stands in the message, with other text around it."""
    CODE = "code"
    """The record's error code stands in the message."""
    PARTIAL = "partial"
    """The message is cut: what is there of it fits the pattern."""
    FUZZY = "fuzzy"
    """The wording is similar: another version of the library, a typo."""
    CLASS = "class"
    """The class alone: its messages have no text of their own (`KeyError: 'x'`)."""


class Evidence(msgspec.Struct, frozen=True):
    """One reason for or against a match: what was looked at, its factor in the score, in words."""

    name: str
    factor: float
    note: str


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """An occurrence explained by a record.

    `score` is in (0, 1]: how sure errkb is that this record is the right one. It is the product
    of the factors of `evidence`. Full confidence, 0.5 and more, is reached only by a reading of
    a specific pattern without evidence against it.
    """

    record: Record
    captures: Mapping[str, str]
    """The values in the message by the names of the template's placeholders, in order."""
    spans: Mapping[str, tuple[int, int]]
    """Where they stand in the occurrence's message: offsets of characters, half open."""
    kind: Kind
    score: float
    occurrence: Occurrence
    evidence: tuple[Evidence, ...] = ()
    wording: str | None = None
    """The template that matched, where it is another wording of the error than the record's own."""
    also_at: tuple[str, ...] = ()
    """Permalinks of further places in the same repo that raise this message."""
    tied: bool = False
    """Whether another match of the same answer is as good; tied matches are ordered by id."""

    def __repr__(self) -> str:
        values = dict(self.captures)
        return f"Match({self.record!r}, kind={self.kind.value!r}, score={self.score:.4f}, captures={values!r})"

    def __hash__(self) -> int:
        return hash((self.record.id, self.kind, self.score, self.occurrence))
