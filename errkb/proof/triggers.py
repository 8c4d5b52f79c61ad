"""Triggers of causes, proven: each must end in the error of its record, and its values must choose its cause."""

from collections.abc import Sequence

from errkb.diagnosis.causes import holding_causes
from errkb.diagnosis.conditions import Situation
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind
from errkb.proof.judging import last_line, own_match
from errkb.proof.results import triggers_of
from errkb.proof.running import Limits, RunResult
from errkb.records.record import Record
from errkb.records.supplement import Supplement


def trigger_failure(
    record: Record,
    supplement: Supplement,
    number: int,
    ended: RunResult,
    knowledge: KnowledgeBase,
    limits: Limits,
) -> str | None:
    """Why the trigger of a cause does not show it, or None if it does."""
    name = f"trigger of cause {number + 1}"
    if ended.status is None:
        return f"{name}: not done in {limits.seconds:g} seconds"
    if ended.status == 0:
        return f"{name}: ended well"
    matches = knowledge.search(ended.stderr, limit=20)
    match = own_match(record, matches)
    if match is None:
        first = f"answered with {matches[0].record.id}" if matches else "not known"
        return f"{name}: its error is {first}: {last_line(ended)}"
    if match.kind not in (Kind.PATTERN, Kind.CLASS):
        return f"{name}: its error does not fit as a whole ({match.kind.value}): {last_line(ended)}"
    holding = holding_causes(supplement, Situation(match.occurrence, match.captures, ended.stderr))
    first_cause = holding[0] if holding else None
    wanted = number if supplement.causes[number].when else None
    if first_cause != wanted:
        said = "no cause" if first_cause is None else f"cause {first_cause + 1}"
        return f"{name}: its values {dict(match.captures)} choose {said}"
    return None


def triggers_failure(
    record: Record, supplement: Supplement, results: Sequence[RunResult], knowledge: KnowledgeBase, limits: Limits
) -> str | None:
    """Why the triggers of a record do not show their causes: of the first one that fails, or None."""
    for (number, _), ended in zip(triggers_of(supplement), results, strict=True):
        if trouble := trigger_failure(record, supplement, number, ended, knowledge, limits):
            return trouble
    return None
