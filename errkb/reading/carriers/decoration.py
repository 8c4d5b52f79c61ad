"""Undo what frames a text on a page: quote marks, Markdown, boxes, gutters."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.shapes.message_text import strip_outer_quotes

_RIMS = "│┃║|╭╰┌└├┏┗┡╔╚╠+─━═"
_BORDER = lazy(r"\s*(?:[╭╮╰╯┌┐└┘├┤┏┓┗┛┡┩╔╗╚╝╠╣][─━═╌-]|\+--).*$|\s*[─━═]{8,}\s*$")
_BORDER_ART = lazy(r"[╭╮╰╯┌┐└┘├┤┏┓┗┛┡┩╔╗╚╝╠╣─━═╌]+")
_BOX_LINE = lazy(r"\s{0,40}([│┃║|])( ?)(.*?)\s*([│┃║|])?\s*$")
_BOX_CODE = lazy(r"\s*(?:❱|>|→)?\s*\d{1,6} [│|]|\s*[│|](?:\s|$)|.* [│┃] *$")
_BULLET = lazy(r"(?:[-*•‣▪·]|\d{1,3}[.)]) +(?=[^\s-])")
_TAG = r"</?(?:pre|code|samp|details|summary|blockquote|p|div|br|b|em|strong)(?: [^<>\n]{0,100})?/?>"
TAGS = lazy(rf"(?:{_TAG}){{1,6}}")
_TAGS_BEHIND = lazy(rf"(?:{_TAG}){{1,6}}\s*$")
_OPENING = lazy(r"\s*_{0,2}\*{2,3}_{0,2}(?=\S)|\s*__(?=[A-Z`\"'])(?!\w+__)")
_CLOSING = lazy(r"_{0,2}\*{2,3}_{0,2}[.,;:]?\s*$|__[.,;:]?\s*$")
_SPAN = lazy(r"\s*`(?P<inner>[^`]+)`[.,;:]?\s*")
_ARROW = lazy(r"\s*[╰├└]─+[▶►] (?=\S)")
"""Before the parts of a report, each an explanation of the one above."""
_FENCE = lazy(r"\s*(?:```|~~~)\s?[\w+.#-]*\s*(?:\{.{0,80}\}\s*)?$")
_HEADING_ERROR = lazy(r"#{1,6} (?=[\w.]{0,200}(?:Error|Exception): )")
_GLUED_FENCE = lazy(r"(?P<opening>\s*```\s?)?(?P<inner>.*?\S)\s*(?P<closing>```\W{0,3})?")
_ERROR_GUTTER = lazy(r"E(?:   ?|\t| {3,})(?=\S| |$)")
_VALUE = lazy(r"\s+[│└├]")  # better-exceptions writes values under the source line


def without_decoration(lines: list[Line]) -> list[Line]:
    """Return the lines as they would stand without the page around them; borders and fences go."""
    if any("<" in line.text and TAGS.search(line.text) for line in lines):
        lines = [_without_tags(line) for line in lines]
    lines = _without_quotes_around(_without_emphasis(_without_bullets(lines)))
    gutter = any(line.text.startswith(("E   ", "E\t")) for line in lines)
    kept: list[Line] = []
    for line in lines:
        text = line.text
        head = text.lstrip()[:1]
        if head == "#" and (heading := _HEADING_ERROR.match(text)):
            kept.append(line.cut(heading.end()))
            continue
        if head == "`" and (span := _SPAN.fullmatch(text)):
            kept += [line.cut(span.start("inner"), span.end("inner")), barrier(line)]
            continue
        if head in "`~" and _FENCE.match(text):
            kept.append(barrier(line))
            continue
        if "```" in text and (glued := _GLUED_FENCE.fullmatch(text)) and (glued["opening"] or glued["closing"]):
            kept += [line.cut(glued.start("inner"), glued.end("inner")), *([barrier(line)] if glued["closing"] else [])]
            continue
        if gutter and head in "E>" and (marked := _without_gutter(line)):
            kept.append(marked)
            continue
        if head and head in _RIMS:
            arrow = _ARROW.match(text)
            boxed = line.cut(arrow.end()) if arrow else _without_box(line)
            if boxed is not None:
                kept.append(boxed)
            continue
        kept.append(line)
    return kept


def barrier(line: Line) -> Line:
    """Return an empty line in place of a barrier: nothing goes on across it."""
    empty = line.cut(0, 0)
    empty.region = "barrier"
    return empty


def without_boxes(lines: list[Line]) -> list[Line]:
    """Take the rims from lines that stand in a box; borders go."""
    if not any((match := _BOX_LINE.match(line.text)) and match[4] for line in lines):
        return lines
    kept = [_without_box(line) if line.text.lstrip()[:1] in _RIMS else line for line in lines]
    return [line for line in kept if line is not None]


def _without_tags(line: Line) -> Line:
    opening, closing = TAGS.match(line.text), _TAGS_BEHIND.search(line.text)
    start = opening.end() if opening else 0
    return line.cut(start, max(closing.start(), start) if closing else None)


def _without_bullets(lines: list[Line]) -> list[Line]:
    """Take the marks from the items of a list, if the text begins with one."""
    first = next((line for line in lines if line.text.strip()), None)
    if first is None or not _BULLET.match(first.text):
        return lines
    return [_item(line) for line in lines]


def _item(line: Line) -> Line:
    match = _BULLET.match(line.text)
    if match is None:
        return line
    item = line.cut(match.end())
    item.region = "item"
    return item


def _without_emphasis(lines: list[Line]) -> list[Line]:
    """Take Markdown's bold and italic marks from lines and from the whole."""
    if not any("**" in line.text or "__" in line.text for line in lines):
        return lines
    lines = [_plain(line) for line in lines]
    filled = [number for number, line in enumerate(lines) if line.text.strip()]
    if len(filled) > 1:
        first, last = lines[filled[0]], lines[filled[-1]]
        opening, closing = _OPENING.match(first.text), _CLOSING.search(last.text)
        if opening and closing:
            lines[filled[0]] = first.cut(opening.end())
            lines[filled[-1]] = last.cut(0, closing.start())
    return lines


