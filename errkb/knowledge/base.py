"""The knowledge base: one or several datasets, opened for questions."""

import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec.structs import replace

from errkb.datasets.defaults import bundled_dataset, default_datasets
from errkb.errors import DatasetError
from errkb.index import DamagedIndex, Index, RecordHead
from errkb.index.cache import open_index
from errkb.knowledge.ranking import is_better, ranked_matches
from errkb.matching.evidence import THRESHOLD, fits_with_class, ignored, is_likely, place_in_text, score
from errkb.matching.match import Match
from errkb.matching.matcher import BasesOf, Scored, may_match, no_bases, score_occurrence
from errkb.patterns.effort import Effort, log_left_out
from errkb.reading import Occurrence, read_error
from errkb.reading.fast_path import keeps_words
from errkb.records.record import Record

if TYPE_CHECKING:
    from errkb.knowledge.word_search import WordHit
    from errkb.records.supplement import Supplement

_MOST_OCCURRENCES = 50
"""Occurrences of one text that are looked up, best first."""
_MOST_SUPPLEMENTS = 4096
"""Supplements that are remembered."""
_WARM = 100
"""Questions after which it pays to check a whole index."""
_Answer = TypeVar("_Answer")


class KnowledgeBase:
    """Records, opened for questions; later datasets replace records of earlier ones with the same id."""

    def __init__(
        self,
        indexes: Sequence[Index],
        datasets: Sequence[Path] = (),
        unread: Sequence[DatasetError] = (),
    ) -> None:
        """See `load` for the usual way here.

        `datasets` is where the records of `indexes` lie, so that these can be opened again; none
        if they are in memory only. `unread` are datasets that could not be read at all.
        """
        self.datasets = datasets
        self._indexes = list(indexes)
        self._unread = unread
        self._questions = 0
        self._lock = threading.Lock()
        self._supplements: dict[str, object] = {}

    @property
    def problems(self) -> list[DatasetError]:
        """What could not be used of the datasets, each with its place; the rest is in use."""
        return [*self._unread, *(problem for index in self._indexes for problem in index.problems)]

    def __len__(self) -> int:
        if len(self._indexes) == 1:
            return len(self._indexes[0])
        return sum(1 for _ in self.records())

    def __bool__(self) -> bool:
        return True  # an empty knowledge base is still one

    def __iter__(self) -> Iterator[Record]:
        return self.records()

    def records(self) -> Iterator[Record]:
        """All records, in the datasets' order."""
        for place, index in enumerate(self._indexes):
            for record in index.records():
                if not self._replaced(record.id, place):
                    yield record

    def get(self, name: str) -> Record | None:
        """The record with this id, or `owner/repo/slug`; None if there is none."""
        return self._asked(lambda: self._get(name))

    def lookup(self, error: str | BaseException, *, repo: str | None = None) -> Match | None:
        """The best match for an error text or a live exception, or None if nothing is known."""
        return next(iter(self.search(error, limit=1, repo=repo)), None)

    def search(self, error: str | BaseException, *, limit: int = 5, repo: str | None = None) -> list[Match]:
        """Up to `limit` matches, best first, a record at most once. `repo` keeps one project's records only."""
        return self._asked(lambda: self._search(self._read(error), limit, repo))

    def search_occurrences(
        self, found: Sequence[Occurrence], *, limit: int = 5, repo: str | None = None
    ) -> list[Match]:
        """Up to `limit` matches for what was read from a text: occurrences, best first."""
        return self._asked(lambda: self._search(found, limit, repo))

    def search_each(
        self,
        found: Sequence[Occurrence],
        *,
        limit: int = 5,
        repo: str | None = None,
        bases_of: BasesOf = no_bases,
    ) -> list[list[Match]]:
        """For each occurrence, of a long list the first 50, up to `limit` matches of its own, best first.

        `bases_of` is asked what a class derives from where it is another one than a record's.
        """
        return self._asked(lambda: [self._search([one], limit, repo, bases_of) for one in found[:_MOST_OCCURRENCES]])

    def related(self, occurrence: Occurrence, *, limit: int = 3) -> list[Record]:
        """Up to `limit` records that share the most rare words with a message, whether they match it or not."""
        from errkb.knowledge.related import related_records

        return self._asked(lambda: related_records(self._indexes, self._get, occurrence, limit))

    def search_words(self, words: str, *, limit: int = 10, repo: str | None = None) -> "list[WordHit]":
        """Up to `limit` records with the words in message, class, code, repo, tags, family or text, best first.

        Where some records hold all words, only those. The first search of a dataset adds the words to its index.
        Raises DatasetError for records that are in memory only.
        """
        from errkb.knowledge.word_search import search_by_words

        return self._asked(lambda: search_by_words(self._searchable(), words, limit, repo, self._replaced))

    def _searchable(self) -> list[Index]:
        """The indexes with their words."""
        indexes = self._indexes
        if all(index.searchable for index in indexes):
            return indexes
        if not self.datasets:
            raise DatasetError("records that are in memory only cannot be searched by words")
        return self._reopened(indexes, lambda dataset: open_index(dataset, searchable=True))

    def supplement(self, record_id: str) -> "Supplement | None":
        """What the datasets add to the record with this id, later ones first; None if nothing."""
        return self._asked(lambda: self._supplement(record_id))

    def _supplement(self, record_id: str) -> "Supplement | None":
        known = self._supplements.get(record_id, self)
        if known is not self:
            return cast("Supplement | None", known)
        found = None
        for index in self._indexes:
            for later in index.supplements(record_id):
                from errkb.records.supplement import merged

                found = later if found is None else merged(later, found)
        if len(self._supplements) >= _MOST_SUPPLEMENTS:
            self._supplements.clear()
        self._supplements[record_id] = found
        return found

    def _get(self, name: str) -> Record | None:
        for place, index in reversed(list(enumerate(self._indexes))):
            number = index.find(name)
            if number is not None:
                record = index.record(number)
                if not self._replaced(record.id, place):
                    return record
        return None

    def _read(self, error: str | BaseException) -> list[Occurrence]:
        if isinstance(error, BaseException):
            return read_error(error)
        # Most lines of a log have no words that any record has, and need no reading.
        if isinstance(error, str) and keeps_words(error) and not any(may_match(one, error) for one in self._indexes):
            return []
        return read_error(error)

    def _search(
        self, found: Sequence[Occurrence], limit: int, repo: str | None, bases_of: BasesOf = no_bases
    ) -> list[Match]:
        self._questions += 1
        if self._questions == _WARM:
            for index in self._indexes:
                index.check_all()
        best: dict[str, Scored] = {}
        effort = Effort()
        likely, leader = 0.0, ""  # of the first occurrence with a likely or certain match: the best score, its record
        for place, occurrence in enumerate(found[:_MOST_OCCURRENCES]):
            sure, answered = False, set[str]()
            for number, index in enumerate(self._indexes):
                for scored in score_occurrence(index, occurrence, repo, self._supplement, bases_of, effort):
                    record_id = scored.candidate.head.id
                    # The record that leads may be read better further down.
                    evidence = place_in_text(place, scored.score, 0.0 if record_id == leader else likely)
                    reasons = (evidence, *filter(None, [ignored(place, occurrence.role, scored.score)]))
                    total = scored.score * score(reasons)
                    if total < THRESHOLD or not self._answers(scored.candidate.head, number, repo):
                        continue
                    answered.add(record_id)
                    sure = sure or fits_with_class(scored.kind, scored.evidence)
                    better = replace(scored, score=total, evidence=(*scored.evidence, *reasons))
                    if record_id not in best or is_better(better, best[record_id]):
                        best[record_id] = better
            if not likely and answered:
                first = max(answered, key=lambda record_id: best[record_id].score)
                if sure or is_likely(best[first].score):
                    likely, leader = best[first].score, first
        if effort.left_out:
            log_left_out(effort)
        return ranked_matches(best.values(), limit, self._record_of, self._supplement)

    def _record_of(self, scored: Scored) -> Record:
        head = scored.candidate.head
        record = self._get(head.id) if head.is_wording else None
        return record or scored.index.record(scored.candidate.number)

    def _answers(self, head: RecordHead, place: int, repo: str | None) -> bool:
        """Whether a row of the index at `place` may answer: no later dataset replaces its record, and there is one."""
        if head.is_wording:
            record = self._get(head.id)
            return record is not None and repo in (None, record.repo)
        return not self._replaced(head.id, place)

    def _replaced(self, record_id: str, place: int) -> bool:
        """Whether a dataset after `place` has a record with this id."""
        return any(index.has(record_id) for index in self._indexes[place + 1 :])

    def _reopened(self, seen: list[Index], opened: Callable[[Path], Index]) -> list[Index]:
        """The indexes, opened again unless another thread has done so since they were `seen`."""
        with self._lock:
            if self._indexes is seen:
                self._indexes = [opened(dataset) for dataset in self.datasets]
            return self._indexes

    def _asked(self, question: Callable[[], _Answer]) -> _Answer:
        indexes = self._indexes
        try:
            return question()
        except DamagedIndex as damage:
            if not self.datasets:
                raise DatasetError(f"the dataset changed while it was in use ({damage})") from None
            searchable = all(index.searchable for index in indexes)
            self._reopened(indexes, lambda dataset: open_index(dataset, searchable=searchable, rebuild=True))
        try:
            return question()
        except DamagedIndex as damage:
            raise DatasetError(f"the dataset changes while it is read ({damage})") from None


