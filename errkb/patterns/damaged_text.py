"""Readings of messages that reached the reader changed: cut, wrapped inside words, quotes eaten.

Literals and message are *squeezed* before they are compared: white space, quotes, backticks,
emphasis and a final full stop are dropped, case is folded, full-width and typographic characters
become plain ones. Captures may be empty. And the message may be only a part of what the pattern
says: its end or its beginning cut away, or an ellipsis in its middle.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.patterns.chain import Chain, Span, is_boundary

_QUOTES = "'\"`´‘’“”„«»‹›＇＂"
_DROPPED = _QUOTES + "*\\"
_TABLE: dict[int, str | None] = {
    **{code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "‐‑‒–—−"), "-"),
    ord("、"): ",",
    ord("。"): ".",
    **{code: None for code in range(0x3001) if chr(code).isspace()},
    **dict.fromkeys(map(ord, _DROPPED)),
}
_ELLIPSIS = lazy(r"\[?(?:\.{3,}|…)\]?")
_LEAST_PIECE = 8
"""Squeezed characters that must be left on each side of a cut for the piece to say anything."""


class LooseReading(NamedTuple):
    """How literals matched a squeezed message; spans are offsets into the message's text."""

    span: Span
    captures: tuple[Span | None, ...]
    parts: tuple[tuple[float, float], ...]
    """The part of each literal that stands in the message: (0, 1) is all of it, (0, 0) nothing."""
    cut: bool
    """Whether a part of the pattern is missing."""
    whole: bool
    """Whether the message holds nothing else."""
    unverified_tail: int = 0
    """Characters of a cut message outside its literals: assumed to be part of a value, not verified."""


class Squeezed:
    """A text squeezed, with where each character came from."""

    __slots__ = ("_offsets", "ellipsis", "original", "text")

    def __init__(self, original: str) -> None:
        # A line break that somebody's repr() wrote out is white space as well.
        self.original = original.replace("\\n", "  ").replace("\\t", "  ")
        self.text = squeeze(self.original)
        self.ellipsis = _ELLIPSIS.search(self.original) if "..." in original or "…" in original else None
        """Where something was left out, if that is marked."""
        self._offsets: list[int] | None = None

    def place(self, start: int, end: int) -> Span:
        """The span of the original for a span of the squeezed text."""
        if self._offsets is None:
            self._offsets = [n for n, char in enumerate(self.original) if _TABLE.get(ord(char), char) is not None]
            self._offsets.append(len(self.original))
        if start >= end:
            return self._offsets[start], self._offsets[start]
        return self._offsets[start], self._offsets[end - 1] + 1

    def value(self, start: int, end: int, *, quoted: bool) -> Span:
        """The span of the original for a capture: with the quotes around it, unless they belong to the literals."""
        first, last = self.place(start, end)
        if not quoted and first < last:
            while first and self.original[first - 1] in _QUOTES:
                first -= 1
            while last < len(self.original) and self.original[last] in _QUOTES:
                last += 1
        return first, last


def squeeze(text: str) -> str:
    """`text` without white space and quotes, in lower case, with plain punctuation."""
    squeezed = text.translate(_TABLE)
    lower = squeezed.lower()
    return lower if len(lower) == len(squeezed) else squeezed


class _Piece(NamedTuple):
    """A literal, or a part of it, in a squeezed text."""

    number: int
    start: int
    stop: int


