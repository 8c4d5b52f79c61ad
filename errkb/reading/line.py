"""A line of text whose noise can be cut away without losing its place in the original text."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from errkb.reading.line_kind import STRUCTURE, LineKind, is_repr, structure_of
from errkb.reading.occurrence import Frame
from errkb.reading.shapes.class_heads import ClassHead, parse_class_head
from errkb.reading.shapes.frames import read_frame

MAX_LINE = 40_000
"""Longer lines are read up to here; the rest of such a line is passed over."""


_FAR = 1 << 60


class Line:
    """One line as a reader should see it.

    `offset_map` maps columns of `text` to offsets in the original text: each pair says where a run of
    characters that was copied unchanged begins, in both.
    """

    __slots__ = (
        "_class_head",
        "_frame",
        "_structure",
        "level",
        "offset_map",
        "page",
        "process",
        "record_id",
        "region",
        "text",
        "width",
    )

    def __init__(
        self,
        text: str,
        offset_map: tuple[tuple[int, int], ...],
        *,
        process: str = "",
        record_id: str = "",
        level: str = "",
        region: str = "",
        page: str = "",
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
        """What it is part of: ``error`` (a pytest gutter), ``code`` (quoted source), ``box``, ``item``, ``barrier``."""
        self.page = page
        """Where on a page with fences it stands: ``output``, ``code`` or ``outside``; empty if there are no fences."""
        self.width = width or len(text)
        """How wide the line was on the screen, before its prefix was cut away."""
        self._structure: LineKind | Literal[False] | None = False
        self._frame: Frame | Literal[False] | None = False
        self._class_head: ClassHead | Literal[False] | None = False

    def __repr__(self) -> str:
        return f"Line({self.text!r}, {self.offset_map!r})"

    @property
    def kind(self) -> LineKind:
        """What the line is."""
        if self._structure is False:
            self._structure = structure_of(self.text, self.frame)
        if self._structure is not None:
            return self._structure
        if self.class_head is not None:
            return LineKind.EXCEPTION
        return LineKind.REPR if is_repr(self.text) else LineKind.TEXT

    @property
    def frame(self) -> Frame | None:
        """The frame that the line names."""
        if self._frame is False:
            self._frame = read_frame(self.text.strip())
        return self._frame

    @property
    def class_head(self) -> ClassHead | None:
        """The class and message that the line begins with."""
        if self._class_head is False:
            self._class_head = parse_class_head(self.text)
        return self._class_head

    @property
    def is_structure(self) -> bool:
        """Whether the line is part of a traceback, a report or a console's dialogue."""
        if self._structure is False:
            self._structure = structure_of(self.text, self.frame)
        return self._structure in STRUCTURE

    def offset(self, column: int) -> int:
        """The offset in the original text of a column of this line."""
        offset_map = self.offset_map
        at = 0 if len(offset_map) == 1 else max(bisect_right(offset_map, (column, _FAR)) - 1, 0)
        start, offset = offset_map[at]
        return offset + column - start

    def end(self) -> int:
        """The offset just after the last visible character of this line."""
        length = len(self.text.rstrip())
        return self.offset(length - 1) + 1 if length else self.offset(0)

    def cut(self, start: int, stop: int | None = None) -> "Line":
        """The part from column `start` to `stop`, with the same prefix and marks."""
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
        """A line with other text and the marks of this one."""
        return Line(
            text,
            offset_map,
            process=self.process,
            record_id=self.record_id,
            level=self.level,
            region=self.region,
            page=self.page,
            width=self.width,
        )

    def joined(self, other: "Line", glue: str = "") -> "Line":
        """The line with `other` after it."""
        shift = len(self.text) + len(glue)
        more = tuple((column + shift, offset) for column, offset in other.offset_map)
        line = self.like(self.text + glue + other.text, (*self.offset_map, *more))
        line.width = other.width
        return line

    def split(self, separator: str) -> "list[Line]":
        """The parts of this line between the separators."""
        parts, column = [], 0
        for part in self.text.split(separator):
            parts.append(self.cut(column, column + len(part)))
            column += len(part) + len(separator)
        return parts

    def barrier(self) -> "Line":
        """An empty line in place of a fence: nothing goes on across it."""
        empty = self.cut(0, 0)
        empty.region = "barrier"
        return empty

    @property
    def indent(self) -> int:
        """The width of the white space in front."""
        text = self.text
        return len(text) - len(text.lstrip())


def split_lines(text: str) -> Iterator[Line]:
    r"""The lines of `text`; ``\n``, ``\r\n`` and a lone ``\r`` (a progress bar's) end one."""
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


def dedented(lines: list[Line]) -> list[Line]:
    """The lines without the indentation that all of them share."""
    if not lines or (lines[0].text and not lines[0].text[0].isspace()):
        return lines
    indent = min((line.indent for line in lines if line.text and not line.text.isspace()), default=0)
    return [line.cut(min(indent, line.indent)) for line in lines] if indent else lines
