"""The code of a record: what its example has before and after, and whether a piece of it is Python."""

import re
from typing import TYPE_CHECKING, Any

from errkb.lazy_regex import lazy
from errkb.records.record import Record

if TYPE_CHECKING:
    import ast

_BEFORE = "# before\n"
_BEFORE_AND_AFTER = lazy(
    r"^#[ \t]*before\b[^\n]*\n(.*?)^#[ \t]*after\b[^\n]*\n(.*)", re.MULTILINE | re.DOTALL | re.IGNORECASE
)
_PYTHON = lazy(
    r"""(?mx)^\s*(?:
      from\ [\w.]+\ import\ \S
    | import\ [a-zA-Z_][\w.]*(?:\ as\ \w+)?(?:,\s*[\w.]+(?:\ as\ \w+)?)*\s*(?:\#.*)?$
    | (?:async\ )?def\ \w+\(.*\)(?:\ ->\ [^:]+)?:
    | class\ \w+(?:\(.*\))?:\s*$
    | (?:for\ .+\ in\ .+|except\b.*|with\ .+\ as\ \w+|elif\ .+):\s*$
    | raise\ [A-Z]\w*\(
    )"""
)
"""Lines that only Python has."""
_SUFFIXES = (
    ".js .mjs .cjs .jsx .ts .tsx .vue .svelte .go .java .kt .kts .scala .groovy .swift .rb .php .cs .fs .lua .hs "
    ".ex .exs .erl .dart .jl .r .pl .ps1 .sh .sql"
)
_OTHER_LANGUAGES = frozenset(_SUFFIXES.split())
_REFUSALS = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python's compiler raises at code that it does not take."""


def before_and_after(example: str | None) -> tuple[str, str] | None:
    """The code under `# before` and under `# after` of an example, or None if it has not both."""
    parts = usual_before_and_after(example or "")
    if parts is None and (match := _BEFORE_AND_AFTER.search(example or "")):
        parts = match[1], match[2]
    return (parts[0].strip("\n"), parts[1].strip("\n")) if parts else None


def usual_before_and_after(example: str) -> tuple[str, str] | None:
    """The same as it stands, of an example in the form that nearly all have; None for all others.

    A comment in the code before may begin with "after" as well.
    """
    if not example.startswith(_BEFORE):
        return None
    before, between, after = example.removeprefix(_BEFORE).partition("\n# after\n")
    return (before, after) if between else None


def may_be_python(record: Record) -> bool:
    """Whether the code of a record may be Python, by the file that raises its error."""
    return f".{record.file_path.rpartition('.')[2]}".lower() not in _OTHER_LANGUAGES


def is_about_syntax(record: Record) -> bool:
    """Whether the error itself is one of syntax, so that what raises it cannot parse."""
    return record.error_class in ("SyntaxError", "IndentationError", "TabError")


def compiles(code: str) -> bool:
    """Whether a text is a whole Python program."""
    return _compiled(code) is not None


def parse_python(code: str) -> "ast.Module | None":
    """The syntax tree of a text, or None if it is no Python."""
    import ast

    tree: ast.Module | None = _compiled(code, ast.PyCF_ONLY_AST)
    return tree


def _compiled(code: str, flags: int = 0) -> Any:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(code, "<example>", "exec", flags, dont_inherit=True)
    except _REFUSALS:
        return None


def syntax_error(code: str) -> str | None:
    """What is wrong with a text as Python; None if nothing is, or if the text does not look like Python.

    An `await` outside of functions is fine, as notebooks have it.
    """
    import ast
    import symtable

    try:
        symtable.symtable(code, "<example>", "exec")  # the fastest check there is, for the many that are fine
    except (*_REFUSALS, SystemError):
        pass
    else:
        return None
    try:
        compile(code, "<example>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return f"{error.msg} (line {error.lineno})" if _PYTHON.search(code) else None
    except _REFUSALS as error:
        return (str(error) or type(error).__name__) if _PYTHON.search(code) else None
    return None
