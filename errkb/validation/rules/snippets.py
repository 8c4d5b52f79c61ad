"""C: pieces of code that a reader is to take over: validationCode, typeGuard, tryCatchPattern."""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator

from errkb.records.examples import may_be_python, parse_python, syntax_error
from errkb.records.record import Record
from errkb.validation.rule import Context, Rule, Subject, Violation

_USUAL = (
    "asyncio base64 collections contextlib csv datetime decimal functools gc hashlib importlib inspect itertools json "
    "logging math multiprocessing os pathlib pickle random re shutil socket ssl struct subprocess sys tempfile "
    "threading time traceback uuid warnings"
)
"""Modules of the standard library whose names hardly anybody gives to something else."""
_MODULE = re.compile(rf"\b(?:{_USUAL.replace(' ', '|')})(?=\.)")


def _pieces(record: Record) -> Iterator[tuple[str, str]]:
    """Pointer and text of the pieces of Python."""
    if record.validation_code or record.type_guard or record.try_catch_pattern:
        if not may_be_python(record):
            return
        for name, code in (
            ("validationCode", record.validation_code),
            ("typeGuard", record.type_guard),
            ("tryCatchPattern", record.try_catch_pattern),
        ):
            if code:
                yield f"/{name}", code


def _syntax(subject: Subject, _context: Context) -> Iterable[Violation]:
    return [
        Violation(f"no Python: {reason}", pointer)
        for pointer, code in _pieces(subject.record)
        if (reason := syntax_error(code))
    ]


def _imports(subject: Subject, _context: Context) -> Iterable[Violation]:
    return [
        Violation(f"uses {name} without importing it", pointer)
        for pointer, code in _pieces(subject.record)
        for name in _not_imported(code)
    ]


def _not_imported(code: str) -> list[str]:
    named = {name for name in _MODULE.findall(code) if f"import {name}\n" not in code}
    tree = parse_python(code) if named else None
    if tree is None:
        return []
    used, bound = set[str](), set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name)) if name in named:
                used.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                bound.add(name)
            case ast.alias():
                bound.add(node.asname or node.name.partition(".")[0])
    return sorted(used - bound)


def _redundant(subject: Subject, _context: Context) -> Iterable[Violation]:
    return [
        Violation(f"{narrow} is caught as a {wide} in the same clause", pointer)
        for pointer, code in _pieces(subject.record)
        if "except (" in code
        for narrow, wide in _caught_twice(code)
    ]


def _caught_twice(code: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(parse_python(code) or ast.Module([], [])):
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
            names = [name.id for name in node.type.elts if isinstance(name, ast.Name)]
            classes = {name: found for name in names if isinstance(found := getattr(builtins, name, None), type)}
            for narrow, one in classes.items():
                for wide, other in classes.items():
                    if one is not other and issubclass(one, other):
                        yield narrow, wide


SYNTAX = Rule(
    code="C001",
    name="code-syntax",
    what="validationCode, typeGuard or tryCatchPattern is Python and does not parse.",
    why="A reader pastes it.",
    bad='"validationCode": "if not path.exists()\\n    raise SystemExit(path)"',
    good='"validationCode": "if not path.exists():\\n    raise SystemExit(path)"',
    check=_syntax,
)
IMPORTS = Rule(
    code="C002",
    name="code-import",
    severity="warning",
    what="validationCode, typeGuard or tryCatchPattern uses a module of the standard library without importing it.",
    why="Pasted as it stands, it fails with a NameError. Names of the reader's own program are theirs to fill in.",
    bad='"validationCode": "if \'TOKEN\' not in os.environ: …"',
    good='"validationCode": "import os\\nif \'TOKEN\' not in os.environ: …"',
    check=_imports,
    superseded_by=("C001",),
)
REDUNDANT = Rule(
    code="C003",
    name="redundant-except",
    severity="warning",
    what="An except clause names a class and a base of it.",
    why="The base catches both; a reader asks what the difference is.",
    bad='"tryCatchPattern": "try: …\\nexcept (OSError, FileNotFoundError): …"',
    good='"tryCatchPattern": "try: …\\nexcept FileNotFoundError: …"',
    check=_redundant,
    superseded_by=("C001",),
)

RULES = (SYNTAX, IMPORTS, REDUNDANT)
