"""A source file: its bytes, its text, and its syntax tree with what the module says at its top level."""

import ast
import io
import tokenize
import warnings
from bisect import bisect_left
from functools import cached_property
from pathlib import Path

from errkb.files import is_file
from errkb.source_analysis.module_facts import ModuleFacts
from errkb.source_analysis.source_writer import SourceWriter

LARGEST_FILE = 8 * 1024 * 1024
SITE_KEYWORDS = (
    "raise", "assert", "warn", "exit", "critical", "xception", "fail", "fatal",
    "rror", "Warning", "Exit", "Failure", "Timeout", "Abort",
)  # fmt: skip
"""Source without any of these words can neither raise, warn nor log, so it is not read further.

The one exception: a class of exceptions with a name that does not look like one.
"""


class UnreadableSourceError(Exception):
    """A source file that cannot be read, and why; handled inside errkb, which skips the file."""


class ParsedSource:
    """The syntax tree of a source file, its text, and what the module says at its top level."""

    def __init__(self, content: bytes, module: str, *, package: bool = False) -> None:
        """Raises UnreadableSourceError."""
        text = decode_source(content)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            raise UnreadableSourceError(
                f"line {line}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
            ) from None
        except (RecursionError, MemoryError):
            raise UnreadableSourceError("nested too deeply") from None
        self._text = text
        self.writer = SourceWriter(text)
        self.facts = ModuleFacts(module, self.tree, self.writer, package=package)

    @cached_property
    def keyword_lines(self) -> list[int]:
        """The lines with a word that a raise site must have."""
        return _keyword_lines(self._text)

    def may_hold_site(self, node: ast.stmt) -> bool:
        """Whether a statement may hold a raise site."""
        place = bisect_left(self.keyword_lines, node.lineno)
        return place < len(self.keyword_lines) and self.keyword_lines[place] <= (node.end_lineno or node.lineno)


def _keyword_lines(text: str) -> list[int]:
    places: set[int] = set()
    for word in SITE_KEYWORDS:
        place = text.find(word)
        while place >= 0:
            places.add(place)
            place = text.find(word, place + 1)
    lines: list[int] = []
    line, counted = 1, 0
    for place in sorted(places):
        line += text.count("\n", counted, place)
        counted = place
        lines.append(line)
    return lines


def decode_source(content: bytes) -> str:
    """The text of a source file, whatever its encoding, with plain line feeds."""
    try:
        text = content.decode("utf-8-sig")
        if b"coding" in content[:400]:
            raise UnicodeError
    except UnicodeError:
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
            text = content.decode(encoding, "replace")
        except (SyntaxError, LookupError, UnicodeError):  # some codecs read no text, whatever they are told
            text = content.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_source(path: Path) -> bytes:
    """The bytes of a source file. Raises UnreadableSourceError."""
    try:
        if not is_file(path):
            raise UnreadableSourceError("no regular file")
        if path.stat().st_size > LARGEST_FILE:
            raise UnreadableSourceError("too large")
        return path.read_bytes()
    except OSError as error:
        raise UnreadableSourceError(error.strerror or str(error)) from None
