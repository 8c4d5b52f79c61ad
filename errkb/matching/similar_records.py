"""Records whose text is like a message that they do not match: to be read loosely, and word by word.

Most need no reading: too few words of their text are in the message, or the class of the error
is another and leaves too little of the score.
"""

from collections.abc import Iterable
from typing import NamedTuple

from errkb.exception_names import compare_classes
from errkb.index import Candidate, Index
from errkb.index.words import words_of
from errkb.matching.evidence import CLASS_FACTORS, LOOSE, THRESHOLD, specificity
from errkb.matching.match import Kind
from errkb.patterns import Message

_MOST = 24
"""Records that are looked at, those that share most first."""
_LEAST_WORTH = 1.2
"""What the words that are there must be worth, or half of what the record's text is worth."""
_LEAST_REWORDED = 0.35
"""The share of a record's text that must be there letter for letter before it is compared word by word."""


class Akin(NamedTuple):
    """A record that may say the same as a message in other words, or all of it."""

    candidate: Candidate
    perhaps_reworded: bool
    """Whether enough of its text is there for another wording of it."""


def akin_records(
    index: Index, message: Message, error_class: str | None, keys: set[int], filed: Iterable[int]
) -> list[Akin]:
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
    akin = []
    for number in sorted(enough, key=lambda number: (-shared.get(number, 0.0), number))[:_MOST]:
        candidate = index.candidate(number)
        class_factor = CLASS_FACTORS[compare_classes(error_class, candidate.head.error_class)]
        worth = candidate.weights(index.rare_terms.weight)
        if LOOSE * class_factor * specificity(worth.total, Kind.PATTERN) < THRESHOLD:
            continue
        words = words or set(words_of(message.folded))
        there = sum([weight for word, weight in worth.words.items() if word in words])
        if there >= min(_LEAST_WORTH, candidate.weight / 2):
            perhaps_reworded = (
                there >= _LEAST_REWORDED * candidate.weight
                and class_factor * specificity(worth.total, Kind.FUZZY) >= THRESHOLD
            )
            akin.append(Akin(candidate, perhaps_reworded))
    return akin
