"""One finding of validation, and what would fix it."""

from pathlib import Path
from typing import Any

import msgspec


class Excerpt(msgspec.Struct, frozen=True):
    """A piece of the source line that a finding is about; offsets are in characters, half open."""

    text: str
    start: int
    end: int


class Fix(msgspec.Struct, frozen=True):
    """A new value for one field of a record."""

    field: str
    """The name in JSON."""
    value: Any


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong at a place of a dataset, and the rule that says so."""

    rule: str
    """Code of the rule (`P001`)."""
    name: str
    """Name of the rule (`pattern-dialect`)."""
    severity: str
    """`error` makes a dataset invalid, `warning` does not."""
    message: str
    path: Path
    line: int
    """From 1; where a document spreads over lines, the line of the pointer's place."""
    column: int | None = None
    """From 1, in characters; None where a file as a whole is meant."""
    end_column: int | None = None
    """The first column after the place, if it ends on the same line."""
    pointer: str | None = None
    """JSON pointer into the document at that place."""
    record_id: str | None = None
    fix: Fix | None = None
    excerpt: Excerpt | None = None
