"""Messages that grow in a list, line by line, until they are joined.

What a list holds stands among the variables under a key of its own, as one text with a mark before
every member; joining puts the separator in the place of the marks.
"""

import ast
from collections.abc import Callable, Sequence

from errkb.source_analysis.message_parts import MOST_ALTERNATIVES, Field, Text, joined, product
from errkb.source_analysis.syntax import dotted_name

_MARK = "\x00"
_MOST_MEMBERS = 20
Texts = Callable[[ast.expr], list[Text]]


def list_key(name: str) -> str:
    """The key of what a list holds."""
    return f"{name}[]"


def members(node: ast.expr, texts: Texts) -> list[Text] | None:
    """What a list that is written out holds; None if it is none, or holds more than single members."""
    if not isinstance(node, ast.List) or len(node.elts) > _MOST_MEMBERS:
        return None
    if any(isinstance(member, ast.Starred) for member in node.elts):
        return None
    return product([_marked(texts(member)) for member in node.elts]) if node.elts else [Text(())]


def grow(statement: ast.stmt, env: dict[str, list[Text]], texts: Texts) -> None:
    """Note what `name.append(…)` adds; any other use of a method makes the list an unknown one."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return
    key = list_key(dotted_name(call.func.value))
    if key not in env:
        return
    if call.func.attr == "append" and len(call.args) == 1 and not call.keywords:
        env[key] = product([env[key], _marked(texts(call.args[0]))])[:MOST_ALTERNATIVES]
    else:
        del env[key]


def join(separators: Sequence[Text], held: Sequence[Text]) -> list[Text]:
    """The texts of a list joined."""
    return [
        Text(
            joined(
                part.replace(_MARK, separator.literal) if isinstance(part, str) else part for part in _unmarked(text)
            ),
            text.conditions,
        )
        for separator in separators
        for text in held
    ]


def _marked(texts: list[Text]) -> list[Text]:
    return product([[Text((_MARK,))], texts])


def _unmarked(text: Text) -> Sequence[str | Field]:
    first = text.parts[0] if text.parts else ""
    return (first[1:], *text.parts[1:]) if isinstance(first, str) and first.startswith(_MARK) else text.parts
