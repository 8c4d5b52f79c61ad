"""Undo what was done to single characters: colour and other escapes, escaped newlines in quoted text."""

import re
from collections.abc import Callable

from errkb.lazy_regex import lazy
from errkb.reading.line import Line

_ESCAPE = lazy(
    r"""
    \x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)?                     # OSC: hyperlinks, titles
  | (?:\x1b\[|\x9b|←\[|\^\[\[|␛\[)[0-?]{0,40}[\ -/]{0,4}[@-~]     # CSI, also as consoles show it
  | \\(?:u001[bB]|x1[bB]|033|e)(?:\[[0-?]{0,40}[@-~]|\][^\\]{0,2000}(?:\\u0007|\\x07|\\\\))   # CSI, OSC written out
  | \x1b[ -/]{0,4}[0-~]                                           # other two-character escapes
  | [^\x08]\x08                                                   # overstrike
  | [\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b\ufeff\u200b\u200e\u2060]
    """,
    re.VERBOSE,
)
_BARE_COLOUR = lazy(r"\[\d{0,2}(?:;\d{1,3}){0,5}m")  # the escape character itself was lost
_BACKSLASH = lazy(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^ux]))",
    re.DOTALL,
)
_ENTITY = lazy(r"&(quot|amp|lt|gt|nbsp|apos|#x27|#39|#34|#x2F);")
_ENTITIES = {
    "quot": '"',
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "nbsp": " ",
    "apos": "'",
    "#x27": "'",
    "#39": "'",
    "#34": '"',
    "#x2F": "/",
}
_ONE_CODE = 4
_CHARACTERS = {"n": "\n", "t": "\t", "r": "", "b": "", "f": "", "a": ""}


def without_escapes(line: Line, *, bare: bool = False) -> Line:
    """The line without escapes; with `bare`, also without ``[31m`` that lost its escape character."""
    line = _replaced(line, _ESCAPE, lambda _: "")
    return _replaced(line, _BARE_COLOUR, lambda _: "") if bare else line


def without_entities(line: Line) -> Line:
    """The line of a page's source with its entities (``&quot;``) as the characters they stand for."""
    return _replaced(line, _ENTITY, lambda match: _ENTITIES[match[1]])


def decoded(line: Line) -> list[Line]:
    r"""The lines that a line with escaped newlines (``\n``, ``\"``, ``\u001b``) stands for."""
    plain = _replaced(line, _BACKSLASH, _plain)
    parts = [without_escapes(part) for part in plain.split("\n")]
    for part in parts:
        part.width = len(part.text)
    return parts


def _plain(match: re.Match[str]) -> str:
    code, byte, character = match.groups()
    if code and len(code) > _ONE_CODE:  # JSON writes what lies beyond 16 bits as a surrogate pair
        return chr(0x10000 + ((int(code[:4], 16) & 0x3FF) << 10) + (int(code[6:], 16) & 0x3FF))
    return chr(int(code or byte, 16)) if code or byte else _CHARACTERS.get(character, character)


def _replaced(line: Line, pattern: re.Pattern[str], plain: Callable[[re.Match[str]], str]) -> Line:
    """The line with what `pattern` finds replaced, every place still known."""
    text = line.text
    parts: list[str] = []
    pieces: list[tuple[int, int]] = [(0, line.offset(0))]
    column = length = 0
    for match in pattern.finditer(text):
        new = plain(match)
        parts += (text[column : match.start()], new)
        length += match.start() - column + len(new)
        column = match.end()
        pieces.append((length, line.offset(column)))
    if not parts:
        return line
    parts.append(text[column:])
    changed = line.like("".join(parts), tuple(pieces))
    changed.width = len(changed.text)
    return changed
