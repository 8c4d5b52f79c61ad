"""Errors that are reported in a form of their own: warnings, fatal errors, panics, debuggers, debug pages."""

import re
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.exceptions import close, take_exception
from errkb.reading.grammars.stream import NO_CHAIN, Stream
from errkb.reading.line import Line
from errkb.reading.occurrence import Frame, Role
from errkb.reading.shapes.class_heads import ClassHead, may_be_exception
from errkb.reading.shapes.message_end import message_stop
from errkb.reading.shapes.message_text import strip_outer_quotes, text_of

_MAX_FRAMES = 1200
_PLACE_BELOW = lazy(r"\s*at \S{1,300}:\d{1,7} in \S|\s*Exception trace:")
_PLACE_REACH = 60
"""The place where an exception was raised stands at most so many lines below its message."""
_HEADERS = ("most recent call first", "Python runtime state", "<no Python frame>")
_PAGE = lazy(
    r"\s*(?:[-*] )?(?:(?P<type>\*{0,2}Exception Type:\*{0,2}\s*)(?P<dotted>(?:[a-z_]\w{0,60}\.){0,8}))?"
    r"(?P<name>[A-Z]\w{2,80})(?: at /\S*)?\s*$"
)
_PAGE_VALUE = lazy(r"\s*(?:[-*] )?\*{0,2}Exception (?:Value|Message):\*{0,2}\s*")


class _Page(NamedTuple):
    """Where a debug page names an exception."""

    name: str
    start: int
    """The column of the class."""
    value: int
    """The line of the message."""
    message: int
    """The column of the message in it."""


def warning(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Take a warning with the source line below it."""
    lines = stream.lines
    line = lines[number]
    start = line.offset(match.start("name"))
    stop = number + 1
    body = [line.cut(match.end())]
    if not body[0].text.strip():  # of several lines
        stop = message_stop(lines, number, line.indent)
        while stop > number + 2 and lines[stop - 1].text[:2] == "  ":
            stop -= 1
        body += lines[number + 1 : stop]
    found = Candidate(
        Certainty.WARNING,
        text_of(body),
        start,
        body[-1].end(),
        match["name"],
        Role.LOG,
        (Frame(match["file"], int(match["line"])),),
        chain_start=start,
        shape="warning",
    )
    has_source = stop < len(lines) and lines[stop].text[:2] == "  "
    return stream.accept(found, number, stop + has_source)


def fatal_error(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Take a fatal error with its frames, of which the innermost is printed first."""
    close(stream)
    lines = stream.lines
    line = lines[number]
    start = line.offset(line.indent)
    frames: list[Frame] = []
    stop = number + 1
    while stop < len(lines) and stop - number < _MAX_FRAMES:
        text = lines[stop].text.strip()
        frame = lines[stop].frame
        if frame is not None:
            frames.append(frame)
        elif text and not any(header in text for header in _HEADERS):
            break
        stop += 1
    found = Candidate(
        Certainty.TRACE,
        line.text[match.end() :].strip(),
        start,
        line.end(),
        frames=tuple(reversed(frames)),
        chain_start=start,
        shape="fatal error",
    )
    return stream.accept(found, number, stop)


def ignored(stream: Stream, number: int, _match: re.Match[str]) -> int:
    """Remember that Python ignored the next exception."""
    close(stream)
    stream.is_ignored = True
    stream.used[number] = 1
    return number + 1


def ignored_in_line(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Take an exception that Python 2 ignored, all of it in one line."""
    close(stream)
    line = stream.lines[number]
    start = line.offset(match.start("name"))
    message = strip_outer_quotes(match["message"])
    found = Candidate(
        Certainty.IGNORED,
        message,
        start,
        line.cut(0, match.end("message")).end(),
        match["name"],
        Role.IGNORED,
        chain_start=start,
        shape="ignored exception of Python 2",
    )
    return stream.accept(found, number, number + 1)


def class_above_message(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Take the exception that a debugger names above its message."""
    _begin(stream, number)
    below = _written_below(stream.lines, number)
    if below is None:
        return number + 1
    head = ClassHead(match["name"], 0, stream.lines[below].indent)
    start = stream.lines[number].offset(match.start("name"))
    return take_exception(stream, below, head, Certainty.TRACE, shape="class above message", start=start)


def class_apart(stream: Stream, number: int, match: re.Match[str]) -> int | None:
    """Take an exception whose class and message are paragraphs, if the place where it was raised follows them."""
    lines = stream.lines
    below = _written_below(lines, number)
    if below is None or below == number + 1 or lines[below].is_structure:
        return None
    places = (line.text for line in lines[below + 1 : below + _PLACE_REACH])
    if not any(_PLACE_BELOW.match(text) for text in places):
        return None
    return class_above_message(stream, number, match)


def _written_below(lines: list[Line], number: int) -> int | None:
    """The number of the first line with text below a line, None if there is none near."""
    near = range(number + 1, min(number + 3, len(lines)))
    return next((at for at in near if lines[at].text.strip()), None)


def class_in_line(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Take an exception whose class and message the groups ``name`` and ``message`` of a row hold."""
    close(stream)
    if not stream.is_linked:
        stream.chain_start = NO_CHAIN
    head = ClassHead(match["name"], match.start("name"), match.start("message"))
    return take_exception(stream, number, head, Certainty.CLASS, shape="class in a line of its own form")


def panic(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Take what a thread of Rust says before it ends, in the line or in the next."""
    if match["message"] is None and number + 1 < len(stream.lines):
        _begin(stream, number)
        head = ClassHead(None, 0, stream.lines[number + 1].indent)
        return take_exception(stream, number + 1, head, Certainty.PROBABLE, shape="panic of Rust")
    _begin(stream, number)
    line = stream.lines[number]
    start = line.offset(match.start("message")) if match["message"] else line.offset(line.indent - 1)
    found = Candidate(
        Certainty.PROBABLE, match["message"] or "", start, line.end(), chain_start=start, shape="panic of Rust"
    )
    return stream.accept(found, number, number + 1)


def debug_page(stream: Stream, number: int, _match: re.Match[str]) -> int:
    """Take the exception that a debug page names."""
    page = _read_page(stream.lines, number)
    if page is None:
        return number + 1
    stream.used[number] = 1
    stream.chain_start = NO_CHAIN
    start = stream.lines[number].offset(page.start)
    head = ClassHead(page.name, 0, page.message)
    return take_exception(stream, page.value, head, Certainty.TRACE, shape="debug page", start=start)


def _begin(stream: Stream, number: int) -> None:
    """End what is open: a report of its own begins in a line."""
    close(stream)
    stream.chain_start = NO_CHAIN
    stream.used[number] = 1


def _read_page(lines: list[Line], number: int) -> _Page | None:
    """The exception that the debug page names in the line `number`, None if it names none."""
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
    return _Page(name, start, after, label.end() if label else lines[after].indent)
