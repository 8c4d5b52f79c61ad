"""What a shell or a tool says when a program ends without a word of its own: a last resort."""

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.unnamed_messages import line_candidate
from errkb.reading.line import Line
from errkb.reading.shape import Shape

LAST_WORDS = (
    Shape(
        "exit code of a signal",
        ("exit code ", "exited with code "),
        r"\s*(?P<message>.{0,100}\b(?:exit code|exited with code) (?:1[23]\d|-\d{1,10})\b.{0,200}?)\s*$",
        "Process finished with exit code 137 (interrupted by signal 9: SIGKILL)",
    ),
    Shape(
        "job that was ended",
        ("killed", "terminated", "segmentation", "abort"),
        r"\s*\[\d{1,3}\]\s+(?:[+-]\s+)?\d{1,7} +"
        r"(?P<message>killed|terminated|segmentation fault|abort(?:ed)?)\b.{0,600}$",
        "[1]    4711 segmentation fault  python a.py",
    ),
    Shape(
        "name of an error",
        ("error: ",),
        r"\s*error: (?P<message>[a-z]{1,40}(?:-[a-z]{1,40}){1,8})\s*$",
        "error: externally-managed-environment",
    ),
)
"""Lines that are read only where a text holds nothing else."""
_READERS = tuple((shape, lazy(shape.pattern)) for shape in LAST_WORDS)


def may_be_last_words(line: Line) -> bool:
    """Whether a line holds a hint of the table."""
    return any(hint in line.text for shape in LAST_WORDS for hint in shape.hint)


def read_last_words(lines: list[Line]) -> list[Candidate]:
    """How programs ended, as shells and tools tell it."""
    return [found for line in lines if (found := _read(line)) is not None]


def _read(line: Line) -> Candidate | None:
    for shape, pattern in _READERS:
        if any(hint in line.text for hint in shape.hint) and (match := pattern.match(line.text)):
            start, stop = match.span("message")
            return line_candidate(Certainty.LABELLED, match["message"], line, start, stop=stop, shape=shape.name)
    return None
