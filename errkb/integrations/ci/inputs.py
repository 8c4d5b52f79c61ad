"""What a job left behind, in pieces that each hold the errors of one test or one traceback."""

import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple
from xml.etree import ElementTree

from errkb.errors import ErrkbError
from errkb.files import open_regular

_LONGEST_PIECE = 400
"""Lines of a piece; a longer one is cut."""
_TEST = re.compile(r"(?:^|\s)_{3,80} .{1,300}? _{3,80}\s*$")
_SECTION = re.compile(r"(?:^|\s)={3,80} (?P<name>.{1,100}?) ={3,80}\s*$")
_TRACEBACK = re.compile(r"(?:^|[\s\])|:])Traceback \(most recent call last\):")
_LINK = re.compile(r"direct cause of the following|During handling of the above|\+-+ \d+ -+|^\s*\|")
_SUMMARY = "short test summary info"
_DOCUMENT = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<testsuites?\b", re.DOTALL)
_HEAD = 4096
_LINES_OF_LINK = 4
"""A line that ties a traceback to the next one stands at most so many lines above it."""


class InputError(ErrkbError):
    """A file of a job that cannot be read."""


class Piece(NamedTuple):
    """A part of an input with its errors: where it is from, and its text."""

    name: str
    text: str


def read_input(path: Path) -> Iterator[Piece]:
    """The pieces of a log or of a JUnit file. Raises InputError."""
    try:
        with open_regular(path) as file:
            yield from read_stream(file, path.name)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def read_stream(stream: BinaryIO, name: str) -> Iterator[Piece]:
    """The same of an open stream, which is read once. Raises InputError for a JUnit file that is broken."""
    buffered = io.BufferedReader(stream, _HEAD) if not isinstance(stream, io.BufferedReader) else stream  # type: ignore[type-var]
    head = buffered.peek(_HEAD)[:_HEAD]
    if _DOCUMENT.match(head.removeprefix(b"\xef\xbb\xbf")):
        yield from _tests(buffered, name)
    else:
        yield from pieces(io.TextIOWrapper(buffered, "utf-8", "replace"), name)


def pieces(lines: Iterable[str], name: str) -> Iterator[Piece]:
    """A log cut where a test or a traceback begins, chains and groups whole.

    pytest's short summary belongs to the errors above it; it is read only where it stands alone.
    """
    piece: list[str] = []
    summary: list[str] = []
    in_summary, found = False, False
    for line in lines:
        section = _SECTION.search(line) if "===" in line else None
        if section:
            in_summary = section["name"] == _SUMMARY
        if in_summary:
            summary.append(line)
            continue
        test = "___" in line and _TEST.search(line)
        traceback = _TRACEBACK.search(line) and not _goes_on(piece)
        begins = section or test or traceback
        if (begins and piece) or len(piece) >= _LONGEST_PIECE:
            yield Piece(name, "".join(piece))
            piece = []
        found |= bool(test or traceback)
        piece.append(line)
    if piece:
        yield Piece(name, "".join(piece))
    if summary and not found:
        yield Piece(name, "".join(summary))


def _goes_on(piece: list[str]) -> bool:
    """Whether the next traceback belongs to the piece: it is of a chain or a group, or below a test's heading."""
    return any(_LINK.search(line) or _TEST.search(line) for line in piece[-_LINES_OF_LINK:])


def _tests(stream: BinaryIO, name: str) -> Iterator[Piece]:
    """The failures and errors of a JUnit file, one piece each."""
    try:
        for _, element in ElementTree.iterparse(stream):  # noqa: S314  # expat bounds what entities may grow to
            if element.tag.rpartition("}")[2] != "testcase":
                continue
            test = "::".join(filter(None, (element.get("classname"), element.get("name"))))
            for child in element:
                if child.tag.rpartition("}")[2] in ("failure", "error"):
                    text = "".join(child.itertext()).strip()
                    said = ": ".join(filter(None, (child.get("type"), child.get("message"))))
                    yield Piece(f"{name}: {test}", (text or said) + "\n")
            element.clear()
    except ElementTree.ParseError as error:
        raise InputError(f"{name} is no JUnit file: {error}") from None
