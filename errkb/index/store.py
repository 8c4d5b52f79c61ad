"""The file of an index: named sections of bytes, each page of 4 KiB with a checksum of its own.

Layout: magic, length and CRC-32 of the header; the header (JSON: where each section lies, and
what the builder notes); the CRC-32 of every page of the body; the body. A page is checked when
it is first read, so opening costs the same for any size, and a damaged byte is found before it
can mislead. A plain memory-mapped file is used because the alternatives were measured
(benchmarks/README.md): all are slower to open, SQLite and marisa-trie slower to ask as well; LMDB
answers a sixth faster, two microseconds of a question, and would be a dependency.
"""

import mmap
import struct
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

MAGIC = b"errkb-index-7\n\x00\x00"
_HEAD = struct.Struct("<16sIII")
_PAGE = 4096
_LARGEST_HEADER = 64 * 1024 * 1024
_ALIGN = 8


class DamagedIndex(Exception):  # noqa: N818
    """The file is not an index of this version, or a byte of it is not as it was written."""


class Store:
    """Sections, read on demand."""

    def __init__(self, buffer: "bytes | mmap.mmap") -> None:
        """Raises DamagedIndex if `buffer` does not begin as an index does. Bytes in memory are trusted."""
        self.trusted = isinstance(buffer, bytes)
        try:
            magic, header_length, header_crc, pages = _HEAD.unpack_from(buffer)
        except struct.error:
            raise DamagedIndex("too short") from None
        if magic != MAGIC or header_length > _LARGEST_HEADER:
            raise DamagedIndex("another version, or no index")
        checked = bytes(buffer[_HEAD.size : _HEAD.size + header_length + 4 * pages])
        if len(checked) != header_length + 4 * pages or crc32(checked) != header_crc:
            raise DamagedIndex("damaged header")
        header = msgspec.json.decode(checked[:header_length])
        self.notes: dict[str, Any] = header["notes"]
        self._sections: dict[str, tuple[int, int]] = {name: tuple(place) for name, place in header["sections"].items()}
        self._page_crcs = array("I")
        self._page_crcs.frombytes(checked[header_length:])
        self._body = memoryview(buffer)[_HEAD.size + len(checked) :]
        if len(self._body) != header["length"]:
            raise DamagedIndex("cut short, or too long")
        self._checked = bytearray(pages)

    def section(self, name: str) -> "Section":
        """A section by its name."""
        offset, length = self._sections[name]
        return Section(self, offset, length)

    def check(self, start: int, end: int) -> None:
        """Check the pages from `start` to `end` of the body. Raises DamagedIndex."""
        for page in range(start // _PAGE, (max(start + 1, end) - 1) // _PAGE + 1):
            if not self._checked[page]:
                if crc32(self._body[page * _PAGE : (page + 1) * _PAGE]) != self._page_crcs[page]:
                    raise DamagedIndex(f"damaged page {page}")
                self._checked[page] = 1

    def check_all(self) -> None:
        """Check every page, so that none needs checking any more. Raises DamagedIndex."""
        if not self.trusted:
            self.check(0, len(self._body))
            self.trusted = True

    def view(self, start: int, end: int) -> memoryview:
        """Bytes of the body, not checked."""
        return self._body[start:end]


class Section:
    """One section: fixed-size items or runs of bytes."""

    __slots__ = ("_store", "length", "offset")

    def __init__(self, store: Store, offset: int, length: int) -> None:
        self._store = store
        self.offset = offset
        self.length = length

    @property
    def trusted(self) -> bool:
        """Whether all of the store has been checked."""
        return self._store.trusted

    def check(self, start: int, end: int) -> None:
        """Check bytes of the section. Raises DamagedIndex."""
        if not 0 <= start <= end <= self.length:
            raise DamagedIndex("a place outside its section")
        if start < end:
            self._store.check(self.offset + start, self.offset + end)

    def view(self, start: int, end: int) -> memoryview:
        """Bytes of the section, checked."""
        if not self._store.trusted:
            self.check(start, end)
        return self._store.view(self.offset + start, self.offset + end)

    def cells(self) -> "memoryview[int]":
        """The whole section as unsigned 32-bit numbers, not checked."""
        return self._store.view(self.offset, self.offset + self.length).cast("I")

    def floats(self) -> "memoryview[float]":
        """The whole section as 32-bit floats, not checked."""
        return self._store.view(self.offset, self.offset + self.length).cast("f")

    def unpack(self, form: struct.Struct, start: int) -> tuple[Any, ...]:
        """The values of a struct at a byte offset."""
        return form.unpack(self.view(start, start + form.size))


def write_store(sections: Mapping[str, bytes], notes: Mapping[str, Any]) -> bytes:
    """The bytes of a store."""
    body = bytearray()
    places = {}
    for name, content in sections.items():
        body += bytes(-len(body) % _ALIGN)
        places[name] = (len(body), len(content))
        body += content
    crcs = array("I", (crc32(body[start : start + _PAGE]) for start in range(0, len(body), _PAGE)))
    header = msgspec.json.encode({"sections": places, "notes": notes, "length": len(body)})
    checked = header + crcs.tobytes()
    return _HEAD.pack(MAGIC, len(header), crc32(checked), len(crcs)) + checked + body


def map_store(path: Path) -> Store:
    """The store in a file. Raises DamagedIndex, or OSError if it cannot be opened."""
    with path.open("rb") as file:
        try:
            buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            raise DamagedIndex("empty") from None
    return Store(buffer)
