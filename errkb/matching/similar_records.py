"""Records whose text is like a message that they do not match: to be read loosely, and word by word.

Most need no reading: too few words of their text are in the message, or the class of the error
is another and leaves too little of the score.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from errkb.index import Candidate, Index, RecordHead
from errkb.index.words import words_of
from errkb.matching.evidence import LOOSE, THRESHOLD, specificity
from errkb.matching.match import Evidence, Kind
from errkb.patterns import Message

_MOST = 24
"""Records that are looked at, those that share most first."""
_LEAST_WEIGHT = 1.2
"""Least summed weight of the record's words found in the message; for short records half their own weight."""
_LEAST_REWORDED = 0.35
"""The share of a record's text that must be there letter for letter before it is compared word by word."""


class SimilarRecord(NamedTuple):
    """A record that may say the same as a message in other words, or all of it."""

    candidate: Candidate
    may_be_reworded: bool
    """Whether enough of its text is there for another wording of it."""


def similar_records(
    index: Index,
    message: Message,
    class_agreement: Callable[[RecordHead], Evidence],
    keys: set[int],
    filed: Iterable[int],
) -> list[SimilarRecord]:
    """The records that share most rare words and pairs with a message, best first, if it is enough to go on.

    Those that are `filed` under a key of the message are among them whatever they share.
    """
    shared = index.rare_terms.shared_weights(keys)
    enough = set(filed)
    if shared:
        least = max(shared.values()) / 2  # what shares less is not what the message says
        enough.update([number for number, share in shared.items() if share >= least])
    if not enough:
        return []
    words: set[str] = set()
    similar = []
    for number in sorted(enough, key=lambda number: (-shared.get(number, 0.0), number))[:_MOST]:
        candidate = index.candidate(number)
        class_factor = class_agreement(candidate.head).factor
        weights = candidate.weights(index.rare_terms.weight)
        if LOOSE * class_factor * specificity(weights.total, Kind.PATTERN) < THRESHOLD:
            continue
        words = words or set(words_of(message.folded))
        there = sum([weight for word, weight in weights.words.items() if word in words])
        if there >= min(_LEAST_WEIGHT, candidate.weight / 2):
            may_be_reworded = (
                there >= _LEAST_REWORDED * candidate.weight
                and class_factor * specificity(weights.total, Kind.FUZZY) >= THRESHOLD
            )
            similar.append(SimilarRecord(candidate, may_be_reworded))
    return similar
