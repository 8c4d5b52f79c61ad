"""The index of a dataset: which records may match a message, and how to open just those.

Every record is filed under one key, its rarest pair of neighbouring words (or rarest word) that
must stand in any message it matches, with another as a check; so a message is looked up
by its own words and pairs, and `candidates` is a superset of the records that match. Records
whose text is too common or too short to be filed (*unspecific*; in the
file "weak") are a tier of their own, reached by the class of the error and a word together, at most 64
for each class.
"""

import os
from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from errkb.errors import DatasetError
from errkb.files import open_descriptor, path_from_text
from errkb.index.candidate import Candidate, RecordHead
from errkb.index.format import INSIDE, PLACE
from errkb.index.store import DamagedIndex, Store
from errkb.index.table import Column, Table
from errkb.index.words import message_keys, pair_keys, word_key
from errkb.records.record import Record, decode_record

if TYPE_CHECKING:
    from errkb.index.rare_terms import RareTerms
    from errkb.records.supplement import Supplement

__all__ = ["Candidate", "DamagedIndex", "Index", "RecordHead", "message_keys"]

_MOST_OPEN = 32
"""So many files of a dataset stay open; a published one may have thousands."""
_MOST_REMEMBERED = 4096


class Index:
    """An index over a store, and the dataset's files beside it."""

    def __init__(self, store: Store) -> None:
        """Raises DamagedIndex."""
        self._store = store
        self._places = store.section("places")
        self._filed = Table(store.section("filed"))
        self._weak = Table(store.section("weak"))
        self._codes = Table(store.section("codes"))
        self._ids = Table(store.section("ids"))
        self._names = Table(store.section("names"))
        self._class_only = Table(store.section("classOnly"))
        self._supplements = Table(store.section("supplements"))
        checks = store.section("checks")
        self._checks = Column(checks, checks.cells())
        self._files: dict[int, int] = {}
        self._remembered: dict[int, Candidate] = {}

    def __len__(self) -> int:
        count: int = self._store.notes.records
        return count

    def check_all(self) -> None:
        """Check the whole index; look-ups are faster from then on. Raises DamagedIndex."""
        self._store.check_all()
        for table in (self._filed, self._weak, self._codes, self.rare_terms):
            table.remember_keys()

    @cached_property
    def rare_terms(self) -> "RareTerms":
        """Weights of words, and the records that share rare ones."""
        from errkb.index.rare_terms import RareTerms  # not needed where a message fits as it is

        return RareTerms(self._store)

    @cached_property
    def _weak_classes(self) -> frozenset[int]:
        return self._keys("weakClasses")

    @cached_property
    def _weak_words(self) -> frozenset[int]:
        return self._keys("weakWords")

    def _keys(self, name: str) -> frozenset[int]:
        section = self._store.section(name)
        return frozenset(section.view(0, section.length).cast("I"))

    @property
    def problems(self) -> list[DatasetError]:
        """What could not be used of the dataset; of very many the first thousand."""
        return [
            DatasetError(reason, path=path_from_text(path) if path else None, line=line, pointer=pointer)
            for reason, path, line, pointer in self._store.notes.problems
        ]

    @property
    def searchable(self) -> bool:
        """Whether the words of the records are in it, for `records_with_word`."""
        return self._store.notes.searchable

    def candidates(self, keys: set[int]) -> list[int]:
        """Numbers of the records that may match, unspecific ones aside; all that do match are among them."""
        return self._filed.find_all(keys, self._checks)

    def unspecific_candidates(self, last_name: str, keys: set[int]) -> list[int]:
        """Numbers of the unspecific records for a class that may match a message."""
        error_class = word_key(last_name)
        words = self._weak_words.intersection(keys)
        return self._weak.find_all(pair_keys((error_class, word) for word in words))

    def may_be_unspecific(self, keys: set[int]) -> bool:
        """Whether there may be an unspecific record for a text that holds class and message."""
        return not (self._weak_classes.isdisjoint(keys) or self._weak_words.isdisjoint(keys))

    def class_only_candidates(self, keys: Collection[int]) -> list[int]:
        """Numbers of the records that answer a class whatever its message, by keys of last names in lower case."""
        return self._class_only.find_all(keys)

    def supplements(self, record_id: str) -> "Iterator[Supplement]":
        """The supplements of a record, in order; the record may be in another dataset."""
        from errkb.records.supplement import decode_supplement  # not needed where there are none

        for number in self._supplements.find_all([word_key(record_id)]):
            supplement = decode_supplement(self._raw(number)[0])
            if supplement.id == record_id:
                yield supplement

    def code_candidates(self, keys: set[int]) -> list[int]:
        """Numbers of the records whose error code may stand in a message."""
        return self._codes.find_all(keys)

    def records_with_word(self, word: bytes) -> tuple[set[int], set[int]]:
        """Numbers of the records with a search word in their head, and in their documentation only."""
        from errkb.index.postings import Postings  # not needed to explain an error

        section = self._store.section("replaced")
        replaced = section.view(0, section.length).cast("I")
        read = len(self) + len(replaced)  # postings count the records that were replaced by later ones as well
        head, text = (Postings(self._store, name, read).find(word) for name in ("head", "text"))
        if not replaced:
            return head, text
        gone = set(replaced)
        head, text = ({old - bisect_left(replaced, old) for old in found - gone} for found in (head, text))
        return head, text

    def candidate(self, number: int) -> Candidate:
        """A record made ready for matching."""
        known = self._remembered.get(number)
        if known is None:
            raw, weight = self._raw(number)
            known = Candidate(number, msgspec.json.decode(raw, type=RecordHead), weight)
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[number] = known
        return known

    def record(self, number: int) -> Record:
        """The record of a number, whole."""
        raw, _ = self._raw(number)
        return decode_record(raw)

    def records(self) -> Iterator[Record]:
        """All records, in the dataset's order."""
        return map(self.record, range(len(self)))

    def find(self, name: str) -> int | None:
        """The number of the record with this id or `owner/repo/slug`, or None."""
        for table in (self._ids, self._names):
            for number in table.find_all([word_key(name)]):
                record = self.record(number)
                if name in (record.id, f"{record.repo}/{record.slug}"):
                    return number
        return None

    def has(self, record_id: str) -> bool:
        """Whether there is a record with this id."""
        return any(self.candidate(number).head.id == record_id for number in self._ids.find_all([word_key(record_id)]))

    def _raw(self, number: int) -> tuple[bytes, float]:
        file, length, offset, crc, weight = self._places.unpack(PLACE, number * PLACE.size)
        if file == INSIDE:
            raw = bytes(self._store.section("bodies").view(offset, offset + length))
        else:
            raw = self._read(file, offset, length)
        if crc32(raw) != crc:
            raise DamagedIndex("the dataset is not the one that was indexed")
        return raw, weight

    def _read(self, file: int, offset: int, length: int) -> bytes:
        try:
            descriptor = self._files.get(file)
            if descriptor is None:
                descriptor = open_descriptor(path_from_text(self._store.notes.files[file]))
                if len(self._files) >= _MOST_OPEN:  # the first stay open; none is closed that another thread reads
                    with os.fdopen(descriptor, "rb") as opened:
                        opened.seek(offset)
                        return opened.read(length)
                self._files[file] = descriptor
            if hasattr(os, "pread"):
                return os.pread(descriptor, length, offset)
            with os.fdopen(os.dup(descriptor), "rb") as opened:
                opened.seek(offset)
                return opened.read(length)
        except IndexError:
            raise DamagedIndex("a file without a name") from None
        except OSError as error:
            raise DamagedIndex(f"the dataset cannot be read any more: {error}") from None

    def __del__(self) -> None:
        for descriptor in getattr(self, "_files", {}).values():
            os.close(descriptor)
