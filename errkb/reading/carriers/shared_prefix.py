"""Cut away prefixes of unknown form, where the fixed words of tracebacks show that there is one."""

import re
from collections import Counter

from errkb.lazy_regex import lazy
from errkb.reading.line import Line

_ANCHOR = lazy(r'Traceback \(most recent call last\)|File "[^"\n]{1,300}", line \d')
_ANCHOR_REACH = 400
_LONGEST = 100
_NUMBER = lazy(r"(?:\d{1,6}\.\d{1,4}|\s{0,6}\d{1,6} ?[|:│])(?: |(?=\t)|$)")
"""Seconds, or the number of a line in a gutter."""
_CLASS_OF_HEADER = lazy(r"[A-Za-z_][\w.]*(?:\([\w.]+\))?")
"""The name of an exception, as IPython's header has it."""
_DIGITS = lazy(r"\d+")
_MAX_SHAPES = 4


def without_numbers(lines: list[Line]) -> list[Line]:
    """The lines without the numbers in front, if most have one."""
    filled = [line.text for line in lines if line.text.strip()]
    numbered = sum(_NUMBER.match(text) is not None for text in filled)
    if numbered <= 2 or numbered * 5 < len(filled) * 3:
        return lines
    return [line.cut(match.end()) if (match := _NUMBER.match(line.text)) else line for line in lines]


def without_shared_prefix(lines: list[Line]) -> list[Line]:
    """The lines without a prefix of unknown form.

    What stands before ``Traceback (most …`` or ``File "…", line`` on several lines, digits aside, is a
    prefix, and is one on the lines between, too.
    """
    shapes = _shapes(lines)
    lines = without_numbers(lines)
    return [_without_shape(line, shapes) for line in lines] if shapes else lines


def _shapes(lines: list[Line]) -> list[re.Pattern[str]]:
    """The forms of the prefixes that stand before the fixed words of tracebacks."""
    counts: Counter[str] = Counter()
    before_frames: set[str] = set()
    for line in lines:
        text = line.text
        if "File " not in text and "Traceback " not in text:
            continue
        anchor = _ANCHOR.search(text, 0, _ANCHOR_REACH)
        before = text[: anchor.start()].rstrip() if anchor else ""
        if anchor is None or not _may_be_prefix(before):
            continue
        shape = _DIGITS.sub("0", before)
        counts[shape] += 1
        # A name alone may be the class in IPython's header, but not before a frame.
        if anchor[0].startswith("File") or not _CLASS_OF_HEADER.fullmatch(before):
            before_frames.add(shape)
    return [
        re.compile(r"\d+".join(map(re.escape, shape.split("0"))) + r"(?: |(?=\S)|$)")
        for shape, count in counts.most_common(_MAX_SHAPES)
        if shape in before_frames and (count >= 2 or shape.endswith((":", ">", "|", "]")))
    ]


def _may_be_prefix(before: str) -> bool:
    return bool(before.strip(" |+│┃║")) and len(before) <= _LONGEST and not before.endswith(('"', "'", "(", "+"))


def _without_shape(line: Line, shapes: list[re.Pattern[str]]) -> Line:
    for shape in shapes:
        if match := shape.match(line.text):
            rest = line.cut(match.end())
            rest.process = line.process or _DIGITS.sub("0", match[0].strip())
            return rest
    return line
