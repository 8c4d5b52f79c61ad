"""Join the lines that a console broke at its width, also inside words."""

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.line_kind import LineKind
from errkb.reading.shapes.stops import ends_message

_MIN_WIDTH = 40
_MAX_WIDTH = 400
_MAX_JOINED = 8_000
_MAX_WORD_LINES = 5_000
_SLACK = 2
"""So much narrower a full line may be: values in a pasted text are often replaced, and trailing blanks lost."""
_FOLDED = 0.6
_FOLDED_RECORD = 0.7
"""How wide, in parts of the greatest width, a line is at least that was folded at a blank."""
_LONG_WORD = 4
"""A common word of so many letters is rarely the rest of another one."""
_USUAL = {79, 80, 100, 110, 120, 128, 132, 140, 150, 160, 180, 200}
_BULLETS = ("- ", "* ", "• ")
_OWN_LINE = lazy(r": [a-z]\w*(?:\.\w+){2,}|\(Background on this error at: ")
"""A line of its own in a message of several lines."""
_WORD_END = lazy(r"\w+$")
_WORD_START = lazy(r"\w+")
_DOTTED = lazy(r"\w[._]\w\S*$")
"""A name, not the end of a sentence."""
_LETTER = lazy(r"[a-z('\"`\d/<-]")
_COMMON = frozenset(
    """
    a about above add after all already also an and any are argument as at be been before below but
    by call can cannot check class code could create data default device did do does either else
    error expected expects failed file find for found from function get given got had has have if in
    input install installed instead into invalid is it its key like how least list load make many
    match may memory method missing model module more must name need needs new no not number object
    of on one only or other out output over package pass path please process read required run same
    see set setting should shape size so some string such support supported than that the their them
    then there these they this to too trying type under unexpected unknown up use used using value
    version was were when where which while will with without would you your
    """.split()  # noqa: SIM905 - easier to read and to extend
)


def unwrapped(lines: list[Line]) -> list[Line]:
    """The lines, those joined that a console broke.

    A console breaks every line at the same width, so a break is a line of about the greatest width of
    the text, followed by a line without a prefix or indentation. Prose folded at blanks looks alike,
    but there the lines that go on differ in width. Where the evidence is thin (one full line of an
    unusual width), only parts are joined that together make a word of the text.
    """
    if len(lines) < 2:
        return lines
    width = max(line.width for line in lines)
    if not _MIN_WIDTH <= width <= _MAX_WIDTH:
        return lines
    breaks = _find_breaks(lines, width)
    if breaks is None:
        return lines
    joined = [lines[0]]
    for line in lines[1:]:
        last = joined[-1]
        glue = breaks.glue(last, line)
        if glue is None:
            joined.append(line)
        else:
            joined[-1] = last.joined(line, glue)
    return joined


class _Breaks(NamedTuple):
    """How the lines of a text were broken."""

    width: int
    words: set[str]
    """The words of the text."""
    repeated: set[str]
    """Lines that are said again: they end where they end."""
    is_folded: bool
    """There are lines that were folded at blanks."""
    is_strict: bool
    """The evidence is thin."""

    def glue(self, line: Line, after: Line) -> str | None:
        """What stood between two lines if they were one, None if they were not."""
        is_full = line.width >= self.width - _SLACK and line.text not in self.repeated
        glue = None
        if is_full and len(line.text) < _MAX_JOINED and _may_follow(line, after, self.width):
            glue = _glue(line, after, self)
        if glue is None and self.is_folded and _is_folded(line, after, self.width):
            return " "
        return glue


def _find_breaks(lines: list[Line], width: int) -> _Breaks | None:
    """How the lines were broken, None if no line is full."""
    counts = Counter(line.text for line in lines)
    repeated = {text for text, count in counts.items() if count > 1}
    pairs = [pair for pair in pairwise(lines) if pair[0].text not in repeated and _may_follow(*pair, width)]
    full = sum(line.width >= width - _SLACK for line, _ in pairs)
    if not full:
        return None
    is_folded = any(
        width * _FOLDED < line.width < width - _SLACK and _LETTER.match(after.text) for line, after in pairs
    )
    is_strict = is_folded or (full < 2 and width not in _USUAL)
    return _Breaks(width, _words(lines), repeated, is_folded, is_strict)


def _words(lines: list[Line]) -> set[str]:
    words: set[str] = set()
    for line in lines[:_MAX_WORD_LINES]:
        words.update(_WORD_START.findall(line.text))
    return words


def _may_follow(line: Line, after: Line, width: int) -> bool:
    """Whether `after` may be the rest of `line`."""
    text = after.text
    if not line.text or not text or (text[0] in " \t" and not _is_break_at_blank(line, text, width)):
        return False
    if after.record_id or (after.process and after.process != line.process) or (line.record_id and after.process):
        return False
    if after.region not in ("", line.region) or text[0] == "[" or text[:2] in _BULLETS:
        return False
    return not (text[0] in ":(" and _OWN_LINE.match(text)) and not _is_of_its_own(after)


def _is_break_at_blank(line: Line, text: str, width: int) -> bool:
    """Whether a line was broken before a blank, which stands in front of the rest."""
    return line.width >= width and text[0] == " " and not text[:2].isspace()


def _is_of_its_own(line: Line) -> bool:
    """Whether a line is no rest of another one, whatever its width."""
    kind = line.kind
    if kind is LineKind.FRAME:
        return not line.text[0].isspace() or ends_message(line.text) or _has_class(line)
    if kind is LineKind.PLACE:
        return ends_message(line.text) or _has_class(line)
    return kind is LineKind.STOP or _has_class(line)


def _has_class(line: Line) -> bool:
    return line.class_head is not None and line.class_head.name is not None


def _is_folded(line: Line, after: Line, width: int) -> bool:
    """Whether a logged line was folded at a blank: what follows lacks its prefix and begins small."""
    return (
        bool(line.record_id or line.process or line.region == "error")
        and not after.region
        and not after.process
        and line.width > width * _FOLDED_RECORD
        and _may_follow(line, after, width)
        and _LETTER.match(after.text) is not None
    )


def _glue(line: Line, after: Line, breaks: _Breaks) -> str | None:
    """What stood between the two parts of a broken line, None if they are two lines."""
    before, following = line.text[-1], after.text[0]
    first, second = _WORD_END.search(line.text[-60:]), _WORD_START.match(after.text[:60])
    if before in "/_\\" or (first and second and first[0] + second[0] in breaks.words):
        return ""
    if following in ",;:)]}" or (following == "." and after.text[1:2] != "."):
        return ""
    if breaks.is_strict:
        return None
    if before in " \t" or following in " \t":
        return ""
    if before in ".:!?" and following.isupper() and not _DOTTED.search(line.text[-60:]):
        return "\n"
    if before in ",;:.!?" and line.width < breaks.width:
        return " "
    return " " if _are_words(first, second, is_full=line.width >= breaks.width) else ""


def _are_words(first: re.Match[str] | None, second: re.Match[str] | None, *, is_full: bool) -> bool:
    """Whether the parts at a break are whole words, as the common ones are."""
    common = [match[0].lower() for match in (first, second) if match and match[0].lower() in _COMMON]
    if second and len(second[0]) >= _LONG_WORD and second[0].lower() in _COMMON:
        return True
    return len(common) == 2 or (bool(common) and not is_full)
