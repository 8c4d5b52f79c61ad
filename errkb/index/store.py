"""The file of an index: named sections of bytes, each page of 4 KiB with a checksum of its own.

Layout: magic, length and CRC-32 of the header; the header (JSON: where each section lies, and
what the builder notes); the CRC-32 of every page of the body; the body. A page is checked when
it is first read, so opening costs the same for any size, and a damaged byte is found before it
can mislead. A plain file, read page by page, is used because the alternatives were measured
(benchmarks/README.md): all are slower to open, SQLite and marisa-trie slower to ask as well; LMDB
answers a sixth faster, two microseconds of a question, and would be a dependency.
"""

import mmap
import os
import struct
import sys
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from errkb.files import open_own

MAGIC = b"errkb-index-7\n\x00\x00"
_HEAD = struct.Struct("<16sIII")
_PAGE = 4096
_LARGEST_HEADER = 64 * 1024 * 1024
_ALIGN = 8
_MOST_PAGES = 1 << 22
"""16 GiB of index."""


class DamagedIndex(Exception):  # noqa: N818
    """The file is not an index of this version, or a byte of it is not as it was written."""


class Notes(msgspec.Struct, frozen=True):
    """What the builder notes."""

    sources: list[list[str | int]] = []
    """The dataset's files, their sizes and times."""
    searchable: bool = False
    records: int = 0
    files: list[str] = []
    """The files that rows name by their number, as `path_to_text` writes them."""
    problems: list[tuple[str, str | None, int | None, str | None]] = []


class _Header(msgspec.Struct, frozen=True):
    sections: dict[str, tuple[int, int]]
    notes: Notes
    length: int


_decode_header = msgspec.json.Decoder(_Header).decode
_ReadAt = Callable[[int, int], bytes]
"""Length and offset → bytes of a file; fewer where it ends."""


class Store:
    """Sections, read on demand.

    A page is copied into memory of our own when it is first read, and only if its checksum is right. So it
    does not matter what becomes of the file: a mapped file that another program shortens would end the process.
    The copy costs some two microseconds a page, and each process has its own.
    """

    def __init__(self, content: bytes | _ReadAt) -> None:
        """Raises DamagedIndex if `content` does not begin as an index does. Bytes in memory are trusted."""
        self.trusted = isinstance(content, bytes)
        read: _ReadAt = _reader_of(content) if isinstance(content, bytes) else content
        try:
            magic, header_length, header_crc, pages = _HEAD.unpack(read(_HEAD.size, 0))
        except struct.error:
            raise DamagedIndex("too short") from None
        if magic != MAGIC or header_length > _LARGEST_HEADER or pages > _MOST_PAGES:
            raise DamagedIndex("another version, or no index")
        checked = read(header_length + 4 * pages, _HEAD.size)
        if len(checked) != header_length + 4 * pages or crc32(checked) != header_crc:
            raise DamagedIndex("damaged header")
        try:
            header = _decode_header(checked[:header_length])
        except (msgspec.DecodeError, RecursionError, ValueError):
            raise DamagedIndex("a header of another form") from None
        self.notes = header.notes
        self._sections = header.sections
        self._page_crcs = array("I")
        self._page_crcs.frombytes(checked[header_length:])
        self._read = read
        self._start = _HEAD.size + len(checked)
        self._length = header.length
        if not 0 <= header.length <= pages * _PAGE:
            raise DamagedIndex("a header of another form")
        if isinstance(content, bytes):
            self._body = memoryview(content)[self._start :]
            is_whole = len(self._body) == header.length
        else:
            self._body = memoryview(_empty_memory(max(1, header.length)))[: header.length]
            is_whole = len(read(2, self._start + header.length - 1)) == 1
        if not is_whole:
            raise DamagedIndex("cut short, or too long")
        self._checked = bytearray(b"\1" * pages if self.trusted else pages)

    def section(self, name: str) -> "Section":
        """A section by its name. Raises DamagedIndex."""
        offset, length = self._sections.get(name, (-1, 0))
        if offset < 0 or length < 0 or offset + length > self._length:
            raise DamagedIndex(f"no section {name!r}")
        return Section(self, offset, length)

    def check(self, start: int, end: int) -> None:
        """Read the pages from `start` to `end` of the body that were not read before. Raises DamagedIndex."""
        checked = self._checked
        for page in range(start // _PAGE, (max(start + 1, end) - 1) // _PAGE + 1):
            if not checked[page]:
                place = page * _PAGE
                content = self._read(min(_PAGE, self._length - place), self._start + place)
                # Copied only if it is right: another thread may be reading the page already.
                if crc32(content) != self._page_crcs[page] or len(content) != min(_PAGE, self._length - place):
                    raise DamagedIndex(f"damaged page {page}")
                self._body[place : place + len(content)] = content
                checked[page] = 1

    def check_all(self) -> None:
        """Read every page, so that none needs checking any more. Raises DamagedIndex."""
        if not self.trusted:
            self.check(0, self._length)
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
        return self._store.view(self.offset, self.offset + self.length // 4 * 4).cast("I")

    def floats(self) -> "memoryview[float]":
        """The whole section as 32-bit floats, not checked."""
        return self._store.view(self.offset, self.offset + self.length // 4 * 4).cast("f")

    def unpack(self, form: struct.Struct, start: int) -> tuple[Any, ...]:
        """The values of a struct at a byte offset."""
        return form.unpack(self.view(start, start + form.size))


def write_store(sections: Mapping[str, bytes], notes: Notes) -> bytes:
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


def open_store(path: Path) -> Store:
    """The store in a file of this user's own. Raises DamagedIndex, or OSError if it cannot be opened or trusted."""
    handle = open_own(path)
    if not hasattr(os, "pread"):
        with os.fdopen(handle, "rb") as file:
            return Store(_reader_of(file.read()))
    return Store(_File(handle))


class _File:
    """Reads at a place of an open file, and closes it in the end."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __call__(self, length: int, offset: int) -> bytes:
        try:
            return os.pread(self._handle, length, offset)
        except OSError as error:
            raise DamagedIndex(f"cannot be read any more: {error}") from None

    def __del__(self) -> None:
        os.close(self._handle)


def _reader_of(content: bytes) -> _ReadAt:
    return lambda length, offset: content[offset : offset + length]


def _empty_memory(length: int) -> mmap.mmap:
    """Memory that takes no place until it is written to."""
    try:
        if sys.platform == "win32":
            return mmap.mmap(-1, length)
        return mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):
        raise DamagedIndex("too large") from None
