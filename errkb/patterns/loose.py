"""Readings of messages that reached the reader changed: cut, wrapped inside words, quotes eaten.

Literals and message are *squeezed* before they are compared: white space, quotes, backticks,
emphasis and a final full stop are dropped, case is folded, full-width and typographic characters
become plain ones. Captures may be empty. And the message may be only a part of what the pattern
says: its end or its beginning cut away, or an ellipsis in its middle.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from errkb.patterns.chain import Chain, Span, is_boundary

_DROPPED = "'\"`´‘’“”„«»‹›＇＂*\\"
_TABLE: dict[int, str | None] = {
    **{code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "‐‑‒–—−"), "-"),
    ord("、"): ",",
    ord("。"): ".",
    **{code: None for code in range(0x3001) if chr(code).isspace()},
    **dict.fromkeys(map(ord, _DROPPED)),
}
_ELLIPSIS = re.compile(r"\[?(?:\.{3,}|…)\]?")
_LEAST_PIECE = 8
"""Squeezed characters that must be left on each side of a cut for the piece to say anything."""


class LooseReading(NamedTuple):
    """How literals matched a squeezed message; spans are offsets into the message's text."""

    span: Span
    captures: tuple[Span | None, ...]
    shares: tuple[float, ...]
    """How much of each literal stands in the message, 0 to 1."""
    cut: bool
    """Whether a part of the pattern is missing."""
    whole: bool
    """Whether the message holds nothing else."""


class Squeezed:
    """A text squeezed, with where each character came from."""

    __slots__ = ("_offsets", "original", "text")

    def __init__(self, original: str) -> None:
        self.original = original
        # A line break that somebody's repr() wrote out is white space as well.
        self.text = squeeze(original.replace("\\n", "  ").replace("\\t", "  "))
        self._offsets: list[int] | None = None

    def place(self, start: int, end: int) -> Span:
        """The span of the original for a span of the squeezed text."""
        if self._offsets is None:
            text = self.original.replace("\\n", "  ").replace("\\t", "  ")
            self._offsets = [n for n, char in enumerate(text) if _TABLE.get(ord(char), char) is not None]
            self._offsets.append(len(text))
        if start >= end:
            return self._offsets[start], self._offsets[start]
        return self._offsets[start], self._offsets[end - 1] + 1


def squeeze(text: str) -> str:
    """`text` without white space and quotes, in lower case, with plain punctuation."""
    squeezed = text.translate(_TABLE)
    lower = squeezed.lower()
    return lower if len(lower) == len(squeezed) else squeezed


