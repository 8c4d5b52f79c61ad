"""The texts of a few records read once more, since those of a whole dataset would fill the memory."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from errkb.datasets.files import Entry, open_file


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
        with open_file(path) as file:
            for place in sorted(group, key=lambda place: place.offset):
                file.seek(place.offset)  # forwards, so that compressed files are read once, too
                yield Entry(path, place.line, place.pointer, file.read(place.length), place.offset)