class LooseChain:
    """The literals of a chain, squeezed."""

    __slots__ = ("_detached", "_quoted", "_with_capitals", "captured", "literals")

    def __init__(self, chain: Chain) -> None:
        self._detached = [(literal[:1].isspace(), literal[-1:].isspace()) for literal in chain.literals]
        self.literals = [squeeze(literal) for literal in chain.literals]
        self._with_capitals = [literal.translate(_TABLE) for literal in chain.literals]
        self.literals[-1] = self.literals[-1].rstrip(".")
        self.captured = [gap.captured for gap in chain.gaps]
        self._quoted = [
            before.endswith(tuple(_QUOTES)) or after.startswith(tuple(_QUOTES))
            for before, after in pairwise(chain.literals)
        ]

    def read(self, message: Squeezed) -> LooseReading | None:
        """The best loose reading of a message, or None."""
        text = message.text
        end = len(text.rstrip(".")) if self.literals[-1] else len(text)
        whole = self._complete(text[:end], anchored=True)
        if whole is not None and self._at_words(message, whole):
            return self._reading(message, whole, end, cut=False, whole=True)
        inside = self._complete(text, anchored=False)
        if inside is not None and self._at_words(message, inside):
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

    def _at_words(self, message: Squeezed, places: list[int]) -> bool:
        """Whether the literals that begin or end with a blank do not stand in the middle of words."""
        for place, literal, (before, after) in zip(places, self.literals, self._detached, strict=True):
            if literal and (before or after):
                start, end = message.place(place, place + len(literal))
                if (before and not is_boundary(message.original, start)) or (
                    after and not is_boundary(message.original, end)
                ):
                    return False
        return True

    def _cut(self, message: Squeezed, end: int) -> LooseReading | None:
        """A part of the pattern: its end away, its beginning away, or its middle."""
        text = message.text[:end]
        if match := message.ellipsis:
            before = len(squeeze(message.original[: match.start()]))
            ahead = _prefix(self.literals, text[:before])
            back = self._suffix(text[before + len(squeeze(match[0])) :], end)
            if ahead and back and ahead[-1][0] <= back[0][0]:
                return self._partial(message, ahead + back, end)
        first, last = self.literals[0], self.literals[-1]
        pieces: list[_Piece] = []
        if text.startswith(first) or first.startswith(text):
            pieces = _prefix(self.literals, text)
        if not pieces and (text.endswith(last) or last.endswith(text)):
            pieces = self._suffix(text, end)
        return self._partial(message, pieces, end) if pieces else None

    def _suffix(self, text: str, end: int) -> list[_Piece]:
        """The literals that `text`, which ends at `end`, ends with, from where it is cut off."""
        last = len(self.literals) - 1
        backwards = _prefix([literal[::-1] for literal in reversed(self.literals)], text[::-1])
        return [_Piece(last - number, end - stop, end - start) for number, start, stop in reversed(backwards)]

    def _partial(self, message: Squeezed, pieces: list[_Piece], end: int) -> LooseReading | None:
        if sum(piece.stop - piece.start for piece in pieces) < _LEAST_PIECE:
            return None
        parts = [(0.0, 0.0 if literal else 1.0) for literal in self.literals]
        found: dict[int, _Piece] = {}
        for piece in pieces:
            literal = self.literals[piece.number]
            share = (piece.stop - piece.start) / max(1, len(literal))
            is_end = piece is pieces[0] and piece.start == 0 and not message.text.startswith(literal[:_LEAST_PIECE])
            if is_end and share < 1 and self._begins_anew(message, literal, piece):
                return None
            parts[piece.number] = (1 - share, 1.0) if is_end else (0.0, min(1.0, parts[piece.number][1] + share))
            found[piece.number] = _Piece(piece.number, found.get(piece.number, piece).start, piece.stop)
        captures: list[Span | None] = []
        for number, captured in enumerate(self.captured):
            if captured:
                before, after = found.get(number), found.get(number + 1)
                start, stop = before.stop if before else 0, after.start if after else end
                known = (before or after) and start < stop
                captures.append(message.value(start, stop, quoted=self._quoted[number]) if known else None)
        # Before the first and after the last literal a gap of the pattern may well reach to the edge.
        cut_before, cut_after = any(self.literals[: pieces[0].number]), any(self.literals[pieces[-1].number + 1 :])
        unverified_tail = cut_before * pieces[0].start + cut_after * (end - pieces[-1].stop)
        return LooseReading(
            message.place(0, end), tuple(captures), tuple(parts), cut=True, whole=True, unverified_tail=unverified_tail
        )

    def _begins_anew(self, message: Squeezed, literal: str, piece: _Piece) -> bool:
        """Whether a message begins with a capital where the literal has none: a sentence, and not cut in front."""
        first = self._with_capitals[piece.number][len(literal) - (piece.stop - piece.start) :][:1]
        return first.islower() and message.original.lstrip()[:1].isupper()

    def _reading(self, message: Squeezed, places: list[int], end: int, *, cut: bool, whole: bool) -> LooseReading:
        captures: list[Span | None] = []
        for number, captured in enumerate(self.captured):
            if captured:
                start = places[number] + len(self.literals[number])
                if number == 0 and not self.literals[0]:
                    start = 0
                captures.append(message.value(start, places[number + 1], quoted=self._quoted[number]))
        start = places[0] if self.literals[0] else 0
        return LooseReading(message.place(start, end), tuple(captures), ((0.0, 1.0),) * len(self.literals), cut, whole)


def _prefix(literals: Sequence[str], text: str) -> list[_Piece]:
    """The literals that `text` begins with, up to where it is cut off; nothing if it is not cut off."""
    pieces: list[_Piece] = []
    position = 0
    for number, literal in enumerate(literals):
        place = text.find(literal, position) if number else (0 if text.startswith(literal) else -1)
        if place >= 0:
            if literal:
                pieces.append(_Piece(number, place, place + len(literal)))
            position = place + len(literal)
            continue
        # Cut off within this literal, or before it within the gap.
        start = _cut_within(literal, text, position) if number else 0 if literal.startswith(text) else len(text)
        if start < len(text):
            pieces.append(_Piece(number, start, len(text)))
        return pieces
    return []


def _cut_within(literal: str, text: str, position: int) -> int:
    """Where, from `position` on, `text` ends with the beginning of a literal, the earliest place; else its length."""
    place = max(position, len(text) - len(literal) + 1)
    while literal and (place := text.find(literal[0], place)) >= 0:
        if literal.startswith(text[place:]):
            return place
        place += 1
    return len(text)
