"""What loggers, launchers and consoles put in front of a line, piece by piece: one row a kind of piece.

The name of the last group that a row closes says what the piece is: a time, a level, the process (`prefixes`).
"""

from errkb.reading.log_levels import NAMES
from errkb.reading.shape import Shape, any_of

_MONTH = (
    "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|janv|févr?|mars|avr|mai|juin|juil|août|sept|déc"
    "|jan|fev|mar|abr|jun|jul|ago|set|out|nov|dez|Mär|Mai|Okt|Dez|ene|may|dic)\\.?"
)
_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,:]\d{1,9})?"
_DATES = (
    r"\d{4}[-/.]\d\d?[-/.]\d\d?[T ,_]{1,2}\d\d?:\d\d(?::\d\d)?(?:[.,:]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?",
    rf"\d\d?[-/]\d\d?(?:[-/]\d{{2,4}})?[T ]{_CLOCK}(?: [AP]M)?",
    rf"\d\d?[/-]{_MONTH}[/-]\d{{4}}[: ]{_CLOCK}(?: [+-]\d{{4}})?",
    rf"(?:[A-Z][a-z]{{2}},? )?{_MONTH} {{1,2}}\d\d?,? (?:\d{{4}} )?{_CLOCK}(?: \d{{4}})?",
    rf"{_CLOCK}(?: [AP]M)?(?=[\s\])|,-])",
)
_SECONDS = r"\d{10}\.\d{3,9}"
_BEHIND_TIME = r"[\])]?(?: ?,(?= )|:(?=\s|[A-Z]{4})| -(?= )| ?\|(?= ))?"
_LEVEL = "|".join(NAMES)
_SOURCE_FILE = r"[\w./\\<>-]{1,200}\.(?:py|pyx|c|cc|cpp|cu|cxx|h|hpp|rs|go|js|ts|java|rb)"
_RANKED = "rank|default|worker|gpu|gw|node|stage|thread|proc|process|host|local_rank"
_SPINNER = "[>⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]"
_BEHIND_LEVEL = r"(?:::?| -(?= )| {0,9}\|(?= ))?"
_BRACKET = ("[",)

