"""X: the example, a half that fails and a half that works."""

import ast
import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath
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
_OTHER_LANGUAGES = frozenset(
    ".js .mjs .cjs .jsx .ts .tsx .vue .svelte .go .java .kt .kts .scala .groovy .swift .rb .php .cs .fs .lua .hs "
    ".ex .exs .erl .dart .jl .r .pl .ps1 .sh .sql".split()
)


class _Verdict(NamedTuple):
    """What is wrong with an example, by rule; None where nothing is."""

    halves: str | None = None
    syntax: str | None = None
    unchanged: bool = False


@lru_cache(1024)
def _verdict(example: str, python: bool) -> _Verdict:
    before, after = _BEFORE.search(example), _AFTER.search(example)
    if before is None or after is None or after.start() < before.end():
        missing = " and ".join(f"'# {name}'" for name, found in (("before", before), ("after", after)) if not found)
        return _Verdict(halves=f"no {missing} half" if missing else "the '# after' half stands first")
    first, second = example[before.end() : after.start()], example[after.end() :]
    for name, half in (("before", first), ("after", second)):
        if not half.strip():
            return _Verdict(halves=f"the '# {name}' half is empty")
    if first.split() == second.split() and [line.rstrip() for line in first.strip("\n").split("\n")] == [
        line.rstrip() for line in second.strip("\n").split("\n")
    ]:
        return _Verdict(unchanged=True)
    if python:
        for name, half in (("before", first), ("after", second)):
            if reason := _syntax_error(half):
                return _Verdict(syntax=f"the '# {name}' half is no Python: {reason}")
    return _Verdict()


def _syntax_error(half: str) -> str | None:
    try:
        compile(half, "<example>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return f"{error.msg} (line {error.lineno})" if _PYTHON.search(half) else None
    except (ValueError, RecursionError, MemoryError) as error:
        return (str(error) or type(error).__name__) if _PYTHON.search(half) else None
    return None


def _of(subject: Subject) -> _Verdict:
    record = subject.record
    if record.example_fix is None:
        return _Verdict()
    return _verdict(record.example_fix, PurePosixPath(record.file_path).suffix.lower() not in _OTHER_LANGUAGES)


def _halves(subject: Subject, _context: Context) -> Iterable[Trouble]:
    verdict = _of(subject)
    return [Trouble(verdict.halves, "/exampleFix")] if verdict.halves else ()


def _syntax(subject: Subject, _context: Context) -> Iterable[Trouble]:
    verdict = _of(subject)
    return [Trouble(verdict.syntax, "/exampleFix")] if verdict.syntax else ()


def _unchanged(subject: Subject, _context: Context) -> Iterable[Trouble]:
    return [Trouble("before and after are the same", "/exampleFix")] if _of(subject).unchanged else ()


HALVES = Rule(
    code="X001",
    name="example-halves",
    what="exampleFix has not both halves: a comment '# before', code that fails, a comment '# after', code that works.",
    why="Readers are shown the difference, and `errkb prove` runs both.",
    bad='"exampleFix": "int(\'7\')"',
    good='"exampleFix": "# before\\nint(\'seven\')\\n\\n# after\\nint(\'7\')"',
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
    good='"exampleFix": "# before\\nint(\'seven\')\\n\\n# after\\nint(\'7\')"',
    check=_unchanged,
    after=("X001",),
)

RULES = (HALVES, SYNTAX, UNCHANGED)
