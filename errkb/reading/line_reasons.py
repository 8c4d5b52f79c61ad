"""Why a text was read as it was: what each line was taken for, and by which row of the tables.

This looks at what the thorough reading did after it is done, so reading itself pays nothing for it.
"""

from bisect import bisect_right

import msgspec

from errkb.reading.candidate import Candidate
from errkb.reading.carriers.pipeline import read_streams
from errkb.reading.full_parse import candidates_of, streams_of
from errkb.reading.grammars.stream import Stream
from errkb.reading.line import Line
from errkb.reading.line_kind import LineKind
from errkb.reading.occurrence import Occurrence
from errkb.reading.ranking import ordered
from errkb.reading.shape import row_of
from errkb.reading.shapes.frames import FRAMES
from errkb.reading.shapes.message_end import message_end
from errkb.reading.shapes.noise import is_noise
from errkb.reading.shapes.stops import STOPS


class ReadLine(msgspec.Struct, frozen=True):
    """What a line of a text was read as."""

    number: int
    """The line of the text in which it begins, from 1; a line of JSON may hold several."""
    text: str
    """The line without what carried it."""
    kind: str
    """What it is by itself (`LineKind`)."""
    process: str
    """The process that wrote it."""
    level: str
    """The level of its log record."""
    shape: str
    """The row by which an error was opened here, or by which the line is what it is; empty if there is none."""
    ends: str
    """Why it ended the message above, if it did."""


def explain(text: str) -> list[ReadLine]:
    """What each line of a text was read as, in the order of the text."""
    streams = streams_of(read_streams(text))
    shapes = {candidate.start: candidate.shape for candidate in reversed(candidates_of(streams))}
    starts = _line_starts(text)
    lines = [found for stream in streams for found in _of_stream(stream, shapes, starts)]
    return sorted(lines, key=lambda line: line.number)


def opening_shape(text: str, occurrence: Occurrence) -> str:
    """The row by which an occurrence of a text was opened, empty if it is none of the thorough reading's."""
    candidates = ordered(candidates_of(streams_of(read_streams(text))), len(text.rstrip()))
    return next((candidate.shape for candidate in candidates if _is_of(candidate, occurrence)), "")


def _is_of(candidate: Candidate, occurrence: Occurrence) -> bool:
    return candidate.message == occurrence.message and candidate.error_class == occurrence.error_class


def _line_starts(text: str) -> list[int]:
    """The offsets at which the lines of a text begin."""
    starts = [0]
    while (at := text.find("\n", starts[-1])) >= 0:
        starts.append(at + 1)
    return starts


def _of_stream(stream: Stream, shapes: dict[int, str], starts: list[int]) -> list[ReadLine]:
    ends = _message_ends(stream)
    return [
        ReadLine(
            number=_number(starts, line.offset(0)),
            text=line.text,
            kind=line.kind.value,
            process=line.process,
            level=line.level,
            shape=_shape(stream, number, line, shapes),
            ends=ends.get(number, ""),
        )
        for number, line in enumerate(stream.lines)
    ]


def _number(starts: list[int], offset: int) -> int:
    return bisect_right(starts, offset)


def _message_ends(stream: Stream) -> dict[int, str]:
    """Why lines ended the messages that begin in the lines of a stream."""
    ends: dict[int, str] = {}
    for number in stream.messages:
        end = message_end(stream.lines, number, stream.lines[number].indent)
        ends.setdefault(end.stop, end.reason)
    return ends


def _shape(stream: Stream, number: int, line: Line, shapes: dict[int, str]) -> str:
    """The row that says most of a line: what it opened, else what it is."""
    opened = stream.openings.get(number) or shapes.get(line.offset(line.indent), "")
    if opened:
        return opened
    stripped = line.text.strip()
    if line.kind is LineKind.FRAME:
        row = row_of(FRAMES, stripped)
    elif line.kind is LineKind.STOP:
        row = row_of(STOPS, line.text, r"\s*")
    else:
        return "source" if number in stream.source_lines else "noise" if stripped and is_noise(line) else ""
    return row.name if row else ""
