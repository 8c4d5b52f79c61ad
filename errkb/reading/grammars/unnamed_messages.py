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
    r"\s*(?:[A-Za-z][\w.]{0,30}(?: [\w.]{1,30}){0,3} [-–] )?"
    r"(?P<label>(?:[\w./\\-]{1,100}(?::\d{1,6}){0,2}: )?(?:[A-Za-z][\w'-]{0,30} ){0,4}"
    r"(?i:errors?|exception|failed|failure|fatal|panic)|Warning|WARNING|Caused by|what\(\))"
    r"(?: \[\w{1,12}\]|\[\w{1,12}\])?: +(?=\S)"
)
"""What says that an error follows: ``error:``, ``app.py: error:``, ``Unexpected error:``."""
_MARKS = lazy(r"\s*(?:[×✘✗✖❌⨯❗⚠🔥💥]\ufe0f?\s*|#{1,6}\s+|>{1,3} ?(?=[A-Za-z]))+")
_BANNER = lazy(r"\s*([!*#=]{3,20}|-{3,20}) ?\S.{0,100}? ?\1\s+(?=\S)")
_FOLLOWING = lazy(
    r"(?i).{0,600}?\b(?:(?:following|this|next|an?|the|appears?|gets?|got|gives?|shows?|with|throws?"
    r"|fix) (?:\w{1,30} ){0,2}(?:error|exception)s?(?: (?:message|occurs?|occurred))?"
    r"|(?<=[.!?] )(?:error|exception)|(?:error|log|output|terminal|console)s? "
    r"(?:\w{1,20} )?(?:shows?|says?|reads?|displays?|prints?)): +(?=\S)"
)
_SENTENCE = lazy(r"(?<=\S )An? (?:\w{1,30} ){0,2}(?:error|exception)\b")
_KEPT = lazy(r"\b(?!ERROR|FATAL|FAILED|WARNING)[A-Z]{2,}\d*\b|\b(?:[Cc]heck|[Aa]ssertion|[Cc]onnection) failed$")
"""A label that is a part of the message: the name of a maker, or what failed."""
_ERRORISH = lazy(
    r"\b(?:cannot|can't|could ?n[o']t|does ?n[o']t|no \w+|not \w+|must|required|expected|missing|invalid|illegal"
    r"|mismatch|fail(?:ed|s|ure)?|errors?|unable|un(?:supported|expected|known|recognized|available|defined|authorized)"
    r"|denied|refused|forbidden|exceed(?:s|ed)?|out of memory|timed out|corrupt(?:ed)?|aborted|killed"
    r"|segmentation fault|core dumped|incompatible|conflict(?:s|ing)?|already)\b",
    re.IGNORECASE,
)
_QUOTED = lazy(
    r"(?:^|(?<=[\s:(-]))(?:`(?P<code>[^`\n]{8,600} [^`\n]{1,600})`|“(?P<curly>[^”\n]{8,600} [^”\n]{1,600})”"
    r"|'(?P<single>[^'\n]{8,300} [^'\n]{1,300})'(?=[\s.,;:)?!]|$)"
    r"|\*\*\"(?P<bold>[^\"\n]{8,600} [^\"\n]{1,600})\"\*\*"
    r"|\"(?P<straight>[^\"\n]{8,600} [^\"\n]{1,600})(?:\"(?=[\s.,;:)?!]|$)|$))"
)
"""What a sentence quotes: several words."""
_SAYS = lazy(r"\b(?i:errors?|exception|messages?|says?|saying|fails? with|failed with|complains?)\b[^.]{0,80}$")
_NAMES = lazy(r"\b(?:error|exception|message)s?:? (?=$)", re.IGNORECASE)
"""Right before what is quoted: it is the message, whatever its words."""
_TOPIC = lazy(r"\s*(?:#+ )?[A-Z][\w-]{1,30}(?: [\w-]{1,30}){0,2}: ")
"""A topic, before a message in quotes that ends the line."""
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
    quoted = quoted_message(text, label.end() if label is not None else 0)
    if quoted is not None and not line.record_id:
        start, certainty = quoted[0], min(certainty, Certainty.LABELLED)
        lines = [line.cut(*quoted)]
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


def read_label(text: str) -> bool:
    """Whether a label or a sentence that announces an error stands in front of a message."""
    return LABEL.match(text) is not None or _FOLLOWING.match(text) is not None


def sounds_like_error(text: str) -> bool:
    """Whether a text has a word of errors."""
    return _ERRORISH.search(text) is not None


def _rank(message: str) -> float:
    """The rank of a line among those without marks: what sounds like an error first, a person's words last."""
    return 0.8 if is_human_prose(message) else 0.0 if _ERRORISH.search(message) else 0.4


def _certainty(certainty: Certainty, line: Line, *, is_labelled: bool) -> Certainty:
    if is_labelled or line.level in LOUD:
        certainty = min(certainty, Certainty.LABELLED)
    return max(certainty, Certainty.UNMARKED) if is_warning(line.level) else certainty


def quoted_message(text: str, label_end: int = 0) -> tuple[int, int] | None:
    """The columns of a message that a sentence quotes, after a word that says what it is; None if it quotes none.

    After a label, it is what the whole message begins with.
    """
    if label_end:
        match = _QUOTED.match(text, label_end)
        return match.span(match.lastgroup or 0) if match is not None and match.end() < len(text) else None
    for quotation in islice(_QUOTED.finditer(text), _MAX_TAILS):
        start, stop = quotation.span(quotation.lastgroup or 0)
        before = text[: quotation.start()]
        inner = text[start:stop]
        if quotation.end() == len(text.rstrip()) and _TOPIC.fullmatch(before):
            return start, stop
        label = LABEL.match(inner)
        if label is not None or (_SAYS.search(before) and _ERRORISH.search(inner)) or _NAMES.search(before):
            return start + (label.end() if label else 0), stop
    return None


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
