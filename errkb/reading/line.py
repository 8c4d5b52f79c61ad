"""A line of text whose noise can be cut away without losing its place in the original text."""

from bisect import bisect_right
from collections.abc import Iterator

MAX_LINE = 40_000
"""Longer lines are read up to here; the rest of such a line is passed over."""


_FAR = 1 << 60


class Line:
    """One line as a reader should see it.

    `offset_map` maps columns of `text` to offsets in the original text: each pair says where a run of
    characters that was copied unchanged begins, in both.
    """

    __slots__ = ("level", "offset_map", "process", "record_id", "region", "text", "width")

    def __init__(
        self,
        text: str,
        offset_map: tuple[tuple[int, int], ...],
        *,
        process: str = "",
        record_id: str = "",
        level: str = "",
        region: str = "",
        width: int = 0,
    ) -> None:
        self.text = text
        self.offset_map = offset_map
        self.process = process
        """The process, rank or container that wrote the line, as its prefix names it."""
        self.record_id = record_id
        """The prefix of its log record without the time; lines of one record share it."""
        self.level = level
        """The level of its log record, in capitals."""
        self.region = region
        """What its decoration says: ``error`` (a pytest gutter), ``code`` (quoted process)."""
        self.width = width or len(text)
        """How wide the line was on the screen, before its prefix was cut away."""

    def __repr__(self) -> str:
        return f"Line({self.text!r}, {self.offset_map!r})"

    def offset(self, column: int) -> int:
        """Return the offset in the original text of a column of this line."""
        offset_map = self.offset_map
        at = 0 if len(offset_map) == 1 else max(bisect_right(offset_map, (column, _FAR)) - 1, 0)
        start, offset = offset_map[at]
        return offset + column - start

    def end(self) -> int:
        """Return the offset just behind the last visible character of this line."""
        length = len(self.text.rstrip())
        return self.offset(length - 1) + 1 if length else self.offset(0)

    def cut(self, start: int, stop: int | None = None) -> "Line":
        """Return the part from column `start` to `stop`, with the same prefix and marks."""
        offset_map = self.offset_map
        if len(offset_map) == 1:
            moved: tuple[tuple[int, int], ...] = ((0, offset_map[0][1] + start - offset_map[0][0]),)
        else:
            low = bisect_right(offset_map, (start, _FAR))
            high = len(offset_map) if stop is None else bisect_right(offset_map, (stop, -1))
            moved = (
                (0, self.offset(start)),
                *((column - start, offset) for column, offset in offset_map[low:high]),
            )
        return self.like(self.text[start:stop], moved)

    def like(self, text: str, offset_map: tuple[tuple[int, int], ...]) -> "Line":
        """Return a line with other text and the marks of this one."""
        return Line(
            text,
            offset_map,
            process=self.process,
            record_id=self.record_id,
            level=self.level,
            region=self.region,
            width=self.width,
        )

    def joined(self, other: "Line", glue: str = "") -> "Line":
        """Return this line with `other` behind it."""
        shift = len(self.text) + len(glue)
        more = tuple((column + shift, offset) for column, offset in other.offset_map)
        line = self.like(self.text + glue + other.text, (*self.offset_map, *more))
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
