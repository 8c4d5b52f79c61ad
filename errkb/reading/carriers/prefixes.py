"""Cut away what loggers, launchers and consoles put in front of a line."""

import re

from errkb.lazy_regex import lazy
from errkb.reading.carriers.logfmt import without_logfmt
from errkb.reading.carriers.prefix_pieces import FURTHER_PIECE, PIECE, WORDS_AND_LEVEL
from errkb.reading.line import Line
from errkb.reading.log_levels import ALIASES, CALM, LETTERS
from errkb.reading.shapes.class_heads import looks_like_exception

_BASIC = lazy(r"(?:ERROR|CRITICAL|WARNING):[A-Za-z_][\w.]{0,80}:(?=\S)")
"""Python's own format, which may stand after other output on the line."""
_BASIC_REACH = 200
_MAX_PIECES = 12

# what a piece is, by the last group that it closes
_TIMES = frozenset({"time", "seconds"})
_PROCESSES = frozenset({"ray", "rank", "syslog", "mpi", "container"})
_LEVEL_GROUPS = {
    "level": "level",
    "close": "level",
    "azure": "azure",
    "github": "github",
    "low": "low",
    "logrus": "logrus",
}
_LEVELS_WITH_TIME = {"celery": "celery", "pool": "celery", "opened": "opened"}
_LETTERS = frozenset({"glog", "glogtornado", "glogbracket", "glogray", "glogtime"})
_BLANKS = (" ", "\t")


class _Prefix:
    """A prefix as far as it is read."""

    __slots__ = ("column", "is_timed", "level", "processes", "words")

    def __init__(self, column: int) -> None:
        self.column = column
        self.is_timed = False
        self.level = ""
        self.processes: list[str] = []
        self.words: list[str] = []
        """What the lines of one record share: the pieces that are no times."""

    def next_piece(self, text: str) -> re.Match[str] | None:
        """The piece that stands at the end of the prefix."""
        column = self.column
        match = PIECE.match(text, column)
        if match is not None and match.lastgroup == "close" and match["open"] and not match["close"]:
            match = None  # a bracket that holds more than a level
        if match is None and (self.is_timed or self.level):
            if not self.is_timed and text[column - 1 : column + 2] == ": [":
                return None  # `ERROR: [site] …`: without a time, what stands in brackets is the message's
            match = _further(text, column, self.level)
        return match if match is not None and match.end() > column else None

    def add(self, match: re.Match[str], text: str) -> None:
        """Add a piece."""
        start, self.column = self.column, match.end()
        group = match.lastgroup or ""
        if group in _TIMES:
            self.is_timed = True
        elif group in _LETTERS:
            self.level = LETTERS.get(match[group], self.level)
        elif group in _LEVELS_WITH_TIME:  # the time in it must not tell the lines of one record apart
            self.level = match[_LEVELS_WITH_TIME[group]]
            self.words.append(self.level)
        else:
            if group in _LEVEL_GROUPS:
                self.level = match[_LEVEL_GROUPS[group]].upper()
            elif group in _PROCESSES:
                self.processes.append(match[group].strip(" :|"))
            self.words.append(text[start : self.column].strip())

    def cut_from(self, line: Line) -> Line:
        """The line without the prefix, which it keeps as its process, record and level."""
        column = self.column + (line.text[self.column : self.column + 1] in _BLANKS)
        rest = line.cut(column)
        rest.process = " ".join(self.processes) or line.process
        if self.is_timed or self.level:
            rest.record_id = " ".join(filter(None, self.words)) or "time"
        rest.level = ALIASES.get(self.level, self.level)
        return rest


def without_prefix(line: Line) -> Line:
    """The line without its prefix, which it keeps as its `process`, `record_id` and `level`."""
    text = line.text
    basic = _BASIC.search(text, 1, _BASIC_REACH) if ":" in text else None
    prefix = _Prefix(basic.start() if basic else 0)
    for _ in range(_MAX_PIECES):
        piece = prefix.next_piece(text)
        if piece is None:
            break
        prefix.add(piece, text)
    return without_logfmt(prefix.cut_from(line) if prefix.column else line)


def without_common_mark(lines: list[Line]) -> list[Line]:
    """The lines without a prefix that has no level and that all share: it is the page's, not a log record's."""
    plain = [line for line in lines if not line.level]
    marks = {(line.process, line.record_id) for line in plain if line.text.strip()}
    if len(plain) > 1 and len(marks) == 1 and all(line.record_id or line.process for line in lines if line.text):
        for line in plain:
            line.process = line.record_id = ""
            line.width = len(line.text)
    return lines


def _further(text: str, column: int, level: str) -> re.Match[str] | None:
    """The piece that is one only because of the time or the level before it."""
    match = None if level else WORDS_AND_LEVEL.match(text, column)
    if match is not None:
        return match
    match = FURTHER_PIECE.match(text, column)
    if match is not None and match["logger"] and not _is_logger(match, text, column, level):
        return None
    return match


def _is_logger(match: re.Match[str], text: str, column: int, level: str) -> bool:
    """Whether the name after a time or a level is a logger's, not the first word of the message."""
    name = match["logger"]
    if name.isupper() or name == "Value" or name.lower().endswith(("error", "exception", "file")):
        return False
    if looks_like_exception(name.replace("-", "_")):
        return False
    module, _, last = name.rpartition(".")
    following = text[match.end() :][:1]
    calm = level == "WARN" or ALIASES.get(level, level) in CALM  # Java's WARN, not Celery's WARNING
    if module and last[:1].isupper() and following == " " and not calm:
        return False  # an exception's class
    if match["sep"] != ":":
        return True
    before = text[column - 1]
    if before == ":" and following not in ("", " "):
        return True  # `ERROR:root:`
    return bool(module) or (bool(level) and before not in ":]")