class LooseChain:
    """The literals of a chain, squeezed."""

    __slots__ = ("captured", "literals")

    def __init__(self, chain: Chain) -> None:
        self.literals = [squeeze(literal) for literal in chain.literals]
        self.literals[-1] = self.literals[-1].rstrip(".")
        self.captured = [gap.captured for gap in chain.gaps]

    def read(self, message: Squeezed) -> LooseReading | None:
        """The best loose reading of a message, or None."""
        text = message.text
        end = len(text.rstrip(".")) if self.literals[-1] else len(text)
        whole = self._complete(text[:end], anchored=True)
        if whole is not None:
            return self._reading(message, whole, end, cut=False, whole=True)
        inside = self._complete(text, anchored=False)
        if inside is not None:
            reading = self._reading(message, inside, inside[-1] + len(self.literals[-1]), cut=False, whole=False)
            if all(is_boundary(message.original, place) for place in reading.span):
                return reading
        return self._cut(message, end)

    def _complete(self, text: str, *, anchored: bool) -> list[int] | None:
        """Where each literal begins, all of them standing in `text`."""
        places, position = [], 0
        last = len(self.literals) - 1
        for number, literal in enumerate(self.literals):
            if anchored and number == last:
                place = len(text) - len(literal)
                if place < position or not text.endswith(literal) or (last == 0 and place):
                    return None
            else:
                place = text.find(literal, position)
                if place < 0 or (anchored and number == 0 and place):
                    return None
            if number == last and not literal:
                place = len(text)
            places.append(place)
            position = place + len(literal)
        return places

    def _cut(self, message: Squeezed, end: int) -> LooseReading | None:
        """A part of the pattern: its end away, its beginning away, or its middle."""
        text = message.text[:end]
        literals = self.literals
        ahead = _prefix(literals, text)
        if ahead.reaches_end:
            return self._partial(message, ahead.pieces, end)
        reversed_literals = [literal[::-1] for literal in reversed(literals)]
        back = _prefix(reversed_literals, text[::-1])
        pieces = [(len(literals) - 1 - n, end - stop, end - start) for n, start, stop in reversed(back.pieces)]
        if back.reaches_end:
            return self._partial(message, pieces, end)
        if (match := _ELLIPSIS.search(message.original)) and ahead.pieces and pieces:
            before = len(squeeze(message.original[: match.start()]))
            ahead = _prefix(literals, text[:before])
            back = _prefix(reversed_literals, text[before + len(squeeze(match[0])) :][::-1])
            pieces = [(len(literals) - 1 - n, end - stop, end - start) for n, start, stop in reversed(back.pieces)]
            if ahead.reaches_end and back.reaches_end and pieces and ahead.pieces[-1][0] <= pieces[0][0]:
                return self._partial(message, ahead.pieces + pieces, end)
        return None

    def _partial(self, message: Squeezed, pieces: list[tuple[int, int, int]], end: int) -> LooseReading | None:
        if sum(stop - start for _, start, stop in pieces) < _LEAST_PIECE:
            return None
        found: dict[int, tuple[int, int]] = {}
        shares = [0.0] * len(self.literals)
        for number, start, stop in pieces:
            shares[number] += (stop - start) / max(1, len(self.literals[number]))
            found[number] = (found.get(number, (start, stop))[0], stop)
        captures: list[Span | None] = []
        for number, captured in enumerate(self.captured):
            if captured:
                before, after = found.get(number), found.get(number + 1)
                if before is None and after is None:
                    captures.append(None)
                else:
                    captures.append(message.place(before[1] if before else 0, after[0] if after else end))
        shares = [min(1.0, share) if literal else 1.0 for share, literal in zip(shares, self.literals, strict=True)]
        return LooseReading(message.place(0, end), tuple(captures), tuple(shares), cut=True, whole=True)

    def _reading(self, message: Squeezed, places: list[int], end: int, *, cut: bool, whole: bool) -> LooseReading:
        captures: list[Span | None] = []
        for number, captured in enumerate(self.captured):
            if captured:
                start = places[number] + len(self.literals[number])
                if number == 0 and not self.literals[0]:
                    start = 0
                captures.append(message.place(start, places[number + 1]))
        start = places[0] if self.literals[0] else 0
        return LooseReading(message.place(start, end), tuple(captures), (1.0,) * len(self.literals), cut, whole)


class _Prefix(NamedTuple):
    """How far a message goes along with a chain of literals from its start."""

    pieces: list[tuple[int, int, int]]
    """Number of the literal, and the span of it, or of its beginning, in the text."""
    reaches_end: bool


def _prefix(literals: Sequence[str], text: str) -> _Prefix:
    """The literals that `text` begins with, up to where it is cut off."""
    pieces: list[tuple[int, int, int]] = []
    position = 0
    for number, literal in enumerate(literals):
        place = text.find(literal, position) if number else (0 if text.startswith(literal) else -1)
        if place >= 0:
            if literal:
                pieces.append((number, place, place + len(literal)))
            position = place + len(literal)
            continue
        # Cut off within this literal, or before it within the gap.
        room = len(text) - position
        for length in range(min(len(literal) - 1, room), 0, -1):
            if text.endswith(literal[:length]) and (number or length == room):
                pieces.append((number, len(text) - length, len(text)))
                break
        return _Prefix(pieces, reaches_end=bool(pieces))
    return _Prefix(pieces, reaches_end=False)
