"""The shapes that a stack frame is written in."""

import re

from errkb.lazy_regex import lazy
from errkb.reading.occurrence import Frame

_PYTHON = lazy(
    r"""File\ ["'“](?P<file>[^"”\n]{1,400}?)["'”],?\ line\ (?P<line>\d{1,9})(?:,?\ in\ (?P<function>\S.{0,200}))?"""
    r"""|File\ (?P<bare>[^\s",:]{1,400}),\ line\ (?P<bareline>\d{1,9})(?:,\ in\ (?P<barefunction>\S.{0,200}))?$""",
    re.VERBOSE,
)
_IPYTHON = lazy(
    r"(?:File|Cell)\ \[?(?P<file>[^\s\]].{0,300}?)(?::(?P<line>\d{1,9})|,\ line\ (?P<line2>\d{1,9}))"
    r"(?:\]\(.{0,600}?\))?(?:,\ in\ (?P<function>.{1,300}))?$"
    r"|Input\ (?P<input>In\ \[\d{1,6}\]),\ in\ (?P<cell>.{1,100})$",
    re.VERBOSE,
)
_OLD_IPYTHON = lazy(
    r"\[?(?P<file><ipython-input-[^>]{1,100}>|(?:[~/.\w]|[A-Za-z]:\\)[^\s(]{0,300}?\.(?:pyx?|pxi|ipynb))(?:\]\(.{0,600}?\))?"
    r" in (?P<function>(?:<[^>]{1,60}>|[\w.<>]{1,200})(?:\(.*)?)$"
    r"|\[?(?P<notebook>[^\s\]]{1,300}\.ipynb)(?:\]\(.{0,600}?\))? (?P<cell>Cell \d{1,5}) line (?P<line>\d{1,6})$"
)
_SHORT = lazy(r"(?P<file>\S{1,300}?\.pyx?):(?P<line>\d{1,9})(?:: in | in)(?: (?P<function>\S.{0,100}))?$")
_PLACE = lazy(r"(?P<file>\S.{0,300}?\.pyx?):(?P<line>\d{1,9}): ?(?P<name>(?:\w{1,80}\.){0,6}\w{1,80})?$")
_CUT = lazy(
    r"""(?P<file>[^"\s]{0,300})(?:["”],\ |(?<!\w))line\ (?P<line>\d{1,9}),\ in\ (?P<function>[\w<>.]{1,200})$""",
    re.VERBOSE,
)


def read_frame(text: str) -> Frame | None:
    """Return the frame that a line (without its indentation) names, None if it names none."""
    first = text[:1]
    if first == "F" and (match := _PYTHON.match(text)):
        file, line, function = match["file"], match["line"], match["function"]
        if file is None:
            file, line, function = match["bare"], match["bareline"], match["barefunction"]
        return Frame(file, int(line), function)
    if first in "FCI" and (match := _IPYTHON.match(text)):
        if match["input"]:
            return Frame(match["input"], None, match["cell"])
        line = match["line"] or match["line2"]
        return Frame(match["file"], int(line), _name(match["function"]))
    if " in " in text or text.endswith(" in") or ".ipynb" in text:
        if match := _OLD_IPYTHON.match(text):
            if match["notebook"]:
                return Frame(match["notebook"], int(match["line"]), match["cell"])
            return Frame(match["file"], None, _name(match["function"]))
        if match := _SHORT.match(text):
            return Frame(match["file"], int(match["line"]), match["function"])
        if ", in " in text and (match := _CUT.match(text)):
            return Frame(match["file"] or "?", int(match["line"]), match["function"])
    return None


def read_place(text: str) -> tuple[Frame, str | None] | None:
    """Return the frame and the class of pytest's ``path:line: Class`` line, None if it is none."""
    if ".py" in text and (match := _PLACE.match(text)):
        return Frame(match["file"], int(match["line"])), match["name"]
    return None


def _name(call: str | None) -> str | None:
    return call.partition("(")[0] or call if call else None
