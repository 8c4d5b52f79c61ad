"""Errors that stand in single lines, outside of tracebacks."""

from msgspec.structs import replace

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.unnamed_messages import BULLET, LABEL, line_candidate, read_plain
from errkb.reading.line import Line
from errkb.reading.log_levels import CALM, LOUD, TRACING
from errkb.reading.occurrence import Role
from errkb.reading.shapes.class_heads import find_class_head
from errkb.reading.shapes.exception_reprs import find_reprs, read_repr
from errkb.reading.shapes.message_end import message_stop
from errkb.reading.shapes.message_text import strip_python_additions, strip_quoting, text_of
from errkb.reading.shapes.paragraphs import is_sql_detail

_PROGRESS = lazy(r"\d%\s?\||\d+/\d+ \[\d\d:|it/s\b|\[\s?\d{1,3}%\]|\b(?:PASSED|SKIPPED|XFAIL)\b")
_PROGRESS_MARKS = ("%", " [", "it/s", "PASSED", "SKIPPED", "XFAIL")
_ACCESS = lazy(r'"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,2000} HTTP/')
_LABEL_ALONE = lazy(r"\s*(?:[\w'./:*-]+ ){0,8}(?i:error|exception|failed|failure|executing|occurred)\b[^.]{0,120}:\s*$")
_SLUG = lazy(r"\s*error: [a-z]+(?:-[a-z]+)+\s*$")
_STATEMENT = lazy(r"\s*[a-z]+(?: [a-z]+){1,3}: ")
_FAILED = lazy(r"\s*(?:(?:FAILED|ERROR) \S+::.{1,400}?|\S+\.py::\S+) - (?=\S)")
_OF_TASK = lazy(r"exception=[\w.]{1,200}\((?!\))")
_WEAK = lazy(r"\b(?:runtime|value|type|key|attribute|import|index|os|name|assertion)(?:Error|Exception) (?=[A-Z'\"])")
_MAX_BARE = 60
_MAX_PARAGRAPH = 40


def read_singles(lines: list[Line], used: bytearray, cut: list[int], *, quiet: bool) -> list[Candidate]:
    """Return the errors in lines that no traceback took.

    `cut` are the lines where tracebacks begin that have no exception; the line before such a one often
    says what the exception would. With `quiet`, there are exceptions, and lines without any mark of an
    error are passed over.
    """
    candidates: list[Candidate] = []
    near = {before for begin in cut if (before := _line_before(lines, used, begin)) is not None}
    number = bare = 0
    pending = False
    while number < len(lines):
        line = lines[number]
        if used[number] or not line.text.strip() or is_noise(line):
            number += 1
            continue
        found = _marked(lines, number)
        if not found and _SLUG.match(line.text):
            pending = True
            number += 1
            continue
        if not found and _LABEL_ALONE.match(line.text) and number not in near and not _is_link(lines, number + 1):
            pending = True
            number += 1
            continue
        stop = number + 1
        if found:
            if number in near:
                found = [
                    replace(candidate, certainty=min(candidate.certainty, Certainty.PROBABLE)) for candidate in found
                ]
        elif number in near or pending or not quiet:
            kind = (
                Certainty.PROBABLE
                if number in near
                else Certainty.LABELLED
                if pending or line.level in LOUD
                else Certainty.UNMARKED
            )
            if kind is not Certainty.UNMARKED or bare < _MAX_BARE:
                stop = _paragraph_stop(lines, used, near, number, one=pending and line.text.rstrip().endswith("."))
                found = read_plain(lines[number:stop], kind)
                bare += 1
        pending = False
        candidates += found
        number = stop
    return candidates


def _is_link(lines: list[Line], number: int) -> bool:
    return number < len(lines) and lines[number].text.lstrip().startswith(("http://", "https://"))


def _line_before(lines: list[Line], used: bytearray, begin: int) -> int | None:
    """Return the number of the line before a cut traceback."""
    if begin < len(lines) and not used[begin] and lines[begin].text.strip():
        return begin
    for number in range(begin - 1, max(begin - 6, -1), -1):
        text = lines[number].text
        if not text.strip():
            continue
        if used[number] or is_noise(lines[number]) or text.rstrip().endswith(":"):
            return None
        while (
            number
            and not used[number - 1]
            and not lines[number].record_id
            and lines[number].indent
            and lines[number - 1].text.strip()
        ):
            number -= 1
        return number
    return None


