"""One occurrence against one index: candidates, readings, evidence.

Tiers, each tried only if those before gave no likely answer: exact readings; loose ones (cut
messages, eaten quotes) of records that share rare words; weak records of the same class; reworded
messages.
"""

import heapq
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errkb.class_names import Agreement, compare_classes, last_name
from errkb.index import Candidate, Index, rare_words
from errkb.match import Evidence, Kind
from errkb.patterns import LooseReading, Message, Squeezed, captured_spans
from errkb.patterns.chain import is_boundary
from errkb.ranking import (
    CONFIDENT,
    THRESHOLD,
    changed,
    class_agreement,
    coverage,
    frame_agreement,
    literal_weight,
    score,
)
from errkb.reading import Occurrence

_MOST_LOOSE = 24
"""Candidates that are read loosely for one message, those that share most with it first."""


class Scored(NamedTuple):
    """A candidate with its evidence."""

    score: float
    index: Index
    candidate: Candidate
    kind: Kind
    spans: dict[str, tuple[int, int]]
    evidence: tuple[Evidence, ...]


def score_occurrence(index: Index, occurrence: Occurrence, repo: str | None = None) -> list[Scored]:
    """What the index has for an occurrence, all at or over the threshold, in no order."""
    message = Message(occurrence.message)
    numbers = index.candidates(message)
    exact = _kept(_exact(index, numbers, occurrence, message), repo)
    exact += _kept(_codes(index, occurrence, message), repo)
    if any(found.score >= CONFIDENT for found in exact):
        return exact
    known = {found.candidate.number for found in exact}
    loose = _kept(_loose(index, numbers, occurrence, message, known), repo)
    if exact or loose:
        return exact + loose
    if occurrence.error_class:
        weak = index.weak_candidates(last_name(occurrence.error_class))
        return _kept(_weak(index, weak, occurrence, message), repo)
    return []


def _kept(scored: Iterable[Scored], repo: str | None) -> list[Scored]:
    return [found for found in scored if found.score >= THRESHOLD and repo in (None, found.candidate.head.repo)]


def _exact(index: Index, numbers: Iterable[int], occurrence: Occurrence, message: Message) -> Iterator[Scored]:
    for number in numbers:
        candidate = index.candidate(number)
        reading = candidate.pattern.read(message) if candidate.pattern else None
        if reading is None:
            continue
        kind = Kind.PATTERN if reading.whole else Kind.INSIDE
        share = (reading.span[1] - reading.span[0]) / len(message.text)
        spans = captured_spans(candidate.head.error_message, reading)
        yield _scored(index, candidate, occurrence, kind, spans, literal_weight(candidate.weight, kind), coverage(kind, share))


def _weak(index: Index, numbers: Iterable[int], occurrence: Occurrence, message: Message) -> Iterator[Scored]:
    """Records that would match every other line: only as a whole, and with the very class."""
    for found in _exact(index, numbers, occurrence, message):
        agreement = compare_classes(occurrence.error_class, found.candidate.head.error_class)
        if found.kind is Kind.PATTERN and agreement is Agreement.SAME:
            evidence = Evidence("weak", THRESHOLD, "little text of its own, but whole message and class agree")
            yield found._replace(score=THRESHOLD, evidence=(evidence,))


def _codes(index: Index, occurrence: Occurrence, message: Message) -> Iterator[Scored]:
    """Records whose error code stands in the message as a token."""
    for number in index.code_candidates(message):
        candidate = index.candidate(number)
        code = candidate.head.error_code or ""
        place = message.text.find(code)
        while place >= 0 and not (is_boundary(message.text, place) and is_boundary(message.text, place + len(code))):
            place = message.text.find(code, place + 1)
        if place >= 0:
            yield _scored(index, candidate, occurrence, Kind.CODE, {}, Evidence("code", 0.7, f"code {code} in the message"))


def _loose(
    index: Index, numbers: Iterable[int], occurrence: Occurrence, message: Message, known: set[int]
) -> Iterator[Scored]:
    shared = index.sharing(message)
    best = heapq.nlargest(_MOST_LOOSE, shared, key=lambda number: (shared[number], -number))
    squeezed = Squeezed(message.text)
    for number in dict.fromkeys([*numbers, *best]):
        if number in known:
            continue
        candidate = index.candidate(number)
        reading = candidate.pattern.read_loosely(squeezed) if candidate.pattern else None
        if candidate.pattern is None or reading is None:
            continue
        weight, share = _matched(index, candidate, reading)
        spans = captured_spans(candidate.head.error_message, reading)
        if reading.cut:
            kind, note = Kind.PARTIAL, changed(f"cut: {share:.0%} of the record's text is there", 0.8)
        else:
            kind = Kind.PATTERN if reading.whole else Kind.INSIDE
            note = changed("fits but for quotes, white space, case, or an empty value", 0.9)
        part = (reading.span[1] - reading.span[0]) / max(1, len(message.text))
        yield _scored(index, candidate, occurrence, kind, spans, literal_weight(weight, kind), coverage(kind, part), note)


def _matched(index: Index, candidate: Candidate, reading: LooseReading) -> tuple[float, float]:
    """Weight of the literal text that is there, and its share of all."""
    assert candidate.pattern is not None  # noqa: S101
    matched = total = 0.0
    for share, (literal, _, _) in zip(reading.shares, candidate.pattern.segments, strict=True):
        weight = sum(map(index.weight, set(rare_words(literal))))
        matched += share * weight
        total += weight
    return matched, matched / total if total else 0.0


def _scored(
    index: Index,
    candidate: Candidate,
    occurrence: Occurrence,
    kind: Kind,
    spans: dict[str, tuple[int, int]],
    *evidence: Evidence,
) -> Scored:
    head = candidate.head
    evidence += (
        class_agreement(occurrence.error_class, head.error_class),
        frame_agreement(occurrence.frames, head.repo, head.file_path, head.line_number),
    )
    return Scored(score(evidence), index, candidate, kind, spans, evidence)
