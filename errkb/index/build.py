"""Building an index: one pass over the records, then each is filed under its rarest key."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, chain

from errkb.datasets.dataset import check_entry
from errkb.datasets.files import Entry
from errkb.datasets.supplements import check_supplement
from errkb.errors import DatasetError
from errkb.exception_names import last_name
from errkb.files import path_to_text, real_path
from errkb.index.filing import filed
from errkb.index.format import MOST_LISTED, PLACE
from errkb.index.rows import Bodies, NotedRecords, add_supplement
from errkb.index.store import Notes, write_store
from errkb.index.table import write_table
from errkb.index.word_weights import weights
from errkb.index.words import word_key, words_of
from errkb.records.record import Record
from errkb.records.supplement import Supplement

_MOST_PROBLEMS = 1000


def build_index(
    entries: Iterable[Entry | DatasetError],
    sources: list[list[str | int]],
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
    records, problems = NotedRecords(searchable=searchable), list[DatasetError]()
    bodies = Bodies(self_contained=self_contained)
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
            _keep(problem, problems)
            continue
        records.add(record, bodies.of_entry(entry))
        if record.id in described:
            heads[record.id] = record
    for supplement, entry in known:
        add_supplement(records, bodies, supplement, entry, heads.get(supplement.id))
    notes = Notes(
        sources=sources,
        searchable=searchable,
        records=len(records.numbers),
        files=[path_to_text(real_path(path)) for path in bodies.files],
        problems=[(p.reason, path_to_text(p.path) if p.path else None, p.line, p.pointer) for p in problems],
    )
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
            _keep(problem, problems)


def _keep(problem: DatasetError, problems: list[DatasetError]) -> None:
    if len(problems) < _MOST_PROBLEMS:
        problems.append(problem)


def _sections(records: NotedRecords) -> dict[str, bytes]:
    kept = sorted(records.numbers.values())
    alive = [*kept, *records.wordings]
    word_counts, single_counts, pair_counts = (
        runs.counts(alive) for runs in (records.words, records.singles, records.pairs)
    )
    lengths = {key: len(word) for word, key in records.known.items()}
    word_weights = weights(word_counts, lengths, len(alive))
    totals = array("d", (sum(map(word_weights.__getitem__, records.words[old])) for old in alive))
    filing = filed(records, alive, totals, single_counts, pair_counts)
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


def _code_keys(records: NotedRecords, new_number: dict[int, int]) -> Iterator[tuple[int, int]]:
    """A code is filed under its longest word."""
    for old, code in records.codes.items():
        if old in new_number and (words := words_of(code)):
            yield word_key(max(words, key=len)), new_number[old]


def _rare_term_sections(
    records: NotedRecords,
    alive: list[int],
    counts: Counter[int],
    word_weights: dict[int, float],
    pair_counts: Counter[int],
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
