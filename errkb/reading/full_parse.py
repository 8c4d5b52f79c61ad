"""The whole reading of a text: its streams, their tracebacks, the single lines that are left."""

from errkb.reading.candidate import Candidate, Certainty, as_occurrence
from errkb.reading.carriers.pipeline import read_streams
from errkb.reading.grammars.last_words import read_last_words
from errkb.reading.grammars.raise_statements import read_sources
from errkb.reading.grammars.single_lines import read_singles
from errkb.reading.grammars.stream import Stream
from errkb.reading.grammars.traceback import read_tracebacks
from errkb.reading.line import Line
from errkb.reading.occurrence import Occurrence
from errkb.reading.ranking import ordered


def read_thoroughly(text: str) -> list[Occurrence]:
    """The errors that stand in `text`, best first, whatever carries them."""
    candidates = ordered(candidates_of(streams_of(read_streams(text))), len(text.rstrip()))
    return [as_occurrence(candidate, len(text)) for candidate in candidates]


def streams_of(lines: list[list[Line]]) -> list[Stream]:
    """The streams of a text, their tracebacks read."""
    return [read_tracebacks(of_process) for of_process in lines]


def candidates_of(streams: list[Stream]) -> list[Candidate]:
    """All that the readers find in the streams, in no order."""
    candidates = [candidate for stream in streams for candidate in stream.candidates]
    quiet = any(candidate.is_raised and candidate.message for candidate in candidates)
    for stream in streams:
        candidates += read_singles(stream, quiet=quiet)
    if not any(candidate.certainty <= Certainty.LABELLED for candidate in candidates):
        for stream in streams:
            candidates += read_sources(stream.lines, stream.source_lines)
    if not candidates:
        for stream in streams:
            candidates += read_last_words(stream.lines)
    return candidates
