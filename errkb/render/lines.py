"""Lines of styled text for a terminal: wrapping at words, code in prose, colour and links."""

import re
from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

from errkb.render.clean import clean
from errkb.render.code_in_prose import code_spans

INDENT = "  "
_BULLET = "- "
LABEL = 6
"""Columns of the words in front of a block: `Do`, `Why`, `Then`."""


class Piece(NamedTuple):
    """A run of text in one style; styles are names that `STYLES` gives colours to. A link is opened by a click."""

    text: str
    style: str = ""
    link: str = ""


Line = tuple[Piece, ...]

STYLES = {
    "error": "bold red",
    "value": "bold yellow",
    "title": "bold cyan",
    "code": "cyan",
    "old": "red",
    "new": "green",
    "dim": "dim",
    "": "",
}


def prose(text: str, style: str = "") -> Iterator[Piece]:
    """The pieces of a sentence, code in a style of its own."""
    position = 0
    for start, end in code_spans(text):
        yield Piece(text[position:start], style)
        yield Piece(text[start:end], "code")
        position = end
    yield Piece(text[position:], style)


def wrapped(pieces: Iterable[Piece], width: int | None, indent: str = "") -> Iterator[Line]:
    """The pieces broken into lines at blanks; line feeds in them stay, and a long word is never broken.

    Without a width, they are broken at line feeds only.
    """
    line: list[Piece] = []
    length, room = 0, inf if width is None else width - len(indent)
    for word in _words(pieces):
        text = "".join(piece.text for piece in word)
        if text == "\n" or (length + len(text) > room and line and not text.isspace()):
            yield _indented(line, indent)
            line, length = [], 0
        if text != "\n" and (line or not text.isspace()):
            line += word
            length += len(text)
    if line:
        yield _indented(line, indent)


def labelled(label: str, pieces: Iterable[Piece], width: int) -> list[Line]:
    """A block with a word in front of its first line, the others indented as far."""
    lines = list(wrapped(pieces, width - LABEL))
    return [
        (Piece(label.ljust(LABEL) if number == 0 else " " * LABEL, "title"), *line) for number, line in enumerate(lines)
    ]


def bulleted(items: Iterable[str], width: int) -> Iterator[Line]:
    """Items of a list, each with a bullet and its further lines indented as far."""
    for item in items:
        for number, line in enumerate(wrapped(prose(item), width - len(INDENT) - len(_BULLET))):
            yield (Piece(INDENT + (_BULLET if number == 0 else " " * len(_BULLET))), *line)


def title(text: str) -> list[Line]:
    """A heading with an empty line above it."""
    return [(), (Piece(text, "title"),)]


def plain(lines: Iterable[Line]) -> str:
    """The lines without styles, each ending in a line feed."""
    return "".join("".join(piece.text for piece in line).rstrip() + "\n" for line in lines)


def shown(lines: Iterable[Line], *, colour: bool) -> str:
    """The lines with or without styles, each ending in a line feed."""
    return coloured(lines) if colour else plain(lines)


def coloured(lines: Iterable[Line]) -> str:
    """The lines with the terminal's colours and links, each ending in a line feed."""
    from io import StringIO

    from rich.console import Console
    from rich.style import Style
    from rich.text import Text

    buffer = StringIO()
    console = Console(file=buffer, force_terminal=True, color_system="standard", width=10_000, no_color=False)
    for line in lines:
        styled = (
            (piece.text, Style.parse(STYLES[piece.style]) + Style(link=clean(piece.link) or None)) for piece in line
        )
        console.print(Text.assemble(*styled), soft_wrap=True)
    return buffer.getvalue()


def _words(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Words, runs of blanks and line feeds, in order; a word may have parts of several styles."""
    word: list[Piece] = []
    for piece in pieces:
        for part in re.findall(r"\n|[^\S\n]+|\S+", clean(piece.text)):
            if not part.isspace():
                word.append(piece._replace(text=part))
                continue
            if word:
                yield word
                word = []
            yield [piece._replace(text=part)]
    if word:
        yield word


def _indented(line: list[Piece], indent: str) -> Line:
    while line and line[-1].text.isspace():
        line.pop()
    return (Piece(indent), *line) if line else ()
