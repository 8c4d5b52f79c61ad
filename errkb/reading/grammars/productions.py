"""The productions that the tables of openings name, by their names.

A production takes the stream, the number of the line and what the row's pattern matched. It gives the
number of the next line to read, or None if it declines.
"""

import re
from collections.abc import Callable, Iterable

from errkb.lazy_regex import lazy
from errkb.reading.grammars import exceptions, reports, traceback_parts
from errkb.reading.grammars.stream import Stream
from errkb.reading.shape import Shape

Production = Callable[[Stream, int, re.Match[str]], int | None]

PRODUCTIONS: dict[str, Production] = {
    "header": traceback_parts.header,
    "link": traceback_parts.link,
    "class glued to frame": traceback_parts.glued_class,
    "remote task": traceback_parts.remote_task,
    "class above message": reports.class_above_message,
    "class in the line": reports.class_in_line,
    "ignored": reports.ignored,
    "ignored in one line": reports.ignored_in_line,
    "class apart": reports.class_apart,
    "panic": reports.panic,
    "fatal error": reports.fatal_error,
    "warning": reports.warning,
    "debug page": reports.debug_page,
    "validation report": exceptions.take_report,
    "validation error": exceptions.take_validation_error,
}


class Opener:
    """A table of openings, ready to be tried on lines."""

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self._rows = tuple(
            (shape.hint, lazy(shape.pattern), shape.reach, PRODUCTIONS[shape.production], shape.name)
            for shape in shapes
        )
        self._hints = tuple(hint for hints, *_ in self._rows for hint in hints)

    def read(self, stream: Stream, number: int) -> int | None:
        """The number of the next line, if a row fits the line and its production does not decline."""
        text = stream.lines[number].text
        for hint in self._hints:
            if hint in text:
                return self._read(stream, number, text)
        return None

    def _read(self, stream: Stream, number: int, text: str) -> int | None:
        for hints, pattern, reach, production, name in self._rows:
            for hint in hints:
                if hint in text:
                    match = pattern.search(text, 0, reach) if reach else pattern.match(text)
                    if match is not None:
                        after = production(stream, number, match)
                        if after is not None:
                            stream.openings[number] = name
                            return after
                    break
        return None
