"""From raw text to streams: lines without carrier noise, those of each process by themselves."""

import re
from collections import deque
from collections.abc import Iterable
from itertools import chain, islice

from errkb.lazy_regex import lazy
from errkb.reading.carriers.decoration import barrier, dedented, without_boxes, without_decoration, without_quotes
from errkb.reading.carriers.escapes import decoded, is_suspect, without_entities, without_escapes
from errkb.reading.carriers.prefixes import without_common_mark, without_prefix, without_shared_prefix
from errkb.reading.carriers.unwrapping import unwrapped
from errkb.reading.line import Line, split_lines
from errkb.reading.shapes.class_heads import find_class_head

MAX_TEXT = 12_000_000
"""Of a longer text, the first quarter and the last three quarters of this many characters are read."""
MAX_LINES = 200_000
"""The same for the number of lines."""

_TYPES = "ename|exc_type|exception_type|exception_class|error_class|error_?type"
_RECORD_TEXT = lazy(
    r'"(?:(?P<said>message|msg|error|detail|evalue|reason|error_?message|exc_message|exc_value)'
    rf"|(?P<type>{_TYPES}|type)"
    r"|log|exception|exc_info|stack|stack_?trace|traceback|text(?:_?payload)?|event|output|\w{0,20}stderr"
    r"|(?P<stdout>\w{0,20}stdout))"
    r'"\s{0,4}:\s{0,4}\[?"(?P<value>(?:[^"\\]|\\.)*)',
    re.IGNORECASE,
)
_RECORD_LEVEL = lazy(r'"(?:level|severity|levelname|lvl|log_level)"\s{0,4}:\s{0,4}"(\w{1,12})"')
_RECORD_KEY = lazy(r'"\w{1,60}"\s?:\s')
_RECORD_TYPE = lazy(
    rf'"(?:{_TYPES})"\s{{0,4}}:\s{{0,4}}"([\w.]{{1,200}})"',
    re.IGNORECASE,
)
_BRACES = ("{", "}", "},", "[", "]", "],")
_CLASS_NAME = lazy(r"[\w.]{0,200}[A-Z]\w{0,100}")
_MAX_VALUES = 1000
_GRAMMAR = lazy(
    r'\bTraceback \(most recent call|\bFile "[^"\n]{1,300}", line \d'
    r"|\bThe above exception was the|\bDuring handling of the above"
)
_GLUED_SERVICE = lazy(
    r"[a-z][\w.]{0,40}[-_]\d{1,3} {2,60}\| |\([A-Za-z_][\w. -]{0,60} pid=\d{1,9}[^)\n]{0,60}\) |\[rank\d{1,4}\]: ?"
)


def read_streams(text: str) -> list[list[Line]]:
    """Return the lines of `text` that are worth reading, one list per process that wrote them.

    Carriers are undone from the outside to the inside; where one may hold another of a kind that was
    already looked for (a record in a log line, a prefix in a box), that kind is looked for again.
    """
    lines = _limited(split_lines(text)) if len(text) <= MAX_TEXT else _ends(text)
    if is_suspect(text):
        bare = "[0m" in text or "[m" in text
        lines = [without_escapes(line, bare=bare) for line in lines]
    if "&quot;" in text or "&#" in text or "&lt;" in text:
        lines = [without_entities(line) for line in lines]
    lines = dedented(lines)
    if ">" in text:
        lines = dedented(without_quotes(lines))
    if any(rim in text for rim in "│┃║"):
        lines = dedented(without_boxes(lines))
    has_records = "\\" in text or '{"' in text or '": "' in text
    unprefixed = lines = [without_prefix(line) for line in one_service_a_line(lines)]
    if has_records:
        lines = _expanded(lines)
    lines = without_decoration(without_shared_prefix(without_common_mark(lines)))
    tried = set(map(id, unprefixed))
    lines = [line if id(line) in tried or not _may_have_prefix(line) else without_prefix(line) for line in lines]
    lines = _one_frame_a_line(unwrapped(lines))
    return _by_source(_expanded(lines) if has_records else lines)


def _may_have_prefix(line: Line) -> bool:
    return not line.record_id and line.region in ("", "box", "item")


