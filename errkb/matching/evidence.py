"""Evidence for a match, each kind a small pure function, and the score they give together.

The score is the product of the factors, so each factor can be read on its own: 1 says nothing
against the match, a factor of 0.5 leaves half of the confidence. The numbers were chosen by measurement
(benchmarks/README.md).
"""

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from errkb.exception_names import Agreement, compare_classes, last_name
from errkb.matching.match import Evidence, Kind, Match
from errkb.reading import Frame, Role

if TYPE_CHECKING:
    from errkb.patterns import Reading
    from errkb.patterns.damaged_text import LooseReading

THRESHOLD = 0.3
"""Matches below this score are not given: silence is an answer."""
CONFIDENT = 0.5
"""From this score on a match is a likely one."""

_HALF_SPECIFIC = {
    Kind.PATTERN: 1.0,
    Kind.INSIDE: 1.5,
    Kind.CODE: 1.0,
    Kind.PARTIAL: 2.0,
    Kind.FUZZY: 2.5,
    Kind.CLASS: 1.0,
}
"""The weight at which matched text is half as convincing as it can be."""
CLASS_FACTORS = {
    Agreement.SAME: 1.0,
    Agreement.RELATED: 0.99,
    Agreement.UNKNOWN: 0.9,
    Agreement.WRAPPED: 0.85,
    Agreement.PERHAPS: 0.75,
    Agreement.DIFFERENT: 0.5,
}
LOOSE = 0.9
"""What is left of the score of a message that fits only loosely."""
FIRST_LINE = 0.95
"""What is left where it is the first line of several."""
_CLASS_NOTES = {
    Agreement.RELATED: "class {written} in the text is an alias or a subclass of {recorded}, or its base",
    Agreement.WRAPPED: "class {written} may wrap {recorded}",
    Agreement.PERHAPS: "class {written} in the text, {recorded} in the record: one may derive from the other",
    Agreement.DIFFERENT: "class {written} in the text, {recorded} in the record",
}
_AGREES = CLASS_FACTORS[Agreement.RELATED]
"""The factor of a class that is the record's, or known to derive from it."""
_DOUBTS = frozenset({"changed", "values", "ignored"})
"""Evidence that keeps a match of a whole message from being certain."""
_NO_FRAME = 0.99
_NEAR_LINES = 30
_LATER_OCCURRENCE = 0.97
_IGNORED = 0.8
_LAST_PLACE_THAT_COUNTS = 2


class Certainty(StrEnum):
    """How sure errkb is of a match, in a word."""

    CERTAIN = "certain"
    """The whole message fits, the class agrees, and no other record fits as well."""
    LIKELY = "likely"
    POSSIBLE = "possible"


def certainty(match: Match) -> Certainty:
    """How sure errkb is of a match."""
    if fits_with_class(match.kind, match.evidence) and not match.tied:
        return Certainty.CERTAIN
    return Certainty.LIKELY if is_likely(match.score) else Certainty.POSSIBLE


def fits_with_class(kind: Kind, evidence: Iterable[Evidence]) -> bool:
    """Whether the whole message fits and the class agrees, so that a match is certain however short its text is."""
    factors = {item.name: item.factor for item in evidence}
    whole = kind in (Kind.PATTERN, Kind.CLASS) and _DOUBTS.isdisjoint(factors)
    return whole and (kind is Kind.CLASS or "weak" in factors or factors.get("class", 0.0) >= _AGREES)


def shown_score(score: float) -> str:
    """A score with two decimals, rounded down, so that none looks likely that is not."""
    return f"{math.floor(score * 100) / 100:.2f}"


def score(evidence: Iterable[Evidence]) -> float:
    """The product of the factors."""
    return math.prod(item.factor for item in evidence)


def is_likely(score: float) -> bool:
    """Whether an answer of this score is likely the right one."""
    return score >= CONFIDENT


def reading_kind(reading: "Reading | LooseReading") -> Kind:
    """The kind of match that a reading by the record's pattern makes."""
    return Kind.PARTIAL if reading.cut else Kind.PATTERN if reading.whole else Kind.INSIDE


