"""Undo boxes that are drawn around a text, and the gutters of test reports."""

from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.reading.line import Line, dedented

RIMS = "│┃║|╭╰┌└├┏┗┡╔╚╠+─━═"
_BORDER = lazy(r"\s*(?:[╭╮╰╯┌┐└┘├┤┏┓┗┛┡┩╔╗╚╝╠╣][─━═╌-]|\+--).*$|\s*[─━═]{8,}\s*$")
_BORDER_ART = lazy(r"[╭╮╰╯┌┐└┘├┤┏┓┗┛┡┩╔╗╚╝╠╣─━═╌]+")
_BOX_START = lazy(r"\s{0,40}([│┃║|]) ?")
_SIDES = tuple("│┃║|")
_BOX_CODE = lazy(r"\s*+(?:[❱>→]\s*+)?\d{1,6} [│|]|\s*[│|](?:\s|$)|.* [│┃] *$")
_ARROW = lazy(r"\s*[╰├└]─+[▶►] (?=\S)")
"""Before the parts of a report, each an explanation of the one above."""
_VALUE = lazy(r"\s+[│└├]")
"""better-exceptions writes values under the source line."""
_LABEL = lazy(r"(?:Error|Warning): ")
_ERROR_GUTTER = lazy(r"E(?:   ?|\t| {3,})(?=\S| |$)|E\s*$")
_GUTTERS = ("E   ", "E\t")
_CODE_GUTTERS = (">  ", ">\t")
_HEADER = "Traceback"


def without_boxes(lines: list[Line]) -> list[Line]:
    """The lines without the rims of a box that is closed on its right, and without what indentation is left."""
    if any((inside := _inside(line.text)) and inside.is_closed for line in lines):
        lines = [inner for line in lines for inner in (without_box(line) if line.text.lstrip()[:1] in RIMS else [line])]
    return dedented(lines)


def without_arrow_or_box(line: Line) -> list[Line]:
    """What stands after an arrow or in a box."""
    arrow = _ARROW.match(line.text)
    return [line.cut(arrow.end())] if arrow else without_box(line)


def without_box(line: Line) -> list[Line]:
    """What a line of a box holds: of a border nothing, unless its title begins a traceback."""
    text = line.text
    if _BORDER.match(text):
        return _of_border(line)
    inside = _inside(text)
    if inside is None:
        return [line]
    is_drawn = inside.rim != "|"
    if not is_drawn and not inside.is_closed:
        return [line]  # the tree of an exception group
    rest = line.cut(inside.start, inside.end)
    inner = rest.text
    if is_drawn and not inside.is_closed and _LABEL.match(inner):
        rest.region = "box"  # of a rim on the left only
    elif _BORDER.match(inner) or (is_drawn and (_VALUE.match(inner) or _BOX_CODE.match(inner) or not inside.is_closed)):
        rest.region = "code"
    elif is_drawn and not rest.region:
        rest.region = "box"
    return [rest]


class _Inside(NamedTuple):
    """What stands between the rims of a box, and where."""

    rim: str
    start: int
    end: int
    is_closed: bool


def _inside(text: str) -> _Inside | None:
    """What a line of a box holds, None if it does not begin with a rim."""
    match = _BOX_START.match(text)
    if match is None:
        return None
    start = match.end()
    bare = text[start:].rstrip()
    is_closed = bare.endswith(_SIDES)
    inner = bare[:-1].rstrip() if is_closed else bare
    return _Inside(match[1], start, start + len(inner), is_closed)


def _of_border(line: Line) -> list[Line]:
    text = line.text
    if "+-" in text and ("--- " in text or set(text.strip()) <= set("+-")):
        is_tree = (text.lstrip().startswith("+-") and " ---" in text) or text.count("+") == 1
        return [line] if is_tree else []
    title = _BORDER_ART.sub("", text).strip(" +-")
    return [line.cut(text.index(_HEADER))] if _HEADER in title else []


def has_gutter(lines: list[Line]) -> bool:
    """Whether lines stand in the gutter of a test report's errors."""
    return any(line.text.startswith(_GUTTERS) for line in lines)


def without_gutter(line: Line) -> list[Line] | None:
    """The line without pytest's ``E`` or ``>``, None if it has neither."""
    if match := _ERROR_GUTTER.match(line.text):
        rest = line.cut(match.end())
        rest.region = "error"
        return [rest]
    if line.text.startswith(_CODE_GUTTERS):
        rest = line.cut(1)
        rest.region = "code"
        return [rest]
    return None
