"""Findings placed in the text of their file: line, column, and the piece of the line that shows it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from errkb.datasets.entry_access import Place, place_of, reread
from errkb.datasets.files import BOM, open_file
from errkb.datasets.json_spans import Span, spans
from errkb.errors import DatasetError
from errkb.validation.finding import Excerpt, Finding

_COLUMN = re.compile(r"at column ([0-9]+)")
_BEFORE = 40
"""Characters of a long line that are shown before the place."""
_WIDTH = 120


class Found(NamedTuple):
    """A finding with the place of the record that it is about; of no length where there is no record."""

    finding: Finding
    place: Place


class _Target(NamedTuple):
    """A finding with the bytes that it is about, as offsets into the uncompressed file."""

    start: int
    end: int
    finding: Finding


def located(found: Iterable[Found]) -> list[Finding]:
    """The findings with columns and excerpts; the files with findings are read once more."""
    by_file: dict[Path, list[Found]] = {}
    for one in found:
        by_file.setdefault(one.finding.path, []).append(one)
    return [finding for path, group in by_file.items() for finding in _in_file(path, group)]


def _in_file(path: Path, found: Sequence[Found]) -> Iterator[Finding]:
    placed: dict[int, Finding] = {}
    with suppress(DatasetError, OSError, EOFError):  # the file is unreadable, which is what its finding says
        _place(path, found, placed)
    for one in found:
        yield placed.get(id(one.finding), one.finding)


def _place(path: Path, found: Sequence[Found], placed: dict[int, Finding]) -> None:
    of_record: dict[Place, list[Finding]] = {}
    of_line: dict[int, list[Finding]] = {}
    for finding, place in found:
        if place.length:
            of_record.setdefault(place, []).append(finding)
        else:
            of_line.setdefault(place.line, []).append(finding)
    targets = sorted(_targets(of_record), key=lambda target: target.start)
    next_target = offset = 0
    with open_file(path) as file:
        for number, line in enumerate(file, 1):
            following = offset + len(line)
            shown = _Line(line)
            while next_target < len(targets) and targets[next_target].start < following:
                start, end, finding = targets[next_target]
                placed[id(finding)] = _at(finding, number, shown, start - offset, end - offset)
                next_target += 1
            for finding in of_line.get(number, ()):
                placed[id(finding)] = _broken(finding, line)
            offset = following


def _targets(of_record: dict[Place, list[Finding]]) -> Iterator[_Target]:
    for entry in reread(of_record):
        text = entry.raw.decode("utf-8", "surrogateescape")
        known = spans(text)
        meant = []
        for finding in of_record[place_of(entry)]:
            pointer = (finding.pointer or "").removeprefix(entry.pointer)
            while pointer not in known:
                pointer = pointer.rpartition("/")[0]
            meant.append((*_meant(known[pointer], finding), finding))
        counted = before = 0
        for start, end, finding in sorted(meant, key=lambda one: one[0]):
            before += len(text[counted:start].encode("utf-8", "surrogateescape"))  # each character is counted once
            counted = start
            length = len(text[start:end].encode("utf-8", "surrogateescape"))
            yield _Target(entry.offset + before, entry.offset + before + length, finding)


def _meant(span: Span, finding: Finding) -> tuple[int, int]:
    """The value, or of an unknown field its name."""
    if finding.name == "unknown-field":
        return span.name_start, span.name_end
    return span.start, span.end


class _Line:
    """A line whose columns are asked for from left to right: what was counted once is not counted again."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._counted = (0, 0)

    @cached_property
    def text(self) -> str:
        """The line's text."""
        return _decoded(self.content)

    def column(self, start: int) -> int:
        """How many characters stand before a byte."""
        place, column = self._counted
        if start < place:
            place, column = 0, 0
        column += len(_decoded(self.content[place:start])) if not place else _length(self.content[place:start])
        self._counted = (start, column)
        return column


def _length(content: bytes) -> int:
    return len(content.decode("utf-8", "replace").rstrip("\r\n"))


def _at(finding: Finding, number: int, line: _Line, start: int, end: int) -> Finding:
    text = line.text
    first = line.column(start)
    last = min(first + _length(line.content[start:end]), len(text))
    return replace(
        finding,
        line=number,
        column=first + 1,
        end_column=last + 1 if end <= len(line.content) else None,
        excerpt=_excerpt(text, first, last),
    )


def _broken(finding: Finding, line: bytes) -> Finding:
    """Where a line breaks off, as far as the reader could say it."""
    text = _decoded(line)
    match = _COLUMN.search(finding.message)
    first = min(int(match[1]) - 1, len(text)) if match else 0
    last = min(first + 1, len(text)) if match else len(text)
    return replace(finding, column=first + 1, end_column=last + 1, excerpt=_excerpt(text, first, last))


def _decoded(line: bytes) -> str:
    return line.removeprefix(BOM).decode("utf-8", "replace").rstrip("\r\n")


def _excerpt(text: str, start: int, end: int) -> Excerpt:
    """The part of a line around a place, cut to what a screen shows, with an ellipsis where it was cut."""
    first = max(0, start - _BEFORE) if len(text) > _WIDTH else 0
    last = min(len(text), first + _WIDTH)
    lead, tail = "…" * (first > 0), "…" * (last < len(text))
    shift = len(lead) - first
    return Excerpt(f"{lead}{text[first:last]}{tail}", start + shift, max(start + 1, min(end, last)) + shift)
