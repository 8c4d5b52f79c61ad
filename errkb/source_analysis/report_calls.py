"""Calls that report an error without raising it here: warnings, logs, exits, parsers."""

import ast
from collections.abc import Callable
from typing import NamedTuple

from errkb.exception_names import is_builtin_exception, last_name
from errkb.source_analysis.module_facts import ModuleFacts
from errkb.source_analysis.module_index import ModuleIndex
from errkb.source_analysis.site import SiteKind
from errkb.source_analysis.syntax import dotted_name

_ERRORS = ("Error", "Exception", "Warning", "Exit", "Failure", "Timeout", "Abort")


class _Report(NamedTuple):
    """A kind of call that reports an error."""

    kind: SiteKind
    names: tuple[str, ...]
    error_class: str | None
    """None where no class goes with it, or the call itself names one."""
    reports: Callable[[str, str], bool]
    """Whether it does, by what the function is called on, and by the module that it was imported from."""


_REPORTS = (
    _Report(
        SiteKind.WARNING,
        ("warn", "warn_explicit"),
        None,
        lambda holder, origin: "warnings" in (holder.lstrip("_"), origin),
    ),
    _Report(SiteKind.LOG, ("error", "exception", "critical", "fatal"), None, lambda holder, _origin: "log" in holder),
    _Report(SiteKind.EXIT, ("error",), "SystemExit", lambda holder, _origin: "parser" in holder),
    _Report(
        SiteKind.EXIT,
        ("exit",),
        "SystemExit",
        lambda holder, origin: holder == "sys" or (not holder and origin in ("", "sys")),
    ),
    _Report(
        SiteKind.RAISE,
        ("fail",),
        "Failed",
        lambda holder, origin: holder == "pytest" or origin.startswith(("pytest", "_pytest")),
    ),
)


def classify_report(call: ast.Call, module: ModuleFacts) -> tuple[SiteKind, str | None] | None:
    """How a call reports an error, and the class that goes with it; None if it does not."""
    function = call.func
    if not isinstance(function, ast.Attribute | ast.Name):
        return None
    if isinstance(function, ast.Name):
        name, receiver = function.id, ""
    else:
        name, receiver = function.attr, dotted_name(function.value)
    origin = "" if receiver else module.imports.get(name, ("", None))[0]
    holder = last_name(receiver).lower()
    for kind, names, error_class, reports in _REPORTS:
        if name in names and reports(holder, origin):
            return kind, _category(call) if kind is SiteKind.WARNING else error_class
    return None


def is_exception_name(name: str) -> bool:
    """Whether a (dotted) name is that of an exception class, by its looks."""
    last = last_name(name).lstrip("_")
    return last[:1].isupper() and last.endswith(_ERRORS)


def is_exception_class(name: str, facts: ModuleFacts, modules: ModuleIndex) -> bool:
    """Whether a (dotted) name is that of an exception class: by its looks, or by its bases where it is at hand."""
    if is_exception_name(name):
        return True
    first = name.partition(".")[0]
    near = first in facts.classes or any(word in str(facts.imports.get(first)).lower() for word in ("error", "exc"))
    found = modules.find_class(facts, name) if near and name else None
    return found is not None and is_builtin_exception(modules.external_base(found))


def _category(call: ast.Call) -> str:
    named = [keyword.value for keyword in call.keywords if keyword.arg == "category"]
    for node in (*named, *call.args[1:2]):
        if name := dotted_name(node):
            return last_name(name)
    return "UserWarning"
