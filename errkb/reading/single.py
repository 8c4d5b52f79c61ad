"""Errors that stand in single lines: logged, labelled, in a report, or without any mark."""

import re
from itertools import islice

from errkb.reading.classes import find_head
from errkb.reading.findings import Finding, Kind
from errkb.reading.lines import Line
from errkb.reading.messages import (
    is_structural,
    is_talk,
    key_message,
    message_stop,
    text_of,
    unquoted,
    unwrapped_quotes,
)
from errkb.reading.nested import find_reprs, read_repr
from errkb.reading.occurrence import Role

_QUIET = {"INFO", "DEBUG", "NOTICE", "SUCCESS"}
_LOUD = {"ERROR", "CRITICAL", "FATAL", "SEVERE", "PANIC", "EXCEPTION"}
_PROGRESS = re.compile(r"\d%\s?\||\d+/\d+ \[\d\d:|it/s\b|\[\s?\d{1,3}%\]|\b(?:PASSED|SKIPPED|XFAIL)\b")
_ACCESS = re.compile(r'"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,2000} HTTP/')
_BULLET = re.compile(r"\s*(?:[-*•‣▪·]|\d{1,3}[.)])\s+(?=\S)")
_MARKS = re.compile(r"\s*(?:[×✘✗✖❌⨯❗⚠🔥💥]\ufe0f?\s*|#{1,6}\s+)+")
_BANNER = re.compile(r"\s*([!*#=]{3,20}|-{3,20}) ?\S.{0,100}? ?\1\s+(?=\S)")
_LABEL = re.compile(
    r"\s*(?P<label>(?:[\w./\\-]{1,100}(?::\d{1,6}){0,2}: )?(?:[A-Za-z][\w'-]{0,30} ){0,4}"
    r"(?i:errors?|exception|failed|failure|fatal|panic)|Warning|WARNING|Caused by|what\(\))"
    r"(?: \[\w{1,12}\]|\[\w{1,12}\])?: +(?=\S)"
)
_FOLLOWING = re.compile(r".{0,600}?\b(?:following|this|next) (?:\w{1,30} ){0,2}(?:error|exception)s?: +(?=\S)")
_LABEL_ALONE = re.compile(
    r"\s*(?:[\w'./:*-]+ ){0,8}(?i:error|exception|failed|failure|executing|occurred)\b[^.]{0,120}:\s*$"
)
_SENTENCE = re.compile(r"(?<=\S )An? (?:\w{1,30} ){0,2}(?:error|exception)\b")
_SLUG = re.compile(r"\s*error: [a-z]+(?:-[a-z]+)+\s*$")
_STATEMENT = re.compile(r"\s*[a-z]+(?: [a-z]+){1,3}: ")
_ACRONYM = re.compile(r"\b[A-Z]{2,}\d*\b")
_FAILED = re.compile(r"\s*(?:FAILED|ERROR) (?P<test>\S+::.{1,400}?) - (?=\S)")
_ERRORISH = re.compile(
    r"\b(?:cannot|can't|could ?n[o']t|does ?n[o']t|no \w+|not \w+|must|required|expected|missing|invalid|illegal"
    r"|mismatch|fail(?:ed|s|ure)?|errors?|unable|un(?:supported|expected|known|recognized|available|defined|authorized)"
    r"|denied|refused|forbidden|exceed(?:s|ed)?|out of memory|timed out|corrupt(?:ed)?|aborted|killed"
    r"|incompatible|conflict(?:s|ing)?|already)\b",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:runtime|value|type|key|attribute|import|index|os|name|assertion)(?:Error|Exception) (?=[A-Z'\"])"
)
_STRING = re.compile(r"""[rfbu]{0,2}(?P<quote>"{3}|'{3}|"|')(?P<text>.+?)(?:(?P=quote)|$)""")
_GUTTER = re.compile(r"^[\s\d│┃|❱>]*")
_RAISE = re.compile(r"\braise (?P<name>[\w.]{1,200})\((?P<rest>.*)$")
_MAX_BARE = 60
_MAX_PARAGRAPH = 40
_MAX_TAILS = 3
_MIN_TAIL = 10


def read_singles(lines: list[Line], used: bytearray, cut: list[int], *, quiet: bool) -> list[Finding]:
    """Return the errors in lines that no traceback took.

    `cut` are the lines where tracebacks begin that have no exception; the line before such a one often
    says what the exception would. With `quiet`, there are exceptions, and lines without any mark of an
    error are passed over.
    """
    findings: list[Finding] = []
    near = {before for begin in cut if (before := _line_before(lines, used, begin)) is not None}
    number = bare = 0
    pending = False
    while number < len(lines):
        line = lines[number]
        if used[number] or not line.text.strip() or _is_noise(line):
            number += 1
            continue
        found = _marked(lines, number)
        if not found and _SLUG.match(line.text):
            pending = True
            number += 1
            continue
        if not found and _LABEL_ALONE.match(line.text) and number not in near:
            pending = True
            number += 1
            continue
        stop = number + 1
        if found:
            if number in near:
                for finding in found:
                    finding.kind = min(finding.kind, Kind.NEAR)
        elif number in near or pending or not quiet:
            kind = Kind.NEAR if number in near else Kind.LOG if pending or line.level in _LOUD else Kind.BARE
            if kind is not Kind.BARE or bare < _MAX_BARE:
                stop = _paragraph_stop(lines, used, near, number, one=pending and line.text.rstrip().endswith("."))
                found = _plain(lines, number, stop, kind)
                bare += 1
        pending = False
        findings += found
        number = stop
    return findings


def _line_before(lines: list[Line], used: bytearray, begin: int) -> int | None:
    """Return the number of the line before a cut traceback."""
    if begin < len(lines) and not used[begin] and lines[begin].text.strip():
        return begin
    for number in range(begin - 1, max(begin - 6, -1), -1):
        text = lines[number].text
        if not text.strip():
            continue
        if used[number] or _is_noise(lines[number]) or text.rstrip().endswith(":"):
            return None
        while (
            number
            and not used[number - 1]
            and not lines[number].stamp
            and lines[number].indent
            and lines[number - 1].text.strip()
        ):
            number -= 1
        return number
    return None


def _is_noise(line: Line) -> bool:
    text = line.text
    if line.mark == "code" or line.level in _QUIET:
        return True
    if text.lstrip()[:1] in "-=_*~+#." and not any(map(str.isalnum, text[:400])):
        return True
    if _PROGRESS.search(text, 0, 400):
        return "Error: " not in text
    return bool(
        _ACCESS.search(text, 0, 3000) or (is_structural(text) and not _FAILED.match(text) and "Caused by: " not in text)
    )


def _marked(lines: list[Line], number: int) -> list[Finding]:
    """Return the errors in a line that holds a class or a repr."""
    line = lines[number]
    text = line.text
    found: list[Finding] = []
    nested = read_repr(text) if text.rstrip()[-1:] in ").`;" else None
    if nested is not None:
        return [_finding(Kind.CLASS, nested.message, line, nested.start, nested.stop, nested.name)]
    summary = _FAILED.match(text)
    head = find_head(text)
    if head is None and _WEAK.search(text):
        head = find_head(text, weak=True)
    if head is not None:
        stop = message_stop(lines, number, line.indent)
        body = text_of([line.cut(head.message), *lines[number + 1 : stop]])
        message = key_message(head.name, unquoted(body.partition(" Traceback (most recent")[0], head.opening))
        if message:
            last = lines[stop - 1] if stop - number > 1 else None
            found.append(_finding(Kind.CLASS, message, line, head.start, len(text.rstrip()), head.name, last))
            found[0].role = Role.RAISED
    elif summary is not None:
        name = "AssertionError" if text[summary.end() :].startswith("assert ") else None
        found.append(_finding(Kind.CLASS, text[summary.end() :].strip(), line, summary.end(), len(text.rstrip()), name))
    reprs = find_reprs(text) if "(" in text else []
    if found or reprs:
        found += _plain(lines, number, number + 1, Kind.LOG)
    for count, nested in enumerate(reprs):
        ends = nested.stop >= len(text.rstrip(" `.;\"'")) and text[: nested.start].rstrip()[-1:] in (":", "=", "-")
        kind = Kind.CLASS if ends and head is None else Kind.LOG
        finding = _finding(kind, nested.message, line, nested.start, nested.stop, nested.name)
        finding.role, finding.place = Role.WRAPPED, count + 1
        found.append(finding)
    return found


def _plain(lines: list[Line], number: int, stop: int, kind: Kind) -> list[Finding]:
    """Return a paragraph without a class as a message, then the parts of it that may be one."""
    line = lines[number]
    text = line.text
    column = 0
    for pattern in (_BULLET, _MARKS, _BANNER):
        if match := pattern.match(text, column):
            column = match.end()
    whole = column
    if label := _LABEL.match(text, column) or _FOLLOWING.match(text, column):
        if label.re is _FOLLOWING or not _ACRONYM.search(label["label"]):
            column = label.end()
        kind = min(kind, Kind.LOG)
    if line.level in _LOUD:
        kind = min(kind, Kind.LOG)
    elif line.level.startswith("WARN"):
        kind = max(kind, Kind.BARE)
    body = [line.cut(column), *lines[number + 1 : stop]]
    message = text_of([part for part in body if part.text.strip("^~ ")])
    plain = unwrapped_quotes(message)
    if not plain:
        return []
    if not any(map(str.isalpha, plain)):
        return []
    chain = line.offset(column)
    errorish = 0.8 if is_talk(plain) else 0.0 if _ERRORISH.search(plain) else 0.4
    found = [_finding(kind, plain, line, column, len(text), None, last=body[-1])]
    if label and label.re is _LABEL and label["label"] == "Caused by":
        found[0].role = Role.CAUSE
    found[0].place = errorish
    if kind is Kind.BARE:
        found[0].chain = int(errorish * 10)  # among lines without marks, the one that sounds like an error
    rests = [whole] if whole != column else []
    if label and column != label.end():
        rests.append(label.end())
    rests += [match.start() for match in islice(_SENTENCE.finditer(text, column), _MAX_TAILS)]
    at = column
    for _ in range(_MAX_TAILS):
        at = text.find(": ", at, at + 400)
        if at < 0:
            break
        at += 2
        if len(text) - at >= _MIN_TAIL:
            rests.append(at)
    for count, rest in enumerate(rests):
        tail = unwrapped_quotes(text_of([line.cut(rest), *lines[number + 1 : stop]]))
        extra = _finding(kind, tail, line, rest, len(text), None, last=body[-1])
        extra.role, extra.place, extra.chain = Role.WRAPPED, count + 1, found[0].chain
        found.append(extra)
    if stop - number > 1:
        for each in lines[number:stop]:
            extra = _finding(Kind.BARE, unwrapped_quotes(each.text), each, each.indent, len(each.text), None)
            extra.role, extra.chain, extra.place = Role.WRAPPED, chain, 9
            found.append(extra)
    return [finding for finding in found if finding.message]


def _finding(
    kind: Kind, message: str, line: Line, start: int, stop: int, name: str | None, last: Line | None = None
) -> Finding:
    begin = line.offset(min(start, len(line.text)))
    end = last.end() if last is not None and last is not line else line.cut(0, stop).end()
    return Finding(kind, message.strip(), begin, max(begin, end), name, Role.LOG, chain=begin)


def _paragraph_stop(lines: list[Line], used: bytearray, near: set[int], number: int, *, one: bool) -> int:
    """Return the number of the line behind the paragraph that begins at `number`."""
    first = lines[number]
    if one or _BULLET.match(first.text):
        return number + 1
    stop = number + 1
    while stop < len(lines) and stop - number < _MAX_PARAGRAPH:
        line = lines[stop]
        if used[stop] or stop in near or line.stamp or line.mark not in ("", "box"):
            break
        if (first.stamp and not line.indent) or _begins_anew(line) or _is_closed(lines, number, stop):
            break
        stop += 1
    return stop


def _begins_anew(line: Line) -> bool:
    """Tell whether a line cannot go on what the line before it says."""
    text = line.text
    shapes = (_BULLET, _STATEMENT, _LABEL)
    return (
        not text.strip()
        or _is_noise(line)
        or is_structural(text)
        or any(shape.match(text) for shape in shapes)
        or find_head(text) is not None
        or read_repr(text) is not None
    )


def _is_closed(lines: list[Line], number: int, stop: int) -> bool:
    """Tell whether the quote that the paragraph begins with closed in the line before `stop`."""
    quote = lines[number].text.lstrip()[:1]
    return quote in ("`", '"') and stop - number > 1 and lines[stop - 1].text.rstrip().endswith(quote)


def read_sources(lines: list[Line], source: list[int]) -> list[Finding]:
    """Return what quoted ``raise`` statements would raise: a last resort, where nothing else is there."""
    found: list[Finding] = []
    for number in source:
        line = lines[number]
        match = _RAISE.search(line.text)
        if match is None:
            continue
        for at in range(number, min(number + 3, len(lines))):
            part = line.cut(match.start("rest")) if at == number else lines[at]
            text = _GUTTER.sub("", part.text)
            literal = _STRING.match(text) if at > number else _STRING.match(match["rest"])
            if literal is not None:
                found.append(
                    _finding(
                        Kind.SOURCE, literal["text"], lines[number], match.start("name"), len(line.text), match["name"]
                    )
                )
                break
    return found
