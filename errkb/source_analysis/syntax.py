"""What pieces of syntax look like: dotted names, what may be a text, loops that are left."""

import ast
from collections.abc import Iterable

TRANSLATORS = frozenset({
    "_", "N_", "gettext", "gettext_lazy", "gettext_noop", "lazy_gettext", "_lazy_gettext", "ugettext", "ugettext_lazy",
    "dedent", "cleandoc", "fill", "str", "force_str", "smart_str", "mark_safe", "Markup",
})  # fmt: skip
"""Calls that give back their first argument, as far as its text is concerned."""
KEEPING = frozenset({"strip", "lstrip", "rstrip", "expandtabs", "encode", "decode"})
"""Methods that keep the words of a text."""
_DEEPEST = 24


def may_be_text(node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression looks as if it made a text; cheap, and wrong in rare cases only."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.JoinedStr):
        return True
    if depth > _DEEPEST:
        return False
    if isinstance(node, ast.BinOp):
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            if may_be_text(node.right, depth + 1):
                return True
            node = node.left
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Mod) and (may_be_text(node.left, depth + 1) or _is_message_name(node.left))
        return may_be_text(node, depth + 1)
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            if function.attr in ("format", "join", "replace") or function.attr in KEEPING:
                return may_be_text(function.value, depth + 1) or _is_message_name(function.value)
            return function.attr in TRANSLATORS and bool(node.args) and may_be_text(node.args[0], depth + 1)
        return (
            isinstance(function, ast.Name)
            and function.id in TRANSLATORS
            and any(may_be_text(arg, depth + 1) for arg in node.args[:1])
        )
    if isinstance(node, ast.IfExp):
        return may_be_text(node.body, depth + 1) or may_be_text(node.orelse, depth + 1)
    if isinstance(node, ast.BoolOp):
        return any(may_be_text(value, depth + 1) for value in node.values)
    return _is_message_name(node)


def _is_message_name(node: ast.expr) -> bool:
    name = dotted(node).rpartition(".")[2]
    return name.isupper() or any(word in name.lower() for word in ("msg", "message", "fmt", "template", "error"))


def dotted(node: ast.AST) -> str:
    """`a.b.c` of nested attributes, "" for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


def breaks(body: Iterable[ast.stmt]) -> bool:
    """Whether a `break` of this very loop stands in its body."""
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
