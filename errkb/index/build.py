"""Building an index: one pass over the records, then each is filed under its rarest key."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from pathlib import Path
from zlib import crc32

import msgspec

from errkb.datasets.dataset import check_entry
from errkb.datasets.files import Entry, is_compressed
from errkb.datasets.supplements import check_supplement
from errkb.errors import DatasetError, PatternError
from errkb.exception_names import last_name
from errkb.index.candidate import RecordHead
from errkb.index.format import INSIDE, MOST_LISTED, MOST_UNSPECIFIC, PLACE, UNSPECIFIC_WEIGHT
from errkb.index.postings import PostingsWriter
from errkb.index.search_words import head_text, search_words
from errkb.index.store import write_store
from errkb.index.table import write_table
from errkb.index.word_weights import weights
from errkb.index.words import NO_KEY, KnownWords, PatternKeys, pair_keys, pattern_keys, word_key, words_of
from errkb.records.record import Record
from errkb.records.supplement import Supplement, Wording
from errkb.records.template import CAPTURE, whole_pattern

_MOST_PROBLEMS = 1000
_Place = tuple[int, int, int, int]
"""Number of the file, length, offset, CRC-32."""


class _Runs:
    """Runs of 32-bit numbers, one for each record, in one array."""

    def __init__(self) -> None:
        self._content = array("I")
        self._ends = array("I", [0])

    def append(self, run: Iterable[int]) -> None:
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


class _Records:
    """What is noted of each record in the one pass."""

    def __init__(self, *, searchable: bool) -> None:
        self.searchable = searchable
        self.numbers: dict[str, int] = {}
        self.places: list[_Place] = []
        self.names = array("I")
        self.classes: list[str | None] = []
        self.codes: dict[int, str] = {}
        self.words = _Runs()
        self.singles = _Runs()
        self.pairs = _Runs()
        self.known = KnownWords()
        self.heads = PostingsWriter("head")
        self.texts = PostingsWriter("text")
        self.wordings: list[int] = []
        """Numbers of the rows that are other wordings of records; they follow the records."""
        self.unfiled: list[_Place] = []
        """Places of what is found by other keys than words: class-only rows, then supplements."""
        self.class_only: list[tuple[str, int]] = []
        """Class and number, from 0, in `unfiled`."""
        self.supplements: list[tuple[str, int]] = []
        """Record id and number, from 0, in `unfiled`."""

    def add(self, record: Record, place: _Place) -> None:
        number = self.numbers[record.id] = len(self.places)
        self.names.append(word_key(f"{record.repo}/{record.slug}"))
        if record.error_code:
            self.codes[number] = record.error_code
        self._add_row(whole_pattern(record.error_message, record.message_pattern), record.error_class, place)
        if self.searchable:
            head = search_words(head_text(record))
            self.heads.add(number, head)
            self.texts.add(number, search_words(record.documentation) - head)

    def add_wording(self, pattern: str, error_class: str | None, place: _Place) -> None:
        self.wordings.append(len(self.places))
        self._add_row(pattern, error_class, place)

    def add_class_only(self, error_class: str, place: _Place) -> None:
        self.class_only.append((error_class, len(self.unfiled)))
        self.unfiled.append(place)

    def add_supplement(self, record_id: str, place: _Place) -> None:
        self.supplements.append((record_id, len(self.unfiled)))
        self.unfiled.append(place)

    def _add_row(self, pattern: str, error_class: str | None, place: _Place) -> None:
        self.places.append(place)
        self.classes.append(error_class)
        try:
            keys = pattern_keys(pattern, self.known)
        except PatternError:
            keys = PatternKeys(set(), set(), set())
        self.words.append(keys.words)
        self.singles.append(keys.singles)
        self.pairs.append(keys.pairs)


class _Bodies:
    """Where the JSON of every row lies: in the dataset's files, or in the index itself."""

    def __init__(self, *, self_contained: bool) -> None:
        self.files: dict[Path, int] = {}
        self.inside = bytearray()
        self._self_contained = self_contained

    def of_entry(self, entry: Entry) -> _Place:
        if entry.path not in self.files:
            inside = self._self_contained or len(self.files) >= INSIDE or is_compressed(entry.path)
            self.files[entry.path] = INSIDE if inside else len(self.files)
        file = self.files[entry.path]
        if file == INSIDE:
            return self.of_bytes(entry.raw)
        return file, len(entry.raw), entry.offset, crc32(entry.raw)

    def of_bytes(self, raw: bytes) -> _Place:
        offset = len(self.inside)
        self.inside += raw
        return INSIDE, len(raw), offset, crc32(raw)


