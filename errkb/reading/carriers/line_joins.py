"""Undo the loss of newlines: lines of several services, or the frames of a traceback, on one line."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.shape import Shape, any_of
from errkb.reading.shapes.class_heads import find_class_head

SERVICES = (
    Shape("container", ("  | ",), r"[a-z][\w.]{0,40}[-_]\d{1,3} {2,60}\| ", "web_1  | "),
    Shape("worker", (" pid=",), r"\([A-Za-z_][\w. -]{0,60} pid=\d{1,9}[^)\n]{0,60}\) ", "(Engine pid=7) "),
    Shape("rank", ("[rank",), r"\[rank\d{1,4}\]: ?", "[rank3]: "),
)
"""What a service puts before each of its lines."""
_SERVICE = any_of(SERVICES)
_RECORD = lazy(
    r"(?:(?<=\s)|^)\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,14} {1,4}(?:[-|\[] ?)?(?:\S{1,40} ){0,2}"
    r"[\[|]?(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b"
)
"""Where a record of a log begins."""
_GRAMMAR = lazy(
    r'\bTraceback \(most recent call|\bFile "[^"\n]{1,300}", line \d'
    r"|\bThe above exception was the|\bDuring handling of the above"
)


def one_record_a_line(lines: list[Line]) -> list[Line]:
    """The lines, those divided that hold several records of a log, each with its time and level."""
    kept: list[Line] = []
    for line in lines:
        found = [match.start() for match in _RECORD.finditer(line.text)]
        kept += _divided(line, [0, *found[1:]]) if len(found) > 1 else [line]
    return kept


def one_service_a_line(lines: list[Line]) -> list[Line]:
    """The lines, those divided that hold lines of several services."""
    kept: list[Line] = []
    for line in lines:
        first = _SERVICE.match(line.text)
        found = list(_SERVICE.finditer(line.text, first.end())) if first else []
        if found:
            kept += _divided(line, [0, *(match.start() for match in found)])
        else:
            kept.append(line)
    return kept


def one_frame_a_line(lines: list[Line]) -> list[Line]:
    """The lines, those divided that hold the header and the frames of a traceback."""
    kept: list[Line] = []
    for line in lines:
        starts = [match.start() for match in _GRAMMAR.finditer(line.text)] if 'File "' in line.text else []
        if len(starts) < 2 and not (starts and line.text[: starts[0]].endswith(": ")):
            kept.append(line)
            continue
        for part in _divided(line, [0, *starts]):
            if part.text.strip():
                kept += _class_apart(part)
    return kept


def _divided(line: Line, starts: list[int]) -> list[Line]:
    """The parts of a line that begin at these columns."""
    return [line.cut(start, stop) for start, stop in zip(starts, [*starts[1:], None], strict=True)]


def _class_apart(part: Line) -> list[Line]:
    """A part of such a line, and apart from its frame the exception that stands after it."""
    if part.text.endswith(": "):
        part = part.cut(0, len(part.text) - 2)
    head = find_class_head(part.text, weak=True) if part.text.startswith("File ") else None
    return [part.cut(0, head.start), part.cut(head.start)] if head else [part]
