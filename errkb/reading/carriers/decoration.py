"""Undo what frames a text on a page, line by line: headings, inline code, fences, boxes, gutters."""

from collections.abc import Callable

from errkb.lazy_regex import lazy
from errkb.reading.carriers.boxes import RIMS, has_gutter, without_arrow_or_box, without_gutter
from errkb.reading.carriers.quoting import without_bullets, without_emphasis, without_quotes_around, without_tags
from errkb.reading.line import Line
from errkb.reading.shapes.class_heads import CLASS_BEFORE_MESSAGE

_SPAN = lazy(r"\s*`(?P<inner>[^`]+)`[.,;:]?\s*")
_FENCE = lazy(r"\s*(?:```|~~~)\s?[\w+.#-]*\s*(?:\{.{0,80}\}\s*)?$")
_CODE_FENCE = lazy(
    r"\s*(?:```|~~~)\s?(?i:py|python3?|json|ya?ml|toml|ini|js|javascript|ts|typescript|sql|diff|docker(?:file)?|c|cpp|java|rust|go|html|xml)\b"
)
"""A fence whose language says that it holds source code or settings, not output."""
_OF_OUTPUT = lazy(rf"\s*(?:Traceback \(|{CLASS_BEFORE_MESSAGE})")
_HEADING = lazy(r"#{2,5} [A-Z]")
_OUTPUT, _CODE, _OUTSIDE = "output", "code", "outside"
_HEADING_ERROR = lazy(r"#{1,6} (?=[\w.]{0,200}(?:Error|Exception): )")
_GLUED_FENCE = lazy(r"(?P<opening>\s*```\s?)?(?P<inner>.*?\S)\s*(?P<closing>```\W{0,3})?")

_Undo = Callable[[Line], list[Line] | None]
"""What a line holds without its decoration, None if it has none of that kind."""


def without_decoration(lines: list[Line]) -> list[Line]:
    """The lines as they would stand without the page around them; borders and fences go."""
    lines = without_quotes_around(without_emphasis(without_bullets(without_tags(lines))))
    _mark_fenced(lines)
    by_sign = _BY_SIGN_WITH_GUTTER if has_gutter(lines) else _BY_SIGN
    kept: list[Line] = []
    for line in lines:
        text = line.text
        sign = text.lstrip()[:1]
        if sign not in by_sign and "```" not in text:
            kept.append(line)
            continue
        for undo in by_sign.get(sign, (_without_glued_fence,)):
            undone = undo(line)
            if undone is not None:
                kept += undone
                break
        else:
            kept.append(line)
    return kept


def _mark_fenced(lines: list[Line]) -> None:
    """Mark where on the page lines stand, if it has fences."""
    if not any("```" in line.text or "~~~" in line.text for line in lines):
        if any(line.text[:2] == "##" and _HEADING.match(line.text) for line in lines):
            for line in lines:
                line.page = _OUTSIDE
        return
    places: list[str] = []
    place = _OUTSIDE
    for line in lines:
        if ("```" in line.text or "~~~" in line.text) and _FENCE.match(line.text):
            opened = _CODE if _CODE_FENCE.match(line.text) else _OUTPUT
            place = opened if place == _OUTSIDE else _OUTSIDE
            places.append(_OUTSIDE)
        else:
            places.append(place)
    for number, line in enumerate(lines):
        if places[number] == _CODE and _OF_OUTPUT.match(line.text):
            _mark_around(places, number)
    if any(place != _OUTSIDE for place in places):
        for line, place in zip(lines, places, strict=True):
            line.page = place


def _mark_around(places: list[str], number: int) -> None:
    """Mark the fence around a line as one that holds output."""
    start = stop = number
    while start and places[start - 1] == _CODE:
        start -= 1
    while stop < len(places) and places[stop] == _CODE:
        stop += 1
    places[start:stop] = [_OUTPUT] * (stop - start)


def _without_heading(line: Line) -> list[Line] | None:
    """An error that is written as a heading."""
    heading = _HEADING_ERROR.match(line.text)
    return [line.cut(heading.end())] if heading else None


def _without_code_span(line: Line) -> list[Line] | None:
    """A line that is inline code as a whole: nothing goes on after it."""
    span = _SPAN.fullmatch(line.text)
    return [line.cut(span.start("inner"), span.end("inner")), line.barrier()] if span else None


def _without_fence(line: Line) -> list[Line] | None:
    return [line.barrier()] if _FENCE.match(line.text) else None


def _without_glued_fence(line: Line) -> list[Line] | None:
    """A line to which a fence is glued before or after it."""
    glued = _GLUED_FENCE.fullmatch(line.text) if "```" in line.text else None
    if glued is None or not (glued["opening"] or glued["closing"]):
        return None
    inner = line.cut(glued.start("inner"), glued.end("inner"))
    return [inner, line.barrier()] if glued["closing"] else [inner]


_BY_SIGN: dict[str, tuple[_Undo, ...]] = {
    "#": (_without_heading, _without_glued_fence),
    "`": (_without_code_span, _without_fence, _without_glued_fence),
    "~": (_without_fence, _without_glued_fence),
    **dict.fromkeys(RIMS, (_without_glued_fence, without_arrow_or_box)),
}
"""What may be undone in a line that begins with a sign; the first that applies."""
_BY_SIGN_WITH_GUTTER = {**_BY_SIGN, **dict.fromkeys("E>", (_without_glued_fence, without_gutter))}
