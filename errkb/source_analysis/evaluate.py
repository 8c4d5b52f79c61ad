"""From an expression of the source to the messages that it may give, without running anything."""

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from errkb.source_analysis.interpolation import Interpolation
from errkb.source_analysis.lists import join, list_key
from errkb.source_analysis.message_parts import (
    MOST_ALTERNATIVES,
    NONE_TEXT,
    BranchCondition,
    Field,
    Text,
    joined,
    product,
)
from errkb.source_analysis.source_writer import SourceWriter
from errkb.source_analysis.syntax import (
    IDENTITY_CALLS,
    PLURAL_CALLS,
    TEXT_PRESERVING_METHODS,
    dotted_name,
    may_be_text,
)

_DEEPEST = 24
_READERS: dict[type[ast.expr], str] = {
    ast.Constant: "_constant",
    ast.JoinedStr: "_f_string",
    ast.BinOp: "_operation",
    ast.Call: "_call",
    ast.IfExp: "_conditional",
    ast.BoolOp: "_or_expression",
    ast.NamedExpr: "_assignment_expression",
    ast.Name: "_name",
    ast.Attribute: "_name",
    ast.Subscript: "_item",
}
"""The kinds of expressions that are understood, and the method that reads them."""
_METHOD_READERS = {"format": "_format_call", "join": "_join_call"} | dict.fromkeys(
    TEXT_PRESERVING_METHODS, "_preserving_call"
)
"""The methods of texts that are understood, and what reads a call of them."""


class NameResolver(Protocol):
    """What an evaluation knows of its surroundings."""

    writer: SourceWriter

    def find(self, name: str) -> Sequence[Text] | None:
        """The messages that a (dotted) name may stand for, or None if that is not known."""

    def find_item(self, name: str, key: str) -> Sequence[Text] | None:
        """The messages that an item of a mapping may be, or None if that is not known."""

    def find_keywords(self, name: str) -> Mapping[str, Sequence[Text]] | None:
        """What a `**name` parameter is known to hold."""


