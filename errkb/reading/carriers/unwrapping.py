"""Join the lines that a console broke at its width, also inside words."""

from collections import Counter
from itertools import pairwise

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.shapes.class_heads import parse_class_head
from errkb.reading.shapes.frames import read_frame
from errkb.reading.shapes.stops import ends_message

_MIN_WIDTH = 40
_MAX_WIDTH = 400
_MAX_JOINED = 8_000
_MAX_WORD_LINES = 5_000
_SLACK = 2  # values in a pasted text are often replaced, and trailing blanks lost
_USUAL = {79, 80, 100, 110, 120, 128, 132, 140, 150, 160, 180, 200}
_BULLETS = ("- ", "* ", "• ")
_OWN_LINE = lazy(r": [a-z]\w*(?:\.\w+){2,}|\(Background on this error at: ")  # of a message of several lines
_WORD_END = lazy(r"\w+$")
_WORD_START = lazy(r"\w+")
_DOTTED = lazy(r"\w[._]\w\S*$")  # a name, not the end of a sentence
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
    """Return the lines with those joined that a console broke.

    A console breaks every line at the same width, so a break is a line of about the greatest width of
    the text, followed by a line without a prefix or indentation. Prose folded at blanks looks alike,
    but there the lines that go on differ in width. Where the evidence is thin (one full line of an
    unusual width), only halves that make a word of the text are joined.
    """
    if len(lines) < 2:
        return lines
    width = max(line.width for line in lines)
    if not _MIN_WIDTH <= width <= _MAX_WIDTH:
        return lines
    often = Counter(line.text for line in lines)  # what is said again ends where it ends
    pairs = [pair for pair in pairwise(lines) if often[pair[0].text] == 1 and _may_follow(*pair, width)]
    count = sum(line.width >= width - _SLACK for line, _ in pairs)
    if not count:
        return lines
    words = _words(lines)
    folded = any(width * 0.6 < line.width < width - _SLACK and _LETTER.match(after.text) for line, after in pairs)
    strict = folded or (count < 2 and width not in _USUAL)
    joined = [lines[0]]
    for line in lines[1:]:
        last = joined[-1]
        glue = None
        full = last.width >= width - _SLACK and often[last.text] <= 1
        if full and len(last.text) < _MAX_JOINED and _may_follow(last, line, width):
            glue = _glue(last, line, width, words, strict=strict)
        if glue is None and folded and _is_folded(last, line, width):
            glue = " "
        if glue is None:
            joined.append(line)
        else:
            joined[-1] = last.joined(line, glue)
    return joined


def _words(lines: list[Line]) -> set[str]:
    words: set[str] = set()
    for line in lines[:_MAX_WORD_LINES]:
        words.update(_WORD_START.findall(line.text))
    return words


def _may_follow(line: Line, after: Line, width: int) -> bool:
    """Tell whether `after` may be the rest of `line`."""
    text = after.text
    if (
        not line.text
        or not text
        or (text[0] in " \t" and (line.width < width or text[0] == "\t" or text[:2].isspace()))
    ):
        return False
    if after.record_id or (after.process and after.process != line.process) or (line.record_id and after.process):
        return False
    if text[0] in ":(" and _OWN_LINE.match(text):
        return False
    if after.region not in ("", line.region) or text[0] == "[" or text[:2] in _BULLETS or ends_message(text):
        return False
    head = parse_class_head(text)
    return read_frame(text) is None and (head is None or head.name is None)


def _is_folded(line: Line, after: Line, width: int) -> bool:
    """Tell whether a logged line was folded at a blank: what follows lacks its prefix and begins small."""
    return (
        bool(line.record_id or line.process or line.region == "error")
        and not after.region
        and not after.process
        and line.width > width * 0.7
        and _may_follow(line, after, width)
        and _LETTER.match(after.text) is not None
    )


def _glue(line: Line, after: Line, width: int, words: set[str], *, strict: bool) -> str | None:
    """Return what stood between the two parts of a broken line, None if they are two lines."""
    before, behind = line.text[-1], after.text[0]
    first, second = _WORD_END.search(line.text[-60:]), _WORD_START.match(after.text[:60])
    if before in "/_\\":
        return ""
    if first and second and first[0] + second[0] in words:
        return ""
    if behind in ",;:)]}" or (behind == "." and after.text[1:2] != "."):
        return ""
    if strict:
        return None
    if before in " \t" or behind in " \t":
        return ""
    if before in ".:!?" and behind.isupper() and not _DOTTED.search(line.text[-60:]):
        return "\n"
    if before in ",;:.!?" and line.width < width:
        return " "
    common = sum(bool(half) and half[0].lower() in _COMMON for half in (first, second) if half)
    # A whole word of four letters and more is rarely the rest of another one.
    is_word = second is not None and len(second[0]) >= 4 and second[0].lower() in _COMMON
    return " " if common == 2 or (common and line.width < width) or is_word else ""
