"""How much of a dataset is read: what is larger is refused in a sentence, before it fills the memory."""

import os
from typing import NamedTuple

from errkb.errors import ErrkbError


class Limits(NamedTuple):
    """Bytes, uncompressed. `ERRKB_LIMIT_LINE`, `ERRKB_LIMIT_DOCUMENT` and `ERRKB_LIMIT_FILE` change them."""

    line: int = 4 * 1024**2
    """A line of a file of lines, and a record wherever it stands."""
    document: int = 128 * 1024**2
    """A file that is one JSON document."""
    file: int = 4 * 1024**3
    """All lines of a file together."""

    def refusal(self, name: str) -> str:
        """What is said of something that is larger."""
        return f"larger than {getattr(self, name):,} bytes (ERRKB_LIMIT_{name.upper()} allows more)"


class LimitError(ErrkbError):
    """A limit that is no number."""


def limits() -> Limits:
    """The limits, as the environment sets them. Raises LimitError."""
    return Limits(**{name: _from_environment(name, usual) for name, usual in Limits()._asdict().items()})


def _from_environment(name: str, usual: int) -> int:
    variable = f"ERRKB_LIMIT_{name.upper()}"
    text = os.environ.get(variable)
    if not text:
        return usual
    if not (text.isascii() and text.isdigit()):
        raise LimitError(f"{variable} is a number of bytes, not {text!r}")
    return int(text[:18])