PIECES = (
    Shape(
        "time and letter of Ray",
        _BRACKET,
        rf"\[\d{{4}}-\d\d-\d\d {_CLOCK} (?P<glogray>[IWEF]) \d{{1,9}} \d{{1,9}}\]",
        "[2024-05-01 10:00:00,120 E 7 9]",
    ),
    Shape(
        "time and level of Celery",
        _BRACKET,
        rf"\[[\d\- :.,TZ]{{8,40}}:? (?P<celery>{_LEVEL})(?P<pool>/[\w-]{{1,60}})?\]",
        "[2024-05-01 10:00:00,120: ERROR/ForkPoolWorker-1]",
    ),
    Shape("time", (":",), rf"(?P<time>[\[(]?(?:{'|'.join(_DATES)}){_BEHIND_TIME})", "2024-05-01 10:00:00,123"),
    Shape(
        "seconds",
        tuple(f".{digit}" for digit in "0123456789"),
        rf"(?P<seconds>[\[(]?{_SECONDS}{_BEHIND_TIME})",
        "1714557600.123",
    ),
    Shape(
        "letter of glog",
        (":",),
        rf"(?P<glog>[IWEF])\d{{4}} {_CLOCK}(?: +\d{{1,9}})? +[\w./-]{{1,200}}:\d{{1,9}}\]",
        "E0501 10:00:00.120334 17 store.cc:16]",
    ),
    Shape(
        "letter of Tornado",
        _BRACKET,
        rf"\[(?P<glogtornado>[DIWEC]) (?:\d{{4}}-\d\d-\d\d|\d{{6}}) {_CLOCK}(?: [\w.:-]{{1,80}})?\]",
        "[E 240501 10:00:00 web:12]",
    ),
    Shape(
        "level and time in brackets",
        _BRACKET,
        rf"\[(?P<opened>{_LEVEL}) \d{{4}}-\d\d-\d\d {_CLOCK}\]",
        "[ERROR 2024-05-01 10:00:00]",
    ),
    Shape(
        "letter and file in brackets",
        _BRACKET,
        rf"\[(?P<glogbracket>[IWEF])(?:\d{{3,4}} {_CLOCK})? [\w./-]{{1,200}}\.(?:cpp|cc|cu|c|h|hpp):\d{{1,9}}\]",
        "[E502 10:00:01.120334455 store.cpp:16]",
    ),
    Shape(
        "worker and its number",
        (" pid=",),
        r"(?P<ray>\([A-Za-z_][\w:.+ -]{0,100}? pid=\d{1,9}[^)\n]{0,80}\))",
        "(Engine pid=7)",
    ),
    Shape("rank", _BRACKET, rf"(?P<rank>\[(?i:{_RANKED})[ _:=-]?\d{{1,6}}\]:?)", "[rank3]:"),
    Shape("program of syslog", ("]:",), r"(?P<syslog>[A-Za-z][\w./-]{0,80}\[\d{1,9}\]:)", "app[81]:"),
    Shape("rank of MPI", _BRACKET, r"(?P<mpi>\[\d+,\d+\]<\w+>:)", "[1,0]<stderr>:"),
    Shape(
        "container",
        ("|",),
        r"(?P<container>[a-z][\w.-]{0,60}(?:[-_]\d{1,4} *| {2,60})\|)",
        "web_1  |",
    ),
    Shape("level of logrus", _BRACKET, r"(?P<logrus>DEBU|INFO|WARN|ERRO|FATA|PANI)\[\d{4,6}\]", "ERRO[0003] x"),
    Shape("level of Azure", ("##[",), r"##\[(?P<azure>error|warning|debug|section|command|group)\]", "##[error]"),
    Shape(
        "level of GitHub",
        ("::",),
        r"::(?P<github>error|warning|notice|debug)(?: [^:\n]{0,300})?::",
        "::error file=a.py::",
    ),
    Shape("step of BuildKit", ("#",), r"#\d{1,4} (?:\d{1,6}\.\d{1,4}(?=\s|$)|(?=ERROR\b))", "#9 3.215"),
    Shape(
        "logger before level",
        tuple(f" - {name} - " for name in NAMES),
        rf"[A-Za-z_][\w.]{{0,80}} - (?=(?:{_LEVEL}) - )",
        "app.main - ERROR - x",
    ),
    Shape("npm", ("npm ERR!", "npm error"), r"npm (?:ERR!|error)(?: code)?", "npm ERR! code"),
    Shape("pytest's inner error", ("INTERNALERROR>",), r"INTERNALERROR>", "INTERNALERROR> x"),
    Shape("service before level", (":",), rf"[a-z][a-z\d_-]{{0,40}}:(?= (?:{_LEVEL})\b)", "api: ERROR x"),
    Shape("seconds of the kernel", _BRACKET, r"\[\s{0,6}\d{1,7}\.\d{3,6}\]", "[    3.141593]"),
    Shape("remote of git", ("remote:",), r"(?<![ \t])remote:(?= )", "remote: x"),
    Shape(
        "stream of containerd",
        ("stderr F", "stderr P", "stdout F", "stdout P"),
        r"(?:stderr|stdout) [FP](?= |$)",
        "stderr F x",
    ),
    Shape("stream in brackets", _BRACKET, r"\[(?:stderr|stdout|err|out)\]:?", "[stderr]"),
    Shape(
        "class in brackets",
        _BRACKET,
        r"\[(?:\w{1,60}\.){1,8}\w{0,60}(?:Error|Exception)\]:",
        "[tool.InstallError]: x",
    ),
    Shape(
        "file and line in brackets",
        _BRACKET,
        rf"\[(?:{_SOURCE_FILE}|\w[\w.]{{0,80}}):\d{{1,7}}(?::[\w<>]{{1,80}}(?:\(\))?)?\]:?",
        "[core.py:3]",
    ),
    Shape("file and line in braces", ("{",), rf"\{{{_SOURCE_FILE}:\d{{1,7}}\}}", "{core.py:3}"),
    Shape("file and line", ("]",), rf"{_SOURCE_FILE}:\d{{1,7}}\]:?", "load.py:8]"),
    Shape(
        "level",
        NAMES,
        rf"(?:{_SPINNER} )?(?P<open>[\[(<]?)(?P<level>{_LEVEL})(?P<close>[\])>]?)"
        rf"(?=[\s:|\]/,-]|$|(?<=\]))(?:/\w+:?|{_BEHIND_LEVEL})",
        "ERROR: x",
    ),
)
"""Pieces of a prefix that are enough by themselves to tell that it is one."""

