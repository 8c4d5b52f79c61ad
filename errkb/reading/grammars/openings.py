"""What opens an error, and which production reads on from there (`grammars.productions`).

To add a shape of a line: a row here, whose production is there already, and a case in tests/reading/cases.
Within a table the first row that fits wins, unless its production declines.
"""

from errkb.reading.shape import Shape
from errkb.reading.shapes.links import HEADER, LINKS, WARNING

_ANYWHERE = 1 << 20

PARTS = (
    HEADER,
    *LINKS,
    Shape(
        "class glued to a frame",
        (' File "',),
        r'\s*(?P<name>(?:\w{1,80}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception))\s* File "',
        'ValueError   File "/app/a.py", line 3, in f',
        production="class glued to frame",
    ),
)
"""The parts of a traceback that are looked for before its frames."""

REPORTS = (
    Shape(
        "debugger",
        ("Exception has occurred: ", "发生异常: ", "Se ha producido una excepción: "),
        r"\s*(?:Exception has occurred|发生异常|Se ha producido una excepción): (?P<name>[\w.]{1,200})"
        r"(?:\s+\(note: .*)?\s*$",
        "Exception has occurred: KeyError",
        production="class above message",
    ),
    Shape(
        "exception of Elixir",
        ("** (",),
        r"\s*\*\* \((?P<name>(?:\w{1,80}\.){0,8}[A-Z]\w{0,100})\) (?P<message>)",
        "** (RuntimeError) stage has no inputs",
        production="class in the line",
    ),
    Shape(
        "class and place in bold",
        ("** in ",),
        r"\s*\*{0,2}(?P<name>(?:\w{1,80}\.){0,8}[A-Z]\w{0,80})\*\* in \*{0,2}[^\s*]{1,300}:\d{1,7}\*{0,2}\s*$",
        "**app.StageError** in **app/stage.py:85**",
        production="class above message",
    ),
    Shape(
        "class in brackets above its message",
        ("Error]", "Exception]"),
        r"\s*\[(?P<name>(?:\w{1,80}[.\\]){0,8}[A-Z]\w{0,80}(?:Error|Exception))\]\s*$",
        "[StageError]",
        production="class above message",
    ),
    Shape(
        "ignored exception of Python 2",
        (" ignored",),
        r"\s*Exception (?P<name>(?:\w{1,80}\.){0,8}[A-Z]\w{0,80}): (?P<message>.{0,2000}?) in <.{1,600}> ignored\s*$",
        "Exception KeyError: 'a' in <function f at 0x7f> ignored",
        production="ignored in one line",
    ),
    Shape(
        "ignored exception",
        ("Exception ignored in",),
        r"\s*Exception ignored in",
        "Exception ignored in: <function A.__del__ at 0x7f>",
        production="ignored",
    ),
    Shape(
        "panic of Rust",
        ("panicked at ",),
        r"\s*thread '[^']{0,100}' (?:\(\d+\) )?panicked at (?:'(?P<message>.{1,2000})', \S+\s*$|\S+:\d+:\d+:\s*$)",
        "thread 'main' panicked at src/run.rs:12:5:",
        production="panic",
    ),
    Shape(
        "fatal error",
        ("Fatal Python error: ",),
        r"\s*Fatal Python error: ",
        "Fatal Python error: Segmentation fault",
        production="fatal error",
    ),
    Shape(
        "remote task of Ray",
        ("ray::",),
        r"(?:^|: )ray::[\w.<>\[\]]{1,200}\(\) \(pid=\d",
        "ray::f() (pid=7, ip=10.0.0.4)",
        production="remote task",
        reach=_ANYWHERE,
    ),
)
"""Reports that stand anywhere."""

COUNT = Shape(
    "validation report",
    (" validation error",),
    r"\s*\d{1,6} validation errors? for \S",
    "2 validation errors for Job",
    production="validation report",
)
VALIDATION_ERRORS = (
    Shape(
        "validator's error",
        ("Value error, ", "Assertion failed, "),
        r"\s*(?P<label>Value error|Assertion failed), ",
        "  Value error, size must be even",
        production="validation error",
    ),
    Shape(
        "pydantic 2",
        ("[type=",),
        r"\[type=(?P<kind>[\w.]{1,80})(?:\]|,\s*(?:input_|$))",
        "  Field required [type=missing, input_value={}]",
        production="validation error",
        reach=_ANYWHERE,
    ),
    Shape(
        "pydantic 1",
        ("(type=",),
        r" ?\(type=(?P<kind>[\w.]{1,80})(?:;[^\n]*)?\)",
        "  field required (type=value_error.missing)",
        production="validation error",
        reach=_ANYWHERE,
    ),
)
"""The errors of a validation report, whatever stands around them."""

OUTSIDE = (
    WARNING,
    Shape(
        "class above an empty line",
        ("Error", "Exception"),
        r"\s*(?P<name>(?:\w{1,80}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception))\s*$",
        "  StageError",
        production="class apart",
    ),
    Shape(
        "debug page",
        ("Exception Type:", " at /"),
        r"\s*.{0,10}?Exception Type:|.* at /",
        "Exception Type: ImproperlyConfigured at /",
        production="debug page",
    ),
    *VALIDATION_ERRORS,
    COUNT,
)
"""What opens an error outside of tracebacks only."""

INSIDE = (COUNT, *VALIDATION_ERRORS)
"""What ends a traceback beside a class and its message."""

OPENINGS = (*PARTS, *REPORTS, *OUTSIDE)
