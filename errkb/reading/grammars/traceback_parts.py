"""The productions of the parts of a traceback: header, links, frames, and what stands between."""

import re

from msgspec.structs import replace

from errkb.exception_names import last_name
from errkb.lazy_regex import lazy
from errkb.reading.candidate import Certainty
from errkb.reading.grammars.exceptions import close, take_exception, take_split
from errkb.reading.grammars.stream import NO_CHAIN, Stream
from errkb.reading.line import Line
from errkb.reading.occurrence import Frame, Role
from errkb.reading.shapes.class_heads import ClassHead, find_class_head, parse_class_head, read_class_object

_BEFORE_HEADER = " _*`\"'|+>-("
_ERROR = lazy(r"(?P<name>[Ee]rror): (?=\S)")
CLASS_AND_MESSAGE = "class and message"
GUTTER = "pytest's gutter"
_MOST_PLACES = 1200
SPLIT = "class, colon and message as three writes"


def start_traceback(stream: Stream, number: int) -> None:
    """Begin a traceback, ending the one before."""
    close(stream)
    stream.open(number)


def header(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Begin a traceback at its header; IPython names the class in front of it."""
    line = stream.lines[number]
    before = line.text[: match.start()].strip(_BEFORE_HEADER)
    start_traceback(stream, number)
    head = find_class_head(line.text[match.end() :]) if line.text[match.end() :].strip() else None
    if head is not None:
        shift = match.end()
        head = head._replace(start=head.start + shift, message=head.message + shift)
        return take_exception(stream, number, head, Certainty.TRACE, shape="header and exception on one line")
    if not before:
        stream.used[number] = 1
        return number + 1
    head = parse_class_head(before, expected=True)
    if head is not None and head.message >= len(before) and not line.indent:
        stream.class_in_header = before.split()[0]
        stream.used[number] = 1
    else:
        stream.lines[number] = line.cut(0, match.start())
    return number + 1


def link(stream: Stream, number: int, _match: re.Match[str]) -> int:
    """Tie the traceback above to the next one: it is its cause, or was being handled."""
    close(stream)
    stream.used[number] = 1
    role = Role.CAUSE if "direct cause" in stream.lines[number].text else Role.CONTEXT
    for at in reversed(range(len(stream.candidates))):
        candidate = stream.candidates[at]
        if candidate.chain_start == stream.chain_start and candidate.role in (Role.RAISED, Role.MEMBER):
            stream.candidates[at] = replace(candidate, role=role)
            break
    stream.is_linked = bool(stream.candidates) and stream.chain_start >= 0
    return number + 1


def glued_class(stream: Stream, number: int, match: re.Match[str]) -> int | None:
    """Take a class to which the next frame was glued, if its colon and message follow."""
    if not stream.is_split(number):
        return None
    line = stream.lines[number]
    return take_split(stream, number, ClassHead(match["name"], line.indent, len(line.text)), shape=SPLIT)


def remote_task(stream: Stream, number: int, match: re.Match[str]) -> int:
    """Begin the traceback of a task of Ray."""
    start_traceback(stream, number)
    if match.start():
        stream.lines[number] = stream.lines[number].cut(0, match.start())
    else:
        stream.used[number] = 1
    return number + 1


def group_member(stream: Stream, number: int, tree: re.Match[str], depth: int) -> int:
    """Read the line before a member of a group, or after the last."""
    close(stream)
    stream.used[number] = 1
    if tree["number"]:
        stream.group_depths.append(depth)
        stream.member += 1
    stream.is_linked = bool(stream.group_depths)
    return number + 1


def class_in_traceback(stream: Stream, line: Line) -> ClassHead | None:
    """The exception that a line begins with, inside a traceback.

    Where indentation does not tell code from exceptions, its class must look like one or be named
    by the header.
    """
    is_indented = stream.frame_indent > 0
    head = parse_class_head(line.text, expected=True) if is_indented else line.class_head
    head = head or read_class_object(line.text)
    named = stream.class_in_header
    if head is None and named:
        head = parse_class_head(line.text, expected=True)
        if head is not None and head.name not in (named, last_name(named)):
            head = None
    if head is None and stream.frames and (error := _ERROR.match(line.text)):
        head = ClassHead(error["name"], 0, error.end())  # of a module that calls its class so
    return head


def gutter(stream: Stream, number: int) -> int:
    """Take a block of pytest's ``E`` lines."""
    line = stream.lines[number]
    head = line.class_head or ClassHead(None, line.indent, line.indent)
    if not stream.is_linked:
        stream.chain_start = NO_CHAIN
    return take_exception(stream, number, head, Certainty.TRACE, shape=GUTTER)


def place_below(stream: Stream, place: tuple[Frame, str | None]) -> None:
    """Take pytest's ``path:line: Class``: it ends the error above, or leads to the next one if it has no class."""
    frame, name = place
    frame = replace(frame, source=stream.test_source)
    stream.test_source = None
    if name is None:
        stream.test_places.append(frame)
        return
    if stream.candidates and stream.candidates[-1].shape == GUTTER:
        last = stream.candidates[-1]
        frames = (*stream.test_places, *last.frames, frame)
        stream.candidates[-1] = replace(last, error_class=last.error_class or name, frames=frames[-_MOST_PLACES:])
    elif stream.candidates and stream.candidates[-1].error_class is None:
        stream.candidates[-1] = replace(stream.candidates[-1], error_class=name)
    stream.test_places = []