class Evaluator:
    """The reading of expressions in given surroundings."""

    def __init__(self, names: NameResolver) -> None:
        self._names = names
        self._writer = names.writer
        self._depth = 0

    @cached_property
    def _interpolation(self) -> Interpolation:
        return Interpolation(self._known, self._names.find_keywords, self._writer)

    def texts(self, node: ast.expr) -> list[Text]:
        """The messages that an expression may give, at least one; what is not understood is a field."""
        if self._depth > _DEEPEST:
            return [self._field(node)]
        self._depth += 1
        try:
            found = self._known(node)
        finally:
            self._depth -= 1
        return found[:MOST_ALTERNATIVES] if found else [self._field(node)]

    def _known(self, node: ast.expr) -> list[Text] | None:
        """The messages of an expression that is understood."""
        name = _READERS.get(type(node))
        if name is None:
            return None
        read: Callable[[Any], list[Text] | None] = getattr(self, name)
        return read(node)

    def _field(self, node: ast.expr) -> Text:
        name = self._writer.write(node)
        return Text((Field(name, f"{{{name}}}"),))

    @staticmethod
    def _constant(node: ast.Constant) -> list[Text] | None:
        return None if node.value is None else [Text(joined([str(node.value)]))]

    def _f_string(self, node: ast.JoinedStr) -> list[Text]:
        return product([self._f_string_piece(piece) for piece in node.values])

    def _f_string_piece(self, node: ast.expr) -> list[Text]:
        return self._interpolation.f_string_field(node) if isinstance(node, ast.FormattedValue) else self.texts(node)

    def _conditional(self, node: ast.IfExp) -> list[Text]:
        holds, fails = BranchCondition("if", node.test), BranchCondition("if", node.test, negated=True)
        return [
            *(_with_condition(text, holds) for text in self.texts(node.body)),
            *(_with_condition(text, fails) for text in self.texts(node.orelse)),
        ]

    def _or_expression(self, node: ast.BoolOp) -> list[Text] | None:
        """`a or b`: what the first one that is not empty gives."""
        if not isinstance(node.op, ast.Or):
            return None
        found: list[Text] = []
        empty: tuple[BranchCondition, ...] = ()
        for number, value in enumerate(node.values):
            is_last = number == len(node.values) - 1
            chosen = empty if is_last else (*empty, BranchCondition("if", value))
            found += [Text(text.parts, (*chosen, *text.conditions)) for text in self.texts(value) if text != NONE_TEXT]
            empty = (*empty, BranchCondition("if", value, negated=True))
        return found

    def _assignment_expression(self, node: ast.NamedExpr) -> list[Text]:
        return self.texts(node.value)

    def _name(self, node: ast.Name | ast.Attribute) -> list[Text] | None:
        name = dotted_name(node)
        return list(self._names.find(name) or ()) if name else None

    def _item(self, node: ast.Subscript) -> list[Text] | None:
        name = dotted_name(node.value) if isinstance(node.slice, ast.Constant) else ""
        if not name or not isinstance(node.slice, ast.Constant):
            return None
        return list(self._names.find_item(name, str(node.slice.value)) or ())

    def _operation(self, node: ast.BinOp) -> list[Text] | None:
        if isinstance(node.op, ast.Mod):
            left = self.texts(node.left)
            if not any(text.literal for text in left):
                return None
            return [text for start in left for text in self._interpolation.percent(start, node.right)]
        if not isinstance(node.op, ast.Add):
            return None
        pieces: list[ast.expr] = []
        left_most: ast.expr = node
        while isinstance(left_most, ast.BinOp) and isinstance(left_most.op, ast.Add):
            pieces.append(left_most.right)
            left_most = left_most.left
        texts = product([self.texts(piece) for piece in (left_most, *reversed(pieces))])
        return texts if any(text.literal for text in texts) else None

    def _call(self, node: ast.Call) -> list[Text] | None:
        function = node.func
        if not isinstance(function, ast.Name | ast.Attribute):
            return None
        name = function.id if isinstance(function, ast.Name) else function.attr
        if name in IDENTITY_CALLS and node.args and not isinstance(node.args[0], ast.Starred):
            return self.texts(node.args[0])
        if name in PLURAL_CALLS and len(node.args) >= 2:
            return [*self.texts(node.args[0]), *self.texts(node.args[1])]
        if isinstance(function, ast.Name) or name not in _METHOD_READERS:
            return None
        read: Callable[[ast.expr, ast.Call], list[Text] | None] = getattr(self, _METHOD_READERS[name])
        return read(function.value, node)

    def _format_call(self, receiver: ast.expr, node: ast.Call) -> list[Text] | None:
        starts = self.texts(receiver)
        if not any(text.literal for text in starts):
            return None
        return [text for start in starts for text in self._interpolation.brace_format(start, node)]

    def _preserving_call(self, receiver: ast.expr, node: ast.Call) -> list[Text] | None:
        if not may_be_text(receiver):
            return None
        found = self.texts(receiver)
        stripped = isinstance(node.func, ast.Attribute) and node.func.attr == "strip"
        return [_stripped(text) for text in found] if stripped else found

    def _join_call(self, separator: ast.expr, node: ast.Call) -> list[Text] | None:
        if len(node.args) != 1:
            return None
        joined_value = node.args[0]
        if not isinstance(joined_value, ast.List | ast.Tuple):
            held = self._names.find(list_key(dotted_name(joined_value)))
            return join(self.texts(separator), held) if held else None
        members = joined_value.elts
        if not members or any(isinstance(member, ast.Starred) for member in members):
            return None
        between = self.texts(separator)
        pieces = [piece for member in members for piece in (between, self.texts(member))]
        return product(pieces[1:])


def _with_condition(text: Text, condition: BranchCondition) -> Text:
    return Text(text.parts, (condition, *text.conditions))


def _stripped(text: Text) -> Text:
    parts = list(text.parts)
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return Text(joined(parts), text.conditions)
