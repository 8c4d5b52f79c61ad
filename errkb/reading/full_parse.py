"""The whole reading of a text: its streams, their tracebacks, the single lines that are left."""

from errkb.reading.candidate import Candidate, Certainty, as_occurrence
from errkb.reading.carriers.pipeline import read_streams
from errkb.reading.grammars.raise_statements import read_sources
from errkb.reading.grammars.single_lines import read_singles
from errkb.reading.grammars.traceback import read_tracebacks
from errkb.reading.occurrence import Occurrence
from errkb.reading.ranking import ordered


def read_thoroughly(text: str) -> list[Occurrence]:
    """Return the errors that stand in `text`, best first, whatever carries them."""
    candidates = ordered(read_candidates(text), len(text.rstrip()))
    return [as_occurrence(candidate, len(text)) for candidate in candidates]


def read_candidates(text: str) -> list[Candidate]:
    """Return all that the readers find in `text`, in no order."""
    streams = []
    candidates: list[Candidate] = []
    for lines in read_streams(text):
        stream = read_tracebacks(lines)
        candidates += stream.candidates
        streams.append(stream)
    quiet = any(candidate.is_raised and candidate.message for candidate in candidates)
    for stream in streams:
        candidates += read_singles(stream.lines, stream.used, stream.cut, quiet=quiet)
    if not any(candidate.certainty <= Certainty.LABELLED for candidate in candidates):
        for stream in streams:
            candidates += read_sources(stream.lines, stream.source_lines)
    return candidates
