"""The weights of words, and which records share rare ones with a message though they may not match it.

For every word of the records' texts the index holds its weight; for every rare word, and pair of
neighbouring words, the list of the records that hold it.
"""

from collections import Counter

from errkb.index.store import Store
from errkb.index.table import Column, Table
from errkb.index.words import LONGEST_KNOWN, word_key

_MOST_REMEMBERED = 4096
_LEAST_SHARED = 2.0
"""Records that share less weight than this are dropped: one shared word is chance."""


class RareTerms:
    """Weights and lists in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._words = Table(store.section("words"))
        self._rare = Table(store.section("rare"))
        starts, weights, self._lists = map(store.section, ("starts", "weights", "lists"))
        self._starts = Column(starts, starts.cells())
        self._weights = Column(weights, weights.floats())
        self._word_count = weights.length // 4
        self._numbers = self._lists.cells()
        self._remembered: dict[str, float] = {}

    def remember_keys(self) -> None:
        """Keep the keys of rare words and pairs in memory."""
        self._rare.remember_keys()

    def weight(self, word: str) -> float:
        """The weight of a word (in lower case) as evidence, 0 to 1; 1 for one that the dataset does not know."""
        known = self._remembered.get(word)
        if known is None:
            known = 1.0
            for place in self._words.find_all([word_key(word)])[:1]:
                known = self._weights.values[place]
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            if len(word) <= LONGEST_KNOWN:
                self._remembered[word] = known
        return known

    def shared_weights(self, keys: set[int]) -> dict[int, float]:
        """Number → weight of the rare words and pairs that are shared, for the records that share enough.

        A pair weighs as much as one of the rarest words, 1.
        """
        lists = [(place, self._list(place)) for place in self._rare.find_all(keys)]
        numbers: list[int] = []
        for _, records in lists:
            numbers += records
        if len(set(numbers)) == len(numbers):
            return {}
        shared = dict.fromkeys([number for number, count in Counter(numbers).items() if count >= _LEAST_SHARED], 0.0)
        for place, records in lists:
            weight = self._weights.values[place] if place < self._word_count else 1.0
            for number in records:
                if number in shared:
                    shared[number] += weight
        return {number: share for number, share in shared.items() if share >= _LEAST_SHARED}

    def _list(self, place: int) -> list[int]:
        starts = self._starts.values
        start, end = starts[place], starts[place + 1]
        if not self._store.trusted:
            self._lists.check(4 * start, 4 * end)
        return self._numbers[start:end].tolist()
