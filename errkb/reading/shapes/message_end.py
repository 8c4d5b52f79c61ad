"""Where a message ends, and why."""

from collections.abc import Callable
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.line_kind import LineKind
from errkb.reading.shapes.class_heads import parse_class_head
from errkb.reading.shapes.links import LINK
from errkb.reading.shapes.paragraphs import is_human_prose, is_persons, is_sql_detail, paragraph_continues
from errkb.reading.shapes.says_its_own import BEGINS_ANOTHER, IS_SOURCE

MAX_LINES = 300

_RULE = lazy(r"\s*([=_*#~-])\1{3,}\s*$")
_HOLDS_TRACES = lazy(
    r"(?P<java>\bPy4J|An error occurred while calling)"
    r"|Failed in \w+ mode pipeline|Graph execution error:|root error\(s\) found"
)
"""What begins a message that holds frames, causes and classes of another program."""
_OF_ONE_LINE = frozenset(
    (
        "IndentationError", "IndexError", "KeyError", "NameError", "RecursionError", "SyntaxError", "TabError",
        "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "ZeroDivisionError",
    )
)  # fmt: skip
"""Classes that the interpreter itself raises, with a message of one line."""
_NARROWEST_FOLD, _WIDEST_FOLD = 60, 120
"""Between these columns, messages are folded at blanks by those who print them."""
_SENTENCE_ENDS = (".", "!", "?", ":")
_MOST_BLANK = 2
"""Lines that may be empty between the parts of such a message, if that program is a compiler."""
_OF_COMPILER = lazy(r"\s*(?:>>> |File |\[\d+\] During: |During: |(?:[\w.$]+\.)?[A-Z]\w*: )")
_OF_JAVA = lazy(r"\s*(?:Caused by: |\.\.\. \d+ more)")
_JAVA_FRAME = lazy(r"\s+at [\w.$<>/]{1,300}\(.{0,200}\)\s*$")


class MessageEnd(NamedTuple):
    """Where a message ends."""

    stop: int
    """The number of the line after it."""
    reason: str
    """Why that line, or the one after a blank line, does not belong to it."""


class _Message:
    """A message of which the lines from `at` to before `stop` are known."""

    __slots__ = ("announces", "at", "first", "indent", "lines", "stop", "traces")

    def __init__(self, lines: list[Line], at: int, indent: int) -> None:
        self.lines = lines
        self.at = at
        self.first = lines[at]
        self.indent = indent
        self.stop = at + 1
        self.announces = self.first.text.rstrip().endswith(":")
        """The first line ends with a colon: what it announces may stand after a blank line or below a rule."""
        self.traces = _HOLDS_TRACES.search(self.first.text)

    def is_announced(self, number: int) -> bool:
        """Whether the first line announces the line `number`."""
        return self.announces and number == self.at + 1


def message_stop(lines: list[Line], at: int, indent: int = 0) -> int:
    """The number of the line after the message whose first line is `at`."""
    return message_end(lines, at, indent).stop


def message_end(lines: list[Line], at: int, indent: int = 0) -> MessageEnd:
    """Where the message ends whose first line is `at`, and why.

    A message goes on over lines of the same log record. It ends at a line with a meaning of its own,
    at another exception, and at a blank line, unless a paragraph follows that explains it.
    """
    message = _Message(lines, at, indent)
    number = at + 1
    last = min(len(lines), at + MAX_LINES)
    while number < last:
        line = lines[number]
        if (reason := _foreign(message, number, line)) is not None:
            return MessageEnd(message.stop, reason)
        number += 1
        if message.is_announced(number - 1) and is_rule(line.text):
            message.stop = number  # a rule above the message; the one below ends it
        elif line.region == "barrier":
            return MessageEnd(message.stop, "a fence")
        elif not line.text.strip():
            if not any(goes_on(message, number) for goes_on in _BEHIND_BLANK):
                return MessageEnd(message.stop, "a blank line")
        else:
            indent = line.indent
            for reason, ends in _ENDS:
                if ends(message, line, indent):
                    return MessageEnd(message.stop, reason)
            message.stop = number
    return MessageEnd(message.stop, "the end of the text" if number >= len(lines) else "too many lines")


def is_rule(text: str) -> bool:
    """Whether a line is drawn, not written."""
    return _RULE.match(text) is not None


def _foreign(message: _Message, number: int, line: Line) -> str | None:
    """Why a line is of another record or another part of the page, None if it is of the same."""
    first = message.first
    if line.record_id != first.record_id and (line.record_id or not (line.indent or message.is_announced(number))):
        return "another log record"
    if (line.region == "error") != (first.region == "error") or line.region in ("code", "item"):
        return "another part of the page"
    if line.indent > message.indent and _is_source_above_frame(message.lines, number):
        return "the source of a frame that was cut"
    return None


def _is_source_above_frame(lines: list[Line], number: int) -> bool:
    """Whether a line stands right above a frame and is indented more: it is the source of a frame above that."""
    if number + 1 >= len(lines) or "File " not in lines[number + 1].text:
        return False
    below = lines[number + 1]
    return below.kind is LineKind.FRAME and lines[number].indent >= below.indent


# why a written line ends a message


def _is_indented_less(message: _Message, line: Line, indent: int) -> bool:
    return indent < message.indent and line.region == message.first.region == ""


def _is_drawn(message: _Message, line: Line, indent: int) -> bool:
    return indent <= message.indent and is_rule(line.text)


