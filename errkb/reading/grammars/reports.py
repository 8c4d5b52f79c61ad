"""Errors that are reported in a form of their own: warnings, fatal errors, a web framework's debug page."""

import re
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.line import Line
from errkb.reading.occurrence import Frame, Role
from errkb.reading.shapes.class_heads import may_be_exception
from errkb.reading.shapes.frames import read_frame
from errkb.reading.shapes.message_end import message_stop
from errkb.reading.shapes.message_text import text_of

_MAX_FRAMES = 1200
_FATAL = "Fatal Python error: "
_HEADERS = ("most recent call first", "Python runtime state", "<no Python frame>")
_PAGE = lazy(
    r"\s*(?:[-*] )?(?:(?P<type>\*{0,2}Exception Type:\*{0,2}\s*)(?P<dotted>(?:[a-z_]\w{0,60}\.){0,8}))?"
    r"(?P<name>[A-Z]\w{2,80})(?: at /\S*)?\s*$"
)
_PAGE_VALUE = lazy(r"\s*(?:[-*] )?\*{0,2}Exception (?:Value|Message):\*{0,2}\s*")


OCCURRED = lazy(
    r"(?:Exception has occurred|发生异常|Se ha producido una excepción): (?P<name>[\w.]{1,200})(?:\s+\(note: .*)?$"
)
"""What a debugger writes above the message."""


PANIC = lazy(r"thread '[^']{0,100}' (?:\(\d+\) )?panicked at (?:'(?P<old>.{1,2000})', \S+$|\S+:\d+:\d+:$)")


class Page(NamedTuple):
    """Where a debug page names an exception."""

    name: str
    start: int
    """The column of the class."""
    value: int
    """The line of the message."""
    message: int
    """The column of the message in it."""


def read_page(lines: list[Line], number: int) -> Page | None:
    """Return the exception that the debug page names in the line `number`, None if it names none."""
    match = _PAGE.match(lines[number].text)
    after = number + 1
    while after < len(lines) and not lines[after].text.strip():
        after += 1
    if match is None or after == len(lines) or not may_be_exception(match["name"]):
        return None
    label = _PAGE_VALUE.match(lines[after].text)
    if match["type"] and label is None:
        return None
    start = match.start("dotted") if match["type"] else match.start("name")
    name = lines[number].text[start : match.end("name")]
    return Page(name, start, after, label.end() if label else lines[after].indent)


def read_warning(lines: list[Line], number: int, match: re.Match[str]) -> tuple[Candidate, int]:
    """Return the warning that `match` found in a line, and the number of the line behind it."""
    line = lines[number]
    start = line.offset(line.indent + match.start("name"))
    after = number + 1
    body = [line.cut(line.indent + match.end())]
    if not body[0].text.strip():  # of several lines
        after = message_stop(lines, number, line.indent)
        while after > number + 2 and lines[after - 1].text[:2] == "  ":
            after -= 1
        body += lines[number + 1 : after]
    frame = Frame(match["file"], int(match["line"]))
    candidate = Candidate(
        Certainty.WARNING,
        text_of(body),
        start,
        body[-1].end(),
        match["name"],
        Role.LOG,
        frames=(frame,),
        chain_start=start,
    )
    has_source = after < len(lines) and lines[after].text[:2] == "  "
    return candidate, after + has_source


def read_fatal(lines: list[Line], number: int) -> tuple[Candidate, int]:
    """Return the fatal error whose header is in a line, and the number of the line behind its frames."""
    line = lines[number]
    start = line.offset(line.indent)
    frames: list[Frame] = []
    after = number + 1
    while after < len(lines) and after - number < _MAX_FRAMES:
        text = lines[after].text.strip()
        frame = read_frame(text)
        if frame is not None:
            frames.append(frame)
        elif text and not any(header in text for header in _HEADERS):
            break
        after += 1
    message = line.text[line.indent + len(_FATAL) :].strip()
    # the innermost frame is printed first
    return Candidate(
        Certainty.TRACE, message, start, line.end(), frames=tuple(reversed(frames)), chain_start=start
    ), after
