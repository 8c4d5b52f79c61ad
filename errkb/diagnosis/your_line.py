"""The reader's own line: the innermost frame that is neither the standard library's nor an installed package's."""

import linecache

import msgspec

from errkb.lazy_regex import lazy
from errkb.reading import Frame

_FOREIGN = lazy(
    r"(?i)(?:^|/)(?:site-packages|dist-packages)/|(?:^|/)lib(?:64)?/python[0-9.]{1,5}/|/python[0-9.]{0,5}/lib/"
    r"|^<(?:frozen |attrs |__array_function__|decorator-gen)|(?:^|/)[A-Za-z0-9_.-]+\.(?:c|cc|cpp|cu|h|pyx|pxi|rs)$"
)
"""Paths of the standard library, of installed packages, and of what no person wrote or can edit."""
_LONGEST_SOURCE = 300


class YourLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the reader's own code."""

    file: str
    line: int | None
    function: str | None
    source: str | None
    """The line itself, if it is in the text or the file is at hand."""


def your_line(frames: tuple[Frame, ...]) -> YourLine | None:
    """The innermost of `frames` (outermost first) that is the reader's; None if there is none."""
    for frame in reversed(frames):
        if not is_foreign(frame.file):
            return YourLine(file=frame.file, line=frame.line, function=frame.function, source=_source(frame))
    return None


def is_foreign(file: str) -> bool:
    """Whether a file is the standard library's, an installed package's, or no source file of Python."""
    return bool(_FOREIGN.search(file.replace("\\", "/")))


def _source(frame: Frame) -> str | None:
    source = frame.source
    if source is None and frame.line:
        try:
            source = linecache.getline(frame.file, frame.line)
        except Exception:  # noqa: BLE001  # a file that cannot be read is no reason to fail
            return None
    return source.strip()[:_LONGEST_SOURCE] or None if source else None