def _is_structure(message: _Message, line: Line, _indent: int) -> bool:
    return line.is_structure and not _is_of_trace(message, line.text)


def _says_its_own(message: _Message, line: Line, _indent: int) -> bool:
    return BEGINS_ANOTHER.match(line.text) is not None and not _is_of_trace(message, line.text)


def _is_source(message: _Message, line: Line, _indent: int) -> bool:
    return message.traces is None and line.region == "" and IS_SOURCE.match(line.text) is not None


def _is_folded(message: _Message, line: Line) -> bool:
    """Whether a line goes on a sentence that was folded at a blank: its first word had no room in the line above."""
    above = message.lines[message.stop - 1]
    head = above.class_head
    said = above.text.rstrip()[head.message if head else 0 :]
    word = line.text.split(maxsplit=1)[0]
    if not word.isascii() or said.endswith(_SENTENCE_ENDS):  # other scripts have no blanks to fold at
        return False
    return len(said) <= _WIDEST_FOLD and len(said) + 1 + len(word) > _NARROWEST_FOLD


def _is_behind_one_line(message: _Message, line: Line, indent: int) -> bool:
    head = message.first.class_head
    if head is None or head.name not in _OF_ONE_LINE or message.first.region == "error" or _is_folded(message, line):
        return False
    return indent <= message.indent and message.stop == message.at + 1 and not message.announces and not line.process


def _is_another_exception(message: _Message, line: Line, indent: int) -> bool:
    if indent > message.indent or _is_of_trace(message, line.text):
        return False
    text = line.text
    head = parse_class_head(text[2:]) if text[:2] in ("- ", "* ") else line.class_head
    return head is not None and (head.message < len(text) or "." in (head.name or ""))


def _is_of_person(message: _Message, line: Line, indent: int) -> bool:
    first = message.first
    if indent > message.indent or first.region or first.page == "output" or message.traces:
        return False
    if message.announces and message.stop == message.at + 1:
        return False
    if any(is_sql_detail(above.text) for above in message.lines[message.at : message.stop]):
        return False
    if _is_folded(message, line):
        return False
    is_right_below = message.stop == message.at + 1
    return is_persons(first.text.rpartition(": ")[2], line.text, is_right_below=is_right_below)


def _is_frame_of_java(message: _Message, line: Line, _indent: int) -> bool:
    return "(" in line.text and _JAVA_FRAME.match(line.text) is not None and not _is_of_trace(message, line.text)


_ENDS: tuple[tuple[str, Callable[[_Message, Line, int], bool]], ...] = (
    ("less indentation", _is_indented_less),
    ("a rule", _is_drawn),
    ("part of a traceback or report", _is_structure),
    ("a line that says something of its own", _says_its_own),
    ("source code", _is_source),
    ("the message of this class has one line", _is_behind_one_line),
    ("another exception", _is_another_exception),
    ("a person's words", _is_of_person),
    ("a frame of Java", _is_frame_of_java),
)


# when a message goes on after a blank line


def _body_continues(message: _Message, number: int) -> bool:
    """Whether an indented body goes on after a line of blanks, or the next one is announced.

    The blanks of such a line are the indentation of the lines around it.
    """
    lines, indent = message.lines, message.indent
    if message.stop == message.at + 1 or len(lines[number - 1].text) <= indent + 3:
        return False
    if number >= len(lines) or lines[message.stop - 1].indent <= indent:
        return False
    return lines[number].indent > indent or lines[number].text.rstrip().endswith(":") or _is_blank(lines[number])


def _gutter_continues(message: _Message, number: int) -> bool:
    """Whether a message in a test report's gutter goes on after an empty line of the gutter."""
    lines = message.lines
    return (
        message.first.region == "error"
        and number < len(lines)
        and lines[number - 1].region == "error"
        and lines[number].region == "error"
    )


def _trace_continues(message: _Message, number: int) -> bool:
    """Whether a message that holds traces goes on at `number`, or after the blank line there."""
    lines, traces = message.lines, message.traces
    if traces is None or number >= len(lines) or number - message.stop > _MOST_BLANK:
        return False
    line = lines[number]
    if _is_blank(line) or _is_of_trace(message, line.text):
        return True
    return not (traces["java"] or is_human_prose(line.text) or line.is_structure)


def _announced_continues(message: _Message, number: int) -> bool:
    """Whether a message begins at `number`, after the blank line after ``Class:``."""
    lines = message.lines
    if not (message.announces and message.stop == message.at + 1) or number >= len(lines):
        return False
    return not _is_blank(lines[number]) and not lines[number].is_structure


def _explanation_continues(message: _Message, number: int) -> bool:
    """Whether a paragraph explains the message above."""
    if (message.announces and message.stop == message.at + 1) or number - message.stop > 1:
        return False
    return paragraph_continues(message.lines, message.at, number, message.indent)


_BEHIND_BLANK = (_gutter_continues, _body_continues, _trace_continues, _announced_continues, _explanation_continues)


def _is_blank(line: Line) -> bool:
    return not line.text.strip()


def _is_of_trace(message: _Message, text: str) -> bool:
    """Whether a line is part of the traces that a message holds."""
    traces = message.traces
    if traces is None or "Traceback (most" in text or LINK.match(text):
        return False
    if traces["java"]:
        return bool(_OF_JAVA.match(text) or _JAVA_FRAME.match(text))
    return _OF_COMPILER.match(text) is not None