def build_index(
    entries: Iterable[Entry | DatasetError],
    sources: object,
    progress: Callable[[int], None] | None = None,
    *,
    supplements: Iterable[Entry | DatasetError] = (),
    searchable: bool = False,
    self_contained: bool = False,
) -> bytes:
    """The bytes of the index of these records; `sources` is noted in it and says what it was built from.

    Of records with one id the last is used. `progress` is called now and then with the number
    of records read. If it is to be `searchable`, the words of all records are in it, which takes
    a third of the time and of the bytes. The records stay in their files, unless those are
    compressed or the index is to be `self_contained`. Raises DatasetError if the entries cannot be read at all.
    """
    records, problems = _Records(searchable=searchable), list[DatasetError]()
    bodies = _Bodies(self_contained=self_contained)
    known = list(_supplements(supplements, problems))
    described = {one.id for one, _ in known if one.wordings or one.class_only}
    heads = dict[str, Record]()
    for count, entry in enumerate(entries):
        if progress and not count % 1000:
            progress(count)
        try:
            if isinstance(entry, DatasetError):
                raise entry
            record = check_entry(entry)
        except DatasetError as problem:
            problems.append(problem)
            continue
        records.add(record, bodies.of_entry(entry))
        if record.id in described:
            heads[record.id] = record
    for supplement, entry in known:
        _add_supplement(records, bodies, supplement, entry, heads.get(supplement.id))
    notes = {
        "sources": sources,
        "searchable": searchable,
        "records": len(records.numbers),
        "files": [str(path) for path in bodies.files],
        "problems": [[p.reason, str(p.path) if p.path else None, p.line, p.pointer] for p in problems[:_MOST_PROBLEMS]],
    }
    return write_store({**_sections(records), "bodies": bytes(bodies.inside)}, notes)


def _supplements(
    entries: Iterable[Entry | DatasetError], problems: list[DatasetError]
) -> Iterator[tuple[Supplement, Entry]]:
    for entry in entries:
        try:
            if isinstance(entry, DatasetError):
                raise entry
            yield check_supplement(entry), entry
        except DatasetError as problem:
            problems.append(problem)


def _add_supplement(
    records: _Records, bodies: _Bodies, supplement: Supplement, entry: Entry, record: Record | None
) -> None:
    """A supplement, and a row for each of its wordings and classes; `record` is None if it is in another dataset."""
    records.add_supplement(supplement.id, bodies.of_entry(entry))
    for wording in supplement.wordings:
        error_class = wording.error_class or (record.error_class if record else None)
        head = _head(supplement.id, wording, error_class, record)
        records.add_wording(whole_pattern(wording.error_message, wording.pattern), error_class, bodies.of_bytes(head))
    if supplement.class_only:
        message, pattern = (record.error_message, record.message_pattern) if record else ("{message}", CAPTURE)
        classes = [record.error_class] if record and record.error_class else []
        for name in dict.fromkeys((*classes, *supplement.classes)):
            head = _head(supplement.id, Wording(error_message=message, message_pattern=pattern), name, record)
            records.add_class_only(name, bodies.of_bytes(head))


def _head(record_id: str, wording: Wording, error_class: str | None, record: Record | None) -> bytes:
    """What matching needs to know of a wording, as JSON."""
    return msgspec.json.encode(
        RecordHead(
            id=record_id,
            repo=record.repo if record else "",
            error_message=wording.error_message,
            message_pattern=wording.pattern,
            file_path=record.file_path if record else "",
            line_number=record.line_number if record else 0,
            error_class=error_class,
            is_wording=True,
        )
    )


class _Filing:
    """Which key each record is filed under, and which records are unspecific."""

    def __init__(self) -> None:
        self.keys: list[tuple[int, int]] = []
        """Key and number of each record that has a tier of its own."""
        self.checks = array("I")
        """Of each record another key that must stand in its messages as well."""
        self.unspecific: list[tuple[float, int, int, int]] = []
        """Weight (negative), number, key of the class and key of a word."""
        self.classes = set[int]()
        self.words = set[int]()

    def add(self, number: int, pairs: list[tuple[int, int]], singles: list[tuple[int, int]]) -> None:
        """File a record under the rarest of its keys; each comes with its count, `pairs` in order."""
        rarest = min(singles, default=None)
        if rarest is None or (pairs and pairs[0] <= rarest):
            key, others = pairs[0][1], pairs[1:2] or singles[:1]
        else:
            key, others = rarest[1], pairs[:1] or [single for single in singles if single != rarest]
        self.keys.append((key, number))
        self.checks.append(others[0][1] if others else NO_KEY)

    def add_unspecific(self, number: int, weight: float, error_class: str | None, rarest_word: int) -> None:
        """File a record that matches too much by class and word; one without a class not at all."""
        self.checks.append(NO_KEY)
        if error_class:
            name = last_name(error_class)
            self.unspecific.append((-weight, number, word_key(name), rarest_word))
            self.classes.add(word_key(name.lower()))
            self.words.add(rarest_word)

    def sections(self) -> dict[str, bytes]:
        return {
            "checks": self.checks.tobytes(),
            "filed": write_table(self.keys),
            "weak": write_table(_heaviest(self.unspecific)),
            "weakClasses": array("I", sorted(self.classes)).tobytes(),
            "weakWords": array("I", sorted(self.words)).tobytes(),
        }


