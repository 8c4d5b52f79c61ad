"""A line of text whose noise can be cut away without losing its place in the original text."""

from bisect import bisect_right
from collections.abc import Iterator

MAX_LINE = 40_000
"""Longer lines are read up to here; the rest of such a line is passed over."""


_FAR = 1 << 60


class Line:
    """One line as a reader should see it.

    `pieces` maps columns of `text` to offsets in the original text: each pair says where a run of
    characters that was copied unchanged begins, in both.
    """

    __slots__ = ("level", "mark", "pieces", "source", "stamp", "text", "width")

    def __init__(
        self,
        text: str,
        pieces: tuple[tuple[int, int], ...],
        *,
        source: str = "",
        stamp: str = "",
        level: str = "",
        mark: str = "",
        width: int = 0,
    ) -> None:
        self.text = text
        self.pieces = pieces
        self.source = source
        """The process, rank or container that wrote the line, as its prefix names it."""
        self.stamp = stamp
        """The prefix of its log record without the time; lines of one record share it."""
        self.level = level
        """The level of its log record, in capitals."""
        self.mark = mark
        """What its decoration says: ``error`` (a pytest gutter), ``code`` (quoted source)."""
        self.width = width or len(text)
        """How wide the line was on the screen, before its prefix was cut away."""

    def __repr__(self) -> str:
        return f"Line({self.text!r}, {self.pieces!r})"

    def offset(self, column: int) -> int:
        """Return the offset in the original text of a column of this line."""
        pieces = self.pieces
        at = 0 if len(pieces) == 1 else max(bisect_right(pieces, (column, _FAR)) - 1, 0)
        start, offset = pieces[at]
        return offset + column - start

    def end(self) -> int:
        """Return the offset just behind the last visible character of this line."""
        length = len(self.text.rstrip())
        return self.offset(length - 1) + 1 if length else self.offset(0)

    def cut(self, start: int, stop: int | None = None) -> "Line":
        """Return the part from column `start` to `stop`, with the same prefix and marks."""
        pieces = self.pieces
        if len(pieces) == 1:
            moved: tuple[tuple[int, int], ...] = ((0, pieces[0][1] + start - pieces[0][0]),)
        else:
            low = bisect_right(pieces, (start, _FAR))
            high = len(pieces) if stop is None else bisect_right(pieces, (stop, -1))
            moved = (
                (0, self.offset(start)),
                *((column - start, offset) for column, offset in pieces[low:high]),
            )
        return self.like(self.text[start:stop], moved)

    def like(self, text: str, pieces: tuple[tuple[int, int], ...]) -> "Line":
        """Return a line with other text and the marks of this one."""
        return Line(
            text,
            pieces,
            source=self.source,
            stamp=self.stamp,
            level=self.level,
            mark=self.mark,
            width=self.width,
        )

    def joined(self, other: "Line", glue: str = "") -> "Line":
        """Return this line with `other` behind it."""
        shift = len(self.text) + len(glue)
        more = tuple((column + shift, offset) for column, offset in other.pieces)
        line = self.like(self.text + glue + other.text, (*self.pieces, *more))
        line.width = other.width
        return line

    def split(self, separator: str) -> "list[Line]":
        """Return the parts of this line between the separators."""
        parts, column = [], 0
        for part in self.text.split(separator):
            parts.append(self.cut(column, column + len(part)))
            column += len(part) + len(separator)
        return parts

    @property
    def indent(self) -> int:
        """The width of the white space in front."""
        text = self.text
        return len(text) - len(text.lstrip())


def split_lines(text: str) -> Iterator[Line]:
    r"""Yield the lines of `text`; ``\n``, ``\r\n`` and a lone ``\r`` (a progress bar's) end one."""
    offset = 0
    for raw in text.split("\n"):
        line = raw.removesuffix("\r")
        if "\r" in line:
            column = 0
            for part in line.split("\r"):
                yield Line(part[:MAX_LINE], ((0, offset + column),))
                column += len(part) + 1
        else:
            yield Line(line[:MAX_LINE], ((0, offset),))
        offset += len(raw) + 1