def is_noise(line: Line) -> bool:
    """Tell whether a line is a log's everyday business, a rule, a bar or a part of something else."""
    text = line.text
    if line.level == TRACING and find_class_head(text) is None:
        return True
    if line.region == "code" or line.level in CALM or text.startswith("(Background on this error at: "):
        return True
    if text.lstrip()[:1] in "-=_*~+#." and not any(map(str.isalnum, text[:400])):
        return True
    if any(mark in text for mark in _PROGRESS_MARKS) and _PROGRESS.search(text, 0, 400):
        return "Error: " not in text
    return bool(("HTTP/" in text and _ACCESS.search(text, 0, 3000)) or (line.is_structure and not _says_error(text)))


def _says_error(text: str) -> bool:
    """Tell whether a line of a fixed form holds an error all the same."""
    if _FAILED.match(text) or "Caused by: " in text or (text.startswith(">>> ") and find_class_head(text) is not None):
        return True
    return "exception=" in text and _OF_TASK.search(text) is not None


def _marked(lines: list[Line], number: int) -> list[Candidate]:
    """Return the errors in a line that holds a class or a repr."""
    line = lines[number]
    text = line.text
    whole = read_repr(text) if text.rstrip()[-1:] in ").`;" else None
    if whole is not None:
        return [line_candidate(Certainty.CLASS, whole.message, line, whole.start, whole.name, stop=whole.stop)]
    named = _named(lines, number)
    reprs = find_reprs(text) if "(" in text else []
    found = [named] if named else []
    if named or reprs:
        found += read_plain([line], Certainty.LABELLED)
    for count, nested in enumerate(reprs):
        at_end = nested.stop >= len(text.rstrip(" `.;\"'>")) and text[: nested.start].rstrip()[-1:] in (":", "=", "-")
        kind = Certainty.CLASS if at_end and not named else Certainty.LABELLED
        if text[: nested.start].endswith("exception="):
            kind = Certainty.PROBABLE  # of a task; its traceback says it in full
        candidate = line_candidate(kind, nested.message, line, nested.start, nested.name, stop=nested.stop)
        found.append(replace(candidate, role=Role.WRAPPED, rank_in_chain=count + 1))
    return found


def _named(lines: list[Line], number: int) -> Candidate | None:
    """Return the error whose class stands inside a line, or that a test's summary names."""
    line = lines[number]
    text = line.text
    head = find_class_head(text, weak=_WEAK.search(text) is not None)
    if head is not None:
        stop = message_stop(lines, number, line.indent)
        body = text_of([line.cut(head.message), *lines[number + 1 : stop]])
        message = strip_python_additions(
            head.name, strip_quoting(body.partition(" Traceback (most recent")[0], head.opening)
        )
        if not message:
            return None
        candidate = line_candidate(Certainty.CLASS, message, line, head.start, head.name, last=lines[stop - 1])
        return replace(candidate, role=Role.RAISED)
    if summary := _FAILED.match(text):
        message = text[summary.end() :]
        name = "AssertionError" if message.startswith("assert ") else None
        return line_candidate(Certainty.CLASS, message, line, summary.end(), name)
    return None


def _paragraph_stop(lines: list[Line], used: bytearray, near: set[int], number: int, *, one: bool) -> int:
    """Return the number of the line behind the paragraph that begins at `number`."""
    first = lines[number]
    behind = number + 1
    while behind < len(lines) and is_sql_detail(lines[behind].text):
        behind += 1
    if behind > number + 1:
        return behind
    if one or BULLET.match(first.text):
        return number + 1
    stop = number + 1
    while stop < len(lines) and stop - number < _MAX_PARAGRAPH:
        line = lines[stop]
        if used[stop] or stop in near or line.record_id or line.region not in ("", "box"):
            break
        if (first.record_id and not line.indent) or _begins_anew(line) or _is_closed(lines, number, stop):
            break
        stop += 1
    return stop


def _begins_anew(line: Line) -> bool:
    """Tell whether a line cannot go on what the line before it says."""
    text = line.text
    shapes = (BULLET, _STATEMENT, LABEL)
    return (
        not text.strip()
        or is_noise(line)
        or line.is_structure
        or any(shape.match(text) for shape in shapes)
        or find_class_head(text) is not None
        or read_repr(text) is not None
    )


def _is_closed(lines: list[Line], number: int, stop: int) -> bool:
    """Tell whether the quote that the paragraph begins with closed in the line before `stop`."""
    quote = lines[number].text.lstrip()[:1]
    return quote in ("`", '"') and stop - number > 1 and lines[stop - 1].text.rstrip().endswith(quote)
