"""Records found by words, as one searches a manual: by message, class, code, repo, tags, family, documentation.

A record with all the words comes before one that lacks some; then rare words count more than
common ones (inverse document frequency), and a word in the head more than one in the prose.
"""

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from errkb.index import Index
from errkb.index.search_words import head_text, search_words
from errkb.records.record import Record

_IN_PROSE = 0.5
"""What a word in the documentation counts, one in the head counting 1."""
_LEAST_SCORE = 0.4
"""Of a record that lacks words: the words that it has must weigh this much."""
_MOST_WORDS = 32
_MOST_COMPARED = 100
"""Records beyond the limit that are read, to tell equals apart."""
_MOST_READ = 1000


class WordHit(msgspec.Struct, frozen=True):
    """A record that a search by words found."""

    record: Record
    score: float
    """In (0, 1]: 1 if all words stand in its message, class, code, repo, tags or family."""
    missing: tuple[str, ...]
    """The words that it lacks."""


class _Holders(NamedTuple):
    head: set[int]
    text: set[int]


def search_by_words(
    indexes: Sequence[Index], query: str, limit: int, repo: str | None, replaced: Callable[[str, int], bool]
) -> list[WordHit]:
    """Up to `limit` hits, best first; `replaced` tells of a record's id whether an index after that place has it too.

    Where some records have all the words, only those. Raises DamagedIndex.
    """
    words = sorted(search_words(query))[:_MOST_WORDS]
    holders = [{word: _holders(index, word) for word in words} for index in indexes]
    total = sum(map(len, indexes))
    weights = {
        word: math.log(1 + total / (1 + sum(len(one[word].head) + len(one[word].text) for one in holders)))
        for word in words
    }
    hits: list[WordHit] = []
    for place, index in enumerate(indexes):
        found = 0
        for number, score in _best(index, holders[place], weights, repo):
            record = index.record(number)
            if repo not in (None, record.repo) or replaced(record.id, place):
                continue
            missing = tuple(
                word.decode(errors="replace")
                for word, (head, text) in holders[place].items()
                if number not in head and number not in text
            )
            hits.append(WordHit(record, score, missing))
            found += 1
            if found == limit + _MOST_COMPARED:
                break
    hits = [hit for hit in hits if not hit.missing] or [hit for hit in hits if hit.score >= _LEAST_SCORE]
    return sorted(hits, key=lambda hit: (len(hit.missing), -_closeness(hit, words), hit.record.id))[:limit]


def _best(
    index: Index, holders: dict[bytes, _Holders], weights: dict[bytes, float], repo: str | None
) -> Iterator[tuple[int, float]]:
    """Numbers and scores of the records with most of the words, best first."""
    known = [head | text for head, text in holders.values() if head or text]
    pool = (set.intersection(*known) or set.union(*known)) if known else set()
    for word in search_words(repo or ""):
        pool &= index.records_with_word(word)[0]
    scores = dict.fromkeys(pool, 0.0)
    for word, (head, text) in holders.items():
        for number in pool & head:
            scores[number] += weights[word]
        for number in pool & text:
            scores[number] += weights[word] * _IN_PROSE
    most = sum(weights.values())
    for number in heapq.nsmallest(_MOST_READ, scores, key=lambda number: (-scores[number], number)):
        yield number, scores[number] / most


def _closeness(hit: WordHit, words: Sequence[bytes]) -> float:
    """The score, and what part of the record's head the words are, which tells equals apart."""
    head = search_words(head_text(hit.record))
    return round(hit.score, 6) + 0.05 * len(head.intersection(words)) / max(1, len(head))


def _holders(index: Index, word: bytes) -> _Holders:
    """The records that hold a word, or it in singular or plural."""
    forms = {word, word + b"s", word + b"es"}
    if len(word) > 3 and word.endswith(b"s"):
        forms.add(word[:-1])
    if len(word) > 4 and word.endswith(b"es"):
        forms.add(word[:-2])
    heads, texts = zip(*(index.records_with_word(form) for form in forms), strict=True)
    head = set[int]().union(*heads)
    return _Holders(head, set[int]().union(*texts) - head)
