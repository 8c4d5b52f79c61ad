"""The texts of a few records read once more, since those of a whole dataset would fill the memory."""

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from errkb.datasets.files import Entry, is_compressed


class Place(NamedTuple):
    """Where a record's text stands: in which file, at which line and JSON pointer, between which bytes."""

    path: Path
    line: int
    pointer: str
    offset: int
    length: int


def place_of(entry: Entry) -> Place:
    """The place of an entry."""
    return Place(entry.path, entry.line, entry.pointer, entry.offset, len(entry.raw))


def reread(places: Iterable[Place]) -> Iterator[Entry]:
    """The entries at these places, file by file, in the order of the file. Raises OSError if one is gone."""
    by_file: dict[Path, list[Place]] = {}
    for place in places:
        by_file.setdefault(place.path, []).append(place)
    for path, group in by_file.items():
        with opened(path) as file:
            for place in sorted(group, key=lambda place: place.offset):
                file.seek(place.offset)  # forwards, so that compressed files are read once, too
                yield Entry(path, place.line, place.pointer, file.read(place.length), place.offset)


def opened(path: Path) -> BinaryIO:
    """A file, uncompressed."""
    return cast("BinaryIO", gzip.open(path)) if is_compressed(path) else path.open("rb")