def _filed(
    records: _Records, alive: list[int], totals: Sequence[float], single_counts: Counter[int], pair_counts: Counter[int]
) -> _Filing:
    """All records filed; `totals` are the weights of their literal texts."""
    filing = _Filing()
    for number, old in enumerate(alive):
        pairs = sorted(zip(map(pair_counts.__getitem__, records.pairs[old]), records.pairs[old], strict=True))
        singles = list(zip(map(single_counts.__getitem__, records.singles[old]), records.singles[old], strict=True))
        if totals[number] < UNSPECIFIC_WEIGHT or not (pairs or singles):
            rarest_word = min(singles)[1] if singles else NO_KEY
            filing.add_unspecific(number, totals[number], records.classes[old], rarest_word)
        else:
            filing.add(number, pairs, singles)
    return filing


def _sections(records: _Records) -> dict[str, bytes]:
    kept = sorted(records.numbers.values())
    alive = [*kept, *records.wordings]
    word_counts, single_counts, pair_counts = (
        runs.counts(alive) for runs in (records.words, records.singles, records.pairs)
    )
    lengths = {key: len(word) for word, key in records.known.items()}
    word_weights = weights(word_counts, lengths, len(alive))
    totals = array("d", (sum(map(word_weights.__getitem__, records.words[old])) for old in alive))
    filing = _filed(records, alive, totals, single_counts, pair_counts)
    new_number = {old: number for number, old in enumerate(alive)}
    size = len(records.names)
    if records.searchable:
        records.heads.finish(size)
        records.texts.finish(size)
    return {
        "places": b"".join(
            (
                *(PLACE.pack(*records.places[old], totals[n]) for n, old in enumerate(alive)),
                *(PLACE.pack(*place, 0.0) for place in records.unfiled),
            )
        ),
        **filing.sections(),
        "codes": write_table(_code_keys(records, new_number)),
        "ids": write_table((word_key(name), new_number[old]) for name, old in records.numbers.items()),
        "names": write_table((records.names[old], n) for n, old in enumerate(kept)),
        "classOnly": write_table(
            (word_key(last_name(name).lower()), len(alive) + number) for name, number in records.class_only
        ),
        "supplements": write_table((word_key(name), len(alive) + number) for name, number in records.supplements),
        "replaced": array("I", (old for old in range(size) if old not in new_number)).tobytes(),
        **_rare_term_sections(records, alive, word_counts, word_weights, pair_counts),
        **records.heads.sections,
        **records.texts.sections,
    }


def _heaviest(unspecific: list[tuple[float, int, int, int]]) -> Iterator[tuple[int, int]]:
    """Key and number of the unspecific records that are kept, the heaviest of each class."""
    kept = Counter[int]()
    for _, number, error_class, word in sorted(unspecific):
        if kept[error_class] < MOST_UNSPECIFIC:
            kept[error_class] += 1
            yield pair_keys([(error_class, word)])[0], number


def _code_keys(records: _Records, new_number: dict[int, int]) -> Iterator[tuple[int, int]]:
    """A code is filed under its longest word."""
    for old, code in records.codes.items():
        if old in new_number and (words := words_of(code)):
            yield word_key(max(words, key=len)), new_number[old]


def _rare_term_sections(
    records: _Records, alive: list[int], counts: Counter[int], word_weights: dict[int, float], pair_counts: Counter[int]
) -> dict[str, bytes]:
    """For every word its weight; for rare words and pairs the records that hold them."""
    words, pairs = sorted(counts), sorted(key for key, count in pair_counts.items() if count <= MOST_LISTED)
    rare_words = {key: place for place, key in enumerate(words) if counts[key] <= MOST_LISTED}
    rare_pairs = {key: place for place, key in enumerate(pairs, len(words))}
    sizes = [counts[key] if key in rare_words else 0 for key in words] + [pair_counts[key] for key in pairs]
    starts = array("I", accumulate(sizes, initial=0))
    lists, free = array("I", bytes(4 * starts[-1])), starts[:]
    for runs, places in ((records.words, rare_words), (records.pairs, rare_pairs)):
        for number, old in enumerate(alive):
            for key in runs[old]:
                place = places.get(key)
                if place is not None:
                    lists[free[place]] = number
                    free[place] += 1
    return {
        "words": write_table((key, place) for place, key in enumerate(words)),
        "weights": array("f", (word_weights[key] for key in words)).tobytes(),
        "rare": write_table(chain(rare_words.items(), rare_pairs.items())),
        "starts": starts.tobytes(),
        "lists": lists.tobytes(),
    }
