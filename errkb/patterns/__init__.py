"""What a stored pattern means: read into literals and captures, and matched in linear time.

The stored expression is not run as it is: `status code (.+?)` would find "5" in "503", and
five gaps take a backtracking engine seconds on hostile text. It is *read*:

- White space in a literal matches any run of white space; `.` matches line breaks.
- A reading that covers the whole message wins over one that covers a part.
- A capture at an edge of the pattern reaches to the edge of the message, except a final
  full stop; others are as short as possible.
"""

import re
from typing import TYPE_CHECKING

import msgspec

from errkb.errors import PatternError
from errkb.lazy_regex import lazy
from errkb.patterns.chain import Chain, Gap, folded_chain
from errkb.patterns.effort import Effort
from errkb.patterns.whitespace import Message, fold
from errkb.records.template import CAPTURE

if TYPE_CHECKING:
    from errkb.patterns.automaton import Automaton
    from errkb.patterns.damaged_text import LooseChain, LooseReading, Squeezed

__all__ = ["Message", "Pattern", "Reading", "fold"]

_MOST_ALONE = 20_000_000
"""Steps of a pattern that is tried by itself; how much text it reads is limited as well."""
_SPECIAL = frozenset(".*+?^${}()|[]\\")
PLAIN_LITERAL = lazy(r"(?:[^.*+?^${}()|\[\]\\]|\\[\x00-/:-@\[-`{-\x7f])*")
"""Text of a pattern without operators. The ranges stay in ASCII: up to U+10FFFF they take milliseconds to compile."""
_ESCAPED = lazy(r"\\(.)", re.DOTALL)


class Reading(msgspec.Struct, frozen=True, gc=False):
    """How a pattern matched a message; all spans are half-open offsets into the message's text."""

    whole: bool
    """Whether it covers the message from end to end (outer white space aside)."""
    span: tuple[int, int]
    captures: tuple[tuple[int, int] | None, ...]
    """In the order of the pattern's groups; None for a group that took no part."""

    @property
    def cut(self) -> bool:
        """Whether a part of the pattern is missing: never here, unlike in a `LooseReading`."""
        return False


class Pattern:
    """A stored pattern, ready to match."""

    __slots__ = ("_automaton", "_chain", "_loose", "capture_count", "segments", "stored")

    def __init__(self, stored: str, *, needs_text: bool = True) -> None:
        """Raises PatternError if `stored` is outside the dialect, or has no text of its own though it `needs_text`."""
        self.stored = stored
        self.segments: list[tuple[str, bool, bool]]
        """Texts that stand in every match, and whether a gap touches each before and after."""
        self._automaton: Automaton | None = None
        self._loose: LooseChain | None = None
        self._chain = _plain_chain(stored)
        has_text = True
        if self._chain is None:
            from errkb.patterns.from_dialect import read_parsed  # few patterns need more than the above

            self._chain, self._automaton, self.segments, has_text = read_parsed(stored)
        if self._chain is not None:
            self.segments = _segments(self._chain.literals)
            has_text = any(literal.strip() for literal in self.literals)
            self.capture_count = sum(gap.captured for gap in self._chain.gaps)
        elif self._automaton is not None:
            self.capture_count = self._automaton.slots // 2
        if needs_text and not has_text:
            raise PatternError("a pattern without any text of its own matches everything")

    @property
    def is_chain(self) -> bool:
        """Whether literals and gaps are all it has; others cannot be read loosely."""
        return self._chain is not None

    @property
    def literals(self) -> list[str]:
        """The texts that stand in every message that matches, white space folded."""
        return [literal for literal, _, _ in self.segments if literal]

    def read(self, message: Message) -> Reading | None:
        """The best reading of `message`, or None. Time is linear in the message."""
        chain, text = self._chain, message.folded
        if chain is None:
            return self._read_automaton(message) if text else None
        captures = chain.whole(text)
        span, whole = (0, len(text)), True
        if captures is None:
            inside = chain.inside(text)
            if inside is None:
                return None
            (span, captures), whole = inside, False
        if message.is_plain:
            return Reading(whole, span, tuple(captures))
        return Reading(whole, message.original(*span), tuple(_original(message, capture) for capture in captures))

    def read_loosely(self, message: "Squeezed") -> "LooseReading | None":
        """The best reading of a message that was changed on its way, or None. Ordinary patterns only."""
        if self._chain is None:
            return None
        if self._loose is None:
            from errkb.patterns.damaged_text import LooseChain

            self._loose = LooseChain(self._chain)
        return self._loose.read(message)

    def _read_automaton(self, message: Message) -> Reading | None:
        assert self._automaton is not None  # noqa: S101
        effort = message.effort or Effort(_MOST_ALONE)
        if not all(literal.strip() in message.folded for literal in self.literals):
            return None
        start, end = message.original(0, len(message.folded))
        longest = self._automaton.longest_text
        text = message.text[start : min(end, start + longest)]
        whole = end - start <= longest
        found = self._automaton.run(text, effort, whole=True) if whole else None
        if found is None:
            whole = False
            found = self._automaton.run(text, effort, whole=False)
        if effort.left < 0:
            effort.left_out += 1
        if found is None or found[0][0] == found[0][1]:
            return None
        span, captures = found
        return Reading(
            whole,
            (span[0] + start, span[1] + start),
            tuple(capture and (capture[0] + start, capture[1] + start) for capture in captures),
        )


def _original(message: Message, span: tuple[int, int]) -> tuple[int, int]:
    if span[0] == span[1]:
        place = message.original(span[0], span[0] + 1)[0] if span[0] < len(message.folded) else len(message.text)
        return place, place
    return message.original(*span)


def _plain_chain(stored: str) -> Chain | None:
    """The chain of a pattern of the usual kind, `text (.+?) text`, found without parsing."""
    literals = []
    for piece in stored.split(CAPTURE):
        if not _SPECIAL.isdisjoint(piece):
            if not PLAIN_LITERAL.fullmatch(piece):
                return None
            piece = _ESCAPED.sub(r"\1", piece)
        literals.append(piece)
    return folded_chain(literals, [Gap(1, captured=True)] * (len(literals) - 1))


def _segments(literals: tuple[str, ...]) -> list[tuple[str, bool, bool]]:
    last = len(literals) - 1
    return [(literal, number > 0, number < last) for number, literal in enumerate(literals)]
