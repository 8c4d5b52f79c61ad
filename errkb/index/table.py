"""A table from 32-bit keys to numbers, many per key, as two arrays: where a bucket starts, its pairs.

A look-up reads one pair of bucket bounds, and for a key that is nobody's mostly nothing else.
"""

import struct
from array import array
from collections.abc import Iterable

from errkb.index.store import Section

_BOUNDS = struct.Struct("<II")


def write_table(pairs: Iterable[tuple[int, int]]) -> bytes:
    """The bytes of a table of (key, number) pairs; numbers of one key keep their order."""
    ordered = list(pairs)
    bits = max(1, (len(ordered) * 2).bit_length())
    mask = (1 << bits) - 1
    counts = [0] * ((1 << bits) + 1)
    for key, _ in ordered:
        counts[(key & mask) + 1] += 1
    for bucket in range(1, len(counts)):
        counts[bucket] += counts[bucket - 1]
    starts = array("I", counts)
    items = array("I", bytes(8 * len(ordered)))
    for key, number in ordered:
        place = counts[key & mask]
        counts[key & mask] += 1
        items[2 * place] = key
        items[2 * place + 1] = number
    return struct.pack("<I", bits) + starts.tobytes() + items.tobytes()


class Table:
    """A table in a section."""

    __slots__ = ("_items", "_mask", "_section")

    def __init__(self, section: Section) -> None:
        self._section = section
        (bits,) = struct.unpack("<I", section.view(0, 4))
        self._mask = (1 << bits) - 1
        self._items = 4 + 4 * ((1 << bits) + 1)

    def find(self, key: int) -> list[int]:
        """The numbers of a key."""
        start, end = self._section.unpack(_BOUNDS, 4 + 4 * (key & self._mask))
        if start == end:
            return []
        items = self._section.view(self._items + 8 * start, self._items + 8 * end).cast("I")
        return [items[place + 1] for place in range(0, len(items), 2) if items[place] == key]

    def find_all(self, keys: Iterable[int]) -> list[int]:
        """The numbers of several keys, one key after the other."""
        found: list[int] = []
        mask, unpack, section = self._mask, self._section.unpack, self._section
        for key in keys:
            start, end = unpack(_BOUNDS, 4 + 4 * (key & mask))
            if start != end:
                items = section.view(self._items + 8 * start, self._items + 8 * end).cast("I")
                found += [items[place + 1] for place in range(0, len(items), 2) if items[place] == key]
        return found