def load(*paths: Path | str, bundled: bool = False) -> KnowledgeBase:
    """The knowledge base of these datasets, later ones over earlier ones; with `bundled`, over errkb's own.

    Raises DatasetError if a path cannot be read at all; what is broken inside is in `problems`.
    """
    return open_datasets([*([bundled_dataset()] if bundled else []), *map(Path, paths)])


def open_datasets(
    datasets: Iterable[Path],
    *,
    lenient: bool = False,
    searchable: bool = False,
    progress: Callable[[int], None] | None = None,
) -> KnowledgeBase:
    """The knowledge base of these datasets. If `lenient`, one that cannot be read is among the `problems`.

    `searchable` says that words will be searched. `progress` is called with the number of records
    read while an index has to be built.
    """
    opened: list[tuple[Path, Index]] = []
    unread: list[DatasetError] = []
    for dataset in datasets:
        try:
            opened.append((dataset, open_index(dataset, searchable=searchable, progress=progress)))
        except DatasetError as problem:
            if not lenient:
                raise
            unread.append(problem)
    return KnowledgeBase([index for _, index in opened], [dataset for dataset, _ in opened], unread)


@functools.cache
def default() -> KnowledgeBase:
    """The knowledge base of the bundled dataset and your own ones, opened once."""
    return open_datasets(default_datasets(), lenient=True)


def lookup(error: str | BaseException, *, kb: KnowledgeBase | None = None, repo: str | None = None) -> Match | None:
    """The best match for an error text or a live exception, or None if nothing is known.

    `kb` defaults to the bundled dataset and your own ones; `repo` (owner/name) keeps one project's records only.
    Raises TypeError for anything that is neither text nor an exception.
    """
    return (default() if kb is None else kb).lookup(error, repo=repo)


def search(
    error: str | BaseException, *, limit: int = 5, kb: KnowledgeBase | None = None, repo: str | None = None
) -> list[Match]:
    """Up to `limit` matches for an error text or a live exception, best first; `kb` and `repo` as for `lookup`."""
    return (default() if kb is None else kb).search(error, limit=limit, repo=repo)
