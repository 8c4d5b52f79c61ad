"""Errors that stand in single lines, outside of tracebacks."""

import re

from msgspec.structs import replace

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.marked_lines import read_marked
from errkb.reading.grammars.stream import Stream
from errkb.reading.grammars.unnamed_messages import BULLET, LABEL, read_label, read_plain, sounds_like_error
from errkb.reading.line import Line
from errkb.reading.line_kind import is_repr
from errkb.reading.log_levels import LOUD
from errkb.reading.shapes.class_heads import find_class_head
from errkb.reading.shapes.noise import is_noise
from errkb.reading.shapes.paragraphs import is_persons, is_sql_detail
from errkb.reading.shapes.says_its_own import BEGINS_ANOTHER

_LABEL_ALONE = lazy(
    r"\s*(?:(?!(?:When executing|except|def|class|if|elif|for|while|with|async)\b)(?:[\w'.,/:*-]+ ){0,8}"
    r"(?i:error|exception|failed|failure|executing|occurred)\b[^.]{0,120}"
    r"|(?:.{0,200}[.!] )?[Hh]ere(?:'s| is| are) the (?:\w{1,20} ){0,2}"
    r"(?:traceback|error|output|log|stack ?trace))\s?:\s*$"
)
_SLUG = lazy(r"\s*error: [a-z]+(?:-[a-z]+)+\s*$")
_STATEMENT = lazy(r"\s*[a-z]+(?: [a-z]+){1,3}: ")
_LOUD_LABEL = lazy(r"^\s*(?:fatal )?error: $|: error: $", re.IGNORECASE)
"""A label that programs write, not people."""
_HEADING = lazy(r"#{1,6} +\S")
_LAST = 12
"""The loudness of a heading: it comes after all other lines."""
_OUTSIDE = 20
"""So much less loud is a line outside of the fence that holds the output."""
_LOUD = (None, 0)
"""The loudness of lines that report an error or sound like one."""
_COMMAND = lazy(
    r"\s*(?:sudo |[$!%] ?)?(?:python3?|pip3?|docker(?:-compose)?|git|kubectl|npm|npx|yarn|conda|poetry"
    r"|pipenv|uv|aws|gcloud|terraform|make|cd|bash|sh|dbt|curl|wget|eb|apt(?:-get)?|brew|export|set|source"
    r"|rm|cp|mv|ls|cat|bq|helm|kind) [\w./$~-]"
)
"""A command in a fence: it is what somebody typed."""
_LINKS = ("http://", "https://")
_MAX_UNMARKED = 60
_MAX_PARAGRAPH = 40
_MAX_BEFORE = 6
"""The line before a cut traceback stands at most so many lines above."""


def read_singles(stream: Stream, *, quiet: bool) -> list[Candidate]:
    """The errors in lines of a stream that no traceback took.

    The line before a traceback without an exception often says what the exception would. With `quiet`,
    there are exceptions, and lines without any mark of an error are passed over.
    """
    return _SingleLines(stream, quiet=quiet).read()


