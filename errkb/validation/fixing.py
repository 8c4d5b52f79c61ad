"""Findings fixed: derived fields, order and formatting only, in their places, everything else untouched."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from errkb.datasets.dataset import dataset_files, decode_entry, read_entries
from errkb.datasets.files import Entry, open_file, rewrite_file
from errkb.datasets.json_spans import spans
from errkb.errors import DatasetError
from errkb.validation.checker import Checker
from errkb.validation.finding import Fix
from errkb.validation.rule import Subject
from errkb.validation.settings import Settings

_MOST_ROUNDS = 5
"""A fixed id may change what the slug should be, and so on; no chain is longer."""
_CHUNK = 1 << 20


class FixedFile(NamedTuple):
    """A file with its fixed content."""

    path: Path
    findings: int
    """How many were fixed."""
    replacements: Sequence[tuple[int, int, bytes]]
    """Start, end and new bytes of the places, in order, as offsets into the uncompressed file."""

    def before(self) -> bytes:
        """The content of the file as it is."""
        with open_file(self.path) as file:
            return file.read()

    def chunks(self) -> Iterator[bytes]:
        """The new content, piece by piece."""
        position = 0
        with open_file(self.path) as file:
            for start, end, new in self.replacements:
                while position < start:
                    piece = file.read(min(_CHUNK, start - position))
                    position += len(piece)
                    yield piece
                yield new
                position = file.seek(end)
            while piece := file.read(_CHUNK):
                yield piece

    def write(self) -> None:
        """Give the file its new content, as a whole."""
        rewrite_file(self.path, self.chunks())


def find_fixes(paths: Iterable[Path], settings: Settings) -> Iterator[FixedFile]:
    """The files in which something can be fixed; nothing is written yet. Raises DatasetError."""
    checker = Checker(settings)
    for dataset in paths:
        checker.look_beside(dataset)
        for path in dataset_files(dataset):
            count, replacements = 0, []
            for entry in _entries(path):
                fixed, raw = _fixed(checker, entry)
                if fixed:
                    count += fixed
                    replacements.append((entry.offset, entry.offset + len(entry.raw), raw))
            if count:
                yield FixedFile(path, count, replacements)


def _entries(path: Path) -> Iterator[Entry]:
    try:
        for entry in read_entries(path):
            if isinstance(entry, Entry):
                yield entry
    except DatasetError:
        return  # a file without records, which validation reports


def _fixed(checker: Checker, entry: Entry) -> tuple[int, bytes]:
    """How many findings were fixed in a record, and its new text."""
    count, raw = 0, entry.raw
    for _ in range(_MOST_ROUNDS):
        try:
            subject = Subject(entry, decode_entry(entry._replace(raw=raw)))
        except DatasetError:
            return 0, entry.raw
        checker.found.clear()
        checker.examine(subject)
        fixes = {found.finding.fix.field: found.finding.fix for found in checker.found if found.finding.fix}
        if not fixes:
            break
        count += len(fixes)
        raw = with_fixes(raw, fixes.values())
    checker.remember(subject)
    return count, raw


def with_fixes(raw: bytes, fixes: Iterable[Fix]) -> bytes:
    """A record's text with other values for some of its fields, and no other byte changed."""
    text = raw.decode("utf-8", "surrogateescape")
    known = spans(text)
    for fix in sorted(fixes, key=lambda fix: known[f"/{fix.field}"].start, reverse=True):
        span = known[f"/{fix.field}"]
        spaced = text[span.start - 1].isspace()
        value = json.dumps(fix.value, ensure_ascii=False, separators=(", ", ": ") if spaced else (",", ":"))
        text = text[: span.start] + value + text[span.end :]
    return text.encode("utf-8", "surrogateescape")
