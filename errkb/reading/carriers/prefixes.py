"""Cut away what loggers, launchers and consoles put in front of a line."""

import re
from collections import Counter

from errkb.lazy_regex import lazy
from errkb.reading import log_levels
from errkb.reading.line import Line
from errkb.reading.shapes.class_heads import looks_like_exception

_MONTH = (
    "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|janv|févr?|mars|avr|mai|juin|juil|août|sept|déc"
    "|jan|fev|mar|abr|jun|jul|ago|set|out|nov|dez|Mär|Mai|Okt|Dez|ene|may|dic)\\.?"
)
_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,:]\d{1,9})?"
_LEVEL = "|".join(log_levels.NAMES)
_SOURCE_FILE = r"[\w./\\<>-]{1,200}\.(?:py|pyx|c|cc|cpp|cu|cxx|h|hpp|rs|go|js|ts|java|rb)"
_RANKED = "rank|default|worker|gpu|gw|node|stage|thread|proc|process|host|local_rank"
_SPINNER = "[>⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]"
_AFTER_LEVEL = r"(?::|\ -(?=\ )|\ {0,9}\|(?=\ ))?"

# One piece of a prefix, by itself enough to tell that it is one.
_PIECE = lazy(
    rf"""[ \t]{{0,24}}(?:
    \[\d{{4}}-\d\d-\d\d\ {_CLOCK}\ (?P<glogray>[IWEF])\ \d{{1,9}}\ \d{{1,9}}\]
  | \[[\d\- :.,TZ]{{8,40}}:?\ (?P<celery>{_LEVEL})(?P<pool>/[\w-]{{1,60}})?\]
  | (?P<time>[\[(]?(?:
        \d{{4}}[-/.]\d\d?[-/.]\d\d?[T ,_]{{1,2}}\d\d?:\d\d(?::\d\d)?(?:[.,:]\d{{1,9}})?(?:\ ?(?:Z|UTC|[+-]\d\d:?\d\d))?
      | \d\d?[-/]\d\d?(?:[-/]\d{{2,4}})?[T ]{_CLOCK}(?:\ [AP]M)?
      | \d\d?[/-]{_MONTH}[/-]\d{{4}}[: ]{_CLOCK}(?:\ [+-]\d{{4}})?
      | (?:[A-Z][a-z]{{2}},?\ )?{_MONTH}\ {{1,2}}\d\d?,?\ (?:\d{{4}}\ )?{_CLOCK}(?:\ \d{{4}})?
      | {_CLOCK}(?:\ [AP]M)?(?=[\s\])|,-])
      | \d{{10}}\.\d{{3,9}}
      )[\])]?(?:\ ?,(?=\ )|:(?=\s|[A-Z]{{4}})|\ -(?=\ )|\ ?\|(?=\ ))?)
  | (?P<glog>[IWEF])\d{{4}}\ {_CLOCK}(?:\ +\d{{1,9}})?\ +[\w./-]{{1,200}}:\d{{1,9}}\]
  | \[(?P<glogtornado>[DIWEC])\ (?:\d{{4}}-\d\d-\d\d|\d{{6}})\ {_CLOCK}(?:\ [\w.:-]{{1,80}})?\]
  | \[(?P<opened>{_LEVEL})\ \d{{4}}-\d\d-\d\d\ {_CLOCK}\]
  | \[(?P<glogbracket>[IWEF])(?:\d{{3,4}}\ {_CLOCK})?\ [\w./-]{{1,200}}\.(?:cpp|cc|cu|c|h|hpp):\d{{1,9}}\]
  | (?P<ray>\([A-Za-z_][\w:.+ -]{{0,100}}?\ pid=\d{{1,9}}[^)\n]{{0,80}}\))
  | (?P<rank>\[(?i:{_RANKED})[ _:=-]?\d{{1,6}}\]:?)
  | (?P<syslog>[A-Za-z][\w./-]{{0,80}}\[\d{{1,9}}\]:)
  | (?P<mpi>\[\d+,\d+\]<\w+>:)
  | (?P<container>[a-z][\w.-]{{0,60}}(?:[-_]\d{{1,4}}\ *|\ {{2,60}})\|)
  | \#\#\[(?P<azure>error|warning|debug|section|command|group)\]
  | ::(?P<github>error|warning|notice|debug)(?:\ [^:\n]{{0,300}})?::
  | \#\d{{1,4}}\ (?:\d{{1,6}}\.\d{{1,4}}(?=\s|$)|(?=ERROR\b))
  | [A-Za-z_][\w.]{{0,80}}\ -\ (?=(?:{_LEVEL})\ -\ )
  | npm\ (?:ERR!|error)(?:\ code)? | INTERNALERROR> | [a-z][a-z\d_-]{{0,40}}:(?=\ (?:{_LEVEL})\b)
  | \[\s{{0,6}}\d{{1,7}}\.\d{{3,6}}\]
  | (?<![ \t])remote:(?=\ ) | (?:stderr|stdout)\ [FP](?=\ |$) | \[(?:stderr|stdout|err|out)\]:?
  | \[(?:{_SOURCE_FILE}|\w[\w.]{{0,80}}):\d{{1,7}}(?::[\w<>]{{1,80}}(?:\(\))?)?\]:?
  | \{{{_SOURCE_FILE}:\d{{1,7}}\}} | {_SOURCE_FILE}:\d{{1,7}}\]:?
  | (?:{_SPINNER}\ )?(?P<open>[\[(<]?)(?P<level>{_LEVEL})(?P<close>[\])>]?)
    (?=[\s:|\]/,-]|$|(?<=\]))(?:/\w+:?|{_AFTER_LEVEL})
  )""",
    re.VERBOSE,
)
# What is a piece only behind a time or a level.
_FURTHER = lazy(
    rf"""[ \t]{{0,40}}(?:
    (?P<glogtime>[IWEF])\ [\w./-]{{1,200}}\.(?:cpp|cc|cu|c|h|hpp):\d{{1,9}}\]
  | (?:[\w.-]{{1,80}}\ )?(?P<syslog>[A-Za-z][\w./-]{{0,80}}\[[\w.]{{1,20}}\]:)
  | \[(?!Errno|WinError|SSL|\[|Ljava|[A-Z]{{1,3}}\d{{2,5}}\]|['"\d,\ ]+\])[-\w\ .,:/=@\#<>*|()]{{1,120}}\]:?
  | \[\d{{1,9}}\]:? | \((?!\w+\.[\w.]*[A-Z])\w[-\w\ .:=]{{0,40}}\):?
  | {_SOURCE_FILE}[:(]\d{{1,7}}\)?(?:\ ?[\w<>]{{1,60}}(?:\(\))?)?\ ?(?:[\]:|]|--?)
    (?=\s|$)(?!\s\w+(?:Warning|Error|Exception):)
  | (?P<logger>[A-Za-z_][\w.<>-]{{0,120}}(?::[\w<>]{{1,80}}:\d{{1,7}})?)
    (?P<sep>:(?!//)(?=\S?)|\ -(?=\ )|\ ?\|(?=\ ))
  | (?P<low>(?:debug|info|warning|warn|error|critical|fatal))\b:?(?=\s)
  | (?:--?|(?<!\ \ )\|)(?=\ )
  )""",
    re.VERBOSE,
)
_WORDS_LEVEL = lazy(
    rf"""[ \t]{{0,40}}(?P<words>(?:[-\w./:\[\]@#|]{{1,80}}\ {{1,20}}){{1,4}}?)
    [\[(<]?(?P<level>{_LEVEL})[\])>]?(?=[\s:|,-]|$){_AFTER_LEVEL}""",
    re.VERBOSE,
)
_BASIC = lazy(r"(?:ERROR|CRITICAL|WARNING):[A-Za-z_][\w.]{0,80}:(?=\S)")  # behind other output on the line
_LOGFMT = lazy(r'(?:time|ts|t|level|lvl|severity|logger|caller)="?[^\s"]{1,100}"? ')
_LOGFMT_LEVEL = lazy(r'\b(?:level|lvl|severity)="?(\w{1,12})')
_LOGFMT_ERROR = lazy(r'\b(?:error|err|exception)="((?:[^"\\]|\\.){1,20000})(?:"|$)')
_LOGFMT_TEXT = lazy(r'\b(?:msg|message|error|err|exception)="((?:[^"\\]|\\.){0,20000})(?:"|$)')
_ANCHOR = lazy(r'Traceback \(most recent call last\)|File "[^"\n]{1,300}", line \d')
_NUMBER = lazy(r"(?:\d{1,6}\.\d{1,4}|\s{0,6}\d{1,6} ?[|:│])(?: |(?=\t)|$)")  # seconds, or a gutter
_NAME = lazy(r"[A-Za-z_][\w.]*(?:\([\w.]+\))?")  # of the exception, in IPython's header
_DIGITS = lazy(r"\d+")
_SOURCES = ("ray", "rank", "syslog", "mpi", "container")
_LEVELS = ("level", "opened", "celery", "azure", "github", "low")
_GLOGS = ("glog", "glogtornado", "glogbracket", "glogray", "glogtime")
_MAX_PIECES = 12


