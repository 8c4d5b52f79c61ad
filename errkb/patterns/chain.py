"""Ordinary patterns, literals with gaps between, matched by a chain of `str.find`.

Each literal is taken at its first place after the one before, so every gap is as short as
possible, and no place is looked at twice: linear in the text, whatever the text.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

Span = tuple[int, int]
_WHITE_SPACE_RUN = re.compile(r"\s+")


class Gap(NamedTuple):
    """A place between two literals: how many characters it needs, and whether it is captured."""

    least: int
    captured: bool


class Chain:
    """Literals `l0 … ln` (folded; the outer two may be empty) and the gaps between them."""

    __slots__ = ("_inner", "gaps", "literals")

    def __init__(self, literals: Sequence[str], gaps: Sequence[Gap]) -> None:
        self.literals = tuple(literals)
        self.gaps = tuple(gaps)
        self._inner = [(*gap, literal) for gap, literal in zip(gaps[:-1], literals[1:-1], strict=True)]

    def whole(self, text: str) -> list[Span] | None:
        """The captures of the reading that covers all of `text` (folded), or None."""
        first, last = self.literals[0], self.literals[-1]
        if not text.startswith(first):
            return None
        if not self.gaps:
            return [] if len(text) == len(first) else None
        final = len(text) - len(last)
        if not text.endswith(last):
            return None
        captures: list[Span] = []
        end = len(first)
        for least, captured, literal in self._inner:
            start = text.find(literal, end + least)
            if start < 0:
                return None
            if captured:
                captures.append((end, start))
            end = start + len(literal)
        least, captured = self.gaps[-1]
        if final - end < least:
            return None
        if captured:
            captures.append((end, final if last else _value_end(text, end)))
        return captures

    def inside(self, text: str) -> tuple[Span, list[Span]] | None:
        """The span and captures of the leftmost reading in `text`, or None.

        A gap at the edge of the pattern reaches to the edge of the text. A literal there
        neither begins nor ends in the middle of a word.
        """
        first, last = self.literals[0], self.literals[-1]
        start = _find_from_boundary(text, first, 0) if first else 0
        if start < 0:
            return None
        captures: list[Span] = []
        end = start + len(first)
        if not self.gaps:
            while not is_boundary(text, end):
                start = _find_from_boundary(text, first, start + 1)
                if start < 0:
                    return None
                end = start + len(first)
            return (start, end), captures
        for least, captured, literal in self._inner:
            found = text.find(literal, end + least)
            if found < 0:
                return None
            if captured:
                captures.append((end, found))
            end = found + len(literal)
        gap = self.gaps[-1]
        found = len(text) if not last else text.find(last, end + gap.least)
        while last and found >= 0 and not is_boundary(text, found + len(last)):
            found = text.find(last, found + 1)
        if found < 0 or found - end < gap.least:
            return None
        if gap.captured:
            captures.append((end, found if last else _value_end(text, end)))
        return (start, found + len(last)), captures


def folded_chain(literals: Sequence[str], gaps: Sequence[Gap]) -> Chain:
    """A chain of literals as they stand, white space folded, none at the edges of the pattern."""
    folded = [_WHITE_SPACE_RUN.sub(" ", literal) for literal in literals]
    folded[0] = folded[0].lstrip()
    folded[-1] = folded[-1].rstrip()
    return Chain(folded, gaps)


def _value_end(text: str, start: int) -> int:
    """Where a capture ends that reaches to the end: a final full stop is the sentence's, not the value's."""
    end = len(text)
    return end - 1 if end - start > 1 and text[end - 1] == "." != text[end - 2] else end


def is_boundary(text: str, position: int) -> bool:
    """Whether no word goes on across `position` of `text`."""
    return not (0 < position < len(text) and is_word(text[position - 1]) and is_word(text[position]))


def is_word(char: str) -> bool:
    """Whether `char` may be part of a word or identifier."""
    return char.isalnum() or char == "_"


def _find_from_boundary(text: str, literal: str, position: int) -> int:
    found = text.find(literal, position)
    while found >= 0 and not is_boundary(text, found):
        found = text.find(literal, found + 1)
    return found
