"""Lines that hold a class or a repr of an exception among other text."""

from msgspec.structs import replace

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.unnamed_messages import line_candidate, read_plain
from errkb.reading.line import Line
from errkb.reading.occurrence import Role
from errkb.reading.shapes.class_heads import find_class_head, parse_class_head
from errkb.reading.shapes.exception_reprs import Nested, find_reprs, read_repr
from errkb.reading.shapes.message_end import message_stop
from errkb.reading.shapes.message_text import strip_python_additions, strip_quoting, text_of
from errkb.reading.shapes.progress import SUMMARY

_SUMMARY = lazy(SUMMARY.pattern)
_LAST_OF_REPR = ").`;"
_BEHIND_REPR = " `.;\"'>"
_WEAK = lazy(r"\b(?:runtime|value|type|key|attribute|import|index|os|name|assertion)(?:Error|Exception) (?=[A-Z'\"])")
"""Names of exceptions without their capital or their colon."""
_QUESTION = lazy(r"\s*(?:#+ )?(?:How|Why|What|Where|Is|Does|Do|Can|Has) ")
_GLUED_HEADER = " Traceback (most recent"


def read_marked(lines: list[Line], number: int) -> list[Candidate]:
    """The errors in a line that holds a class or a repr."""
    line = lines[number]
    text = line.text
    whole = read_repr(text) if text.rstrip()[-1:] in _LAST_OF_REPR else None
    if whole is not None:
        return [
            line_candidate(
                Certainty.CLASS, whole.message, line, whole.start, whole.name, stop=whole.stop, shape="exception's repr"
            )
        ]
    if summary := _SUMMARY.match(text):
        return [_summed_up(line, summary.end())]
    named = _named(lines, number)
    reprs = find_reprs(text) if "(" in text else []
    found = [named] if named else []
    if named or reprs:
        found += read_plain([line], Certainty.LABELLED)
    return found + [_of_repr(line, nested, rank, is_alone=named is None) for rank, nested in enumerate(reprs, start=1)]


def _of_repr(line: Line, nested: Nested, rank: int, *, is_alone: bool) -> Candidate:
    """The error of a repr inside a line: at its end, after a colon, it is what the line is about."""
    text = line.text
    before = text[: nested.start]
    is_last = nested.stop >= len(text.rstrip(_BEHIND_REPR)) and before.rstrip()[-1:] in (":", "=", "-")
    certainty = Certainty.CLASS if is_last and is_alone else Certainty.LABELLED
    if before.endswith("exception="):
        certainty = Certainty.PROBABLE  # of a task; its traceback says it in full
    candidate = line_candidate(
        certainty, nested.message, line, nested.start, nested.name, stop=nested.stop, shape="repr inside a line"
    )
    return replace(candidate, role=Role.WRAPPED, rank_in_chain=rank)


def _named(lines: list[Line], number: int) -> Candidate | None:
    """The error whose class stands inside a line."""
    line = lines[number]
    text = line.text
    head = find_class_head(text, weak=_WEAK.search(text) is not None)
    if head is not None:
        stop = message_stop(lines, number, line.indent)
        body = text_of([line.cut(head.message), *lines[number + 1 : stop]])
        quoted = strip_quoting(body.partition(_GLUED_HEADER)[0], head.opening)
        message = strip_python_additions(head.name, quoted)
        if not message:
            return None
        if message.endswith("?") and stop == number + 1 and _QUESTION.match(text):
            message = message.rstrip("?")
        candidate = line_candidate(
            Certainty.CLASS, message, line, head.start, head.name, last=lines[stop - 1], shape="class inside a line"
        )
        return replace(candidate, role=Role.RAISED)
    return None


def _summed_up(line: Line, start: int) -> Candidate:
    """The error of a test, as a line that begins the message at `start` sums it up."""
    head = parse_class_head(line.text[start:])
    if head is not None and head.name is not None and head.message < len(line.text) - start:
        message = line.text[start + head.message :]
        found = line_candidate(Certainty.CLASS, message, line, start, head.name, shape=SUMMARY.name)
        return replace(found, role=Role.RAISED)
    message = line.text[start:]
    name = "AssertionError" if message.startswith("assert ") else None
    return line_candidate(Certainty.CLASS, message, line, start, name, shape=SUMMARY.name)
