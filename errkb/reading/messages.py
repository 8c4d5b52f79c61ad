"""Where a message ends, and what of it is quoting."""

import re

from errkb.reading.classes import read_head
from errkb.reading.findings import MAX_MESSAGE
from errkb.reading.frames import read_frame, read_place
from errkb.reading.lines import Line

MAX_LINES = 300

LINK = re.compile(r"(?:The above exception was the direct cause|During handling of the above exception)")
HEADER = re.compile(r"(?:Exception Group )?[TtfF]raceback \((?:most recent call|innermost) last\):?")
WARNING = re.compile(r"(?P<file>\S.{0,300}?):(?P<line>\d{1,7}): (?P<name>(?:\w{1,80}\.){0,8}\w{0,80}Warning): ?")
_STOP = re.compile(
    r"""\s*(?:
    (?:The\ above\ exception\ was|During\ handling\ of\ the\ above|(?:Exception\ Group\ |Original\ )?Traceback\ \()
  | [=_*\#~-]{4,}(?:\s|$) | [+|]-[+-]- | \+-{3,} | "{3}|'{3}
  | [\w.-]{1,40}(?:\[\d+\])?:\ \*\*\*
  | (?:real|user|sys)\s+\d+m[\d.]+s
  | Process\ finished\ with\ exit\ code | Process\ \S+:$ | \[Finished\ in\ | (?:Error:\ )?Process\ completed\ with\ exit\ code
  | >>>\ ? | \.\.\.\ *$ | In\ \[\d+\]: | \^[CDZ] | [A-Za-z]:\\[^>\n]{0,200}> | PS\ [A-Z]:\\
  | \$\ | [%➜❯]\ | \([\w./-]{1,60}\)\ \S{0,80}\s?.{0,80}[$#➜%❯>](?:\s|$) | [\w.-]{1,40}@[\w.-]{1,60}[:~ ].{0,120}[$#%]
  | Exception\ ignored\ in | sys:\d+:\ | \S.{0,200}?:\d{1,7}:\ \w*Warning:
  | For\ further\ information\ visit
  | (?:FAILED|ERROR|PASSED|SKIPPED|XFAIL)\ \S+::
  | [Uu]sage:\ | Try\ ['"`].{1,100}['"`]\ for\ help | Exception\ (?:Location|Value|Type): | (?:Request|Django|Python)\ (?:Method|URL|Version|Path|Executable): | \S{0,200}\d%\|
  | Stack\ trace: | C\+\+\ (?:Captured)?Traceback | Exception\ raised\ from\ \S+\ at
  | Fatal\ Python\ error: | (?:Current\ )?[Tt]hread\ 0x[0-9a-f]+
  )""",
    re.VERBOSE,
)
_STATEMENT = re.compile(r"\s*raise [\w.]{1,200}(?:\(|$)")  # of a log in reverse order, or shown below
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|my|we|our|me|anyone|thanks|Thanks)\b")
_PROSE = re.compile(r"\s*(?:[A-Z][a-z']+|A|If|To|In|On|\*|-|\d+[.)])\s+\S+\s+\S+")
_CLOSING = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "(": ")"}


def is_stop(text: str) -> bool:
    """Tell whether a line cannot belong to a message: it has a meaning of its own."""
    return _STOP.match(text) is not None


def is_structural(text: str) -> bool:
    """Tell whether a line is part of a traceback, a report or a console's dialogue."""
    stripped = text.strip()
    return is_stop(text) or read_frame(stripped) is not None or read_place(stripped) is not None


def message_stop(lines: list[Line], at: int, indent: int = 0) -> int:
    """Return the number of the line behind the message whose first line is `at`.

    A message goes on over lines of the same log record. It ends at a line with a meaning of its own,
    at another exception, and at a blank line, unless a paragraph follows that explains it.
    """
    first = lines[at]
    stop = at + 1
    number = stop
    while number < len(lines) and number - at < MAX_LINES:
        line = lines[number]
        text = line.text
        if line.stamp != first.stamp or (line.mark != first.mark and line.mark != "box"):
            break
        if not text.strip():
            number += 1
            if not _goes_on(lines, at, stop, number, indent):
                break
            continue
        if is_structural(text) or _STATEMENT.match(text) or (line.indent <= indent and _is_other(text)):
            break
        number += 1
        stop = number
    return stop


def _is_other(text: str) -> bool:
    head = read_head(text)
    return head is not None and (head.message < len(text) or "." in (head.name or ""))


def _goes_on(lines: list[Line], at: int, stop: int, number: int, indent: int) -> bool:
    """Tell whether the paragraph at `number`, behind a blank line, explains the message above."""
    if number >= len(lines) or number - stop > 1:
        return False
    first, line = lines[at], lines[number]
    text = line.text
    if line.stamp != first.stamp or line.mark != first.mark or is_structural(text) or read_head(text):
        return False
    if line.indent > indent:
        return not text.lstrip().startswith(("You can now", "Local URL"))
    return bool(_PROSE.match(text)) and len(text) > 30 and not _FIRST_PERSON.search(text)


def text_of(lines: list[Line]) -> str:
    """Return the message that stands in these lines (the first cut to where it begins)."""
    text = "\n".join(line.text.rstrip() if n else line.text for n, line in enumerate(lines))
    return text.strip()[:MAX_MESSAGE]


def unquoted(message: str, opening: str) -> str:
    """Return the message without the quoting that `opening` began, and without a glued header."""
    if opening:
        for mark in opening:
            closing = _CLOSING.get(mark, mark)
            bare = message.rstrip(".,;: ")
            if bare.endswith(closing):
                message = bare[: -len(closing)].rstrip()
            elif mark in "`\"“‘«" and (cut := _closes_at(message, closing)) >= 0:
                message = message[:cut]
    return message


def _closes_at(message: str, closing: str) -> int:
    """Return where an opened quote closes inside a sentence that goes on."""
    if message.count(closing) != 1:
        return -1
    at = message.index(closing)
    return at if message[at + 1 : at + 2] in ("", " ", ".", ",", ")", "\n", ":") else -1


def unwrapped_quotes(message: str) -> str:
    """Return a message without quotes around the whole of it."""
    text = message.strip()
    bare = text.rstrip(".,; ")
    for opening, closing in _CLOSING.items():
        if opening != "(" and bare[:1] == opening and bare[-1:] == closing and len(bare) > 2:
            inner = bare[1:-1]
            if opening not in inner and closing not in inner:
                return inner.strip()
    for marks in ("_**", "**_", "***", "**", "__", "`", "*", "_"):
        if len(bare) > 2 * len(marks) and bare.startswith(marks) and bare.endswith(marks[::-1]):
            return bare[len(marks) : -len(marks)].strip()
    return text


def key_message(name: str | None, message: str) -> str:
    """Return a KeyError's message: Python prints its repr, which hides a sentence in quotes."""
    if name and name.rpartition(".")[2] == "KeyError" and len(message) > 2 and message[0] == message[-1] and message[0] in "\"'":
        inner = message[1:-1]
        if " " in inner.strip():
            return inner.replace("\\" + message[0], message[0])
    return message