class _SingleLines:
    """The lines that are left of a stream, while they are read."""

    def __init__(self, stream: Stream, *, quiet: bool) -> None:
        self._lines = stream.lines
        self._used = stream.used
        self._quiet = quiet
        self._before_cut = {before for begin in stream.cut if (before := self._line_before(begin)) is not None}
        """The lines before tracebacks that are cut."""
        self._before_cut_chain = {begin - 1 for begin in stream.cut_chains}
        """The lines before chains of tracebacks whose last exception is cut off: they may name it."""
        self._has_fenced = stream.has_fenced
        """An error stands in a fence of the page."""
        self._is_announced = False
        """The line before says that an error follows."""
        self._is_labelled = False
        """The paragraph that is read begins with a label."""
        self._paragraphs = 0

    def read(self) -> list[Candidate]:
        """The errors, in the order of the text."""
        candidates: list[Candidate] = []
        number = 0
        while number < len(self._lines):
            line = self._lines[number]
            if self._used[number] or not line.text.strip() or is_noise(line):
                self._is_announced &= not self._used[number]
                number += 1
                continue
            if line.page and line.page != "outside" and _COMMAND.match(line.text):
                number += 1
                continue
            found = read_marked(self._lines, number)
            if not found and not self._is_heading(number) and self._announces(number):
                self._is_announced = True
                number += 1
                continue
            if found:
                found, stop = self._as_sure_as_may_be(found, number), number + 1
            else:
                found, stop = self._read_plain(number)
            self._is_announced = False
            self._has_fenced |= line.page == "output" and any(one.loudness in _LOUD for one in found)
            candidates += found if line.page == "output" else [replace(one, is_outside=True) for one in found]
            number = stop
        if not self._has_fenced:
            return candidates
        return [_of_page(one) if one.is_outside else one for one in candidates]

    def _announces(self, number: int) -> bool:
        """Whether a line only says that an error follows."""
        text = self._lines[number].text
        if _SLUG.match(text):
            return True
        if number in self._before_cut or not _LABEL_ALONE.match(text):
            return False
        return not (number + 1 < len(self._lines) and self._lines[number + 1].text.lstrip().startswith(_LINKS))

    def _as_sure_as_may_be(self, found: list[Candidate], number: int) -> list[Candidate]:
        """What was found in a line; before a cut traceback it is at least probable."""
        if number in self._before_cut_chain:
            return [replace(one, certainty=Certainty.TRACE) if one.is_raised else one for one in found]
        if number not in self._before_cut:
            return found
        return [replace(one, certainty=min(one.certainty, Certainty.PROBABLE)) for one in found]

    def _read_plain(self, number: int) -> tuple[list[Candidate], int]:
        """The errors of a paragraph without a mark of an exception, and the line after it."""
        line = self._lines[number]
        if self._is_announced and self._is_before_error(number):
            self._is_announced = False
        if number in self._before_cut:
            certainty = Certainty.PROBABLE
        elif self._is_announced or (not self._quiet and line.level in LOUD):
            certainty = Certainty.LABELLED
        elif self._quiet and (
            line.level in LOUD or ((label := LABEL.match(line.text)) is not None and _LOUD_LABEL.search(label[0]))
        ):
            return read_plain([line], Certainty.LABELLED)[:1], number + 1
        elif self._is_heading(number):
            self._paragraphs += 1
            return [replace(one, loudness=_LAST) for one in read_plain([line], Certainty.UNMARKED)], number + 1
        elif self._quiet or self._paragraphs >= _MAX_UNMARKED:
            return [], number + 1
        else:
            certainty = Certainty.UNMARKED
        self._is_labelled = certainty is Certainty.LABELLED or read_label(line.text)
        is_sentence = self._is_announced and line.text.rstrip().endswith(".")
        stop = self._paragraph_stop(number, is_one_line=is_sentence)
        self._paragraphs += 1
        return read_plain(self._lines[number:stop], certainty), stop

    def _is_before_error(self, number: int) -> bool:
        """Whether a line was announced as an error, but one below it has a label."""
        line = self._lines[number]
        if LABEL.match(line.text) or (line.page != "output" and sounds_like_error(line.text)):
            return False
        for below in self._lines[number + 1 : number + _MAX_PARAGRAPH]:
            if below.page != line.page:
                return False
            if LABEL.match(below.text) or _SLUG.match(below.text):
                return True
        return False

    def _is_heading(self, number: int) -> bool:
        """Whether a line is the heading of a part of a page, and no more."""
        text = self._lines[number].text
        return not self._quiet and _HEADING.match(text) is not None and not LABEL.match(text.lstrip("# "))

    def _line_before(self, begin: int) -> int | None:
        """The number of the line before a cut traceback."""
        lines, used = self._lines, self._used
        if begin < len(lines) and not used[begin] and lines[begin].text.strip():
            return begin
        for number in range(begin - 1, max(begin - _MAX_BEFORE, -1), -1):
            text = lines[number].text
            if not text.strip():
                continue
            if used[number] or is_noise(lines[number]) or text.rstrip().endswith(":"):
                return None
            while number and self._continues_above(number):
                number -= 1
            return number
        return None

    def _continues_above(self, number: int) -> bool:
        """Whether a line goes on what the line above it says."""
        line, above = self._lines[number], self._lines[number - 1]
        return bool(not self._used[number - 1] and not line.record_id and line.indent and above.text.strip())

    def _paragraph_stop(self, number: int, *, is_one_line: bool) -> int:
        """The number of the line after the paragraph that begins at `number`."""
        lines = self._lines
        stop = number + 1
        while stop < len(lines) and is_sql_detail(lines[stop].text):
            stop += 1
        if stop > number + 1 or is_one_line or BULLET.match(lines[number].text):
            return stop
        while stop < len(lines) and stop - number < _MAX_PARAGRAPH and self._continues(number, stop):
            stop += 1
        return stop

    def _continues(self, number: int, stop: int) -> bool:
        """Whether the paragraph that begins at `number` goes on at `stop`."""
        first, line = self._lines[number], self._lines[stop]
        if self._used[stop] or stop in self._before_cut or line.record_id or line.region not in ("", "box"):
            return False
        if (first.record_id and not line.indent) or _says_its_own(line):
            return False
        if self._is_labelled and is_persons(first.text, line.text):
            return False
        quote = first.text.lstrip()[:1]
        is_closed = stop - number > 1 and self._lines[stop - 1].text.rstrip().endswith(quote)
        return not (quote in ("`", '"') and is_closed)


def _of_page(candidate: Candidate) -> Candidate:
    """A line outside of the fence that holds the output: it comes after what the fence holds."""
    if candidate.certainty not in (Certainty.LABELLED, Certainty.UNMARKED):
        return candidate
    return replace(candidate, certainty=Certainty.UNMARKED, loudness=_OUTSIDE + (candidate.loudness or 0))


def _says_its_own(line: Line) -> bool:
    """Whether a line cannot go on what the line before it says."""
    text = line.text
    return (
        not text.strip()
        or BEGINS_ANOTHER.match(text) is not None
        or is_noise(line)
        or line.is_structure
        or any(shape.match(text) for shape in (BULLET, _STATEMENT, LABEL))
        or find_class_head(text) is not None
        or is_repr(text)
    )
