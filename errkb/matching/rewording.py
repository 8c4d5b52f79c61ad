"""Reworded messages: another version of the library, a typo, the reading of a screenshot.

The words of a record's literals and those of the message are aligned (longest common
subsequence; words that differ in a letter or two count as one). What the common words weigh,
as a share of the record's text, decides. rapidfuzz is imported here, and only when it is needed.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.patterns import Pattern

_WORD = lazy(r"\w+")
_ALIKE = 75.0
"""Percent of likeness (rapidfuzz `ratio`) from which two words of four and more letters count as one."""
_LEAST_SHARE = 0.6
_LEAST_WEIGHT = 1.5
_MOST_WORDS = 400
_MOST_NAMED = 4

Weight = Callable[[str], float]


class Rewording(NamedTuple):
    """How far a message agrees with a pattern, word by word."""

    weight: float
    """What the common words weigh, in rare words."""
    share: float
    """The same as a share of the pattern's text and of what the message has in place of it."""
    missing: tuple[str, ...]
    """Words of the pattern that the message does not have."""
    added: tuple[str, ...]
    """Words that the message has inside the pattern's text."""
    captures: tuple[tuple[int, int] | None, ...]

    @property
    def difference(self) -> str:
        """What differs, in a plain sentence."""
        parts = []
        if self.missing:
            parts.append(f"the record also says {_named(self.missing)}")
        if self.added:
            parts.append(f"the text says {_named(self.added)}")
        return "worded otherwise: " + (", ".join(parts) or "a few letters differ")


class Wording:
    """The words of a message, and where they stand."""

    __slots__ = ("spans", "text", "words")

    def __init__(self, text: str) -> None:
        found = list(islice(_WORD.finditer(text), _MOST_WORDS))
        self.text = text
        self.words = [match[0].lower() for match in found]
        self.spans = [match.span() for match in found]


def read_reworded(pattern: Pattern, wording: Wording, weight: Weight) -> Rewording | None:
    """How a message agrees with a pattern of literals and gaps, or None if too little of it does."""
    from rapidfuzz.distance import LCSseq

    expected, literal_of = _expected(pattern)
    words = wording.words
    if not expected or not words:
        return None
    whole = sum(map(weight, expected))
    same = _respelt(words, expected)
    there = set(same)
    if sum([weight(word) for word in expected if word in there]) < _LEAST_SHARE * whole:
        return None
    partner: dict[int, int] = {}  # place among the expected words → place in the message
    for block in LCSseq.opcodes(expected, same):
        if block.tag == "equal":
            partner |= dict(
                zip(range(block.src_start, block.src_end), range(block.dest_start, block.dest_end), strict=True)
            )
    matched = sum(weight(expected[place]) for place in partner)
    missing = tuple(word for place, word in enumerate(expected) if place not in partner)
    added = tuple(words[place] for place in _intruders(partner, literal_of))
    total = matched + sum(map(weight, missing)) + sum(map(weight, added))
    if matched < _LEAST_WEIGHT or matched < _LEAST_SHARE * total:
        return None
    respelt = [words[place] for place in partner.values() if words[place] != same[place]]
    return Rewording(
        matched, matched / total, missing, (*added, *respelt), _captures(pattern, partner, literal_of, wording)
    )


@lru_cache(4096)
def _expected(pattern: Pattern) -> tuple[list[str], list[int]]:
    """The words of the pattern's literals, and the literal that each belongs to."""
    words, literal_of = [], []
    for number, (literal, _, _) in enumerate(pattern.segments):
        for match in _WORD.finditer(literal):
            words.append(match[0].lower())
            literal_of.append(number)
    return words, literal_of


def _respelt(words: Sequence[str], expected: Sequence[str]) -> list[str]:
    """The words, each unknown one replaced by the expected word that it is a misspelling of."""
    from rapidfuzz import fuzz, process

    known = set(expected)
    candidates = [word for word in known.difference(words) if len(word) >= 4]
    if not candidates:
        return list(words)
    result = []
    for word in words:
        if word not in known and len(word) >= 3:
            best = process.extractOne(word, candidates, scorer=fuzz.ratio, score_cutoff=_ALIKE)
            word = best[0] if best else word
        result.append(word)
    return result


def _intruders(partner: dict[int, int], literal_of: Sequence[int]) -> list[int]:
    """Places of words in the message that stand where the pattern has none: inside one of its literals."""
    places: list[int] = []
    matched = sorted(partner)
    for first, second in pairwise(matched):
        if literal_of[first] == literal_of[second]:
            places += range(partner[first] + 1, partner[second])
    return places


def _captures(
    pattern: Pattern,
    partner: dict[int, int],
    literal_of: Sequence[int],
    wording: Wording,
) -> tuple[tuple[int, int] | None, ...]:
    """What stands between two literals where the word on each side of the gap is there."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for place, literal in enumerate(literal_of):
        if place in partner and (place == 0 or literal_of[place - 1] != literal):
            first[literal] = partner[place]
        if place in partner and (place + 1 == len(literal_of) or literal_of[place + 1] != literal):
            last[literal] = partner[place]
    captures: list[tuple[int, int] | None] = []
    spans, text = wording.spans, wording.text
    for number in range(len(pattern.segments) - 1):
        start = spans[last[number]][1] if number in last else 0 if number == 0 else None
        end = spans[first[number + 1]][0] if number + 1 in first else None
        if end is None and number + 2 == len(pattern.segments):
            end = len(text)
        captures.append(_stripped(text, start, end) if start is not None and end is not None else None)
    return tuple(captures) if len(captures) == pattern.capture_count else (None,) * pattern.capture_count


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and not (text[start].isalnum() or text[start] in "<[({'\"_/"):
        start += 1
    while end > start and not (text[end - 1].isalnum() or text[end - 1] in ">])}'\"_"):
        end -= 1
    return (start, end) if start < end else None


def _named(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:_MOST_NAMED])
    return shown if len(words) <= _MOST_NAMED else f"{shown} and {len(words) - _MOST_NAMED} more"