def without_prefix(line: Line) -> Line:
    """Return the line without its prefix, which it keeps as `source`, `stamp` and `level`."""
    text = line.text
    basic = _BASIC.search(text, 1, 200) if ":" in text else None
    column = basic.start() if basic else 0
    source: list[str] = []
    stamp: list[str] = []
    level = ""
    timed = stamped = False
    for _ in range(_MAX_PIECES):
        match = _PIECE.match(text, column)
        if match is not None and match["level"] and match["open"] and not match["close"]:
            match = None
        if match is None and (timed or level):
            # `ERROR: [site] …`: without a time, what stands in brackets behind a colon is the message's
            match = None if not stamped and text[column - 1 : column + 2] == ": [" else _further(text, column, level)
        if match is None or match.end() == column:
            break
        start, column = column, match.end()
        groups = {name: value for name, value in match.groupdict().items() if value}
        if "time" in groups:
            timed = stamped = True
            continue
        found = next((groups[name] for name in _LEVELS if name in groups), "")
        letter = next((groups[name] for name in _GLOGS if name in groups), "")
        level = (found or log_levels.LETTERS.get(letter, "") or level).upper()
        timed = timed or bool(found)
        source += [groups[name].strip(" :|") for name in _SOURCES if name in groups]
        # these two hold a time, which must not tell the lines of one record apart
        stamp.append(found if "celery" in groups or "opened" in groups or letter else text[start:column].strip())
    if not column:
        return _without_logfmt(line)
    if text[column : column + 1] in (" ", "\t"):
        column += 1
    rest = line.cut(column)
    rest.process = " ".join(source) or line.process
    if timed or level:
        rest.record_id = " ".join(filter(None, stamp)) or "time"
    rest.level = log_levels.level_name(level)
    return _without_logfmt(rest)


