"""Exceptions that stand inside a line as their repr: ``(Caused by SSLError(…))``, ``raised: ValueError('x')``."""

import re
from itertools import islice
from typing import NamedTuple

from errkb.exception_names import is_os_error, last_name
from errkb.lazy_regex import lazy
from errkb.reading.shape import Shape
from errkb.reading.shapes.class_heads import looks_like_exception

_CALL = lazy(r"(?<![\w.])(?P<name>(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{0,80})\((?=[\"'\d(<A-Z])")
QUOTED_REPR = Shape("exception's repr", ("('", '("'), r"[\w.]{1,300}\(['\"]", "ValueError('x')")
_ERRNO = lazy(r"(-?\d{1,10}), (?=[\"'])")
_SCAN = 3000
_MAX_FOUND = 8
_MAX_TRIED = 40


class Nested(NamedTuple):
    """An exception's repr."""

    name: str
    message: str
    start: int
    stop: int


def read_repr(text: str) -> Nested | None:
    """The exception whose repr the whole text is."""
    stripped = text.strip().strip("`").rstrip(".;`")
    match = _CALL.match(stripped)
    if match and _may_be_repr(match["name"], stripped[match.end()]) and stripped.endswith(")"):
        nested = _nested(stripped, match)
        if nested and nested.stop >= len(stripped):
            shift = text.index(stripped)
            return nested._replace(start=nested.start + shift, stop=nested.stop + shift)
    return None


def _may_be_repr(name: str, after: str) -> bool:
    """Whether a call is the repr of an exception: by its name, or because it is a class with a message."""
    last = last_name(name)
    return looks_like_exception(name) or (last[:1].isupper() and not last.isupper() and after in "\"'")


def find_reprs(text: str) -> list[Nested]:
    """The exceptions that stand in the text as reprs, outermost first."""
    found: list[Nested] = []
    for match in islice(_CALL.finditer(text), _MAX_TRIED):
        if not looks_like_exception(match["name"]) or text[: match.start()].rstrip().endswith("raise"):
            continue
        nested = _nested(text, match)
        if nested and nested.message:
            found.append(nested)
            if len(found) == _MAX_FOUND:
                break
    return found


def _nested(text: str, match: re.Match[str]) -> Nested | None:
    stop = _closing(text, match.end())
    if stop < 0:
        return None
    arguments = text[match.end() : stop].rstrip().removesuffix(",")
    return Nested(match["name"], _message(match["name"], arguments), match.start(), stop + 1)


def _message(name: str, arguments: str) -> str:
    """What ``str()`` would give, without undoing the escapes in it."""
    number = _ERRNO.match(arguments)
    literal = arguments[number.end() :] if number else arguments
    if literal[:1] in "\"'" and literal[-1:] == literal[:1] and len(literal) > 1:
        quote, inner = literal[0], literal[1:-1]
        if f"{quote}, {quote}" in inner or f"{quote}, " in inner:
            return arguments
        if name.endswith("KeyError") and " " not in inner:
            return literal
        if number and not is_os_error(name):
            return f"({arguments})"
        return f"[Errno {number[1]}] {inner}" if number and not inner.startswith("[") else inner
    return arguments


def _closing(text: str, column: int) -> int:
    """The column of the bracket that closes the one before `column`, -1 if there is none near."""
    depth, quote = 1, ""
    limit = min(len(text), column + _SCAN)
    while column < limit:
        character = text[column]
        if quote:
            if character == "\\":
                column += 1
            elif character == quote:
                quote = ""
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                return column
        column += 1
    return -1