def _limited(lines: Iterable[Line]) -> list[Line]:
    lines = iter(lines)
    head = list(islice(lines, MAX_LINES // 4))
    return head + list(deque(lines, maxlen=MAX_LINES * 3 // 4))


def _ends(text: str) -> list[Line]:
    head, tail = MAX_TEXT // 4, len(text) - MAX_TEXT * 3 // 4
    moved = (line.like(line.text, ((0, line.offset(0) + tail),)) for line in split_lines(text[tail:]))
    return _limited(chain(split_lines(text[:head]), moved))


def one_service_a_line(lines: list[Line]) -> list[Line]:
    """Undo the loss of newlines between lines that each begin with who wrote them."""
    kept: list[Line] = []
    for line in lines:
        first = _GLUED_SERVICE.match(line.text)
        found = list(_GLUED_SERVICE.finditer(line.text, first.end())) if first else []
        if not found:
            kept.append(line)
            continue
        starts = [0, *(match.start() for match in found)]
        kept += [line.cut(a, b) for a, b in zip(starts, [*starts[1:], None], strict=True)]
    return kept


def _one_frame_a_line(lines: list[Line]) -> list[Line]:
    """Undo the loss of all newlines of a traceback."""
    kept: list[Line] = []
    for line in lines:
        starts = [match.start() for match in _GRAMMAR.finditer(line.text)] if 'File "' in line.text else []
        if len(starts) < 2 and not (starts and line.text[: starts[0]].endswith(": ")):
            kept.append(line)
            continue
        parts = [line.cut(a, b) for a, b in zip([0, *starts], [*starts, None], strict=True)]
        for part in parts:
            if not part.text.strip():
                continue
            if part.text.endswith(": "):
                part = part.cut(0, len(part.text) - 2)
            head = find_class_head(part.text, weak=True) if part.text.startswith("File ") else None
            kept += [part.cut(0, head.start), part.cut(head.start)] if head else [part]
    return kept


def _expanded(lines: list[Line]) -> list[Line]:
    """Replace JSON records, cells of a notebook and quoted tracebacks by the lines they hold."""
    kept: list[Line] = []
    named: Line | None = None
    inside = False
    for number, line in enumerate(lines):
        text = line.text.strip()
        if text.endswith("=> {") and number + 1 < len(lines) and _RECORD_KEY.match(lines[number + 1].text.strip()):
            kept.append(barrier(line))
            inside = True
            continue
        if text in _BRACES and _is_in_record(lines, number):
            kept.append(line.cut(0, 0))
            continue
        if inside and _RECORD_KEY.match(text) and not _RECORD_TEXT.match(text):
            continue
        inside = text[:1] in ('"', "{") and _RECORD_TEXT.search(text, 0, 400) is not None
        if (text[:1] == "{" and '"' in text) or "=> {" in text:
            found, named = _record(line, named)
            if found and text[:1] != "{":
                kept.append(barrier(line))
            kept += found or [line]
        elif text[:1] == '"' and (said := _RECORD_TEXT.match(text)):
            if named is None and said["said"] and not _is_class(said["value"]):
                named = _type_behind(lines, number)
            found, named = _record(line, named)
            kept += found
        elif _is_quoted(text.removeprefix("b")):
            start = line.indent + 1 + text.startswith("b")
            kept += decoded(line.cut(start, line.indent + len(text.rstrip(",")) - 1))
        elif "\\n" in text and (
            "Traceback (most recent" in text or "\\n  File " in text or (text.count("\\n") > 3 and "[SQL: " not in text)
        ):
            kept += decoded(line)
        else:
            kept.append(line)
    return kept


def _is_quoted(text: str) -> bool:
    quote = text[:1]
    escaped = "\\n" in text or "\\" + quote in text
    return quote in ("'", '"') and text.rstrip(",")[-1:] == quote and len(text) > 2 and escaped


def _record(line: Line, named: Line | None) -> tuple[list[Line], Line | None]:
    """Return the lines in the texts of a JSON record, and a class that still waits for its message."""
    level = _RECORD_LEVEL.search(line.text)
    matches = list(islice(_RECORD_TEXT.finditer(line.text), _MAX_VALUES))
    said = [match.start() for match in matches if match["said"] and not _is_class(match["value"])]
    classes: dict[int, Line] = {said[0]: named} if named is not None and said else {}
    for match in matches:
        if (match["type"] and _CLASS_NAME.fullmatch(match["value"])) or (match["said"] and _is_class(match["value"])):
            named = line.cut(match.start("value"), match.end("value"))
            # its message is the next text of the record, or the last before it
            behind = next((start for start in said if start > match.start()), said[-1] if said else None)
            if behind is not None:
                classes[behind], named = named, None
    found: list[Line] = []
    for match in matches:
        if match["type"] or _is_class(match["value"]) or (match["stdout"] and "Traceback (most" not in match["value"]):
            continue
        parts = decoded(line.cut(match.start("value"), match.end("value")))
        for part in parts:
            part.level = level[1].upper() if level else line.level
        if match.start() in classes:
            parts[0] = classes[match.start()].joined(parts[0], ": ")
        found += [*parts, line.cut(0, 0)]
    return found, None if said else named


def _is_class(value: str) -> bool:
    """Tell whether a text is nothing but the name of an exception."""
    return value.endswith(("Error", "Exception")) and _CLASS_NAME.fullmatch(value) is not None


def _type_behind(lines: list[Line], number: int) -> Line | None:
    """Return the class that an object of several lines names behind the message in line `number`."""
    for line in lines[number + 1 : number + 5]:
        match = _RECORD_TYPE.search(line.text, 0, 400)
        if match is not None and _CLASS_NAME.fullmatch(match[1]):
            return line.cut(match.start(1), match.end(1))
        if line.text.strip()[:1] not in ('"', ""):
            break
    return None


def _is_in_record(lines: list[Line], number: int) -> bool:
    """Tell whether the brace in line `number` belongs to an object with a key on a line of its own."""
    near = [line.text.strip() for line in lines[max(number - 1, 0) : number + 2]]
    return any(_RECORD_KEY.match(text) for text in near)


def _by_source(lines: list[Line]) -> list[list[Line]]:
    """Tell the lines of interleaved processes apart.

    A line without a source of its own belongs to the log record before it, if that had a time or a
    level: loggers put their prefix before the first line of a record only.
    """
    streams: dict[str, list[Line]] = {}
    source = ""
    for line in lines:
        if line.process:
            source = line.process if line.record_id else ""
            streams.setdefault(line.process, []).append(line)
        else:
            streams.setdefault(source, []).append(line)
    return [dedented(stream) for stream in streams.values()]
