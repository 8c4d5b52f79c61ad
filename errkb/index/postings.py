"""Postings: for every word of the records' texts, the numbers of the records that hold it.

Kept in volumes of 65,536 records, so that a number takes two bytes; a word of more than one in
sixteen records takes a bit for each record instead. A volume is three sections: sorted keys,
where the numbers of each begin and end, the numbers.
"""

import struct
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from zlib import crc32

from errkb.index.store import Store

_VOLUME = 1 << 16
_RANGE = struct.Struct("<II")


class PostingsWriter:
    """A writer that gets the words of records in order; `sections` holds those of the finished volumes."""

    def __init__(self, name: str) -> None:
        self.sections: dict[str, bytes] = {}
        self._name = name
        self._volume = 0
        self._numbers: defaultdict[bytes, list[int]] = defaultdict(list)

    def add(self, number: int, words: Iterable[bytes]) -> None:
        """The words of record `number`, each once; numbers grow."""
        while number >= (self._volume + 1) * _VOLUME:
            self._close(_VOLUME)
        low = number % _VOLUME
        numbers = self._numbers
        for word in words:
            numbers[word].append(low)

    def finish(self, records: int) -> None:
        """Close the last volumes, after all `records` were added."""
        while self._volume * _VOLUME < records:
            self._close(min(_VOLUME, records - self._volume * _VOLUME))

    def _close(self, size: int) -> None:
        by_key: dict[int, list[int]] = {}
        for word, numbers in self._numbers.items():
            key = crc32(word)
            by_key[key] = sorted({*by_key[key], *numbers}) if key in by_key else numbers
        keys, ends, content = array("I", sorted(by_key)), array("I", [0]), bytearray()
        for key in keys:
            numbers = by_key[key]
            content += _as_bits(numbers, size) if 16 * len(numbers) >= size else array("H", numbers).tobytes()
            ends.append(len(content))
        for part, section in zip(_parts(self._name, self._volume), (keys, ends, content), strict=True):
            self.sections[part] = bytes(section)
        self._volume += 1
        self._numbers.clear()


class Postings:
    """The postings of that name in a store that holds `records` records."""

    def __init__(self, store: Store, name: str, records: int) -> None:
        self._store = store
        self._name = name
        self._records = records

    def find(self, word: bytes) -> set[int]:
        """The numbers of the records that hold a word. Raises DamagedIndex."""
        found: set[int] = set()
        key = crc32(word)
        for volume in range(-(-self._records // _VOLUME)):
            names = _parts(self._name, volume)
            keys = self._store.section(names[0])
            cells = keys.view(0, keys.length).cast("I")
            place = bisect_left(cells, key)
            if place == len(cells) or cells[place] != key:
                continue
            start, end = self._store.section(names[1]).unpack(_RANGE, 4 * place)
            content = self._store.section(names[2]).view(start, end)
            first = volume * _VOLUME
            size = min(_VOLUME, self._records - first)
            if end - start == _bit_length(size):
                found.update(first + number for number in range(size) if content[number >> 3] >> (number & 7) & 1)
            else:
                found.update(first + number for number in content.cast("H"))
        return found


def _parts(name: str, volume: int) -> tuple[str, str, str]:
    return f"{name}Keys{volume}", f"{name}Ends{volume}", f"{name}Numbers{volume}"


def _bit_length(size: int) -> int:
    """Bytes of a bit for each record: an even number, and more than the numbers of a rarer word take."""
    return (size + 15) // 16 * 2


def _as_bits(numbers: Iterable[int], size: int) -> bytes:
    bits = bytearray(_bit_length(size))
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return bytes(bits)