FURTHER = (
    Shape("stream of GitLab", ("O", "E"), r"\d{2}[OE](?:\+|(?= |$))", "01O x"),
    Shape(
        "letter and file",
        ("]",),
        r"(?P<glogtime>[IWEF]) [\w./-]{1,200}\.(?:cpp|cc|cu|c|h|hpp):\d{1,9}\]",
        "E store.cc:16]",
    ),
    Shape(
        "host and program of syslog",
        ("]:",),
        r"(?:[\w.-]{1,80} )?(?P<syslog>[A-Za-z][\w./-]{0,80}\[[\w.]{1,20}\]:)",
        "host app[81]:",
    ),
    Shape(
        "words in brackets",
        _BRACKET,
        r"\[(?!(?:\w{1,60}[.\\]){0,8}\w{1,60}(?:Error|Exception)\]\s*$|"
        r"Errno|WinError|SSL|\[|Ljava|[A-Z]{1,3}\d{2,5}\]|['\"\d, ]+\])[-\w .,:/=@#<>*|()]{1,120}\]:?",
        "[app.main]",
    ),
    Shape("number in brackets", _BRACKET, r"\[\d{1,9}\]:?", "[7]"),
    Shape("words in parentheses", ("(",), r"\((?!\w+\.[\w.]*[A-Z])\w[-\w .:=]{0,40}\):?", "(main)"),
    Shape(
        "source file",
        (".",),
        rf"{_SOURCE_FILE}[:(]\d{{1,7}}\)?(?: ?[\w<>]{{1,60}}(?:\(\))?)? ?(?:[\]:|]|--?)"
        # No prefix, but where a test failed, is a path before a class alone, before a function, before nothing.
        r"(?=\s|$)(?!\s\w+(?:Warning|Error|Exception):|\s{1,3}in [\w<.>]{1,100}$"
        r"|\s{0,3}(?:\w{1,80}\.){0,6}[A-Z]\w{1,80}$|\s?$)",
        "core.py:3: x",
    ),
    Shape(
        "logger",
        (":", " -", "|"),
        r"(?P<logger>[A-Za-z_][\w.<>-]{0,120}(?::[\w<>]{1,80}:\d{1,7})?)"
        r"(?P<sep>(?<!\.py):(?!//|:)(?=\S?)| -(?= )| ?\|(?= ))",
        "app.main: x",
    ),
    Shape(
        "level in small letters",
        ("debug", "info", "warning", "warn", "error", "critical", "fatal"),
        r"(?P<low>(?:debug|info|warning|warn|error|critical|fatal))\b:?(?=\s)",
        "error: x",
    ),
    Shape("dash or bar", ("-", "|"), r"(?:--?|(?<!  )\|)(?= )", "- x"),
)
"""What is a piece only after a time or a level."""

PIECE = any_of(PIECES, r"[ \t]{0,24}")
FURTHER_PIECE = any_of(FURTHER, r"[ \t]{0,40}")
WORDS_AND_LEVEL = any_of(
    (
        Shape(
            "words before the level",
            NAMES,
            r"(?P<words>(?:[-\w./:\[\]@#|]{1,80} {1,20}){1,4}?)"
            rf"[\[(<]?(?P<level>{_LEVEL})[\])>]?(?=[\s:|,-]|$){_BEHIND_LEVEL}",
            "app.main 17 ERROR x",
        ),
    ),
    r"[ \t]{0,40}",
)
"""Words that are part of a prefix because a level stands after them; only after a time."""
