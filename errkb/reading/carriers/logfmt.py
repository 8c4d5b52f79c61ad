"""Records of keys and values on one line: ``time=… level=error msg="…"``."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line

_RECORD = lazy(r'(?:time|ts|t|level|lvl|severity|logger|caller)="?[^\s"]{1,100}"? ')
_LEVEL = lazy(r'\b(?:level|lvl|severity)="?(\w{1,12})')
_ERROR = lazy(r'\b(?:error|err|exception)="((?:[^"\\]|\\.){1,20000})(?:"|$)')
_TEXT = lazy(r'\b(?:msg|message|error|err|exception)="((?:[^"\\]|\\.){0,20000})(?:"|$)')
_FIRST_LETTERS = "tlsc"


def without_logfmt(line: Line) -> Line:
    """The error or the message of a record, with its level; another line as it is."""
    if line.text[:1] not in _FIRST_LETTERS or not _RECORD.match(line.text):
        return line
    match = _ERROR.search(line.text) or _TEXT.search(line.text)
    if match is None:
        return line
    rest = line.cut(match.start(1), match.end(1))
    level = _LEVEL.search(line.text)
    rest.level = level[1].upper() if level else ""
    rest.record_id = "logfmt"
    return rest
