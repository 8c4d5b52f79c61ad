"""The words of a pattern's own text, and their weights before any dataset is known."""

from array import array
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from errkb.index.word_weights import background_shares, word_weight
from errkb.index.words import drop_open_words, word_key, words_of
from errkb.patterns import Pattern


def literal_words(pattern: Pattern) -> set[str]:
    """The words in the literals of a pattern."""
    return {word for literal, _, _ in pattern.segments for word in words_of(literal)}


def whole_words(pattern: Pattern) -> list[list[str]]:
    """The words of each literal that stand whole in all that the pattern matches: none that touches a gap."""
    result = []
    for literal, gap_before, gap_after in pattern.segments:
        words = words_of(literal)
        drop_open_words(words, literal, gap_before, gap_after)
        result.append(words)
    return result


def whole_in_message(message: str) -> list[list[str]]:
    """The words of a sample message in runs between its values; what is glued to a value is no word."""
    found = words_of(message)
    if "zq" not in message:
        return [found]
    runs: list[list[str]] = [[]]
    for word in found:
        if "zq" in word:
            runs.append([])
        else:
            runs[-1].append(word)
    return runs


def keys(runs: Iterable[list[str]]) -> "array[int]":
    """Keys of the neighbouring pairs of words and, since a pattern may have none, of single ones."""
    found: list[int] = []
    for run in runs:
        found += map(hash, run)
        found += map(hash, pairwise(run))
    return array("q", found)


@cache
def background_weight(word: str) -> float:
    """The weight of a word as evidence in a dataset that nothing is known of."""
    return word_weight(0, 0, _shares().get(word_key(word), 0.0), len(word))


@cache
def _shares() -> dict[int, float]:
    return background_shares()
