"""One finding of validation."""

from pathlib import Path

import msgspec


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
    """From 1."""
    pointer: str | None = None
    """JSON pointer into the record."""
    record_id: str | None = None
