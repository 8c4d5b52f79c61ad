"""From raw text to streams: lines without carrier noise, those of each process by themselves."""

import re
from collections import deque
from collections.abc import Iterable
from itertools import chain, islice

from errkb.reading.decoration import dedented, without_decoration, without_quotes
from errkb.reading.escapes import decoded, is_suspect, without_escapes
from errkb.reading.lines import Line, split_lines
from errkb.reading.prefixes import without_prefix, without_shared_prefix
from errkb.reading.wrapping import unwrapped

MAX_TEXT = 12_000_000
"""Of a longer text, the first quarter and the last three quarters of this many characters are read."""
MAX_LINES = 200_000
"""The same for the number of lines."""

_RECORD_TEXT = re.compile(
    r'"(?P<key>message|msg|log|error|exception|exc_info|stack|stack_?trace|traceback|detail|text|event|evalue'
    r'|reason|ename|exc_type|exception_type|error_class|type|output|stderr)"\s{0,4}:\s{0,4}"(?P<value>(?:[^"\\]|\\.)*)'
)
_RECORD_LEVEL = re.compile(r'"(?:level|severity|levelname|lvl|log_level)"\s{0,4}:\s{0,4}"(\w{1,12})"')
_RECORD_KEY = re.compile(r'"\w{1,60}"\s?:\s')
_TYPE_KEYS = {"ename", "exc_type", "exception_type", "error_class", "type"}
_GLUED_SERVICE = re.compile(r"([a-z][\w.]{0,40}[-_]\d{1,3}) {2,60}\| ")


def read_streams(text: str) -> list[list[Line]]:
    """Return the lines of `text` that are worth reading, one list per process that wrote them."""
    lines = _limited(split_lines(text)) if len(text) <= MAX_TEXT else _ends(text)
    if is_suspect(text):
        bare = "[0m" in text or "[m" in text
        lines = [without_escapes(line, bare=bare) for line in lines]
    lines = dedented(lines)
    if ">" in text:
        lines = dedented(without_quotes(lines))
    if "\\n" in text or '{"' in text or '": "' in text:
        lines = _expanded(lines)
    lines = [without_prefix(line) for line in _one_service_a_line(lines)]
    lines = without_decoration(without_shared_prefix(lines))
    if any(line.stamp == "" and line.level == "" for line in lines) and len(lines) > 1:
        lines = [without_prefix(line) if not line.stamp and line.mark in ("", "box") else line for line in lines]
    lines = unwrapped(lines)
    if '{"' in text or '\\n' in text:
        lines = _expanded(lines)
    return _by_source(lines)


def _limited(lines: Iterable[Line]) -> list[Line]:
    lines = iter(lines)
    head = list(islice(lines, MAX_LINES // 4))
    return head + list(deque(lines, maxlen=MAX_LINES * 3 // 4))


def _ends(text: str) -> list[Line]:
    head, tail = MAX_TEXT // 4, len(text) - MAX_TEXT * 3 // 4
    moved = (line.like(line.text, ((0, line.offset(0) + tail),)) for line in split_lines(text[tail:]))
    return _limited(chain(split_lines(text[:head]), moved))


def _one_service_a_line(lines: list[Line]) -> list[Line]:
    """Undo the loss of newlines between the lines of a docker-compose log."""
    kept: list[Line] = []
    for line in lines:
        if "  | " not in line.text or len(found := list(_GLUED_SERVICE.finditer(line.text))) < 2:
            kept.append(line)
            continue
        starts = [0 if found[0].start() == 0 else 0, *(match.start() for match in found if match.start())]
        kept += [line.cut(a, b) for a, b in zip(starts, [*starts[1:], None], strict=True)]
    return kept


def _expanded(lines: list[Line]) -> list[Line]:
    """Replace JSON records, cells of a notebook and quoted tracebacks by the lines they hold."""
    kept: list[Line] = []
    named: Line | None = None
    inside = False
    for line in lines:
        text = line.text.strip()
        if inside and _RECORD_KEY.match(text) and not _RECORD_TEXT.match(text):
            continue
        inside = text[:1] in ('"', "{") and _RECORD_TEXT.search(text, 0, 400) is not None
        if text[:1] == "{" and '"' in text:
            found, named = _record(line, named)
            kept += found or [line]
        elif text[:1] == '"' and (match := _RECORD_TEXT.match(text)):
            found, named = _record(line, named)
            kept += found
        elif "\\n" in text and text[:1] in "\"'" and text.rstrip(",")[-1:] == text[:1]:
            start = line.indent + 1
            kept += decoded(line.cut(start, line.indent + len(text.rstrip(",")) - 1))
        elif "\\n" in text and ("Traceback (most recent" in text or "\\n  File " in text or text.count("\\n") > 3):
            kept += decoded(line)
        else:
            kept.append(line)
    return kept


def _record(line: Line, named: Line | None) -> tuple[list[Line], Line | None]:
    level = _RECORD_LEVEL.search(line.text)
    found: list[Line] = []
    for match in _RECORD_TEXT.finditer(line.text):
        value = line.cut(match.start("value"), match.end("value"))
        value.level = level[1].upper() if level else line.level
        if match["key"] in _TYPE_KEYS:
            named = value if re.fullmatch(r"[\w.]*[A-Z]\w*", value.text) else None
            continue
        parts = decoded(value)
        for part in parts:
            part.level, part.stamp = value.level, "record"
        if named is not None and match["key"] in ("evalue", "message", "msg", "error", "detail"):
            parts[0], named = named.joined(parts[0], ": "), None
        found += parts
        if len(found) > 5000:
            break
    return found, named


def _by_source(lines: list[Line]) -> list[list[Line]]:
    """Tell the lines of interleaved processes apart.

    A line without a source of its own belongs to the log record before it, if that had a time or a
    level: loggers put their prefix before the first line of a record only.
    """
    streams: dict[str, list[Line]] = {}
    source = ""
    for line in lines:
        if line.source:
            source = line.source if line.stamp else ""
            streams.setdefault(line.source, []).append(line)
        else:
            streams.setdefault(source, []).append(line)
    return [dedented(stream) for stream in streams.values()]
