"""A table from 32-bit keys to numbers, many per key, as two arrays: where a bucket starts, its pairs.

A look-up reads one pair of bucket bounds, and for an unknown key it mostly reads nothing else.
A column is one 32-bit value for each record or word.
"""

import struct
from array import array
from collections.abc import Collection, Iterable
from itertools import accumulate
from typing import Generic, TypeVar

from errkb.index.store import DamagedIndex, Section

_MOST_BITS = 32


def write_table(pairs: Iterable[tuple[int, int]]) -> bytes:
    """The bytes of a table of (key, number) pairs; numbers of one key keep their order."""
    keys, numbers = array("I"), array("I")
    for key, number in pairs:
        keys.append(key)
        numbers.append(number)
    bits = max(1, (len(keys) * 2).bit_length())
    mask = (1 << bits) - 1
    buckets = array("I", [key & mask for key in keys])
    starts = array("I", bytes(4 * mask + 8))
    for bucket in buckets:
        starts[bucket + 1] += 1
    starts = array("I", accumulate(starts))
    items, free = array("I", bytes(8 * len(keys))), starts[:]
    for bucket, key, number in zip(buckets, keys, numbers, strict=True):
        place = free[bucket]
        free[bucket] = place + 1
        items[2 * place] = key
        items[2 * place + 1] = number
    return struct.pack("<I", bits) + starts.tobytes() + items.tobytes()


class Table:
    """A table in a section."""

    __slots__ = ("_cells", "_items", "_keys", "_mask", "_section")

    def __init__(self, section: Section) -> None:
        self._section = section
        section.check(0, 4)
        self._cells = section.cells()
        if self._cells[0] > _MOST_BITS or (4 << self._cells[0]) + 8 > section.length:
            raise DamagedIndex("a table of another form")
        buckets = 1 << self._cells[0]
        self._mask = buckets - 1
        self._items = buckets + 2
        self._keys: frozenset[int] | None = None

    def remember_keys(self) -> None:
        """Keep the keys in memory, some ninety bytes each: many of them are then found in a third of the time."""
        self._section.check(0, self._section.length)
        self._keys = frozenset(self._cells[self._items :: 2])

    def find_all(self, keys: Collection[int], checks: "Column[int] | None" = None) -> list[int]:
        """The numbers of several keys, one key after the other; with `checks`, those whose check is a key too."""
        found: list[int] = []
        check_of = None if checks is None else checks.values
        wanted: Iterable[int] = keys
        verify = None
        if self._keys is not None:
            wanted = self._keys.intersection(keys)
        elif not self._section.trusted:
            verify = self._section.check
        cells, mask, items = self._cells, self._mask, self._items
        for key in wanted:
            bucket = 1 + (key & mask)
            if verify:
                verify(4 * bucket, 4 * bucket + 8)
            start, end = cells[bucket], cells[bucket + 1]
            if start != end:
                if verify:
                    verify(4 * items + 8 * start, 4 * items + 8 * end)
                for place in range(items + 2 * start, items + 2 * end, 2):
                    if cells[place] == key:
                        number = cells[place + 1]
                        if check_of is None or check_of[number] in keys:
                            found.append(number)
        return found


Value = TypeVar("Value", int, float)


class Column(Generic[Value]):
    """The values of a section: `Column(section, section.cells())`, or of its floats."""

    __slots__ = ("_section", "_values")

    def __init__(self, section: Section, values: "memoryview[Value]") -> None:
        self._section = section
        self._values: memoryview[Value] = values

    @property
    def values(self) -> "Column[Value] | memoryview[Value]":
        """What gives a value by its place soonest."""
        return self._values if self._section.trusted else self

    def __getitem__(self, place: int) -> Value:
        self._section.check(4 * place, 4 * place + 4)
        value: Value = self._values[place]
        return value
