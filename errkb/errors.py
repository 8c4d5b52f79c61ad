"""The errors that errkb raises for its callers: one family.

`DamagedIndex` and `UnreadableSourceError` are not in it: errkb handles them itself.
"""

from collections.abc import Iterable
from pathlib import Path


class ErrkbError(Exception):
    """Anything that errkb refuses, said in one helpful sentence."""


class DatasetError(ErrkbError):
    """A dataset, or a place in one, that cannot be used.

    `path` is the file, `line` its line (from 1) and `pointer` the JSON pointer (RFC 6901)
    inside the document at that line; each is None where it does not apply.
    """

    def __init__(
        self, reason: str, *, path: Path | str | None = None, line: int | None = None, pointer: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = Path(path) if path is not None else None
        self.line = line
        self.pointer = pointer

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line) if part is not None)
        if self.pointer:
            place = f"{place} at {self.pointer}" if place else f"at {self.pointer}"
        return f"{place}: {self.reason}" if place else self.reason


class PatternError(ErrkbError):
    """A pattern outside the dialect that errkb reads; `position` is the offset of the trouble in it."""

    def __init__(self, reason: str, position: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position

    def __str__(self) -> str:
        return self.reason if self.position is None else f"{self.reason} (at offset {self.position})"


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """`did you mean 'x'?` with the known name that is close to a wrong one; None if none is close."""
    from difflib import get_close_matches  # slow to import

    close = get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else None
