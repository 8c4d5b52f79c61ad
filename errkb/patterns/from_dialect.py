"""Patterns that need the parser: those of the dialect that are not just `text (.+?) text`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from errkb.patterns.automaton import Automaton
from errkb.patterns.chain import Chain, Gap, folded_chain
from errkb.patterns.dialect import ANY, UNBOUNDED, Capture, Choice, Literal, Node, Repeat, Sequence, parse

_WHITE_SPACE_RUN = re.compile(r"\s+")


class Parsed(NamedTuple):
    """A pattern as a chain, if literals and gaps are all it has, else as an automaton."""

    chain: Chain | None
    automaton: Automaton | None
    segments: list[tuple[str, bool, bool]]
    """For an automaton: texts that stand in every match; a gap may touch each on both sides."""
    has_text: bool


def read_parsed(stored: str) -> Parsed:
    """Raises PatternError if `stored` is outside the dialect."""
    root = parse(stored)
    if chain := _chain(root):
        return Parsed(chain, None, [], has_text=True)
    root = _trimmed(root)
    segments = [(_WHITE_SPACE_RUN.sub(" ", literal), True, True) for literal in _required_literals(root)]
    return Parsed(None, Automaton(root), segments, _has_text(root))


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
    return folded_chain(literals, gaps)


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
