"""X: the example, a half that fails and a half that works."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from errkb.exception_names import last_name
from errkb.records.examples import (
    before_and_after,
    is_about_syntax,
    may_be_python,
    parse_python,
    syntax_error,
    usual_before_and_after,
)
from errkb.validation.rule import Context, Rule, Subject, Violation

_LEADER = r"^[ \t]*(?:#|//|--|;|%|/\*|<!--|\(\*)+[ \t]*"
_BEFORE = re.compile(_LEADER + r"before\b[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_AFTER = re.compile(_LEADER + r"after\b[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_IMPORT = re.compile(r"^(?:import|from (?!__future__)[\w.]+ import) [\w., ]+$", re.MULTILINE)


class _Verdict(NamedTuple):
    """What is wrong with an example, by rule."""

    incomplete: str | None = None
    syntax: str | None = None
    unchanged: bool = False
    unused: tuple[str, ...] = ()


_MEANT_TO_BE_CAUGHT = frozenset({"KeyboardInterrupt", "CancelledError", "StopIteration", "SystemExit"})
"""Exceptions that end something on purpose: to catch them is the fix."""


@lru_cache(1024)
def _verdict(example: str, python: bool, about_syntax: bool = False) -> _Verdict:
    first, second, reason = _split(example)
    if reason:
        return _Verdict(incomplete=reason)
    for name, half in (("before", first), ("after", second)):
        if not half.strip():
            return _Verdict(incomplete=f"the '# {name}' half is empty")
    if _stripped(first) == _stripped(second):
        return _Verdict(unchanged=True)
    if python:
        for name, half in (("before", first), ("after", second))[about_syntax:]:
            if reason := syntax_error(half):
                return _Verdict(syntax=f"the '# {name}' half is no Python: {reason}")
        return _Verdict(unused=_unused_in_both(first, second))
    return _Verdict()


def _unused_in_both(first: str, second: str) -> tuple[str, ...]:
    """Names that the before and the after half import and neither uses."""
    unused = []
    for line in _IMPORT.findall(first):
        if f"{line}\n" in second:
            for part in line.rpartition("import ")[2].split(","):
                name = part.split()[-1].partition(".")[0]
                if first.count(name) + second.count(name) <= 2 * line.count(name):
                    unused.append(name)
    return tuple(unused)


def _hides(subject: Subject, _context: Context) -> Iterable[Violation]:
    code = before_and_after(subject.record.example_fix)
    if subject.record.error_class in _MEANT_TO_BE_CAUGHT:
        return ()
    if not code or "except" in code[0] or "except" not in code[1] or not may_be_python(subject.record):
        return ()
    tree = parse_python(code[1])
    if tree is None:
        return ()
    wide = {"Exception", "BaseException", last_name(subject.record.error_class or "")}
    if any(_catches(handler) & wide and all(map(_does_nothing, handler.body)) for handler in _once_only(tree)):
        return [Violation("the '# after' half catches the error and goes on", "/exampleFix")]
    return ()


def _once_only(node: ast.AST) -> Iterator[ast.ExceptHandler]:
    """The handlers that stand in no loop, where going on means to try again."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ExceptHandler):
            yield child
        if not isinstance(child, ast.For | ast.AsyncFor | ast.While):
            yield from _once_only(child)


def _catches(handler: ast.ExceptHandler) -> set[str]:
    """The last names of the classes that a handler catches."""
    if handler.type is None:
        return {"BaseException"}
    classes = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {last_name(ast.unparse(one)) for one in classes}


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Continue() | ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="print"))):
            return True
    return False


def _stripped(half: str) -> list[str]:
    """The lines of a half without white space at their ends; an indentation means something."""
    return [line.rstrip() for line in half.strip("\n").split("\n")]


