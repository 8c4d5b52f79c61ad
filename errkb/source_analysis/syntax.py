"""What pieces of syntax look like: dotted names, what may be a text, loops that are left."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

IDENTITY_CALLS = frozenset({
    "_", "N_", "gettext", "gettext_lazy", "gettext_noop", "lazy_gettext", "_lazy_gettext", "ugettext", "ugettext_lazy",
    "dedent", "cleandoc", "fill", "str", "force_str", "smart_str", "mark_safe", "Markup",
})  # fmt: skip
"""Calls that give back their first argument, as far as its text is concerned."""
PLURAL_CALLS = frozenset({"ngettext", "ngettext_lazy", "ungettext"})
"""Calls that give back their first argument or their second, by a number."""
TEXT_PRESERVING_METHODS = frozenset({"strip", "lstrip", "rstrip", "expandtabs", "encode", "decode"})
"""Methods that keep the words of a text."""
_TEXT_MAKING_METHODS = TEXT_PRESERVING_METHODS | {"format", "join", "replace"}
_MESSAGE_WORDS = ("msg", "message", "fmt", "template", "error")
_DEEPEST = 24


def may_be_text(node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression looks as if it made a text; cheap, and wrong in rare cases only."""
    if depth > _DEEPEST and not isinstance(node, ast.Constant | ast.JoinedStr):
        return False
    return _TEXT_CHECKS.get(type(node), _names_message)(node, depth)


def _operation_makes_text(node: ast.BinOp, depth: int) -> bool:
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        if may_be_text(left.right, depth + 1):
            return True
        left = left.left
    if not isinstance(left, ast.BinOp):
        return may_be_text(left, depth + 1)
    return isinstance(left.op, ast.Mod) and (may_be_text(left.left, depth + 1) or _names_message(left.left))


def _call_makes_text(node: ast.Call, depth: int) -> bool:
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in _TEXT_MAKING_METHODS:
        return may_be_text(function.value, depth + 1) or _names_message(function.value)
    name = dotted_name(function) if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in IDENTITY_CALLS and bool(node.args) and may_be_text(node.args[0], depth + 1)


def _names_message(node: ast.expr, _depth: int = 0) -> bool:
    """Whether a name is one that programs give to messages: a constant's, or one with a word like `msg`."""
    name = dotted_name(node).rpartition(".")[2]
    return name.isupper() or any(word in name.lower() for word in _MESSAGE_WORDS)


_TEXT_CHECKS: dict[type[ast.expr], Callable[[Any, int], bool]] = {
    ast.Constant: lambda node, _depth: isinstance(node.value, str),
    ast.JoinedStr: lambda _node, _depth: True,
    ast.BinOp: _operation_makes_text,
    ast.Call: _call_makes_text,
    ast.IfExp: lambda node, depth: may_be_text(node.body, depth + 1) or may_be_text(node.orelse, depth + 1),
    ast.BoolOp: lambda node, depth: any(may_be_text(value, depth + 1) for value in node.values),
}
"""The kinds of expressions that may make a text, and when they do; any other one may be the name of a text."""


def dotted_name(node: ast.AST) -> str:
    """`a.b.c` of nested attributes, "" for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


def has_break(body: Iterable[ast.stmt]) -> bool:
    """Whether a `break` of the loop with this body stands in it."""
    todo = list(body)
    while todo:
        statement = todo.pop()
        if isinstance(statement, ast.Break):
            return True
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
            todo += statement.orelse
            continue
        for field in ("body", "orelse", "finalbody"):
            todo += getattr(statement, field, ())
        for inner in getattr(statement, "handlers", ()) or getattr(statement, "cases", ()):
            todo += inner.body
    return False


def is_none(node: ast.expr) -> bool:
    """Whether an expression is `None`."""
    return isinstance(node, ast.Constant) and node.value is None
