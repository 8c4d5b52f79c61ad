"""One occurrence against one index: candidates, readings, evidence.

Tiers, each tried only if those before gave no likely answer: exact readings; loose ones (cut
messages, eaten quotes) of records that share rare words; weak records of the same class; reworded
messages.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from errkb.exception_names import Agreement, compare_classes, last_name
from errkb.index import Candidate, Index, RecordHead, message_keys
from errkb.index.words import word_key, words_of
from errkb.lazy_regex import lazy
from errkb.matching.evidence import (
    CLASS_FACTORS,
    FIRST_LINE,
    LOOSE,
    THRESHOLD,
    changed,
    class_agreement,
    frame_agreement,
    is_likely,
    literal_weight,
    reading_evidence,
    related_class,
    score,
)
from errkb.matching.match import Evidence, Kind
from errkb.matching.value_checks import lost_line_break, value_evidence, without_next_parts
from errkb.patterns import Message, Pattern
from errkb.patterns.chain import is_boundary
from errkb.patterns.effort import Effort
from errkb.reading import Occurrence

if TYPE_CHECKING:
    from errkb.patterns.damaged_text import LooseReading
    from errkb.records.supplement import Supplement

Supplements = Callable[[str], "Supplement | None"]
"""What is known about a record beyond its fields, by its id."""


BasesOf = Callable[[str], frozenset[str]]
"""Gives the last names of the bases of a class that is written with its module; none where nothing is known."""


def no_bases(_error_class: str) -> frozenset[str]:
    """For texts of which nobody asks what is installed."""
    return frozenset()


def no_supplements(_record_id: str) -> None:
    """The supplements of a knowledge base that has none."""


_NAMED = lazy(r".{0,80}?(?<!\S)([A-Za-z_][\w.]{2,100}): ")
_MOST_REWORDED = 8
"""Records that are compared with a message word by word, those that share most first."""
_LOOSE_END = 0.04
"""What a character beyond the last literal of a cut message costs, in rare words: it may be anything."""


class Scored(msgspec.Struct, frozen=True):
    """A candidate with its evidence."""

    score: float
    index: Index
    occurrence: Occurrence
    """The one that was asked for, or read better with the record's help."""
    candidate: Candidate
    kind: Kind
    captures: Sequence[tuple[int, int] | None]
    evidence: tuple[Evidence, ...]


def may_match(index: Index, text: str) -> bool:
    """Whether any record may have to do with an occurrence whose message and class are words of `text`."""
    keys = message_keys(text)
    return bool(
        index.candidates(keys)
        or index.rare_terms.shared_weights(keys)
        or index.code_candidates(keys)
        or index.may_be_unspecific(keys)
        or index.class_only_candidates(keys)
    )


def score_occurrence(
    index: Index,
    occurrence: Occurrence,
    repo: str | None = None,
    supplements: Supplements = no_supplements,
    bases_of: BasesOf = no_bases,
    effort: Effort | None = None,
) -> list[Scored]:
    """What the index has for an occurrence, all at or over the threshold, in no order.

    `supplements` gives what is known of a record by its id, for the classes named there;
    `effort` limits what all patterns may cost together.
    """
    question = _Question(
        index, occurrence, Message(occurrence.message, effort or Effort()), repo, supplements, bases_of
    )
    keys = message_keys(question.message.folded)
    numbers = index.candidates(keys)
    exact = question.kept(_exact(question, numbers))
    if named := _with_class(question):
        exact += named.kept(_exact(named, [n for n in numbers if named.is_class_of(index.candidate(n))]))
    exact += question.kept(_codes(question, index.code_candidates(keys)))
    if any(is_likely(found.score) for found in exact):
        return exact
    from errkb.matching.similar_records import similar_records  # not needed where something fits as it is

    known = {found.candidate.number for found in exact}
    similar = similar_records(index, question.message, question.class_agreement, keys, numbers)
    similar = [one for one in similar if one.candidate.number not in known]
    found = exact + question.kept(_loose(question, [one.candidate for one in similar]))
    if any(is_likely(one.score) for one in found):
        return found
    known = {one.candidate.number for one in found}
    rest = [one.candidate for one in similar if one.may_be_reworded and one.candidate.number not in known]
    found += question.kept(_reworded(question, rest[:_MOST_REWORDED]))
    if found or not occurrence.error_class:
        return found
    found = question.kept(_weak(question, index.unspecific_candidates(last_name(occurrence.error_class), keys)))
    return found or question.kept(_class_only(question))


class _Question(msgspec.Struct, frozen=True):
    index: Index
    occurrence: Occurrence
    message: Message
    repo: str | None
    supplements: "Supplements"
    bases_of: "BasesOf"

    def is_class_of(self, candidate: Candidate) -> bool:
        """Whether the occurrence's class is one of a candidate's."""
        return self.class_agreement(candidate.head).factor == 1.0

    def class_agreement(self, head: RecordHead) -> Evidence:
        """How the occurrence's class stands to that of a record, or to one that a supplement names."""
        written = self.occurrence.error_class
        agreement = class_agreement(written, head.error_class)
        if agreement.factor == 1.0 or not written:
            return agreement
        if supplement := self.supplements(head.id):
            for name in supplement.classes:
                if compare_classes(written, name) is Agreement.SAME:
                    return class_agreement(written, name)
        if agreement.factor < CLASS_FACTORS[Agreement.RELATED] and head.error_class:
            bases = self.bases_of(written)
            if last_name(head.error_class) in bases:
                return related_class(written, head.error_class)
        return agreement

    def kept(self, scored: Iterable[Scored]) -> list[Scored]:
        return [one for one in scored if one.score >= THRESHOLD and self._is_wanted(one.candidate.head)]

    def _is_wanted(self, head: RecordHead) -> bool:
        # The wording of a record in another dataset does not know the repo; the knowledge base does.
        return self.repo in (None, head.repo) or (head.is_wording and not head.repo)

    def scored(
        self, candidate: Candidate, kind: Kind, captures: Sequence[tuple[int, int] | None], *evidence: Evidence
    ) -> Scored:
        head, occurrence = candidate.head, self.occurrence
        evidence += (
            self.class_agreement(head),
            frame_agreement(occurrence.frames, head.repo, head.file_path, head.line_number),
        )
        return Scored(score(evidence), self.index, occurrence, candidate, kind, captures, evidence)


