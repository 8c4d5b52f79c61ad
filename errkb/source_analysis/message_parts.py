"""A message under construction: literal texts and fields, with the conditions that it depends on.

An expression of the source may give several messages (`"a" if x else "b"`, a variable set in two
branches), so it is read into alternatives, each a `Text`.
"""

import itertools
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


class BranchCondition(NamedTuple):
    """One condition on the way to a statement. `SourceWriter.condition` makes its text when it is needed."""

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
    conditions: tuple[BranchCondition, ...] = ()

    @property
    def literal(self) -> str:
        """Its literal text, fields left out."""
        return "".join(part for part in self.parts if isinstance(part, str))

    @property
    def has_words(self) -> bool:
        """Whether any literal text in it has letters."""
        return any(char.isalpha() for char in self.literal)


NONE_TEXT = Text((Field("None", "{None}"),))
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
        conditions = tuple(condition for piece in pieces for condition in piece[0].conditions)
        return [Text(joined(part for piece in pieces for part in piece[0].parts), conditions)]
    chosen = itertools.islice(itertools.product(*pieces), MOST_ALTERNATIVES)
    return [
        Text(
            joined(part for text in texts for part in text.parts),
            tuple(condition for text in texts for condition in text.conditions),
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
