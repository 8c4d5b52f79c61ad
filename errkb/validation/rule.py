"""What a rule is, and what it looks at."""

from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from errkb.datasets.entry_access import Place
from errkb.datasets.files import Entry
from errkb.records.record import Record
from errkb.records.sample import Sample, sample
from errkb.validation.finding import Fix
from errkb.validation.words import whole_in_message


class Violation(NamedTuple):
    """What a rule says about one record: a sentence, the JSON pointer of the field, and what would fix it."""

    message: str
    pointer: str
    fix: Fix | None = None


_OTHER_CHARACTERS = bytes(set(range(256)).difference(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ@"))


class Subject:
    """A record under check, with its place and what several rules look at."""

    __slots__ = ("capitals_and_at", "entry", "record", "sample", "texts", "words")

    def __init__(self, entry: Entry, record: Record) -> None:
        self.entry = entry
        self.record = record
        self.sample: Sample = sample(record.error_message)
        self.words = whole_in_message(self.sample.message)
        """The words of the message, in runs between the values."""
        self.texts = "\n".join(
            (
                record.error_message,
                record.documentation,
                record.trigger_scenarios,
                record.common_situations,
                *record.solutions,
                *record.prevention_tips,
                record.source_code or "",
                record.example_fix or "",
                record.validation_code or "",
                record.type_guard or "",
                record.try_catch_pattern or "",
            )
        )
        """All that people wrote, one text after the other: what is not in here is in none of them."""
        self.capitals_and_at = self.texts.encode("utf-8", "replace").translate(None, _OTHER_CHARACTERS).decode("ascii")
        """The capital letters and @ of these texts: rules that need one of them look here before they search."""


class ComparedRecord(NamedTuple):
    """What is remembered of a record, to compare others with it."""

    place: Place
    id: str
    repo: str
    slug: str
    file_path: str
    error_code: str | None
    error_class: str | None
    message: str
    """The template with placeholder values filled in."""
    words: "array[int]"
    """Keys of the words of `message` and of its neighbouring pairs, those with a value in them left out."""
    pattern: str
    pattern_is_derived: bool
    """Whether the pattern is the derived one."""


class Context(NamedTuple):
    """What a rule may know besides the record: the records before it, the hour, the families."""

    by_id: dict[str, ComparedRecord]
    by_slug: dict[str, ComparedRecord]
    now: str
    """ISO 8601, UTC, as records write it."""
    families: frozenset[str] | None
    """The names in families.json beside the dataset, if there is one."""
    class_only: frozenset[str] = frozenset()
    """Ids of the records that answer their class whatever the message, as their supplements say."""


Check = Callable[[Subject, Context], Iterable[Violation]]


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the linter.

    `check` gives what is wrong with a record, nothing for most; rules without one are checked
    where files are read (`broken-json`, `schema`) or where records are compared (`matching`).
    `superseded_by` names rules whose finding explains one of this rule as well, `fixable` whether `--fix` can help.
    """

    code: str
    name: str
    severity: str = "error"
    what: str
    why: str
    bad: str
    good: str
    check: Check | None = None
    superseded_by: tuple[str, ...] = ()
    fixable: bool = False


def where(head: ComparedRecord) -> str:
    """Where a record stands, in words."""
    return f"line {head.place.line} of {head.place.path.name}"