def _with_class(question: _Question) -> _Question | None:
    """The question read as `Class: message`, where only a record tells that the name in front is a class."""
    occurrence = question.occurrence
    match = None if occurrence.error_class else _NAMED.match(occurrence.message)
    if match is None:
        return None
    named = replace(occurrence, error_class=match[1], message=occurrence.message[match.end() :])
    return replace(question, occurrence=named, message=Message(named.message, question.message.effort))


def _exact(question: _Question, numbers: Iterable[int]) -> Iterator[Scored]:
    message = question.message
    for number in numbers:
        candidate = question.index.candidate(number)
        reading = candidate.read(message)
        if reading is not None:
            kind, evidence = reading_evidence(reading, candidate.weight, len(message.text))
            head = candidate.head
            doubts = (
                value_evidence(head.error_message, message.text, reading.captures),
                lost_line_break(head.message_pattern, message.text),
            )
            captures = without_next_parts(message.text, reading.captures)
            yield question.scored(candidate, kind, captures, *evidence, *filter(None, doubts))


def _weak(question: _Question, numbers: Iterable[int]) -> Iterator[Scored]:
    """Records that would match every other line: only as a whole, and with the same class."""
    for found in _exact(question, numbers):
        if found.kind is Kind.PATTERN and question.is_class_of(found.candidate):
            evidence = Evidence("weak", THRESHOLD, "little text of its own, but whole message and class agree")
            yield replace(found, score=THRESHOLD, evidence=(evidence,))


def _class_only(question: _Question) -> Iterator[Scored]:
    """Records that answer a class whose messages have no text of their own: below all others."""
    written = question.occurrence.error_class or ""
    for number in question.index.class_only_candidates([word_key(last_name(written).lower())]):
        candidate = question.index.candidate(number)
        captures = candidate.read_class_only(question.message)
        if captures is not None and compare_classes(written, candidate.head.error_class) is Agreement.SAME:
            evidence = Evidence("class", THRESHOLD, f"{last_name(written)} has no text of its own")
            yield Scored(THRESHOLD, question.index, question.occurrence, candidate, Kind.CLASS, captures, (evidence,))


def _codes(question: _Question, numbers: Iterable[int]) -> Iterator[Scored]:
    """Records whose error code stands in the message as a token."""
    text = question.message.text
    for number in numbers:
        candidate = question.index.candidate(number)
        code = candidate.head.error_code or ""
        place = text.find(code)
        while place >= 0 and not (is_boundary(text, place) and is_boundary(text, place + len(code))):
            place = text.find(code, place + 1)
        if place >= 0:
            yield question.scored(candidate, Kind.CODE, (), Evidence("code", 0.7, f"code {code} in the message"))


def _loose(question: _Question, candidates: Sequence[Candidate]) -> Iterator[Scored]:
    if not candidates:
        return
    from errkb.patterns.damaged_text import Squeezed

    squeezed = Squeezed(question.message.text)
    for candidate in candidates:
        pattern = candidate.derived_pattern
        reading = pattern.read_loosely(squeezed) if pattern else None
        if pattern is None or reading is None:
            continue
        weight, share = _matched(question.index, candidate, pattern, reading)
        if reading.cut:
            trust = weight / (weight + _LOOSE_END * reading.unverified_tail) if weight else 0.0
            note = changed(f"cut: {share:.0%} of the record's text is there", LOOSE * trust)
        else:
            note = changed("fits if quotes, white space, case and empty values are ignored", LOOSE)
        kind, evidence = reading_evidence(reading, weight, len(question.message.text))
        if reading.cut and candidate.is_first_line(question.message):
            kind = Kind.PATTERN  # logs show no more of the message
            note = Evidence("line", FIRST_LINE, f"the first line of the record's text, {share:.0%}")
        yield question.scored(candidate, kind, reading.captures, *evidence, note)


def _reworded(question: _Question, candidates: Sequence[Candidate]) -> Iterator[Scored]:
    if not candidates:
        return
    from errkb.matching.rewording import Wording, read_reworded

    wording = Wording(question.message.text)
    for candidate in candidates:
        pattern = candidate.derived_pattern
        rewording = read_reworded(pattern, wording, question.index.rare_terms.weight) if pattern else None
        if rewording is not None:
            note = changed(rewording.difference, rewording.share**1.5)
            evidence = literal_weight(rewording.weight, Kind.FUZZY), note
            yield question.scored(candidate, Kind.FUZZY, rewording.captures, *evidence)


def _matched(index: Index, candidate: Candidate, pattern: Pattern, reading: "LooseReading") -> tuple[float, float]:
    """Weight of the literal text that is there, and its share of all."""
    weights = candidate.weights(index.rare_terms.weight).words
    there: set[str] = set()
    for (start, end), (literal, _, _) in zip(reading.parts, pattern.segments, strict=True):
        there.update(words_of(literal[round(start * len(literal)) : round(end * len(literal))]))
    matched = sum(weights.get(word, 0.0) for word in there)
    return matched, matched / max(sum(weights.values()), 1e-9)
