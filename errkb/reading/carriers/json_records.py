"""JSON records, cells of a notebook and quoted text: the lines that they hold."""

import re
from itertools import islice

from errkb.lazy_regex import lazy
from errkb.reading.carriers.escapes import decoded
from errkb.reading.line import Line
from errkb.reading.shapes.class_heads import CLASS_BEFORE_MESSAGE

_TYPES = "ename|exc_type|exception_type|exception_class|error_class|error_?type"
_TEXT = lazy(
    r'"(?:(?P<said>message|msg|error|detail|evalue|reason|error_?message|exc_message|exc_value)'
    rf"|(?P<type>{_TYPES}|type)"
    r"|log|exception|exc_info|stack|stack_?trace|traceback|text(?:_?payload)?|event|output|\w{0,20}stderr"
    r"|(?P<stdout>\w{0,20}stdout))"
    r'"\s{0,4}:\s{0,4}\[?"(?P<value>(?:[^"\\]|\\.)*)',
    re.IGNORECASE,
)
"""A key whose text is read, with the text."""
_LEVEL = lazy(r'"(?:level|severity|levelname|lvl|log_level)"\s{0,4}:\s{0,4}"(\w{1,12})"')
_KEY = lazy(r'"\w{1,60}"\s?:\s')
_TYPE = lazy(rf'"(?:{_TYPES})"\s{{0,4}}:\s{{0,4}}"([\w.]{{1,200}})"', re.IGNORECASE)
_BRACES = ("{", "}", "},", "[", "]", "],")
_LABELLED = lazy(r"\s*(?!(?:\w+\.)*\w*(?:Error|Exception|Warning):)[A-Za-z][\w ./-]{0,80}: ?(?=\{\"\w)")
"""A label in front of a record, which is no class."""
_UNQUOTED = lazy(
    r"(?:(?P<type>ename|exc_type)|(?P<said>evalue|exc_value)): "
    r"(?P<quote>['\"`])(?P<value>(?:[^\\\n]|\\.)*?)(?P=quote),?\s*$"
)
"""A key of an object as JavaScript prints it."""
_BEGINS_WITH_CLASS = lazy(CLASS_BEFORE_MESSAGE)
_OPENING = "=> {"
_CLASS_NAME = lazy(r"[\w.]{0,200}[A-Z]\w{0,100}")
_HEADER = "Traceback (most"
_MAX_VALUES = 1000
_REACH = 400
_NEAR = 5
"""An object names its class at most so many lines after the message."""


def without_records(lines: list[Line]) -> list[Line]:
    """The lines, records and quoted tracebacks replaced by the lines they hold."""
    return _Records(lines).read()


