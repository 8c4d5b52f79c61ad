"""Conditions of causes, tested against what stands in a text. They are data: nothing is executed, time is linear."""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from errkb.errors import PatternError
from errkb.exception_names import Agreement, compare_classes
from errkb.lazy_regex import lazy
from errkb.patterns import PLAIN_LITERAL
from errkb.patterns.chain import Chain, Gap
from errkb.patterns.effort import Effort
from errkb.reading import Frame, Occurrence
from errkb.records.supplement import FrameTest, ValueTest, When

if TYPE_CHECKING:
    from errkb.patterns.automaton import Automaton

LONGEST_VALUE = 2000
"""Characters of a captured value that a condition looks at; a longer value meets no pattern."""
_DRIVE = lazy(r"(?<![A-Za-z])[A-Za-z]:[\\/]|\\\\[\w.$-]+\\")
_POSIX = lazy(r"(?<![\w:/.])/(?:[\w.@+-]+/)+[\w.@+-]+|(?<!\w)~/")
_FLOAT = lazy(
    r"[+-]?(?:[0-9]{1,400}\.[0-9]{0,400}(?:[eE][+-]?[0-9]{1,5})?|\.[0-9]{1,400}|[0-9]{1,400}[eE][+-]?[0-9]{1,5}|nan|inf)"
)
_GAP = lazy(r"\(\.([*+])\?\)")
_ESCAPED = lazy(r"\\(.)", re.DOTALL)
_INT = lazy(r"[+-]?[0-9]{1,400}")
_URL = lazy(r"['\"]?[A-Za-z][A-Za-z0-9+.-]{1,20}://")


class Verdict(Enum):
    """What a condition says of a text."""

    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "unknown"
    """The value that it asks about is not in the text: the message was cut."""


class Situation(NamedTuple):
    """What conditions are tested against."""

    occurrence: Occurrence
    captures: Mapping[str, str]
    text: str
    """All of the pasted text."""


def verdict(when: When, situation: Situation) -> Verdict:
    """Whether all conditions hold; fails if any fails, and is unknown if any value is missing."""
    occurrence = situation.occurrence
    verdicts = [_value_verdict(situation.captures.get(name), test) for name, test in when.captures.items()]
    if when.error_class:
        verdicts.append(_known(compare_classes(occurrence.error_class, when.error_class) is Agreement.SAME))
    if when.text:
        verdicts.append(_known(all(words in situation.text for words in when.text)))
    if when.frame:
        verdicts.append(_known(_has_frame(when.frame, occurrence.frames)))
    if when.path:
        verdicts.append(_known(when.path == path_style(situation)))
    return next((one for one in (Verdict.FAILS, Verdict.UNKNOWN) if one in verdicts), Verdict.HOLDS)


def condition_patterns(when: When) -> list[tuple[str, str]]:
    """The patterns in conditions, each with the name of its capture."""
    return [(name, test.matches) for name, test in when.captures.items() if test.matches]


def path_style(situation: Situation) -> str | None:
    """`windows` or `posix`, by the paths in the message and of the frames; None if there is no path."""
    paths = "\n".join((situation.occurrence.message[:LONGEST_VALUE], *(f.file for f in situation.occurrence.frames)))
    if _DRIVE.search(paths):
        return "windows"
    return "posix" if _POSIX.search(paths) else None


def _known(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.FAILS


def _value_verdict(value: str | None, test: ValueTest) -> Verdict:
    if value is None:
        return Verdict.UNKNOWN
    return _known(
        (test.equals is None or value == test.equals)
        and (test.one_of is None or value in test.one_of)
        and (test.matches is None or _matches(test.matches, value))
        and (test.looks_like is None or LOOKS[test.looks_like](value.strip()))
    )


def _matches(expression: str, value: str) -> bool:
    if chain := _chain(expression):
        return len(value) <= LONGEST_VALUE and chain.whole(value) is not None
    automaton = _automaton(expression)
    if automaton is None or len(value) > min(LONGEST_VALUE, automaton.longest_text):
        return False
    return automaton.run(value, Effort(), whole=True) is not None


@lru_cache(512)
def _chain(expression: str) -> Chain | None:
    """The chain of a pattern of the usual kind, texts with `(.*?)` or `(.+?)` between, which needs no automaton."""
    pieces = _GAP.split(expression)
    if not all(map(PLAIN_LITERAL.fullmatch, pieces[::2])):
        return None
    literals = [_ESCAPED.sub(r"\1", piece) for piece in pieces[::2]]
    return Chain(literals, [Gap(int(sign == "+"), captured=False) for sign in pieces[1::2]])


@lru_cache(512)
def _automaton(expression: str) -> "Automaton | None":
    from errkb.patterns.automaton import Automaton  # few questions need them
    from errkb.patterns.dialect import parse

    try:
        return Automaton(parse(expression))
    except PatternError:
        return None  # the linter reports it


def _has_frame(test: FrameTest, frames: tuple[Frame, ...]) -> bool:
    return any(_is_frame(test, frame) for frame in (frames[-1:] if test.innermost else frames))


def _is_frame(test: FrameTest, frame: Frame) -> bool:
    path = "/" + frame.file.replace("\\", "/")
    return (
        (test.package is None or f"/{test.package}/" in path or path.endswith(f"/{test.package}.py"))
        and (test.module is None or test.module in path)
        and (test.function is None or test.function == frame.function)
    )


def _enclosed(opening: str, closing: str) -> Callable[[str], bool]:
    return lambda value: len(value) > 1 and value[0] in opening and value[-1] in closing


LOOKS: Mapping[str, Callable[[str], bool]] = {
    "str": lambda value: len(value) > 1 and value[0] == value[-1] and value[0] in "'\"",
    "int": lambda value: bool(_INT.fullmatch(value)),
    "float": lambda value: bool(_FLOAT.fullmatch(value)),
    "number": lambda value: bool(_INT.fullmatch(value) or _FLOAT.fullmatch(value)),
    "None": lambda value: value == "None",
    "bool": lambda value: value in ("True", "False"),
    "list": _enclosed("[", "]"),
    "dict": _enclosed("{", "}"),
    "tuple": _enclosed("(", ")"),
    "path": lambda value: ("/" in value or "\\" in value) and "://" not in value and "\n" not in value,
    "url": lambda value: bool(_URL.match(value)),
    "empty": lambda value: value in ("", "''", '""'),
}
"""Kinds of values, as Python writes them, each with its test of a stripped value."""
