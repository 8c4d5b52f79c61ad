"""Messages that stand without a class: logged, labelled, or with no mark at all."""

import re
from itertools import islice

from msgspec.structs import replace

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.line import Line
from errkb.reading.log_levels import LOUD, is_warning
from errkb.reading.occurrence import Role
from errkb.reading.shapes.message_text import strip_outer_quotes, text_of
from errkb.reading.shapes.paragraphs import is_human_prose, is_sql_detail

BULLET = lazy(r"\s*(?:[-*•‣▪·]|\d{1,3}[.)])\s+(?=\S)")
LABEL = lazy(
    r"\s*(?P<label>(?:[\w./\\-]{1,100}(?::\d{1,6}){0,2}: )?(?:[A-Za-z][\w'-]{0,30} ){0,4}"
    r"(?i:errors?|exception|failed|failure|fatal|panic)|Warning|WARNING|Caused by|what\(\))"
    r"(?: \[\w{1,12}\]|\[\w{1,12}\])?: +(?=\S)"
)
"""What says that an error follows: ``error:``, ``app.py: error:``, ``Unexpected error:``."""
_MARKS = lazy(r"\s*(?:[×✘✗✖❌⨯❗⚠🔥💥]\ufe0f?\s*|#{1,6}\s+)+")
_BANNER = lazy(r"\s*([!*#=]{3,20}|-{3,20}) ?\S.{0,100}? ?\1\s+(?=\S)")
_FOLLOWING = lazy(r".{0,600}?\b(?:following|this|next) (?:\w{1,30} ){0,2}(?:error|exception)s?: +(?=\S)")
_SENTENCE = lazy(r"(?<=\S )An? (?:\w{1,30} ){0,2}(?:error|exception)\b")
_KEPT = lazy(r"\b[A-Z]{2,}\d*\b|\b(?:[Cc]heck|[Aa]ssertion) failed$")
"""A label that is a part of the message: the name of a maker, or what failed."""
_ERRORISH = lazy(
    r"\b(?:cannot|can't|could ?n[o']t|does ?n[o']t|no \w+|not \w+|must|required|expected|missing|invalid|illegal"
    r"|mismatch|fail(?:ed|s|ure)?|errors?|unable|un(?:supported|expected|known|recognized|available|defined|authorized)"
    r"|denied|refused|forbidden|exceed(?:s|ed)?|out of memory|timed out|corrupt(?:ed)?|aborted|killed"
    r"|incompatible|conflict(?:s|ing)?|already)\b",
    re.IGNORECASE,
)
_CARETS = "^~ "
_SHAPES = {
    Certainty.PROBABLE: "line before a cut traceback",
    Certainty.LABELLED: "labelled line",
    Certainty.UNMARKED: "line of text",
}
_MAX_TAILS = 3
_MIN_TAIL = 10


def line_candidate(
    certainty: Certainty,
    message: str,
    line: Line,
    start: int,
    name: str | None = None,
    *,
    stop: int | None = None,
    last: Line | None = None,
    shape: str = "",
) -> Candidate:
    """A candidate in a line from column `start` to `stop` (else its end), or to the end of the line `last`."""
    begin = line.offset(min(start, len(line.text)))
    end = last.end() if last is not None else line.cut(0, stop).end()
    return Candidate(certainty, message.strip(), begin, max(begin, end), name, Role.LOG, chain_start=begin, shape=shape)


def read_plain(paragraph: list[Line], certainty: Certainty, *, ranked: bool = True) -> list[Candidate]:
    """A paragraph without a class as a message, then the parts of it that may be one.

    The label in front of a message is no part of it, unless it names a maker (``CUDA error: …``).
    Where no other message competes with it, it need not be `ranked`.
    """
    line, *more = paragraph
    text = line.text
    whole = _behind_signs(text)
    label = LABEL.match(text, whole) or _FOLLOWING.match(text, whole)
    named = label is not None and "label" in label.groupdict() and _KEPT.search(label["label"]) is not None
    start = label.end() if label and not named else whole
    certainty = _certainty(certainty, line, is_labelled=label is not None)
    lines = [line.cut(start), *more]
    message = strip_outer_quotes(text_of([part for part in lines if part.text.strip(_CARETS)]))
    if not any(map(str.isalpha, message)):
        return []
    rank = _rank(message) if ranked else 0.0
    main = replace(
        line_candidate(certainty, message, line, start, last=lines[-1], shape=_SHAPES[certainty]),
        role=Role.CAUSE if label and text.startswith("Caused by", whole) else Role.LOG,
        rank_in_chain=rank,
        loudness=int(rank * 10) if certainty is Certainty.UNMARKED else None,
    )
    return [main, *_parts(paragraph, main, _starts(text, whole, start, label))]


def _behind_signs(text: str) -> int:
    """The column after the bullets, marks and banners that a line begins with."""
    column = 0
    for pattern in (BULLET, _MARKS, _BANNER):
        if match := pattern.match(text, column):
            column = match.end()
    return column


def _rank(message: str) -> float:
    """The rank of a line among those without marks: what sounds like an error first, a person's words last."""
    return 0.8 if is_human_prose(message) else 0.0 if _ERRORISH.search(message) else 0.4


def _certainty(certainty: Certainty, line: Line, *, is_labelled: bool) -> Certainty:
    if is_labelled or line.level in LOUD:
        certainty = min(certainty, Certainty.LABELLED)
    return max(certainty, Certainty.UNMARKED) if is_warning(line.level) else certainty


def _starts(text: str, whole: int, start: int, label: re.Match[str] | None) -> list[int]:
    """The columns where else the message may begin: with its label, after it, after a colon."""
    starts = [whole, label.end()] if label else []
    starts += [match.start() for match in islice(_SENTENCE.finditer(text, start), _MAX_TAILS)]
    at = start
    for _ in range(_MAX_TAILS):
        at = text.find(": ", at, at + 400) + 2
        if at < 2:
            break
        if len(text) - at >= _MIN_TAIL:
            starts.append(at)
    return [column for column in dict.fromkeys(starts) if column != start]


def _parts(paragraph: list[Line], main: Candidate, starts: list[int]) -> list[Candidate]:
    """The ends of a paragraph that begin at these columns of its first line, and each of its lines."""
    line, *more = paragraph
    found: list[Candidate] = []
    for start in starts:
        tail = strip_outer_quotes(text_of([line.cut(start), *more]))
        found.append(line_candidate(main.certainty, tail, line, start, last=paragraph[-1]))
    if more:
        each_line = [each for each in paragraph if not is_sql_detail(each.text)]
        found += [
            line_candidate(Certainty.UNMARKED, strip_outer_quotes(each.text), each, each.indent) for each in each_line
        ]
    return [
        replace(
            part,
            role=Role.WRAPPED,
            chain_start=main.chain_start,
            rank_in_chain=main.rank_in_chain + count + 1,
            loudness=main.loudness,
            shape="part of a paragraph",
        )
        for count, part in enumerate(found)
        if part.message
    ]
