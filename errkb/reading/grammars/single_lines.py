"""Errors that stand in single lines, outside of tracebacks."""

from msgspec.structs import replace

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.marked_lines import read_marked
from errkb.reading.grammars.unnamed_messages import BULLET, LABEL, read_plain
from errkb.reading.line import Line
from errkb.reading.line_kind import is_repr
from errkb.reading.log_levels import LOUD
from errkb.reading.shapes.class_heads import find_class_head
from errkb.reading.shapes.noise import is_noise
from errkb.reading.shapes.paragraphs import is_sql_detail

_LABEL_ALONE = lazy(r"\s*(?:[\w'./:*-]+ ){0,8}(?i:error|exception|failed|failure|executing|occurred)\b[^.]{0,120}:\s*$")
_SLUG = lazy(r"\s*error: [a-z]+(?:-[a-z]+)+\s*$")
_STATEMENT = lazy(r"\s*[a-z]+(?: [a-z]+){1,3}: ")
_LINKS = ("http://", "https://")
_MAX_UNMARKED = 60
_MAX_PARAGRAPH = 40
_MAX_BEFORE = 6
"""The line before a cut traceback stands at most so many lines above."""


def read_singles(lines: list[Line], used: bytearray, cut: list[int], *, quiet: bool) -> list[Candidate]:
    """The errors in lines that no traceback took.

    `cut` are the lines where tracebacks begin that have no exception; the line before such a one often
    says what the exception would. With `quiet`, there are exceptions, and lines without any mark of an
    error are passed over.
    """
    return _SingleLines(lines, used, cut, quiet=quiet).read()


class _SingleLines:
    """The lines that are left of a stream, while they are read."""

    def __init__(self, lines: list[Line], used: bytearray, cut: list[int], *, quiet: bool) -> None:
        self._lines = lines
        self._used = used
        self._quiet = quiet
        self._before_cut = {before for begin in cut if (before := self._line_before(begin)) is not None}
        """The lines before tracebacks that are cut."""
        self._is_announced = False
        """The line before says that an error follows."""
        self._paragraphs = 0

    def read(self) -> list[Candidate]:
        """The errors, in the order of the text."""
        candidates: list[Candidate] = []
        number = 0
        while number < len(self._lines):
            line = self._lines[number]
            if self._used[number] or not line.text.strip() or is_noise(line):
                number += 1
                continue
            found = read_marked(self._lines, number)
            if not found and self._announces(number):
                self._is_announced = True
                number += 1
                continue
            if found:
                found, stop = self._as_sure_as_may_be(found, number), number + 1
            else:
                found, stop = self._read_plain(number)
            self._is_announced = False
            candidates += found
            number = stop
        return candidates

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
        if number not in self._before_cut:
            return found
        return [replace(one, certainty=min(one.certainty, Certainty.PROBABLE)) for one in found]

    def _read_plain(self, number: int) -> tuple[list[Candidate], int]:
        """The errors of a paragraph without a mark of an exception, and the line after it."""
        line = self._lines[number]
        if number in self._before_cut:
            certainty = Certainty.PROBABLE
        elif self._is_announced or (not self._quiet and line.level in LOUD):
            certainty = Certainty.LABELLED
        elif self._quiet or self._paragraphs >= _MAX_UNMARKED:
            return [], number + 1
        else:
            certainty = Certainty.UNMARKED
        is_sentence = self._is_announced and line.text.rstrip().endswith(".")
        stop = self._paragraph_stop(number, is_one_line=is_sentence)
        self._paragraphs += 1
        return read_plain(self._lines[number:stop], certainty), stop

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
        quote = first.text.lstrip()[:1]
        is_closed = stop - number > 1 and self._lines[stop - 1].text.rstrip().endswith(quote)
        return not (quote in ("`", '"') and is_closed)


def _says_its_own(line: Line) -> bool:
    """Whether a line cannot go on what the line before it says."""
    text = line.text
    return (
        not text.strip()
        or is_noise(line)
        or line.is_structure
        or any(shape.match(text) for shape in (BULLET, _STATEMENT, LABEL))
        or find_class_head(text) is not None
        or is_repr(text)
    )
