"""The sentences that Python writes between the tracebacks of a chain, and the header of a traceback."""

from errkb.reading.shape import Shape, any_of

_REACH = 200

HEADER = Shape(
    "header of a traceback",
    ("raceback (",),
    r"(?:Exception Group )?[TtfF]raceback \((?:most recent call|innermost) last\):?",
    "Traceback (most recent call last):",
    production="header",
    reach=1 << 20,
)
LINKS = (
    Shape(
        "link to the effect",
        ("The above exception was",),
        r"The above exception was the direct cause",
        "The above exception was the direct cause of the following exception:",
        production="link",
        reach=_REACH,
    ),
    Shape(
        "link to the next exception",
        ("During handling",),
        r"During handling of the above exception",
        "During handling of the above exception, another exception occurred:",
        production="link",
        reach=_REACH,
    ),
    Shape(
        "link to the original exception",
        ("Original exception was:",),
        r"Original exception was:\s*$",
        "Original exception was:",
        production="link",
        reach=_REACH,
    ),
)
LINK = any_of(LINKS)
WARNING = Shape(
    "warning",
    ("Warning:",),
    r"\s*(?P<file>\S.{0,300}?):(?P<line>\d{1,7}): (?P<name>(?:\w{1,80}\.){0,8}\w{0,80}Warning):(?: (?=\s*\S))?",
    "/app/a.py:12: DeprecationWarning: old() is deprecated",
    production="warning",
)
