"""Building an index: one pass over the records, then each is filed under its rarest key."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from zlib import crc32

from errkb.carriers import Entry, is_compressed
from errkb.dataset import check_entry
from errkb.errors import DatasetError, PatternError
from errkb.index.layout import INSIDE, MOST_WEAK, PLACE, WEAK_WEIGHT
from errkb.index.rarity import weights
from errkb.index.store import write_store
from errkb.index.table import write_table
from errkb.index.words import pattern_keys, word_key, words_of
from errkb.patterns import Pattern
from errkb.records import Record
from errkb.template import whole_pattern

_MOST_PROBLEMS = 1000
_MOST_POSTINGS = 100
"""Records that one word or pair may lead to when likeness is looked for; a commoner one says too little."""


class _Records:
    """What is noted of each record in the one pass."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.places: list[tuple[int, int, int, int]] = []
        self.names: list[str] = []
        self.classes: list[str | None] = []
        self.codes: list[str | None] = []
        self.words: list[array[int]] = []
        self.singles: list[array[int]] = []
        self.pairs: list[array[int]] = []
        self.known: dict[str, int] = {}

    def add(self, record: Record, place: tuple[int, int, int, int]) -> None:
        self.numbers[record.id] = len(self.places)
        self.places.append(place)
        self.names.append(f"{record.repo}/{record.slug}")
        self.classes.append(record.error_class)
        self.codes.append(record.error_code)
        try:
            pattern = Pattern(whole_pattern(record.error_message, record.message_pattern))
        except PatternError:
            words, singles, pairs = dict[str, int](), set[int](), set[int]()
        else:
            words, singles, pairs = pattern_keys(pattern, self.known)
        self.words.append(array("I", words.values()))
        self.singles.append(array("I", singles))
        self.pairs.append(array("I", pairs))


def build_index(
    entries: Iterable[Entry | DatasetError],
    sources: object,
    progress: Callable[[int], None] | None = None,
    *,
    self_contained: bool = False,
) -> bytes:
    """The bytes of the index of these records; `sources` is noted in it and says what it was built from.

    Of records with one id the last is used. `progress` is called now and then with the number
    of records read. The records stay in their files, unless those are compressed or the index
    is to be `self_contained`. Raises DatasetError if the entries cannot be read at all.
    """
    records, problems, files = _Records(), list[DatasetError](), dict[Path, int]()
    bodies = bytearray()
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
        if entry.path not in files:
            inside = self_contained or len(files) >= INSIDE or is_compressed(entry.path)
            files[entry.path] = INSIDE if inside else len(files)
        file, offset = files[entry.path], entry.offset
        if file == INSIDE:
            offset = len(bodies)
            bodies += entry.raw
        records.add(record, (file, len(entry.raw), offset, crc32(entry.raw)))
    notes = {
        "sources": sources,
        "files": [str(path) for path in files],
        "problems": [[p.reason, str(p.path) if p.path else None, p.line, p.pointer] for p in problems[:_MOST_PROBLEMS]],
        "problemCount": len(problems),
    }
    return write_store({**_sections(records), "bodies": bytes(bodies)}, notes)


def _sections(records: _Records) -> dict[str, bytes]:
    alive = sorted(records.numbers.values())
    word_counts = Counter[int]()
    single_counts = Counter[int]()
    pair_counts = Counter[int]()
    for old in alive:
        word_counts.update(records.words[old])
        single_counts.update(records.singles[old])
        pair_counts.update(records.pairs[old])
    lengths = {key: len(word) for word, key in records.known.items()}
    word_weights = weights(word_counts, lengths, len(alive))
    totals = [sum(word_weights[key] for key in records.words[old]) for old in alive]

    singles, pairs, weak = list[tuple[int, int]](), list[tuple[int, int]](), list[tuple[float, int, int]]()
    for number, old in enumerate(alive):
        pair = min(records.pairs[old], key=lambda key: (pair_counts[key], key), default=None)
        single = min(records.singles[old], key=lambda key: (single_counts[key], key), default=None)
        if totals[number] < WEAK_WEIGHT or (pair is None and single is None):
            if error_class := records.classes[old]:
                weak.append((-totals[number], number, word_key(error_class)))
        elif single is None or (pair is not None and pair_counts[pair] <= single_counts[single]):
            assert pair is not None  # noqa: S101
            pairs.append((pair, number))
        else:
            singles.append((single, number))

    new_number = {old: number for number, old in enumerate(alive)}
    return {
        "places": b"".join(PLACE.pack(*records.places[old], totals[n]) for n, old in enumerate(alive)),
        "singles": write_table(singles),
        "pairs": write_table(pairs),
        "weak": write_table(_heaviest(weak)),
        "codes": write_table(_code_keys(records, alive)),
        "ids": write_table((word_key(name), new_number[old]) for name, old in records.numbers.items()),
        "names": write_table((word_key(records.names[old]), n) for n, old in enumerate(alive)),
        **_postings(records, alive, word_counts, word_weights, pair_counts),
    }


def _heaviest(weak: list[tuple[float, int, int]]) -> Iterator[tuple[int, int]]:
    kept = Counter[int]()
    for _, number, error_class in sorted(weak):
        if kept[error_class] < MOST_WEAK:
            kept[error_class] += 1
            yield error_class, number


def _code_keys(records: _Records, alive: list[int]) -> Iterator[tuple[int, int]]:
    """A code is filed under its longest word."""
    for number, old in enumerate(alive):
        if (code := records.codes[old]) and (words := words_of(code)):
            yield word_key(max(words, key=len)), number


def _postings(
    records: _Records, alive: list[int], counts: Counter[int], word_weights: dict[int, float], pair_counts: Counter[int]
) -> dict[str, bytes]:
    """For every word its weight; for words and pairs the records that hold them, unless too common to be of use."""
    keys = sorted(counts)
    index = {key: place for place, key in enumerate(keys)}
    lists: list[list[int] | None] = [[] if counts[key] <= _MOST_POSTINGS else None for key in keys]
    for number, old in enumerate(alive):
        for key in records.words[old]:
            if (numbers := lists[index[key]]) is not None:
                numbers.append(number)
    starts, postings = array("I", [0]), array("I")
    for numbers in lists:
        postings.extend(numbers or ())
        starts.append(len(postings))
    return {
        "words": write_table((key, place) for place, key in enumerate(keys)),
        "weights": array("f", (word_weights[key] for key in keys)).tobytes(),
        "starts": starts.tobytes(),
        "postings": postings.tobytes(),
        "allPairs": write_table(
            (key, number)
            for number, old in enumerate(alive)
            for key in records.pairs[old]
            if pair_counts[key] <= _MOST_POSTINGS
        ),
    }
