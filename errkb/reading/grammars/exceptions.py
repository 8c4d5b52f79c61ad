"""Exceptions whose class or report begins in a line: their message, their notes, their place in a chain."""

import re

from msgspec.structs import replace

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.pydantic import Inner, find_count, inner_candidates, read_inner, read_report, without_links
from errkb.reading.grammars.stream import Stream
from errkb.reading.line import Line
from errkb.reading.log_levels import CALM, is_warning
from errkb.reading.occurrence import Role
from errkb.reading.shapes.class_heads import ClassHead, find_class_head, looks_like_exception, parse_class_head
from errkb.reading.shapes.exception_reprs import read_repr
from errkb.reading.shapes.message_end import is_rule, message_stop
from errkb.reading.shapes.message_text import strip_python_additions, strip_quoting, text_of, without_notes

_COLON = lazy(r"[:：]")
_OF_JAVA = ("java.", "javax.", "org.", "com.", "io.", "scala.")
_MOST_NESTED = 4
_EMPTY = -1
"""The loudness of an exception whose message is missing after its colon."""
_GLUED_HEADER = "Traceback (most"


def take_exception(
    stream: Stream,
    number: int,
    head: ClassHead,
    certainty: Certainty,
    *,
    shape: str,
    start: int | None = None,
) -> int:
    """Take the exception whose class begins in a line; the number of the line after it."""
    line = stream.lines[number]
    first = line.cut(head.message)
    start = line.offset(head.start) if start is None else start
    if first.text:
        start = min(start, first.offset(0))  # in a record the class may stand after its message
    count = find_count(first.text)
    inners, stop = _extent(stream, number, head, is_report=count is not None)
    written = _body(stream.lines, number, stop, first)
    body, notes = without_notes(without_links(written) if count is not None else written)
    name, message = _class_and_message(head, text_of(body))
    rank = stream.rank_of_next(start)
    outer = Candidate(
        _certainty(stream, certainty, head),
        message,
        start,
        max((body or written)[-1 if body else 0].end(), start),
        name,
        Role.IGNORED if stream.is_ignored else Role.MEMBER if stream.group_depths else Role.RAISED,
        tuple(stream.frames),
        notes,
        chain_start=stream.chain_start,
        rank_in_chain=rank,
        is_outside=line.page == "outside",
        is_mild=_is_mild(stream, number),
        loudness=None if message or not _is_announced(line, head) else _EMPTY,
        shape=shape,
    )
    if count is None and (inner := _inner(outer, head, first)) is not None:
        stream.candidates.append(inner)
        outer = replace(outer, role=Role.WRAPPED)
    if count is not None:
        stream.candidates += inner_candidates(stream.lines, inners, outer, is_whole=count.start() == 0)
    stream.openings.setdefault(number, shape)
    stream.messages.append(number)
    stream.accept(outer, number, stop)
    stream.is_linked = stream.is_ignored = False
    stream.end()
    return stop


def _extent(stream: Stream, number: int, head: ClassHead, *, is_report: bool) -> tuple[list[Inner], int]:
    """The errors of the report that a message is, and the number of the line after the message."""
    line = stream.lines[number]
    if is_report:
        inners, last = read_report(stream.lines, number)
        return inners, last + 1
    is_bare = line.region != "error" and not _COLON.search(line.text, head.start, head.message)
    if is_bare and stream.frames and not line.text[head.message :].strip():
        return [], number + 1  # without a colon the class is all that Python printed
    return [], message_stop(stream.lines, number, line.indent)


def _body(lines: list[Line], number: int, stop: int, first: Line) -> list[Line]:
    """The lines of a message, of the first of them what is after the class."""
    if _GLUED_HEADER in first.text:
        first = first.cut(0, first.text.index(_GLUED_HEADER))
    has_text = bool(first.text.strip())
    more = [line for line in lines[number + 1 : stop] if has_text or not is_rule(line.text)]
    if lines[number].region == "error":
        indent = lines[number].indent
        more = [line.cut(min(line.indent, indent)) for line in more]
    return [first, *more]


def _class_and_message(head: ClassHead, text: str) -> tuple[str | None, str]:
    """The class and the message of an exception, of which Python may have printed the repr."""
    message = strip_python_additions(head.name, strip_quoting(text, head.opening))
    if head.name == "Exception" and (inner := read_repr(message.strip('"'))) is not None:
        return inner.name, inner.message
    if head.name is not None and (again := message.find(f" {head.name}: ")) > 0:
        once, rest = message[:again], message[again + len(head.name) + 3 :]
        message = once if rest.startswith(once) else message  # said several times on one line
    if message.endswith(":") and head.name is not None and message[:-1] == head.name:
        return head.name, ""  # the class twice, and no message
    return head.name, message


