"""The short way for a clean message or ``Class: message`` on one line, which most look-ups are."""

import re

from errkb.reading.classes import is_strong
from errkb.reading.escapes import is_suspect
from errkb.reading.messages import is_stop
from errkb.reading.occurrence import Occurrence, Role

_MAX_LENGTH = 600
_NAMED = re.compile(r"(?P<name>(?:[a-z_]\w{0,60}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception)): (?=[A-Za-z0-9])")
_PLAIN = re.compile(
    r"(?!(?:DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|ERR|CRITICAL|FATAL|SEVERE|TRACE|SUCCESS|PANIC)\b|E\s|raise |npm )"
    r"[A-Za-z][^\t:\[\]&|│┃║`\"“”*{}]{8,}"
)
_MARKS = re.compile(
    r"rror|xception|arning|ailure|PASSED|SKIPPED|XFAIL|it/s|\.py|line \d+, in |\('|ray::|[Tt]hread 0x|<class|<type"
)
_SHAPES = re.compile(r"validation error|raceback \(|File \"|ray::|[\[(]type=|&#|&\w{2,4};|=> \{|\w\('|\(\"")


def read_clean(text: str) -> Occurrence | None:
    """Return the one error that `text` is, None if it needs the whole reading."""
    if len(text) > _MAX_LENGTH or "\n" in text or "\r" in text or is_suspect(text):
        return None
    end = len(text.rstrip())
    if match := _NAMED.match(text):
        name, start = match["name"], match.end()
        if name.endswith("KeyError") or not is_strong(name) or _SHAPES.search(text, start):
            return None
        return Occurrence(message=text[start:end], span=(0, end), error_class=name)
    if _PLAIN.fullmatch(text) and not _MARKS.search(text) and not is_stop(text):
        return Occurrence(message=text[:end], span=(0, end), role=Role.LOG)
    return None
