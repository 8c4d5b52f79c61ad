"""Message templates of installed Python source: material for large datasets and word statistics.

    python benchmarks/templates.py            # of this interpreter's library and packages, JSON Lines

A plain sweep over `raise X("…")`, f-strings, `%` and `.format` included; nothing is imported or run.
"""

import ast
import json
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Template(NamedTuple):
    """A message template, the class raised with it, and where."""

    package: str
    error_class: str
    message: str
    file: str
    line: int


def installed_roots() -> list[Path]:
    """The standard library and the site-packages of this interpreter."""
    paths = sysconfig.get_paths()
    return [Path(paths[name]) for name in dict.fromkeys(("stdlib", "purelib", "platlib"))]


def harvest(root: Path) -> Iterator[Template]:
    """The templates below a folder, in the order of the files' names."""
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        if {"test", "tests", "idlelib", "lib2to3"} & set(relative.parts):
            continue
        if root.name != "site-packages" and "site-packages" in relative.parts:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError, OSError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                name = ast.unparse(node.exc.func).rpartition(".")[2]
                message = template_of(node.exc.args[0])
                if name[:1].isupper() and message and 6 <= len(message) <= 400:
                    package = relative.parts[0].removesuffix(".py")
                    yield Template(package, name, message, relative.as_posix(), node.lineno)


def template_of(node: ast.expr) -> str | None:
    """The message that an expression builds, placeholders in braces, or None if it is no text."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            parts = [template_of(value) for value in values]
            return "".join(part for part in parts if part)
        case ast.FormattedValue(value=value):
            return "{" + ast.unparse(value) + "}"
        case ast.BinOp(left=left, op=ast.Mod()):
            return template_of(left)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = template_of(left), template_of(right)
            return None if first is None and second is None else (first or "{}") + (second or "{}")
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return template_of(value)
    return None


if __name__ == "__main__":
    for place in installed_roots():
        for template in harvest(place):
            sys.stdout.write(json.dumps(template._asdict()) + "\n")
