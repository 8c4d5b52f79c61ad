"""What a rule is, and what it looks at."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from errkb.dataset import Entry
from errkb.records import Record
from errkb.validation.finding import Fix
from errkb.validation.sample import Sample, sample


class Trouble(NamedTuple):
    """What a rule says about one record: a sentence, the JSON pointer of the field, and what would mend it."""

    message: str
    pointer: str
    fix: Fix | None = None


class Subject:
    """A record under check, with its place and what several rules look at."""

    __slots__ = ("entry", "record", "sample", "texts")

    def __init__(self, entry: Entry, record: Record) -> None:
        self.entry = entry
        self.record = record
        self.sample: Sample = sample(record.error_message)
        self.texts = "\n".join(
            (
                record.documentation,
                record.trigger_scenarios,
                record.common_situations,
                *record.solutions,
                *record.prevention_tips,
                record.example_fix or "",
                record.validation_code or "",
                record.type_guard or "",
                record.try_catch_pattern or "",
            )
        )
        """All texts for readers, one after the other: what is not in here is in none of them."""


class Head(NamedTuple):
    """What is remembered of a record, to compare others with it."""

    path: Path
    line: int
    pointer: str
    id: str
    repo: str
    slug: str
    file_path: str
    error_code: str | None
    error_class: str | None
    message: str
    """The template with neutral values filled in."""
    pattern: str
    derived: bool
    """Whether the pattern is the derived one."""


class Context(NamedTuple):
    """What a rule may know besides the record: the records before it, the hour, the families."""

    by_id: dict[str, Head]
    by_slug: dict[str, Head]
    now: str
    """ISO 8601, UTC, as records write it."""
    families: frozenset[str] | None
    """The names in families.json beside the dataset, if there is one."""


Check = Callable[[Subject, Context], Iterable[Trouble]]


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the linter.

    `check` gives what is wrong with a record, nothing for most; rules without one are checked
    where files are read (`broken-json`, `schema`) or where records are compared (`matching`).
    `after` names rules whose finding makes this one moot, `mends` says whether `--fix` can help.
    """

    code: str
    name: str
    severity: str = "error"
    what: str
    why: str
    bad: str
    good: str
    check: Check | None = None
    after: tuple[str, ...] = ()
    mends: bool = False


def place_of(head: Head) -> str:
    """Where a record stands, in words."""
    return f"line {head.line} of {head.path.name}"
