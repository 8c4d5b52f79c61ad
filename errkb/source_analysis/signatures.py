"""How a function presents itself: its signature on one line, its docstring, where its values come from."""

import ast
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_ROOT_NAMES = re.compile(r"""(?<![\w.'"])[A-Za-z_]\w*""")
_LONGEST_SIGNATURE = 400
_MOST_NAMES = 50
_LONGEST_DOC = 200


def signature(node: Definition, lines: Sequence[str]) -> str:
    """The signature as the source has it, comments left out."""
    start, end = node.lineno - 1, max(node.body[0].lineno - 1, node.lineno)
    head = " ".join(" ".join(line.split()) for line in _without_comments(lines[start:end]))
    head = head.rpartition(":")[0] if head.rstrip().endswith(":") else head
    for bracket in "([":
        head = head.replace(f"{bracket} ", bracket)
    head = head.replace(", )", ")").replace(" )", ")").replace(" ]", "]")
    return head if len(head) <= _LONGEST_SIGNATURE else head[: _LONGEST_SIGNATURE - 1] + "…"


def _without_comments(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        code, mark, _ = line.partition("#")
        yield line if mark and ("'" in line or '"' in line) else code


def docstring_summary(node: Definition) -> str:
    """The first line of its docstring, "" if it has none."""
    first = node.body[0]
    if not (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    ):
        return ""
    lines = first.value.value.strip().splitlines()
    return lines[0].strip()[:_LONGEST_DOC] if lines else ""


def source_parameters(
    expression: str, parameters: Container[str], assignments: Mapping[str, Sequence[ast.expr]]
) -> tuple[str, ...]:
    """The parameters that an expression's value comes from, through simple assignments."""
    found: set[str] = set()
    todo, seen = _ROOT_NAMES.findall(expression), set[str]()
    while todo and len(seen) < _MOST_NAMES:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in parameters:
            found.add(name)
        else:
            for value in assignments.get(name, ()):
                todo += [node.id for node in ast.walk(value) if isinstance(node, ast.Name)]
    return tuple(sorted(found - {"self", "cls"}))
