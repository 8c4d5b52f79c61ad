"""Undo what quotes a text: mail, a page's tags, Markdown's emphasis, lists, quotation marks."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line, dedented
from errkb.reading.shapes.message_text import strip_outer_quotes

_TAG = r"</?(?:pre|code|samp|details|summary|blockquote|p|div|br|b|em|strong)(?: [^<>\n]{0,100})?/?>"
TAGS = lazy(rf"(?:{_TAG}){{1,6}}")
_TAGS_BEHIND = lazy(rf"(?:{_TAG}){{1,6}}\s*$")
_BULLET = lazy(r"(?:[-*•‣▪·]|\d{1,3}[.)]) +(?=[^\s-])")
_OPENING = lazy(r"\s*_{0,2}\*{2,3}_{0,2}(?=\S)|\s*__(?=[A-Z`\"'])(?!\w+__)")
_CLOSING = lazy(r"_{0,2}\*{2,3}_{0,2}[.,;:]?\s*$|__[.,;:]?\s*$")
_MOST_LEVELS = 3
"""So many quotations or emphases within each other are undone."""
_PROMPTS = (">>>", ">> ")


def without_quotes(lines: list[Line]) -> list[Line]:
    """The lines without the ``>`` of a quoted mail or comment, and without what indentation is left."""
    for _ in range(_MOST_LEVELS):
        if not _is_quoted(lines):
            break
        lines = [_without_mark(line) for line in lines]
    return dedented(lines)


def _is_quoted(lines: list[Line]) -> bool:
    """Whether so many lines begin with ``>`` that the text is quoted; a test report's source lines do, too."""
    filled = [line for line in lines if line.text.strip()]
    quoted = [line for line in filled if line.text.lstrip()[:1] == ">" and line.text.lstrip()[:3] not in _PROMPTS]
    if not quoted or len(quoted) * 5 < len(filled) * 4:
        return False
    sources = sum(line.text.startswith(">   ") for line in quoted)
    only_sources = sources == len(quoted) < len(filled)
    return not (only_sources and len(filled) > 1)


def _without_mark(line: Line) -> Line:
    column = line.indent
    if line.text[column : column + 1] != ">":
        return line
    return line.cut(column + (2 if line.text[column + 1 : column + 2] == " " else 1))


def without_tags(lines: list[Line]) -> list[Line]:
    """The lines without the tags of a page before and after it."""
    if not any("<" in line.text and TAGS.search(line.text) for line in lines):
        return lines
    return [_without_tags(line) for line in lines]


def _without_tags(line: Line) -> Line:
    opening, closing = TAGS.match(line.text), _TAGS_BEHIND.search(line.text)
    start = opening.end() if opening else 0
    return line.cut(start, max(closing.start(), start) if closing else None)


def without_bullets(lines: list[Line]) -> list[Line]:
    """The items of a list without their marks, if the text begins with one."""
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


def without_emphasis(lines: list[Line]) -> list[Line]:
    """The lines without Markdown's bold and italic marks, around each and around all of them."""
    if not any("**" in line.text or "__" in line.text for line in lines):
        return lines
    lines = _without_bold(lines)
    filled = [number for number, line in enumerate(lines) if line.text.strip()]
    if len(filled) > 1:
        first, last = lines[filled[0]], lines[filled[-1]]
        opening, closing = _OPENING.match(first.text), _CLOSING.search(last.text)
        if opening and closing:
            lines[filled[0]] = first.cut(opening.end())
            lines[filled[-1]] = last.cut(0, closing.start())
    return lines


def _without_bold(lines: list[Line]) -> list[Line]:
    """The lines without the marks of bold ones; nothing goes on after a bold message."""
    kept: list[Line] = []
    for line in lines:
        plain = _plain(line)
        kept.append(plain)
        if plain is not line and ": " in plain.text and plain.text[:1].isalnum():
            kept.append(plain.barrier())
    return kept


def _plain(line: Line) -> Line:
    for _ in range(_MOST_LEVELS):
        text = line.text
        opening = _OPENING.match(text)
        closing = _CLOSING.search(text, max(len(text) - 12, opening.end() + 1)) if opening else None
        if opening is None or closing is None:
            break
        line = line.cut(opening.end(), closing.start())
    return line


def without_quotes_around(lines: list[Line]) -> list[Line]:
    """The lines without the quotes around a text of one line."""
    filled = [line for line in lines if line.text.strip()]
    if len(filled) != 1:
        return lines
    inner = strip_outer_quotes(filled[0].text)
    column = filled[0].text.index(inner) if inner else 0
    return [filled[0].cut(column, column + len(inner))] if column else lines
