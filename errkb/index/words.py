"""Words and the keys made of them: what an index files a record under, and finds it by.

A word is a run of letters, digits and underscores, lowercased. Wherever a pattern matches, the
words inside its literals stand in the message as whole words, neighbours as neighbours; only a
word that touches a gap may be part of a longer one there. So a record filed under two
neighbouring words of a literal, or one, is found in every message that it matches.
"""

import re
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

from errkb.patterns import Pattern
from errkb.patterns.chain import is_word

_PAIR = 0xFFFF
_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, each on its own (lower case may depend on neighbours)."""
    return [word.lower() for word in _WORD.findall(text)]


def word_key(word: str) -> int:
    """32-bit key of one word. Lone surrogates are words too."""
    return crc32(word.encode("utf-8", "surrogatepass"))


def pair_key(first: int, second: str) -> int:
    """32-bit key of a word that follows the word with key `first`."""
    return crc32(second.encode("utf-8", "surrogatepass"), first ^ _PAIR)


class MessageKeys(NamedTuple):
    """Keys of the words of a message, and of its neighbouring pairs."""

    singles: list[int]
    pairs: list[int]


def message_keys(folded: str) -> MessageKeys:
    """The keys of a folded message."""
    words = [word.encode("utf-8", "surrogatepass") for word in words_of(folded)]
    singles = [crc32(word) for word in words]
    pairs = [crc32(word, key ^ _PAIR) for word, key in zip(words[1:], singles, strict=False)]
    return MessageKeys(singles, pairs)


class PatternKeys(NamedTuple):
    """The words of a pattern's literals with their keys, and what must stand in every message it matches."""

    words: dict[str, int]
    singles: set[int]
    """Keys of the words that stand whole in every match."""
    pairs: set[int]
    """Keys of their neighbouring pairs."""


def pattern_keys(pattern: Pattern, known: dict[str, int]) -> PatternKeys:
    """The keys of a pattern; `known` remembers the keys of words from one pattern to the next."""
    keys = PatternKeys({}, set(), set())
    for literal, gap_before, gap_after in pattern.segments:
        words = words_of(literal)
        if not words:
            continue
        for word in words:
            if word not in known:
                known[word] = word_key(word)
            keys.words[word] = known[word]
        # A word that touches a gap may be part of a longer one in the message.
        first = 1 if gap_before and is_word(literal[0]) else 0
        last = len(words) - (1 if gap_after and is_word(literal[-1]) else 0)
        whole = words[first:last]
        keys.singles.update([known[word] for word in whole])
        keys.pairs.update([pair_key(known[word], after) for word, after in pairwise(whole)])
    return keys
