"""What a stored pattern means: read into literals and captures, and matched in linear time.

The stored expression is not run as it stands: `status code (.+?)` would find "5" in "503", and
five gaps take a backtracking engine seconds on hostile text. It is *read*:

- White space in a literal matches any run of white space; `.` matches line breaks.
- A reading that covers the whole message wins over one that covers a part.
- A capture at the very edge of the pattern reaches to the edge of the message, but for a final
  full stop; others are as short as possible.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from errkb.errors import PatternError
from errkb.patterns.automaton import Automaton
from errkb.patterns.chain import Chain, Gap
from errkb.patterns.dialect import ANY, UNBOUNDED, Capture, Choice, Literal, Node, Repeat, Sequence, parse
from errkb.patterns.folding import Message, fold
from errkb.patterns.loose import LooseChain, LooseReading, Squeezed
from errkb.template import CAPTURE

__all__ = ["LooseReading", "Message", "Pattern", "Reading", "Squeezed", "fold"]

_PLAIN_LITERAL = re.compile(r"(?:[^.*+?^${}()|\[\]\\]|\\[^A-Za-z0-9\x80-\U0010ffff])*")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WHITE_SPACE_RUN = re.compile(r"\s+")


class Reading(NamedTuple):
    """How a pattern matched a message; all spans are half-open offsets into the message's text."""

    whole: bool
    """Whether it covers the message from end to end (outer white space aside)."""
    span: tuple[int, int]
    captures: tuple[tuple[int, int] | None, ...]
    """In the order of the pattern's groups; None for a group that took no part."""


class Pattern:
    """A stored pattern, ready to match."""

    __slots__ = ("_automaton", "_chain", "_loose", "capture_count", "segments", "stored")

    def __init__(self, stored: str) -> None:
        """Raises PatternError if `stored` is outside the dialect."""
        self.stored = stored
        self.segments: list[tuple[str, bool, bool]]
        """Texts that stand in every match, and whether a gap touches each before and after."""
        self._automaton: Automaton | None = None
        self._loose: LooseChain | None = None
        root = None if (chain := _plain_chain(stored)) else parse(stored)
        self._chain = chain or (_chain(root) if root else None)
        if self._chain is not None:
            self.segments = _segments(self._chain.literals)
            self.capture_count = sum(gap.captured for gap in self._chain.gaps)
        else:
            assert root is not None  # noqa: S101
            root = _trimmed(root)
            self._automaton = Automaton(root)
            self.segments = [(fold(literal), True, True) for literal in _required_literals(root)]
            self.capture_count = self._automaton.slots // 2
        if not (any(literal.strip() for literal in self.literals) or (root and _has_text(root))):
            raise PatternError("a pattern without any text of its own matches everything")

    @property
    def literals(self) -> list[str]:
        """The texts that stand in every message that matches, white space folded."""
        return [literal for literal, _, _ in self.segments if literal]

    def read(self, message: Message) -> Reading | None:
        """The best reading of `message`, or None. Time is linear in the message."""
        if not message.folded:
            return None
        return self._read_automaton(message) if self._chain is None else self._read_chain(self._chain, message)

    def read_loosely(self, message: Squeezed) -> LooseReading | None:
        """The best reading of a message that was changed on its way, or None. Ordinary patterns only."""
        if self._chain is None:
            return None
        if self._loose is None:
            self._loose = LooseChain(self._chain)
        return self._loose.read(message)

    def _read_chain(self, chain: Chain, message: Message) -> Reading | None:
        text = message.folded
        captures = chain.whole(text)
        span, whole = (0, len(text)), True
        if captures is None:
            inside = chain.inside(text)
            if inside is None:
                return None
            (span, captures), whole = inside, False
        return Reading(whole, message.original(*span), tuple(_original(message, capture) for capture in captures))

    def _read_automaton(self, message: Message) -> Reading | None:
        assert self._automaton is not None  # noqa: S101
        if not all(literal in message.folded for literal in self.literals):
            return None
        start, end = message.original(0, len(message.folded))
        longest = self._automaton.longest_text
        text = message.text[start : min(end, start + longest)]
        whole = end - start <= longest
        found = self._automaton.run(text, whole=True) if whole else None
        if found is None:
            whole = False
            found = self._automaton.run(text, whole=False)
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
    pieces = stored.split(CAPTURE)
    if not all(map(_PLAIN_LITERAL.fullmatch, pieces)):
        return None
    return _folded_chain([_ESCAPED.sub(r"\1", piece) for piece in pieces], [Gap(1, captured=True)] * (len(pieces) - 1))


def _chain(root: Sequence) -> Chain | None:
    """The chain of a parsed pattern, or None if it needs more."""
    literals, gaps = [""], []
    for node in root.nodes:
        if isinstance(node, Literal):
            literals[-1] += node.text
            continue
        inner = _unwrapped(node.node) if isinstance(node, Capture) else node
        if not (isinstance(inner, Repeat) and inner.node == ANY and inner.most == UNBOUNDED):
            return None
        gaps.append(Gap(inner.least, captured=isinstance(node, Capture)))
        literals.append("")
    return _folded_chain(literals, gaps)


def _segments(literals: tuple[str, ...]) -> list[tuple[str, bool, bool]]:
    last = len(literals) - 1
    return [(literal, number > 0, number < last) for number, literal in enumerate(literals)]


def _folded_chain(literals: list[str], gaps: list[Gap]) -> Chain:
    folded = [_WHITE_SPACE_RUN.sub(" ", literal) for literal in literals]
    folded[0] = folded[0].lstrip()
    folded[-1] = folded[-1].rstrip()
    return Chain(folded, gaps)


def _trimmed(root: Sequence) -> Sequence:
    """For the edges of a message: no white space there, and a repeat at the end takes all it can."""
    nodes = list(root.nodes)
    if nodes and isinstance(nodes[0], Literal):
        nodes[0] = Literal(nodes[0].text.lstrip())
    if nodes and isinstance(nodes[-1], Literal):
        nodes[-1] = Literal(nodes[-1].text.rstrip())
    if nodes:
        nodes[-1] = _greedy(nodes[-1])
    return Sequence(tuple(nodes))


def _greedy(node: Node) -> Node:
    match node:
        case Capture(inner):
            return Capture(_greedy(inner))
        case Sequence((*before, last)):
            return Sequence((*before, _greedy(last)))
        case Repeat(inner, least, most):
            return Repeat(inner, least, most, lazy=False)
    return node


def _unwrapped(node: Node) -> Node:
    return node.nodes[0] if isinstance(node, Sequence) and len(node.nodes) == 1 else node


def _has_text(node: Node) -> bool:
    """Whether any literal text stands in a pattern, in an alternative or repeat too."""
    match node:
        case Literal(text):
            return bool(text.strip())
        case Capture(inner) | Repeat(inner):
            return _has_text(inner)
        case Sequence(parts) | Choice(parts):
            return any(map(_has_text, parts))
    return False


def _required_literals(node: Node) -> Iterator[str]:
    """The texts that stand in every message that matches."""
    match node:
        case Literal(text):
            yield text
        case Capture(inner):
            yield from _required_literals(inner)
        case Sequence(nodes):
            for part in nodes:
                yield from _required_literals(part)
        case Repeat(inner, least) if least > 0:
            yield from _required_literals(inner)
