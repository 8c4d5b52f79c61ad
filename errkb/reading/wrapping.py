"""Join the lines that a console broke at its width, also inside words."""

import re

from errkb.reading.classes import read_head
from errkb.reading.frames import read_frame
from errkb.reading.lines import Line

_MIN_WIDTH = 40
_MAX_WIDTH = 400
_WORD_END = re.compile(r"\w+$")
_WORD_START = re.compile(r"\w+")
_SLACK = 2  # values in a pasted text are often replaced, and trailing blanks lost
_USUAL = {79, 80, 100, 120, 128, 132, 140, 150, 160, 180, 200}


def unwrapped(lines: list[Line]) -> list[Line]:
    """Return the lines with those joined that a console broke.

    A console breaks every line at the same width, so a break is a line of exactly the greatest width
    of the text, followed by a line without a prefix or indentation. One such line is chance; that
    several have the width, or that the halves make a word that stands elsewhere, is evidence.
    """
    if len(lines) < 2:
        return lines
    width = max(line.width for line in lines)
    if not _MIN_WIDTH <= width <= _MAX_WIDTH:
        return lines
    full = sum(
        line.width >= width - _SLACK and _may_follow(line, after) for line, after in zip(lines, lines[1:], strict=False)
    )
    if not full:
        return lines
    elsewhere = "\n".join(line.text for line in lines)
    joined = [lines[0]]
    for line in lines[1:]:
        last = joined[-1]
        if last.width >= width - _SLACK and _may_follow(last, line) and _is_broken(last, line, full, width, elsewhere):
            joined[-1] = last.joined(line)
        else:
            joined.append(line)
    return joined


def _may_follow(line: Line, after: Line) -> bool:
    text = after.text
    if not text or text[0] in " \t" or not line.text or line.text[-1] in " \t":
        return False
    if (line.stamp or line.source) and (after.stamp or after.source):
        return False
    if line.mark != after.mark or text.startswith(("Traceback ", "During handling", "The above exc", "[", ">>>", "$ ")):
        return False
    head = read_head(text)
    return read_frame(text) is None and (head is None or head.name is None)


def _is_broken(line: Line, after: Line, full: int, width: int, elsewhere: str) -> bool:
    if full > 1:
        return True
    first, second = _WORD_END.search(line.text[-60:]), _WORD_START.match(after.text[:60])
    if first and second:
        word = re.escape(first[0] + second[0])
        return re.search(rf"\b{word}\b", elsewhere) is not None
    return width in _USUAL and (bool(first) and after.text[0] in ").,;:]}" or bool(line.stamp or line.source))
