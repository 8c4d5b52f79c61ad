"""X: the example, a half that fails and a half that works."""

import ast
import re
import symtable
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from errkb.validation.rule import Context, Rule, Subject, Trouble

_LEADER = r"^[ \t]*(?:#|//|--|;|%|/\*|<!--|\(\*)+[ \t]*"
_BEFORE = re.compile(_LEADER + r"before\b[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_AFTER = re.compile(_LEADER + r"after\b[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_PYTHON = re.compile(
    r"""(?mx)^\s*(?:
      from\ [\w.]+\ import\ \S
    | import\ [a-zA-Z_][\w.]*(?:\ as\ \w+)?(?:,\s*[\w.]+(?:\ as\ \w+)?)*\s*(?:\#.*)?$
    | (?:async\ )?def\ \w+\(.*\)(?:\ ->\ [^:]+)?:
    | class\ \w+(?:\(.*\))?:\s*$
    | (?:for\ .+\ in\ .+|except\b.*|with\ .+\ as\ \w+|elif\ .+):\s*$
    | raise\ [A-Z]\w*\(
    )"""
)
_SUFFIXES = (
    ".js .mjs .cjs .jsx .ts .tsx .vue .svelte .go .java .kt .kts .scala .groovy .swift .rb .php .cs .fs .lua .hs "
    ".ex .exs .erl .dart .jl .r .pl .ps1 .sh .sql"
)
_OTHER_LANGUAGES = frozenset(_SUFFIXES.split())


class _Verdict(NamedTuple):
    """What is wrong with an example, by rule."""

    halves: str | None = None
    syntax: str | None = None
    unchanged: bool = False


@lru_cache(1024)
def _verdict(example: str, python: bool) -> _Verdict:
    first, second, reason = _split(example)
    if reason:
        return _Verdict(halves=reason)
    for name, half in (("before", first), ("after", second)):
        if not half.strip():
            return _Verdict(halves=f"the '# {name}' half is empty")
    if _stripped(first) == _stripped(second):
        return _Verdict(unchanged=True)
    if python:
        for name, half in (("before", first), ("after", second)):
            if reason := _syntax_error(half):
                return _Verdict(syntax=f"the '# {name}' half is no Python: {reason}")
    return _Verdict()


def _stripped(half: str) -> list[str]:
    """The lines of a half without white space at their ends; an indentation means something."""
    return [line.rstrip() for line in half.strip("\n").split("\n")]


def _split(example: str) -> tuple[str, str, str | None]:
    """The two halves, or what is wrong with them."""
    if example.startswith("# before\n"):  # as nearly all do
        first, between, second = example[9:].partition("\n# after\n")
        if between:
            return first, second, None
    before, after = _BEFORE.search(example), _AFTER.search(example)
    if before and after:
        if after.start() < before.end():
            return "", "", "the '# after' half stands first"
        return example[before.end() : after.start()], example[after.end() :], None
    missing = " and ".join(f"'# {name}'" for name, found in (("before", before), ("after", after)) if not found)
    return "", "", f"no {missing} half"


def _syntax_error(half: str) -> str | None:
    try:
        symtable.symtable(half, "<example>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        pass
    else:
        return None
    try:
        compile(half, "<example>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return f"{error.msg} (line {error.lineno})" if _PYTHON.search(half) else None
    except (ValueError, RecursionError, MemoryError) as error:
        return (str(error) or type(error).__name__) if _PYTHON.search(half) else None
    return None


def _of(subject: Subject) -> _Verdict | None:
    record = subject.record
    if record.example_fix is None:
        return None
    return _verdict(record.example_fix, f".{record.file_path.rpartition('.')[2]}".lower() not in _OTHER_LANGUAGES)


def _halves(subject: Subject, _context: Context) -> Iterable[Trouble]:
    verdict = _of(subject)
    return [Trouble(verdict.halves, "/exampleFix")] if verdict and verdict.halves else ()


def _syntax(subject: Subject, _context: Context) -> Iterable[Trouble]:
    verdict = _of(subject)
    return [Trouble(verdict.syntax, "/exampleFix")] if verdict and verdict.syntax else ()


def _unchanged(subject: Subject, _context: Context) -> Iterable[Trouble]:
    verdict = _of(subject)
    return [Trouble("before and after are the same", "/exampleFix")] if verdict and verdict.unchanged else ()


HALVES = Rule(
    code="X001",
    name="example-halves",
    what="exampleFix has not both halves: a comment '# before', code that fails, a comment '# after', code that works.",
    why="Readers are shown the difference, and `errkb prove` runs both.",
    bad='"exampleFix": "int(\'7\')"',
    good="\"exampleFix\": \"# before\\nint('seven')\\n\\n# after\\nint('7')\"",
    check=_halves,
)
SYNTAX = Rule(
    code="X002",
    name="example-syntax",
    what="A half of the example is Python and does not parse.",
    why="What does not parse fails with another error than the one that the record is about.",
    bad='"exampleFix": "# before\\nimport json\\njson.loads(\\n\\n# after\\n…"',
    good='"exampleFix": "# before\\nimport json\\njson.loads(\'\')\\n\\n# after\\n…"',
    check=_syntax,
    after=("X001",),
)
UNCHANGED = Rule(
    code="X003",
    name="example-unchanged",
    what="Both halves of the example are the same.",
    why="Then nothing is mended.",
    bad='"exampleFix": "# before\\nint(x)\\n\\n# after\\nint(x)"',
    good="\"exampleFix\": \"# before\\nint('seven')\\n\\n# after\\nint('7')\"",
    check=_unchanged,
    after=("X001",),
)

RULES = (HALVES, SYNTAX, UNCHANGED)
