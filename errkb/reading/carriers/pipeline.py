"""From raw text to streams: lines without carrier noise, those of each process by themselves.

Carriers are undone from the outside to the inside. Where one may hold another of a kind that was already
looked for (a record in a log line, a prefix in a box), that kind stands in the list of passes again.
"""

from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain, islice
from typing import NamedTuple

from errkb.reading.carriers import signs
from errkb.reading.carriers.boxes import without_boxes
from errkb.reading.carriers.control_characters import is_suspect
from errkb.reading.carriers.decoration import without_decoration
from errkb.reading.carriers.escapes import without_entities, without_escapes
from errkb.reading.carriers.json_records import without_records
from errkb.reading.carriers.line_joins import one_frame_a_line, one_record_a_line, one_service_a_line
from errkb.reading.carriers.prefixes import without_common_mark, without_prefix
from errkb.reading.carriers.processes import by_process
from errkb.reading.carriers.quoting import without_quotes
from errkb.reading.carriers.shared_prefix import without_shared_prefix
from errkb.reading.carriers.unwrapping import unwrapped
from errkb.reading.line import Line, dedented, split_lines
from errkb.reading.shape import Shape

MAX_TEXT = 12_000_000
"""Of a longer text, the first quarter and the last three quarters of this many characters are read."""
MAX_LINES = 200_000
"""The same for the number of lines."""

_WITHIN = ("", "box", "item")
"""The regions of lines in which a prefix may stand."""


class _Page:
    """A text on its way through the passes."""

    __slots__ = ("lines", "searched", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = _limited(split_lines(text)) if len(text) <= MAX_TEXT else _ends(text)
        self.searched: list[Line] = []
        """The lines in which a prefix was looked for."""


class Pass(NamedTuple):
    """A step of the pipeline."""

    name: str
    gate: Callable[[str], bool]
    """Whether the text may hold what the step undoes."""
    run: Callable[[_Page], list[Line]]


def read_streams(text: str) -> list[list[Line]]:
    """The lines of `text` to read, one list per process that wrote them."""
    page = _Page(text)
    for _name, gate, run in PASSES:
        if gate(text):
            page.lines = run(page)
    return by_process(page.lines)


def _always(_text: str) -> bool:
    return True


def _holds(*shapes: Shape) -> Callable[[str], bool]:
    """A gate: whether the text holds a hint of the shapes."""
    hints = tuple(hint for shape in shapes for hint in shape.hint)
    return lambda text: any(hint in text for hint in hints)


def _of_lines(run: Callable[[list[Line]], list[Line]]) -> Callable[[_Page], list[Line]]:
    return lambda page: run(page.lines)


def _without_escapes(page: _Page) -> list[Line]:
    bare = "[0m" in page.text or "[m" in page.text
    return [without_escapes(line, bare=bare) for line in page.lines]


def _without_entities(page: _Page) -> list[Line]:
    return [without_entities(line) for line in page.lines]


def _without_prefixes(page: _Page) -> list[Line]:
    page.searched = [without_prefix(line) for line in page.lines]
    return page.searched


def _without_prefixes_within(page: _Page) -> list[Line]:
    searched = set(map(id, page.searched))
    return [
        line if id(line) in searched or line.record_id or line.region not in _WITHIN else without_prefix(line)
        for line in page.lines
    ]


PASSES = (
    Pass("escapes", is_suspect, _without_escapes),
    Pass("entities", _holds(signs.ENTITIES), _without_entities),
    Pass("indentation", _always, _of_lines(dedented)),
    Pass("quoted mail", _holds(signs.QUOTE), _of_lines(without_quotes)),
    Pass("boxes", _holds(signs.BOX), _of_lines(without_boxes)),
    Pass("lost newlines between records", _always, _of_lines(one_record_a_line)),
    Pass("lost newlines between services", _always, _of_lines(one_service_a_line)),
    Pass("prefixes", _always, _without_prefixes),
    Pass("records", _holds(*signs.RECORDS), _of_lines(without_records)),
    Pass("prefixes without meaning", _always, _of_lines(without_common_mark)),
    Pass("prefixes of unknown form", _always, _of_lines(without_shared_prefix)),
    Pass("decoration", _always, _of_lines(without_decoration)),
    Pass("prefixes, again", _always, _without_prefixes_within),
    Pass("lines broken by a console", _always, _of_lines(unwrapped)),
    Pass("lost newlines between frames", _always, _of_lines(one_frame_a_line)),
    Pass("records, again", _holds(*signs.RECORDS), _of_lines(without_records)),
)
"""What is undone, in this order."""


def _limited(lines: Iterable[Line]) -> list[Line]:
    """The first and the last lines of too many."""
    lines = iter(lines)
    head = list(islice(lines, MAX_LINES // 4))
    return head + list(deque(lines, maxlen=MAX_LINES * 3 // 4))


def _ends(text: str) -> list[Line]:
    """The lines of the beginning and the end of a text that is too long."""
    head, tail = MAX_TEXT // 4, len(text) - MAX_TEXT * 3 // 4
    moved = (line.like(line.text, ((0, line.offset(0) + tail),)) for line in split_lines(text[tail:]))
    return _limited(chain(split_lines(text[:head]), moved))