def _without_quotes_around(lines: list[Line]) -> list[Line]:
    """Take the quotes from around a text of one line."""
    filled = [line for line in lines if line.text.strip()]
    if len(filled) != 1:
        return lines
    inner = strip_outer_quotes(filled[0].text)
    column = filled[0].text.index(inner) if inner else 0
    return [filled[0].cut(column, column + len(inner))] if column else lines


def _plain(line: Line) -> Line:
    for _ in range(3):
        text = line.text
        opening = _OPENING.match(text)
        closing = _CLOSING.search(text, max(len(text) - 12, opening.end() + 1)) if opening else None
        if opening is None or closing is None:
            break
        line = line.cut(opening.end(), closing.start())
    return line


def dedented(lines: list[Line]) -> list[Line]:
    """Return the lines without the indentation that all of them share."""
    if not lines or (lines[0].text and not lines[0].text[0].isspace()):
        return lines
    indent = min((line.indent for line in lines if line.text and not line.text.isspace()), default=0)
    return [line.cut(min(indent, line.indent)) for line in lines] if indent else lines


def without_quotes(lines: list[Line]) -> list[Line]:
    """Return the lines without the ``>`` of a quoted mail or comment, up to three levels of it."""
    for _ in range(3):
        filled = [line for line in lines if line.text.strip()]
        quoted = [
            line for line in filled if line.text.lstrip()[:1] == ">" and line.text.lstrip()[:3] not in (">>>", ">> ")
        ]
        sources = sum(line.text.startswith(">   ") for line in quoted)
        if (
            not quoted
            or len(quoted) * 5 < len(filled) * 4
            or (sources and len(quoted) == sources and len(filled) > 1 and len(quoted) < len(filled))
        ):
            return lines
        lines = [_unquoted(line) for line in lines]
    return lines


def _unquoted(line: Line) -> Line:
    column = line.indent
    if line.text[column : column + 1] != ">":
        return line
    return line.cut(column + (2 if line.text[column + 1 : column + 2] == " " else 1))


def _without_gutter(line: Line) -> Line | None:
    if match := _ERROR_GUTTER.match(line.text):
        rest = line.cut(match.end())
        rest.region = "error"
        return rest
    if line.text.startswith((">  ", ">\t")):
        rest = line.cut(1)
        rest.region = "code"
        return rest
    return None


def _without_box(line: Line) -> Line | None:
    text = line.text
    if _BORDER.match(text):
        if "+-" in text and ("--- " in text or set(text.strip()) <= set("+-")):
            return line if (text.lstrip().startswith("+-") and " ---" in text) or text.count("+") == 1 else None
        title = _BORDER_ART.sub("", text).strip(" +-")
        if "Traceback" in title:
            return line.cut(text.index("Traceback"))
        return None
    match = _BOX_LINE.match(text)
    if match is None:
        return line
    rim, _, inner, closing = match.groups()
    if rim == "|" and not closing:
        return line  # the tree of an exception group
    rest = line.cut(match.start(3), match.end(3))
    drawn = rim != "|"
    if _BORDER.match(inner) or (drawn and (_VALUE.match(inner) or _BOX_CODE.match(inner) or not closing)):
        rest.region = "code"
    else:
        rest.region = rest.region or ("box" if rim != "|" else "")
    return rest
