"""What an index notes of each record, wording and supplement in one pass, and where their JSON lies."""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from zlib import crc32

import msgspec

from errkb.datasets.files import Entry, is_compressed
from errkb.errors import PatternError
from errkb.index.candidate import RecordHead
from errkb.index.format import INSIDE
from errkb.index.postings import PostingsWriter
from errkb.index.search_words import head_text, search_words
from errkb.index.words import KnownWords, PatternKeys, pattern_keys, word_key
from errkb.records.record import Record
from errkb.records.supplement import Supplement
from errkb.records.template import CAPTURE, whole_pattern

Place = tuple[int, int, int, int]
"""Number of the file, length, offset, CRC-32."""


class Runs:
    """Runs of 32-bit numbers, one for each record, in one array."""

    def __init__(self) -> None:
        self._content = array("I")
        self._ends = array("I", [0])

    def append(self, run: Iterable[int]) -> None:
        """Add the run of the next record."""
        self._content.extend(run)
        self._ends.append(len(self._content))

    def __getitem__(self, number: int) -> "array[int]":
        return self._content[self._ends[number] : self._ends[number + 1]]

    def counts(self, numbers: Sequence[int]) -> Counter[int]:
        """How often each value stands in the runs of these records."""
        if len(numbers) == len(self._ends) - 1:
            return Counter(self._content)
        counts = Counter[int]()
        for number in numbers:
            counts.update(self[number])
        return counts


class NotedRecords:
    """What is noted of each record in the one pass."""

    def __init__(self, *, searchable: bool) -> None:
        self.searchable = searchable
        self.numbers: dict[str, int] = {}
        self.places: list[Place] = []
        self.names = array("I")
        self.classes: list[str | None] = []
        self.codes: dict[int, str] = {}
        self.words = Runs()
        self.singles = Runs()
        self.pairs = Runs()
        self.known = KnownWords()
        self.heads = PostingsWriter("head")
        self.texts = PostingsWriter("text")
        self.wordings: list[int] = []
        """Numbers of the rows that are other wordings of records; they follow the records."""
        self.unfiled: list[Place] = []
        """Places of what is found by other keys than words: class-only rows, then supplements."""
        self.class_only: list[tuple[str, int]] = []
        """Class and number, from 0, in `unfiled`."""
        self.supplements: list[tuple[str, int]] = []
        """Record id and number, from 0, in `unfiled`."""

    def add(self, record: Record, place: Place) -> None:
        """Note a record."""
        number = self.numbers[record.id] = len(self.places)
        self.names.append(word_key(f"{record.repo}/{record.slug}"))
        if record.error_code:
            self.codes[number] = record.error_code
        self._add_row(whole_pattern(record.error_message, record.message_pattern), record.error_class, place)
        if self.searchable:
            head = search_words(head_text(record))
            self.heads.add(number, head)
            self.texts.add(number, search_words(record.documentation) - head)

    def add_wording(self, pattern: str, error_class: str | None, place: Place) -> None:
        """Note another wording of a record."""
        self.wordings.append(len(self.places))
        self._add_row(pattern, error_class, place)

    def add_class_only(self, error_class: str, place: Place) -> None:
        """Note that a record answers a class whatever its message."""
        self.class_only.append((error_class, len(self.unfiled)))
        self.unfiled.append(place)

    def add_supplement(self, record_id: str, place: Place) -> None:
        """Note a supplement."""
        self.supplements.append((record_id, len(self.unfiled)))
        self.unfiled.append(place)

    def _add_row(self, pattern: str, error_class: str | None, place: Place) -> None:
        self.places.append(place)
        self.classes.append(error_class)
        try:
            keys = pattern_keys(pattern, self.known)
        except PatternError:
            keys = PatternKeys(set(), set(), set())
        self.words.append(keys.words)
        self.singles.append(keys.singles)
        self.pairs.append(keys.pairs)


class Bodies:
    """Where the JSON of every row lies: in the dataset's files, or in the index itself."""

    def __init__(self, *, self_contained: bool) -> None:
        self.files: dict[Path, int] = {}
        self.inside = bytearray()
        self._self_contained = self_contained

    def of_entry(self, entry: Entry) -> Place:
        """The place of an entry of a file."""
        if entry.path not in self.files:
            inside = self._self_contained or len(self.files) >= INSIDE or is_compressed(entry.path)
            self.files[entry.path] = INSIDE if inside else len(self.files)
        file = self.files[entry.path]
        if file == INSIDE:
            return self.of_bytes(entry.raw)
        return file, len(entry.raw), entry.offset, crc32(entry.raw)

    def of_bytes(self, raw: bytes) -> Place:
        """The place in the index of a text that is in no file."""
        offset = len(self.inside)
        self.inside += raw
        return INSIDE, len(raw), offset, crc32(raw)


def add_supplement(
    records: NotedRecords, bodies: Bodies, supplement: Supplement, entry: Entry, record: Record | None
) -> None:
    """A supplement, and a row for each of its wordings and classes; `record` is None if it is in another dataset."""
    records.add_supplement(supplement.id, bodies.of_entry(entry))
    for wording in supplement.wordings:
        error_class = wording.error_class or (record.error_class if record else None)
        pattern = wording.pattern
        head = _head(supplement.id, wording.error_message, pattern, error_class, record)
        records.add_wording(whole_pattern(wording.error_message, pattern), error_class, bodies.of_bytes(head))
    if supplement.class_only:
        message, pattern = (record.error_message, record.message_pattern) if record else ("{message}", CAPTURE)
        classes = [record.error_class] if record and record.error_class else []
        for name in dict.fromkeys((*classes, *supplement.classes)):
            head = _head(supplement.id, message, pattern, name, record)
            records.add_class_only(name, bodies.of_bytes(head))


def _head(record_id: str, message: str, pattern: str, error_class: str | None, record: Record | None) -> bytes:
    """What matching needs to know of a wording, as JSON."""
    return msgspec.json.encode(
        RecordHead(
            id=record_id,
            repo=record.repo if record else "",
            error_message=message,
            message_pattern=pattern,
            file_path=record.file_path if record else "",
            line_number=record.line_number if record else 0,
            error_class=error_class,
            is_wording=True,
        )
    )
