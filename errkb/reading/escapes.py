"""Undo what was done to single characters: colour and other escapes, escaped newlines in quoted text."""

import re

from errkb.reading.lines import Line

_SUSPECT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b\ufeff\u200b\u200e\u2060]|←\[|\^\[\[|\[0m|[\\␛]")
_ESCAPE = re.compile(
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
_BARE_COLOUR = re.compile(r"\[\d{0,2}(?:;\d{1,3}){0,5}m")  # the escape character itself was lost
_BACKSLASH = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^ux]))", re.DOTALL)
_CHARACTERS = {"n": "\n", "t": "\t", "r": "", "b": "", "f": "", "a": ""}


def is_suspect(text: str) -> bool:
    """Tell whether `text` may hold anything that this module undoes."""
    return _SUSPECT.search(text) is not None


def without_escapes(line: Line, *, bare: bool = False) -> Line:
    """Return the line without escapes; with `bare`, also without ``[31m`` that lost its escape character."""
    line = _without(line, _ESCAPE)
    return _without(line, _BARE_COLOUR) if bare else line


def _without(line: Line, pattern: re.Pattern[str]) -> Line:
    parts: list[str] = []
    pieces: list[tuple[int, int]] = []
    column = length = 0
    text = line.text
    for match in pattern.finditer(text):
        if match.start() > column:
            pieces.append((length, line.offset(column)))
            parts.append(text[column : match.start()])
            length += match.start() - column
        column = match.end()
    if not column:
        return line
    pieces.append((length, line.offset(column)))
    parts.append(text[column:])
    return Line("".join(parts), tuple(pieces), mark=line.mark)


def decoded(line: Line) -> list[Line]:
    r"""Return the lines that a line with escaped newlines (``\n``, ``\"``, ``\u001b``) stands for."""
    parts: list[str] = []
    pieces: list[tuple[int, int]] = [(0, line.offset(0))]
    column = length = 0
    text = line.text
    for match in _BACKSLASH.finditer(text):
        code, byte, character = match.groups()
        plain = chr(int(code or byte, 16)) if code or byte else _CHARACTERS.get(character, character)
        parts += (text[column : match.start()], plain)
        length += match.start() - column + len(plain)
        column = match.end()
        pieces.append((length, line.offset(column)))
    parts.append(text[column:])
    return [without_escapes(part) for part in line.like("".join(parts), tuple(pieces)).split("\n")]
