"""A message under construction: literal texts and fields, with the conditions that it depends on.

An expression of the source may give several messages (`"a" if x else "b"`, a variable set in two
branches), so it is read into alternatives, each a `Text`.
"""

import ast
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from errkb.records.template import CAPTURE, escape

MOST_ALTERNATIVES = 8
_LONGEST_PATTERN = 4000


class Field(NamedTuple):
    """A place that the program fills: its expression, and the placeholder as the source writes it."""

    name: str
    written: str


Parts = tuple[str | Field, ...]


class Step(NamedTuple):
    """One condition on the way to a statement; its text is made only when it is asked for."""

    kind: str
    """`if`, `while`, `except`, `case` or `else` (of a loop)."""
    node: Any
    negated: bool = False
    early: bool = False
    """Whether it holds because the function would have been left before."""
    names: frozenset[str] = frozenset()
    """Of an early one: the names that must keep their values for it to hold."""


class Text(NamedTuple):
    """One message that an expression may give, and the conditions under which it does."""

    parts: Parts
    steps: tuple[Step, ...] = ()

    @property
    def literal(self) -> str:
        """The literal text, fields left out."""
        return "".join(part for part in self.parts if isinstance(part, str))

    @property
    def speaks(self) -> bool:
        """Whether it has words of its own."""
        return any(char.isalpha() for char in self.literal)


NOTHING = Text((Field("None", "{None}"),))
"""What `None` gives."""


def joined(parts: Iterable[str | Field]) -> Parts:
    """The parts with neighbouring literals made one, empty ones left out."""
    result: list[str | Field] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] += part
        elif part != "":
            result.append(part)
    return tuple(result)


def product(pieces: Sequence[Sequence[Text]]) -> list[Text]:
    """All messages that follow from pieces with alternatives, one after the other, up to a fixed number."""
    if all(len(piece) == 1 for piece in pieces):
        steps = tuple(step for piece in pieces for step in piece[0].steps)
        return [Text(joined(part for piece in pieces for part in piece[0].parts), steps)]
    chosen = itertools.islice(itertools.product(*pieces), MOST_ALTERNATIVES)
    return [
        Text(
            joined(part for text in texts for part in text.parts), tuple(step for text in texts for step in text.steps)
        )
        for texts in chosen
    ]


def template(parts: Parts) -> str:
    """The message as the source writes it: literals, and placeholders in the source's own syntax."""
    written = [part.written for part in parts if isinstance(part, Field)]
    braces = any(field.startswith("{") for field in written)
    percents = any(field.startswith("%") for field in written)
    result = []
    for part in parts:
        if isinstance(part, Field):
            result.append(part.written)
            continue
        if braces:
            part = part.replace("{", "{{").replace("}", "}}")
        result.append(part.replace("%", "%%") if percents else part)
    return "".join(result)


def pattern(parts: Parts) -> str:
    """What matches a message: escaped literals, `(.+?)` for fields; a very long one ends earlier."""
    pieces = [CAPTURE if isinstance(part, Field) else escape(part) for part in parts]
    if sum(map(len, pieces)) > _LONGEST_PATTERN:
        pieces = []
        for part in parts:
            pieces += [CAPTURE] if isinstance(part, Field) else map(escape, part)
        lengths = itertools.accumulate(map(len, pieces))
        pieces = [piece for piece, length in zip(pieces, lengths, strict=True) if length <= _LONGEST_PATTERN]
        while pieces and pieces[-1] == CAPTURE:
            pieces.pop()
    return "".join(pieces)


_FLIPPED = {ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in", ast.Eq: "!=", ast.NotEq: "=="}
_NEEDS_BRACKETS = (ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Lambda)
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.BinOp,
          ast.UnaryOp)  # fmt: skip
_TEXT_OF_NOTHING = re.compile(r"\s+")


class Writer:
    """The source text of syntax nodes: as it stands if on one line, else in canonical form."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._known: dict[int, tuple[ast.expr, str]] = {}  # holds the nodes, so that their ids stay theirs

    def write(self, node: ast.expr) -> str:
        """The text of an expression, on one line."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = node, self._segment(node) or _unparsed(node)
        return known[1]

    def write_field(self, node: ast.expr) -> str:
        """The same for the field of an f-string, where positions are not to be trusted in Python 3.11."""
        if isinstance(node, ast.Name):
            return node.id
        canonical = _unparsed(node)
        if isinstance(node, ast.Attribute):
            return canonical
        segment = self._segment(node)
        if segment and segment != canonical:
            try:
                if _unparsed(ast.parse(segment, mode="eval").body) == canonical:
                    return segment
            except (SyntaxError, ValueError):
                pass
        return canonical

    def condition(self, step: Step) -> str:
        """A condition in words of the source, negated where it must not hold."""
        node = step.node
        if step.kind == "except":
            return f"except {self.write(node.type)}" if node.type else "except"
        if step.kind == "else":
            return f"no break in `for {self.write(node.target)} in {self.write(node.iter)}`"
        if step.kind == "case":
            return self._case(*node)
        return self._negated(node) if step.negated else self.write(node)

    def _case(self, match: ast.Match, number: int) -> str:
        case = match.cases[number]
        subject = self.write(match.subject)
        pattern = _unparsed(case.pattern)
        if pattern == "_" and case.guard is None and number:
            earlier = " | ".join(_unparsed(other.pattern) for other in match.cases[:number])
            return f"match {subject}: not case {earlier}"
        guard = f" if {self.write(case.guard)}" if case.guard else ""
        return f"match {subject}: case {pattern}{guard}"

    def _negated(self, node: ast.expr) -> str:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.write(node.operand)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
            left, right = node.left, node.comparators[0]
            if isinstance(left, _PLAIN) and isinstance(right, _PLAIN):
                return f"{self.write(left)} {_FLIPPED[type(node.ops[0])]} {self.write(right)}"
        text = self.write(node)
        return f"not ({text})" if isinstance(node, _NEEDS_BRACKETS) else f"not {text}"

    def _segment(self, node: ast.expr) -> str:
        line = node.lineno - 1
        if node.end_lineno != node.lineno or line >= len(self.lines):
            return ""
        text = self.lines[line]
        if text.isascii():
            return text[node.col_offset : node.end_col_offset]
        raw = text.encode("utf-8", "surrogatepass")[node.col_offset : node.end_col_offset]
        return raw.decode("utf-8", "replace")


def _unparsed(node: ast.AST) -> str:
    try:
        return _TEXT_OF_NOTHING.sub(" ", ast.unparse(node))
    except (ValueError, RecursionError):
        return "…"
