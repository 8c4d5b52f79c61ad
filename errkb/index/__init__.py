"""The index of a dataset: which records may match a message, and how to open just those.

Every record is filed under one key, its rarest pair of neighbouring words (or rarest word) that
must stand in any message it matches; so a message is looked up by its own words and pairs, and
`candidates` is a superset of the records that match. Records whose text is too common or too
short to be filed (*weak*) are a tier of their own, reached by the class of the error only, at
most 64 for each class.
"""

import os
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from errkb.errors import DatasetError, PatternError
from errkb.index.layout import INSIDE, PLACE
from errkb.index.postings import Postings
from errkb.index.store import DamagedIndex, Store
from errkb.index.table import Table
from errkb.index.words import MessageKeys, message_keys, word_key, words_of
from errkb.patterns import Pattern
from errkb.records import Record, read_record
from errkb.template import capture_names, whole_pattern

__all__ = ["Candidate", "DamagedIndex", "Head", "Index", "message_keys"]

_Span = tuple[int, int]
_MOST_REMEMBERED = 4096
_FLOAT = struct.Struct("<f")
_RANGE = struct.Struct("<II")


class Head(msgspec.Struct, frozen=True, rename="camel"):
    """The fields of a record that matching and ranking look at."""

    id: str
    repo: str
    error_message: str
    message_pattern: str
    file_path: str
    line_number: int
    error_code: str | None = None
    error_class: str | None = None


class Candidate:
    """A record that may match: its head, its compiled pattern (None if refused), its literal weight."""

    __slots__ = ("_names", "_words", "head", "number", "pattern", "weight")

    def __init__(self, number: int, head: Head, weight: float) -> None:
        self.number = number
        self.head = head
        self.weight = weight
        self._names: tuple[str, ...] | None = None
        self._words: dict[str, float] | None = None
        try:
            self.pattern: Pattern | None = Pattern(whole_pattern(head.error_message, head.message_pattern))
        except PatternError:
            self.pattern = None

    def named(self, captures: Sequence[_Span | None]) -> dict[str, _Span]:
        """Spans of captures by the names of the template's placeholders, those that took part."""
        if self._names is None:
            self._names = capture_names(self.head.error_message, len(captures))
        return {name: span for name, span in zip(self._names, captures, strict=True) if span is not None}

    def words(self, weight: Callable[[str], float]) -> dict[str, float]:
        """The words of the literals, each with its weight."""
        if self._words is None:
            texts = [literal for literal, _, _ in self.pattern.segments] if self.pattern else []
            self._words = {word: weight(word) for text in texts for word in words_of(text)}
        return self._words


class Index:
    """An index over a store, and the dataset's files beside it."""

    def __init__(self, store: Store) -> None:
        """Raises DamagedIndex."""
        self._store = store
        self._places = store.section("places")
        self._singles = Table(store.section("singles"))
        self._pairs = Table(store.section("pairs"))
        self._weak = Table(store.section("weak"))
        self._codes = Table(store.section("codes"))
        self._words = Table(store.section("words"))
        self._all_pairs = Table(store.section("allPairs"))
        self._ids = Table(store.section("ids"))
        self._names = Table(store.section("names"))
        self._weights = store.section("weights")
        self._starts = store.section("starts")
        self._postings = store.section("postings")
        self._replaced = store.section("replaced")
        self._files: dict[int, int] = {}
        self._remembered: dict[int, Candidate] = {}

    def __len__(self) -> int:
        return self._places.length // PLACE.size

    def check_all(self) -> None:
        """Check the whole index at once; look-ups are faster from then on. Raises DamagedIndex."""
        self._store.check_all()

    @property
    def problems(self) -> list[DatasetError]:
        """What could not be used of the dataset; of very many the first thousand."""
        return [
            DatasetError(reason, path=path, line=line, pointer=pointer)
            for reason, path, line, pointer in self._store.notes["problems"]
        ]

    def candidates(self, keys: MessageKeys) -> list[int]:
        """Numbers of the records that may match, weak ones aside; all that do match are among them."""
        return list(dict.fromkeys(self._pairs.find_all(keys.pairs) + self._singles.find_all(keys.singles)))

    def weak_candidates(self, last_name: str) -> list[int]:
        """Numbers of the weak records for a class, heaviest first."""
        return self._weak.find_all([word_key(last_name)])

    def code_candidates(self, keys: MessageKeys) -> list[int]:
        """Numbers of the records whose error code may stand in a message."""
        return list(dict.fromkeys(self._codes.find_all(keys.singles)))

    def sharing(self, keys: MessageKeys) -> dict[int, float]:
        """Number → how much is shared, for the records that share rare words or pairs of words with a message."""
        shared: dict[int, float] = {}
        for number in self._all_pairs.find_all(dict.fromkeys(keys.pairs)):
            shared[number] = shared.get(number, 0.0) + 1.0
        for place in self._words.find_all(dict.fromkeys(keys.singles)):
            start, end = self._starts.unpack(_RANGE, 4 * place)
            if start < end:
                (weight,) = self._weights.unpack(_FLOAT, 4 * place)
                for number in self._postings.view(4 * start, 4 * end).cast("I"):
                    shared[number] = shared.get(number, 0.0) + weight
        return shared

    def weight(self, word: str) -> float:
        """What a word (in lower case) is worth as evidence, 0 to 1; 1 for one that the dataset does not know."""
        for place in self._words.find_all([word_key(word)]):
            weight: float = self._weights.unpack(_FLOAT, 4 * place)[0]
            return weight
        return 1.0

    def holding(self, word: bytes) -> tuple[set[int], set[int]]:
        """Numbers of the records with a search word in their head, and in their documentation only."""
        replaced = self._replaced.view(0, self._replaced.length).cast("I")
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
            known = Candidate(number, msgspec.json.decode(raw, type=Head), weight)
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[number] = known
        return known

    def literal_weight(self, number: int) -> float:
        """What all the literal text of a record is worth."""
        weight: float = self._place(number)[-1]
        return weight

    def record(self, number: int) -> Record:
        """The record of a number, whole."""
        raw, _ = self._raw(number)
        return read_record(msgspec.json.decode(raw, type=dict[str, Any]))

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

    def _place(self, number: int) -> tuple[int, int, int, int, float]:
        place: tuple[int, int, int, int, float] = self._places.unpack(PLACE, number * PLACE.size)
        return place

    def _raw(self, number: int) -> tuple[bytes, float]:
        file, length, offset, crc, weight = self._place(number)
        if file == INSIDE:
            raw = bytes(self._store.section("bodies").view(offset, offset + length))
        else:
            raw = self._read(file, offset, length)
        if crc32(raw) != crc:
            raise DamagedIndex("the dataset is not the one that was indexed")
        return raw, weight

    def _read(self, file: int, offset: int, length: int) -> bytes:
        try:
            if not hasattr(os, "pread"):
                with Path(self._store.notes["files"][file]).open("rb") as opened:
                    opened.seek(offset)
                    return opened.read(length)
            if file not in self._files:
                self._files[file] = os.open(self._store.notes["files"][file], os.O_RDONLY)
            return os.pread(self._files[file], length, offset)
        except OSError as error:
            raise DamagedIndex(f"the dataset cannot be read any more: {error}") from None

    def __del__(self) -> None:
        for descriptor in getattr(self, "_files", {}).values():
            os.close(descriptor)

    def notes(self) -> dict[str, Any]:
        """What the builder noted."""
        return self._store.notes
