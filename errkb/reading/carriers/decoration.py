"""Undo what frames a text on a page, line by line: headings, inline code, fences, boxes, gutters."""

from collections.abc import Callable

from errkb.lazy_regex import lazy
from errkb.reading.carriers.boxes import RIMS, has_gutter, without_arrow_or_box, without_gutter
from errkb.reading.carriers.quoting import without_bullets, without_emphasis, without_quotes_around, without_tags
from errkb.reading.line import Line

_SPAN = lazy(r"\s*`(?P<inner>[^`]+)`[.,;:]?\s*")
_FENCE = lazy(r"\s*(?:```|~~~)\s?[\w+.#-]*\s*(?:\{.{0,80}\}\s*)?$")
_HEADING_ERROR = lazy(r"#{1,6} (?=[\w.]{0,200}(?:Error|Exception): )")
_GLUED_FENCE = lazy(r"(?P<opening>\s*```\s?)?(?P<inner>.*?\S)\s*(?P<closing>```\W{0,3})?")

_Undo = Callable[[Line], list[Line] | None]
"""What a line holds without its decoration, None if it has none of that kind."""


def without_decoration(lines: list[Line]) -> list[Line]:
    """The lines as they would stand without the page around them; borders and fences go."""
    lines = without_quotes_around(without_emphasis(without_bullets(without_tags(lines))))
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
