"""Words and the keys made of them: what an index files a record under, and finds it by.

A word is a run of letters, digits and underscores, lowercased. Wherever a pattern matches, the
words inside its literals stand in the message as whole words, neighbours as neighbours; only a
word that touches a gap may be part of a longer one there. So a record filed under two
neighbouring words of a literal, or one, is found in every message that it matches.
"""

import re
from collections.abc import Iterable
from zlib import crc32

from errkb.patterns import Pattern

_PAIR = 0xFFFF
_WORD = re.compile(r"\w+")
split_words = _WORD.findall
"""The words of a text as they stand; `lowered` makes them comparable."""


def lowered(words: Iterable[str]) -> list[str]:
    """The words in lower case, each on its own (lower case may depend on neighbours)."""
    return [word.lower() for word in words]


def word_key(word: str) -> int:
    """32-bit key of one word. Lone surrogates are words too."""
    return crc32(word.encode("utf-8", "surrogatepass"))


def pair_key(first: int, second: str) -> int:
    """32-bit key of a word that follows the word with key `first`."""
    return crc32(second.encode("utf-8", "surrogatepass"), first ^ _PAIR)


def literal_words(pattern: Pattern) -> list[str]:
    """All words of a pattern's literals, those that touch a gap included."""
    return [word for literal, _, _ in pattern.segments for word in lowered(split_words(literal))]


def whole_words(pattern: Pattern) -> list[list[str]]:
    """The words of each literal that stand whole in every message that matches."""
    result = []
    for literal, gap_before, gap_after in pattern.segments:
        found = list(_WORD.finditer(literal))
        if found and gap_before and found[0].start() == 0:
            del found[0]
        if found and gap_after and found[-1].end() == len(literal):
            del found[-1]
        result.append(lowered(match[0] for match in found))
    return result


def message_keys(folded: str) -> tuple[list[int], list[int]]:
    """Keys of the words of a message, and of its neighbouring pairs."""
    words = [word.encode("utf-8", "surrogatepass") for word in lowered(split_words(folded))]
    singles = [crc32(word) for word in words]
    pairs = [crc32(word, key ^ _PAIR) for word, key in zip(words[1:], singles, strict=False)]
    return singles, pairs


def pattern_keys(pattern: Pattern) -> tuple[set[int], set[int]]:
    """Keys of the whole words of a pattern, and of their neighbouring pairs."""
    singles: set[int] = set()
    pairs: set[int] = set()
    for words in whole_words(pattern):
        keys = [word_key(word) for word in words]
        singles.update(keys)
        pairs.update(pair_key(key, word) for key, word in zip(keys, words[1:], strict=False))
    return singles, pairs