def without_common_mark(lines: list[Line]) -> list[Line]:
    """Forget a prefix without a level that all lines share: it is the page's, not a log record's."""
    plain = [line for line in lines if not line.level]
    marks = {(line.process, line.record_id) for line in plain if line.text.strip()}
    if len(plain) > 1 and len(marks) == 1 and all(line.record_id or line.process for line in lines if line.text):
        for line in plain:
            line.process = line.record_id = ""
            line.width = len(line.text)
    return lines


def _further(text: str, column: int, level: str) -> re.Match[str] | None:
    match = None if level else _WORDS_LEVEL.match(text, column)
    if match is not None:
        return match
    match = _FURTHER.match(text, column)
    if match is not None and match["logger"] and not _is_logger(match, text, column, level):
        return None
    return match


def _is_logger(match: re.Match[str], text: str, column: int, level: str) -> bool:
    """Tell whether the name behind a time or a level is a logger's, not the first word of the message."""
    name = match["logger"]
    module, _, last = name.rpartition(".")
    if name.isupper() or name == "Value" or name.lower().endswith(("error", "exception", "file")):
        return False
    if looks_like_exception(name.replace("-", "_")):
        return False
    behind = text[match.end() :][:1]
    calm = level == "WARN" or log_levels.level_name(level) in log_levels.CALM  # Java's WARN, not Celery's WARNING
    if module and last[:1].isupper() and behind == " " and not calm:
        return False  # an exception's class
    if text[column - 1] == ":" and match["sep"] == ":" and behind not in ("", " "):
        return True  # `ERROR:root:`
    dotted_or_placed = bool(module) or (bool(level) and text[column - 1] not in ":]")
    return match["sep"] != ":" or dotted_or_placed


def _without_logfmt(line: Line) -> Line:
    if line.text[:1] not in "tlsc" or not _LOGFMT.match(line.text):
        return line
    match = _LOGFMT_ERROR.search(line.text) or _LOGFMT_TEXT.search(line.text)
    if match is None:
        return line
    rest = line.cut(match.start(1), match.end(1))
    level = _LOGFMT_LEVEL.search(line.text)
    rest.level = level[1].upper() if level else ""
    rest.record_id = "logfmt"
    return rest


def without_shared_prefix(lines: list[Line]) -> list[Line]:
    """Cut away a prefix of unknown form where the fixed words of tracebacks show that there is one.

    What stands before ``Traceback (most …`` or ``File "…", line`` on several lines, digits aside, is a
    prefix, and is one on the lines between, too.
    """
    shapes: Counter[str] = Counter()
    before_frames: set[str] = set()
    for line in lines:
        text = line.text
        if ("File " in text or "Traceback " in text) and (match := _ANCHOR.search(text, 0, 400)):
            before = text[: match.start()].rstrip()
            if before.strip(" |+│┃║") and len(before) <= 100 and not before.endswith(('"', "'", "(", "+")):
                shape = _DIGITS.sub("0", before)
                shapes[shape] += 1
                # A name alone may be the class in IPython's header, but not before a frame.
                if match[0].startswith("File") or not _NAME.fullmatch(before):
                    before_frames.add(shape)
    filled = [line.text for line in lines if line.text.strip()]
    numbered = sum(_NUMBER.match(text) is not None for text in filled)
    if numbered > 2 and numbered * 5 >= len(filled) * 3:
        lines = [line.cut(match.end()) if (match := _NUMBER.match(line.text)) else line for line in lines]
    if not shapes:
        return lines
    wanted = [
        re.compile(r"\d+".join(map(re.escape, shape.split("0"))) + r"(?: |(?=\S)|$)")
        for shape, count in shapes.most_common(4)
        if shape in before_frames and (count >= 2 or shape.endswith((":", ">", "|", "]")))
    ]
    return [_without_shape(line, wanted) for line in lines] if wanted else lines


def _without_shape(line: Line, wanted: list[re.Pattern[str]]) -> Line:
    for shape in wanted:
        if match := shape.match(line.text):
            rest = line.cut(match.end())
            rest.process = line.process or _DIGITS.sub("0", match[0].strip())
            return rest
    return line