def reading_evidence(
    reading: "Reading | LooseReading", weight: float, message_length: int
) -> tuple[Kind, tuple[Evidence, Evidence]]:
    """What a reading says by itself: its literal text, of this weight, and how much of the message it covers."""
    kind = reading_kind(reading)
    share = (reading.span[1] - reading.span[0]) / max(1, message_length)
    return kind, (literal_weight(weight, kind), coverage(kind, share))


def exact_score(reading: "Reading", weight: float, message_length: int, class_factor: float) -> float:
    """The score of an exact reading without any traceback: literal text, coverage and class."""
    return score(reading_evidence(reading, weight, message_length)[1]) * class_factor


def specificity(weight: float, kind: Kind) -> float:
    """The factor of matched text of that weight, in rare words."""
    return weight / (weight + _HALF_SPECIFIC[kind])


def literal_weight(weight: float, kind: Kind) -> Evidence:
    """How much rare literal text matched; `weight` counts words, a word that is in every message as 0."""
    return Evidence("literals", specificity(weight, kind), f"matched text weighs {weight:.1f} rare words")


def coverage(kind: Kind, share: float) -> Evidence:
    """How much of the message is covered by the reading; all of it for kind `pattern`."""
    if kind is Kind.INSIDE:
        return Evidence("coverage", 0.7 + 0.25 * share, f"covers {share:.0%} of the message")
    return Evidence("coverage", 1.0, "covers the whole message")


def class_agreement(written: str | None, recorded: str | None) -> Evidence:
    """Whether the class in the text is the record's, or one that is related to it."""
    agreement = compare_classes(written, recorded)
    if agreement is Agreement.SAME:
        note = f"class {last_name(recorded or '')} in both"
    elif agreement is Agreement.UNKNOWN:
        note = "no class to compare"
    else:
        note = _CLASS_NOTES[agreement].format(written=written, recorded=recorded)
    return Evidence("class", CLASS_FACTORS[agreement], note)


def related_class(written: str, recorded: str) -> Evidence:
    """The class in the text derives from the record's, as its source says."""
    note = _CLASS_NOTES[Agreement.RELATED].format(written=written, recorded=recorded)
    return Evidence("class", CLASS_FACTORS[Agreement.RELATED], note)


def frame_agreement(frames: Sequence[Frame], repo: str, file_path: str, line: int) -> Evidence:
    """Whether the record's file or package stands in the traceback; a preference among equals."""
    if not frames:
        return Evidence("frames", _NO_FRAME, "no frames to compare")
    path = PurePosixPath(file_path)
    tail = path.parts[-2:]
    package = {repo.rpartition("/")[2].lower(), path.parts[0].lower()} - {"src", "lib", "python"}
    best, note = _NO_FRAME, "no frame of its package"
    for frame in frames:
        parts = PurePosixPath(frame.file.replace("\\", "/")).parts
        if parts[-len(tail) :] == tail and len(parts) > 1:
            if frame.line is not None and abs(frame.line - line) <= _NEAR_LINES:
                return Evidence("frames", 1.0, f"raised near line {line} of {file_path}")
            best, note = 0.998, f"a frame in {file_path}"
        elif best < 0.995 and package & {part.lower() for part in parts}:
            best, note = 0.995, f"a frame in the package of {repo}"
    return Evidence("frames", best, note)


def place_in_text(place: int, score: float, likely: float) -> Evidence:
    """What comes first in a text is what its reader should know; `place` counts from 0.

    Once an occurrence has a likely match, of score `likely`, those after it rank after it,
    however specific their own match, of `score`, may be.
    """
    factor = _LATER_OCCURRENCE ** min(place, _LAST_PLACE_THAT_COUNTS)
    if likely and score * factor >= likely:
        return Evidence("place", likely * _LATER_OCCURRENCE / score, f"occurrence {place + 1}, after a likely one")
    return Evidence("place", factor, f"occurrence {place + 1} of the text")


def ignored(place: int, role: Role, score: float) -> Evidence | None:
    """That Python only ignored an exception, where something else stands before it in a text.

    A match of it, of `score`, is never a likely one there.
    """
    if role is Role.IGNORED and place:
        return Evidence(
            "ignored",
            min(_IGNORED, _IGNORED * CONFIDENT / score),
            "Python ignored it, and another error stands in the text",
        )
    return None


def changed(note: str, factor: float) -> Evidence:
    """That the message is not as the record has it."""
    return Evidence("changed", factor, note)
