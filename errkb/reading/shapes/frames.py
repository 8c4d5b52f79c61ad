"""The shapes that a stack frame is written in."""

import re
from collections.abc import Callable

from errkb.lazy_regex import lazy
from errkb.reading.occurrence import Frame
from errkb.reading.shape import Shape

_LINE = r"line (?P<line>\d{1,9})"
_CODE_FILE = r"\.(?:pyx?|pxi|ipynb)"

PYTHON = Shape(
    "Python's frame",
    ('File "', "File '", "File “"),
    rf"""File ["'“](?P<file>[^"”\n]{{1,400}}?)["'”],? {_LINE}(?:,? in (?P<function>\S.{{0,200}}))?""",
    'File "/app/a.py", line 3, in f',
)
BARE = Shape(
    "frame without quotes",
    (", line ",),
    rf"File (?P<file>[^\s\",:]{{1,400}}), {_LINE}(?:, in (?P<function>\S.{{0,200}}))?$",
    "File a.py, line 3, in f",
)
IPYTHON = Shape(
    "IPython's frame",
    (", line ", *(f":{digit}" for digit in "0123456789")),
    rf"(?:File|Cell) \[?(?P<file>[^\s\]].{{0,300}}?)(?::(?P<column>\d{{1,9}})|, {_LINE})"
    r"(?:\]\(.{0,600}?\))?(?:, in (?P<function>.{1,300}))?$",
    "Cell In[3], line 1, in f(x)",
)
INPUT = Shape(
    "IPython's input",
    ("Input In [",),
    r"Input (?P<file>In \[\d{1,6}\]), in (?P<function>.{1,100})$",
    "Input In [3], in <cell line: 1>",
)
OLD_IPYTHON = Shape(
    "frame of older IPythons",
    ("<ipython-input-", ".py", ".pxi", ".ipynb"),
    r"\[?(?P<file><ipython-input-[^>]{1,100}>|(?:[~/.\w]|[A-Za-z]:\\)[^\s(]{0,300}?"
    + _CODE_FILE
    + r")(?:\]\(.{0,600}?\))?"
    r" in (?P<function>(?:<[^>]{1,60}>|[\w.<>]{1,200})(?:\(.*)?)$",
    "<ipython-input-3-1f9a> in <module>",
)
NOTEBOOK = Shape(
    "cell of a notebook",
    (".ipynb",),
    r"\[?(?P<file>[^\s\]]{1,300}\.ipynb)(?:\]\(.{0,600}?\))? (?P<function>Cell \d{1,5}) line (?P<line>\d{1,6})$",
    "/app/a.ipynb Cell 3 line 2",
)
SHORT = Shape(
    "pytest's short frame",
    (".py:", ".pyx:"),
    r"(?P<file>\S{1,300}?\.pyx?):(?P<line>\d{1,9})(?:: in| in)(?: (?P<function>\S.{0,100}))?$",
    "a.py:3 in f",
)
CUT = Shape(
    "frame cut in front",
    (", in ",),
    rf"""(?P<file>[^"\s]{{0,300}})(?:["”], |(?<!\w)){_LINE}, in (?P<function>[\w<>.]{{1,200}})$""",
    "line 984, in connect",
)
FRAMES = (PYTHON, BARE, IPYTHON, INPUT, OLD_IPYTHON, NOTEBOOK, SHORT, CUT)
"""What a line, without its indentation, looks like that names a frame."""
PLACE = Shape(
    "place of a test's failure",
    (".py:", ".pyx:"),
    r"(?P<file>\S.{0,300}?\.pyx?):(?P<line>\d{1,9}): ?(?P<name>(?:\w{1,80}\.){0,6}\w{1,80})?$",
    "tests/test_a.py:9: AssertionError",
)


def _as_written(match: re.Match[str]) -> Frame:
    return Frame(match["file"], int(match["line"]), match["function"])


def _of_ipython(match: re.Match[str]) -> Frame:
    return Frame(match["file"], int(match["column"] or match["line"]), _name(match["function"]))


def _of_input(match: re.Match[str]) -> Frame:
    return Frame(match["file"], None, match["function"])


def _of_old_ipython(match: re.Match[str]) -> Frame:
    return Frame(match["file"], None, _name(match["function"]))


def _of_cut(match: re.Match[str]) -> Frame:
    return Frame(match["file"] or "?", int(match["line"]), match["function"])


_BUILDERS: dict[Shape, Callable[[re.Match[str]], Frame]] = {
    IPYTHON: _of_ipython,
    INPUT: _of_input,
    OLD_IPYTHON: _of_old_ipython,
    CUT: _of_cut,
}
_READERS = tuple((shape.hint, lazy(shape.pattern), _BUILDERS.get(shape, _as_written)) for shape in FRAMES)
_PLACE = lazy(PLACE.pattern)


def read_frame(text: str) -> Frame | None:
    """The frame that a line (without its indentation) names, None if it names none."""
    for hints, pattern, build in _READERS:
        for hint in hints:
            if hint in text:
                match = pattern.match(text)
                if match is not None:
                    return build(match)
                break
    return None


def read_place(text: str) -> tuple[Frame, str | None] | None:
    """The frame and the class of pytest's ``path:line: Class`` line, None if it is none."""
    if ".py" in text and (match := _PLACE.match(text)):
        return Frame(match["file"], int(match["line"])), match["name"]
    return None


def _name(call: str | None) -> str | None:
    return call.partition("(")[0] or call if call else None


_ARROW = lazy(r"\s*-{1,12}> ?\d{1,6} (?P<code>.*)")
_NUMBERED = lazy(r"\s*\d{1,6}(?:\s|$)")
_LONGEST_SOURCE = 300


def frame_source(text: str) -> str | None:
    """The source in a line below a frame: of IPython's numbered lines the one with the arrow, of pytest's none."""
    arrow = _ARROW.match(text)
    if arrow is None and (_NUMBERED.match(text) or text.lstrip().startswith((">", "---"))):
        return None
    return (arrow["code"] if arrow else text).strip()[:_LONGEST_SOURCE] or None
