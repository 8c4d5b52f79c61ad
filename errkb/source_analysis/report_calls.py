"""Calls that report an error without raising it here: warnings, logs, exits, parsers."""

import ast

from errkb.exception_names import is_builtin_exception, last_name
from errkb.source_analysis.module_facts import ModuleFacts
from errkb.source_analysis.module_index import Library
from errkb.source_analysis.site import SiteKind
from errkb.source_analysis.syntax import dotted

_NAMES = frozenset({"warn", "warn_explicit", "error", "exception", "critical", "fatal", "exit", "fail"})
_ERRORS = ("Error", "Exception", "Warning", "Exit", "Failure", "Timeout", "Abort")


def read_report(call: ast.Call, module: ModuleFacts) -> tuple[SiteKind, str | None] | None:
    """How a call reports an error, and the class that goes with it; None if it does not."""
    function = call.func
    last = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    if last not in _NAMES:
        return None
    receiver = dotted(function.value) if isinstance(function, ast.Attribute) else ""
    origin = "" if receiver else module.imports.get(last, ("", None))[0]
    holder = last_name(receiver).lower()
    if last in ("warn", "warn_explicit") and "warnings" in (holder.lstrip("_"), origin):
        return SiteKind.WARNING, _category(call)
    if last in ("error", "exception", "critical", "fatal") and "log" in holder:
        return SiteKind.LOG, None
    if last == "error" and "parser" in holder:
        return SiteKind.EXIT, "SystemExit"
    if last == "exit" and (holder == "sys" or (not receiver and origin in ("", "sys"))):
        return SiteKind.EXIT, "SystemExit"
    if last == "fail" and (holder == "pytest" or origin.startswith(("pytest", "_pytest"))):
        return SiteKind.RAISE, "Failed"
    return None


def is_exception_name(name: str) -> bool:
    """Whether a (dotted) name is that of an exception class, by its looks."""
    last = last_name(name).lstrip("_")
    return last[:1].isupper() and last.endswith(_ERRORS)


def is_exception(name: str, facts: ModuleFacts, library: Library) -> bool:
    """Whether a (dotted) name is that of an exception class: by its looks, or by its bases where it is at hand."""
    if is_exception_name(name):
        return True
    first = name.partition(".")[0]
    near = first in facts.classes or any(word in str(facts.imports.get(first)).lower() for word in ("error", "exc"))
    found = library.find_class(facts, name) if near and name else None
    return found is not None and is_builtin_exception(library.outer_base(found))


def _category(call: ast.Call) -> str:
    named = [keyword.value for keyword in call.keywords if keyword.arg == "category"]
    for node in (*named, *call.args[1:2]):
        if name := dotted(node):
            return last_name(name)
    return "UserWarning"