class _Records:
    """The records of a text while they are read."""

    def __init__(self, lines: list[Line]) -> None:
        self._lines = lines
        self._kept: list[Line] = []
        self._waiting: Line | None = None
        """A class whose message is still to come."""
        self._is_inside = False
        """The line before was part of an object of several lines."""

    def read(self) -> list[Line]:
        """The lines that are held."""
        for number, line in enumerate(self._lines):
            text = line.text.strip()
            if self._opens_object(number, text):
                self._kept.append(line.barrier())
                self._is_inside = True
            elif text in _BRACES and self._is_in_object(number):
                self._kept.append(line.cut(0, 0))
            elif not (self._is_inside and _KEY.match(text) and not _TEXT.match(text)):
                self._is_inside = text[:1] in ('"', "{") and _TEXT.search(text, 0, _REACH) is not None
                self._kept += self._held_by(number, line, text)
        return self._kept

    def _held_by(self, number: int, line: Line, text: str) -> list[Line]:
        """The lines that a line holds; itself, if it is no record."""
        sign = text[:1]
        if (unquoted := _UNQUOTED.match(text)) is not None:
            return self._of_script(line, unquoted)
        if sign.isalpha() and '{"' in text and (label := _LABELLED.match(line.text)) is not None:
            return self._texts(line.cut(label.end())) or [line]
        if (sign == "{" and '"' in text) or _OPENING in text:
            found = self._texts(line)
            if not found:
                return [line]
            return found if sign == "{" else [line.barrier(), *found]
        if sign == '"' and (said := _TEXT.match(text)):
            if self._waiting is None and said["said"] and not _is_class(said["value"]):
                self._waiting = self._class_behind(number)
            return self._texts(line)
        if _is_quoted(text.removeprefix("b")):
            start = line.indent + 1 + text.startswith("b")
            return decoded(line.cut(start, line.indent + len(text.rstrip(",")) - 1))
        return decoded(line) if _is_escaped(text) else [line]

    def _of_script(self, line: Line, match: re.Match[str]) -> list[Line]:
        """What a line of an object of JavaScript holds: a class waits for its message."""
        value = line.cut(line.indent + match.start("value"), line.indent + match.end("value"))
        if match["type"]:
            self._waiting = value
            return []
        head, *more = decoded(value)
        name, self._waiting = self._waiting, None
        return [line.barrier(), name.joined(head, ": ") if name is not None else head, *more, line.barrier()]

    def _opens_object(self, number: int, text: str) -> bool:
        """Whether a line opens an object of several lines, as PHP and Ruby print them."""
        return (
            text.endswith(_OPENING)
            and number + 1 < len(self._lines)
            and _KEY.match(self._lines[number + 1].text.strip()) is not None
        )

    def _is_in_object(self, number: int) -> bool:
        """Whether a brace belongs to an object with a key on a line of its own."""
        near = [line.text.strip() for line in self._lines[max(number - 1, 0) : number + 2]]
        if number and near[0] in _BRACES and len(near) > 1:
            near.append(self._lines[max(number - 2, 0)].text.strip())
        return any(_KEY.match(text) or text[:1] == '"' for text in near)

    def _class_behind(self, number: int) -> Line | None:
        """The class that an object of several lines names after the message in line `number`."""
        for line in self._lines[number + 1 : number + _NEAR]:
            match = _TYPE.search(line.text, 0, _REACH)
            if match is not None and _CLASS_NAME.fullmatch(match[1]):
                return line.cut(match.start(1), match.end(1))
            if line.text.strip()[:1] not in ('"', ""):
                break
        return None

    def _texts(self, line: Line) -> list[Line]:
        """The lines in the texts of a record, each message after its class."""
        level = _LEVEL.search(line.text)
        values = list(islice(_TEXT.finditer(line.text), _MAX_VALUES))
        classes = self._classes(line, values)
        found: list[Line] = []
        for value in values:
            if not _is_read(value):
                continue
            parts = decoded(line.cut(value.start("value"), value.end("value")))
            for part in parts:
                part.level = level[1].upper() if level else line.level
            if value.start() in classes:
                parts[0] = classes[value.start()].joined(parts[0], ": ")
            found += [*parts, line.cut(0, 0)]
        return found

    def _classes(self, line: Line, values: list[re.Match[str]]) -> dict[int, Line]:
        """The classes of a record, by where their messages begin: the next text, or the last before them."""
        said = [value.start() for value in values if value["said"] and not _is_class(value["value"])]
        classes = {said[0]: self._waiting} if self._waiting is not None and said else {}
        for value in values:
            if not _names_class(value):
                continue
            name = line.cut(value.start("value"), value.end("value"))
            if said:
                classes[next((start for start in said if start > value.start()), said[-1])] = name
            else:
                self._waiting = name
        if said:
            self._waiting = None
        return classes


def _is_read(value: re.Match[str]) -> bool:
    if value["type"] or _is_class(value["value"]):
        return False
    return not value["stdout"] or _HEADER in value["value"]


def _names_class(value: re.Match[str]) -> bool:
    is_type = bool(value["type"]) and _CLASS_NAME.fullmatch(value["value"]) is not None
    return is_type or (bool(value["said"]) and _is_class(value["value"]))


def _is_class(value: str) -> bool:
    """Whether a text is nothing but the name of an exception."""
    return value.endswith(("Error", "Exception")) and _CLASS_NAME.fullmatch(value) is not None


def _is_quoted(text: str) -> bool:
    """Whether a line is a string with escapes as a whole."""
    quote = text[:1]
    has_escapes = "\\n" in text or "\\" + quote in text
    return quote in ("'", '"') and text.rstrip(",")[-1:] == quote and len(text) > 2 and has_escapes


def _is_escaped(text: str) -> bool:
    """Whether a line holds a traceback, or a long text, with escaped newlines."""
    if "\\n" not in text:
        return False
    if _BEGINS_WITH_CLASS.match(text) and "\\n  File " not in text:
        return False  # a value that the message quotes
    is_long = text.count("\\n") > 3 and "[SQL: " not in text
    return is_long or "Traceback (most recent" in text or "\\n  File " in text