def _is_mild(stream: Stream, number: int) -> bool:
    """Whether the record that holds the open traceback begins with a calm level, before its header."""
    if not stream.is_open or not stream.begin or stream.lines[number].level:
        return False
    level = stream.lines[stream.begin].level or stream.lines[stream.begin - 1].level
    return level in CALM or is_warning(level)


def _is_announced(line: Line, head: ClassHead) -> bool:
    """Whether a colon stands after the class."""
    return _COLON.search(line.text, head.start, head.message) is not None


def _inner(outer: Candidate, head: ClassHead, first: Line) -> Candidate | None:
    """The exception that a message names in front of its own words: ``Outer: Inner: message``."""
    if ": " not in outer.message or outer.certainty in (Certainty.WARNING, Certainty.IGNORED) or head.name is None:
        return None
    column, name, message = 0, "", outer.message
    for _ in range(_MOST_NESTED):
        inner = parse_class_head(message)
        if inner is None or inner.start or inner.name is None or not _is_own(inner.name, message):
            break
        column, name, message = column + inner.message, inner.name, message[inner.message :]
    if not name:
        return None
    start = max(first.offset(min(len(first.text) - len(first.text.lstrip()) + column, len(first.text))), outer.start)
    return replace(
        outer,
        message=strip_python_additions(name, message),
        error_class=name,
        start=min(start, outer.end),
        rank_in_chain=outer.rank_in_chain - 0.5,
        shape="class inside a message",
    )


def _is_own(name: str, message: str) -> bool:
    """Whether the class that a message begins with is Python's, with a message of its own."""
    return (
        looks_like_exception(name)
        and not name.endswith("Warning")
        and not name.startswith(_OF_JAVA)
        and bool(message.partition(": ")[2].strip())
    )


def _certainty(stream: Stream, certainty: Certainty, head: ClassHead) -> Certainty:
    if stream.is_ignored:
        return Certainty.IGNORED
    if certainty is Certainty.CLASS and (head.name or "").endswith("Warning"):
        return Certainty.WARNING
    return certainty


def take_split(stream: Stream, number: int, head: ClassHead, *, shape: str) -> int:
    """Take an exception whose class, colon and message came as three writes."""
    stream.used[number + 1] = 1
    if number + 2 >= len(stream.lines):
        return take_exception(stream, number, head, Certainty.TRACE, shape=shape)
    stream.used[number] = 1
    message = ClassHead(head.name, 0, stream.lines[number + 2].indent)
    start = stream.lines[number].offset(head.start)
    return take_exception(stream, number + 2, message, Certainty.TRACE, shape=shape, start=start)


def take_report(stream: Stream, number: int, _match: re.Match[str]) -> int:
    """Take a validation report that begins with its count."""
    indent = stream.lines[number].indent
    certainty = Certainty.TRACE if stream.is_open else Certainty.CLASS
    return take_exception(stream, number, ClassHead(None, indent, indent), certainty, shape="validation report")


def take_validation_error(stream: Stream, number: int, _match: re.Match[str]) -> int:
    """Take an error of a validation report whose head is not there."""
    lines = stream.lines
    location = None
    if number and not stream.used[number - 1] and lines[number].indent:
        before = lines[number - 1].text
        if before and " " not in before.strip() and before[0] not in " \t":
            location = before.strip()
            stream.used[number - 1] = 1
    inner = read_inner(lines, number, location)
    if inner is None:
        return number + 1
    start = lines[number].offset(inner.start)
    candidate = Candidate(
        Certainty.TRACE if stream.frames else Certainty.CLASS,
        inner.message,
        start,
        lines[inner.last].end(),
        inner.error_class,
        Role.WRAPPED,
        tuple(stream.frames),
        location=inner.location,
        chain_start=start,
        shape="validation error",
    )
    return stream.accept(candidate, inner.first, inner.last + 1)


def close(stream: Stream) -> None:
    """End a traceback that has no exception line."""
    if stream.is_open and stream.frames:
        lines = stream.lines
        for number in range(stream.begin, len(lines)):
            text = lines[number].text
            if text.strip() and not stream.used[number] and number > stream.begin:
                break
            if ":" in text and (head := find_class_head(text, weak=True)) and head.message < len(text):
                take_exception(stream, number, head, Certainty.TRACE, shape="class in a cut traceback")
                return
        if stream.class_in_header:
            start = lines[stream.begin].offset(0)
            stream.candidates.append(
                Candidate(
                    Certainty.TRACE,
                    "",
                    start,
                    start,
                    stream.class_in_header,
                    frames=tuple(stream.frames),
                    chain_start=start,
                    shape="class in a header",
                )
            )
        else:
            stream.cut.append(stream.begin)
        stream.is_linked = False
    stream.end()
