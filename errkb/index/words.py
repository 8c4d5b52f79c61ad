"""Words and the keys made of them: what an index files a record under, and finds it by.

A word is a run of letters, digits and underscores, lowercased. Wherever a pattern matches, the
words inside its literals stand in the message as whole words, neighbours as neighbours; only a
word that touches a gap may be part of a longer one there. So a record filed under two
neighbouring words of a literal, or one, is found in every message that it matches.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple
from zlib import crc32

from errkb.patterns import Pattern
from errkb.patterns.chain import is_word
from errkb.records.template import CAPTURE

_WORD = re.compile(r"\w+")
_ASCII_WORDS = "".join(char.lower() if char.isalnum() or char == "_" else " " for char in map(chr, range(128)))
"""For `str.translate`: what is no part of a word becomes a blank; with `split` that takes a third of the time."""
_KEY_BITS = 0x3FFFFFFF


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, each on its own (lower case may depend on neighbours)."""
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    return [word.lower() for word in _WORD.findall(text)]


def word_key(word: str) -> int:
    """30-bit key of one word, so that a pair has one of 32 bits. Lone surrogates are words too."""
    return crc32(word.encode("utf-8", "surrogatepass")) & _KEY_BITS


NO_KEY = 0
"""Wildcard: the check of a pattern without a second word, and a key of every message, so that it always agrees."""


def pair_keys(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """32-bit keys of pairs of words, each given by its key: neighbours, or a class and a word with it."""
    return [first + 3 * second for first, second in pairs]


def message_keys(folded: str) -> set[int]:
    """The keys of a folded message: of its words, and of its neighbouring pairs."""
    words = list(map(_known.__getitem__, words_of(folded)))
    return {NO_KEY, *words, *pair_keys(pairwise(words))}


class KnownWords(dict[str, int]):
    """Words and their keys, remembered from one pattern to the next."""

    def __missing__(self, word: str) -> int:
        key = self[word] = word_key(word)
        return key


class _FewKnownWords(KnownWords):
    """Words of messages and their keys: a limited number, since messages never end."""

    def __missing__(self, word: str) -> int:
        if len(word) > LONGEST_KNOWN:
            return word_key(word)
        if len(self) >= _MOST_KNOWN:
            self.clear()
        return super().__missing__(word)


_known = _FewKnownWords()
_MOST_KNOWN = 65_536
LONGEST_KNOWN = 64
"""Characters of the longest word that is remembered; a longer one is data."""


class PatternKeys(NamedTuple):
    """Keys of the words of a pattern's literals, and of what must stand in every message it matches."""

    words: set[int]
    singles: set[int]
    """Keys of the words that stand whole in every match."""
    pairs: set[int]
    """Keys of their neighbouring pairs."""


def pattern_keys(stored: str, known: KnownWords) -> PatternKeys:
    """The keys of a stored pattern. Raises PatternError if it is outside the dialect."""
    keys = PatternKeys(set(), set(), set())
    for literal, gap_before, gap_after in plain_segments(stored) or Pattern(stored).segments:
        words = list(map(known.__getitem__, words_of(literal)))
        keys.words.update(words)
        drop_open_words(words, literal, gap_before, gap_after)
        keys.singles.update(words)
        keys.pairs.update(pair_keys(pairwise(words)))
    return keys


def drop_open_words(words: list[Any], literal: str, gap_before: bool, gap_after: bool) -> None:
    """Remove, from the words of a literal or their keys, those that touch a gap.

    Such a word may be part of a longer one in the message; all others stand whole in every match.
    """
    if words and gap_before and is_word(literal[0]):
        del words[0]
    if words and gap_after and is_word(literal[-1]):
        del words[-1]


_PLAIN = re.compile(r"(?:[^.*+?^${}()|\[\]\\]+|\\[!-/:-@\[-^`{-~]|\(\.\+\?\))*+", re.ASCII)


def plain_segments(stored: str) -> list[tuple[str, bool, bool]] | None:
    """What `Pattern.segments` gives, of plain patterns and without building them; None for all others.

    Texts are given with their escapes, which are no words.
    """
    if stored.isascii() and _PLAIN.fullmatch(stored):
        pieces = stored.split(CAPTURE)
        last = len(pieces) - 1
        if any(map(str.strip, pieces)):
            return [(piece, number > 0, number < last) for number, piece in enumerate(pieces)]
    return None