def _split(example: str) -> tuple[str, str, str | None]:
    """The before and the after half, or what is wrong with them."""
    if parts := usual_before_and_after(example):
        return *parts, None
    before, after = _BEFORE.search(example), _AFTER.search(example)
    if before and after:
        if after.start() < before.end():
            return "", "", "the '# after' half stands first"
        return example[before.end() : after.start()], example[after.end() :], None
    missing = " and ".join(f"'# {name}'" for name, found in (("before", before), ("after", after)) if not found)
    return "", "", f"no {missing} half"


def _of(subject: Subject) -> _Verdict | None:
    record = subject.record
    return (
        None
        if record.example_fix is None
        else _verdict(record.example_fix, may_be_python(record), is_about_syntax(record))
    )


def _incomplete(subject: Subject, _context: Context) -> Iterable[Violation]:
    verdict = _of(subject)
    return [Violation(verdict.incomplete, "/exampleFix")] if verdict and verdict.incomplete else ()


def _syntax(subject: Subject, _context: Context) -> Iterable[Violation]:
    verdict = _of(subject)
    return [Violation(verdict.syntax, "/exampleFix")] if verdict and verdict.syntax else ()


def _unchanged(subject: Subject, _context: Context) -> Iterable[Violation]:
    verdict = _of(subject)
    return [Violation("before and after are the same", "/exampleFix")] if verdict and verdict.unchanged else ()


def _unused(subject: Subject, _context: Context) -> Iterable[Violation]:
    verdict = _of(subject)
    return [
        Violation(f"{name} is imported and not used", "/exampleFix") for name in (verdict.unused if verdict else ())
    ]


INCOMPLETE = Rule(
    code="X001",
    name="example-halves",
    what="exampleFix lacks a half: a comment '# before', code that fails, a comment '# after', code that works.",
    why="Readers are shown the difference, and `errkb prove` runs both.",
    bad='"exampleFix": "int(\'7\')"',
    good="\"exampleFix\": \"# before\\nint('seven')\\n\\n# after\\nint('7')\"",
    check=_incomplete,
)
SYNTAX = Rule(
    code="X002",
    name="example-syntax",
    what="A half of the example is Python and does not parse.",
    why="What does not parse fails with another error than the one that the record is about.",
    bad='"exampleFix": "# before\\nimport json\\njson.loads(\\n\\n# after\\n…"',
    good='"exampleFix": "# before\\nimport json\\njson.loads(\'\')\\n\\n# after\\n…"',
    check=_syntax,
    superseded_by=("X001",),
)
UNCHANGED = Rule(
    code="X003",
    name="example-unchanged",
    what="The before and the after half of the example are the same.",
    why="Then nothing is fixed.",
    bad='"exampleFix": "# before\\nint(x)\\n\\n# after\\nint(x)"',
    good="\"exampleFix\": \"# before\\nint('seven')\\n\\n# after\\nint('7')\"",
    check=_unchanged,
    superseded_by=("X001",),
)
HIDDEN = Rule(
    code="X004",
    name="example-hides-error",
    severity="warning",
    what="The after half puts a try around the fault whose except does nothing, or only prints.",
    why="A reader wants the cause fixed. What is left undone then fails further on.",
    bad='"exampleFix": "# before\\nint(x)\\n\\n# after\\ntry:\\n    int(x)\\nexcept ValueError:\\n    pass"',
    good="\"exampleFix\": \"# before\\nint('seven')\\n\\n# after\\nint('7')\"",
    check=_hides,
    superseded_by=("X001", "X002"),
)
UNUSED = Rule(
    code="X005",
    name="example-unused-import",
    severity="warning",
    what="The before and the after half import a name that neither uses.",
    why="The shorter an example is, the sooner a reader sees what matters.",
    bad='"exampleFix": "# before\\nimport os\\nint(x)\\n\\n# after\\nimport os\\nint(7)"',
    good='"exampleFix": "# before\\nint(x)\\n\\n# after\\nint(7)"',
    check=_unused,
    superseded_by=("X001", "X002"),
)

RULES = (INCOMPLETE, SYNTAX, UNCHANGED, HIDDEN, UNUSED)
