"""A table from 32-bit keys to numbers, many per key, as two arrays: where a bucket starts, its pairs.

A look-up reads one pair of bucket bounds, and for a key that is nobody's mostly nothing else.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from errkb.index.store import Section


def write_table(pairs: Iterable[tuple[int, int]]) -> bytes:
    """The bytes of a table of (key, number) pairs; numbers of one key keep their order."""
    keys, numbers = array("I"), array("I")
    for key, number in pairs:
        keys.append(key)
        numbers.append(number)
    bits = max(1, (len(keys) * 2).bit_length())
    mask = (1 << bits) - 1
    buckets = [key & mask for key in keys]
    sizes = Counter(buckets)
    starts = array("I", accumulate(map(sizes.__getitem__, range(1 << bits)), initial=0))
    order = sorted(range(len(keys)), key=buckets.__getitem__)
    items = array("I", bytes(8 * len(keys)))
    items[0::2] = array("I", map(keys.__getitem__, order))
    items[1::2] = array("I", map(numbers.__getitem__, order))
    return struct.pack("<I", bits) + starts.tobytes() + items.tobytes()


class Table:
    """A table in a section."""

    __slots__ = ("_cells", "_items", "_mask", "_section")

    def __init__(self, section: Section) -> None:
        self._section = section
        section.check(0, 4)
        self._cells = section.cells()
        buckets = 1 << self._cells[0]
        self._mask = buckets - 1
        self._items = buckets + 2

    def find_all(self, keys: Iterable[int]) -> list[int]:
        """The numbers of several keys, one key after the other."""
        found: list[int] = []
        cells, mask, items = self._cells, self._mask, self._items
        check = None if self._section.trusted else self._section.check
        for key in keys:
            bucket = 1 + (key & mask)
            if check:
                check(4 * bucket, 4 * bucket + 8)
            start, end = cells[bucket], cells[bucket + 1]
            if start != end:
                if check:
                    check(4 * items + 8 * start, 4 * items + 8 * end)
                found += [
                    cells[place + 1] for place in range(items + 2 * start, items + 2 * end, 2) if cells[place] == key
                ]
        return found
