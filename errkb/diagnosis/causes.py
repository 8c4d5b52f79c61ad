"""Which cause is the reader's: the first whose conditions hold; what else it may be; what to do."""

import msgspec

from errkb.diagnosis.conditions import Situation, Verdict, verdict
from errkb.records.record import Record
from errkb.records.supplement import Cause, DoNot, Link, Related, Supplement, filled, names_in
from errkb.records.template import placeholders


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """What a record and its supplement say about one text."""

    do: str | None
    """The first thing to do: that of the cause that holds, else the record's cure, else its first solution."""
    cause: Cause | None = None
    """The cause whose conditions hold; its sentences with the captured values in place of their names."""
    possible: tuple[Cause, ...] = ()
    """Causes that the text does not rule out, where none is known to hold."""
    steps: tuple[str, ...] = ()
    """Further solutions, the most frequent answer first."""
    do_not: tuple[DoNot, ...] = ()
    related: Related | None = None
    links: tuple[Link, ...] = ()


def diagnose(record: Record, supplement: Supplement | None, situation: Situation, *, is_cut: bool = False) -> Diagnosis:
    """The diagnosis of a text that a record matches.

    A cause that asks for a value which the text does not have is possible only if the message `is_cut`: another
    wording of the error does not have the value at all.
    """
    if supplement is None:
        return Diagnosis(do=next(iter(record.solutions), None), steps=record.solutions[1:])
    lacking = _names(record, supplement) - situation.captures.keys()
    cause, possible = None, list[Cause]()
    for one in supplement.causes:
        found = verdict(one.when, situation) if one.when else Verdict.UNKNOWN
        if found is Verdict.FAILS or not _is_whole(one, lacking):
            continue
        if found is Verdict.HOLDS:
            cause = _with_values(one, situation)
            break
        if is_cut or one.when is None:
            possible.append(_with_values(one, situation))
    do = cause.do if cause else supplement.cure or next(iter(record.solutions), None)
    return Diagnosis(
        do=do,
        cause=cause,
        possible=() if cause else tuple(possible),
        steps=tuple(step for step in record.solutions if step != do),
        do_not=supplement.do_not,
        related=supplement.related,
        links=supplement.links,
    )


def holding_causes(supplement: Supplement, situation: Situation) -> list[int]:
    """The numbers, from 0, of the causes whose conditions hold."""
    return [
        number
        for number, cause in enumerate(supplement.causes)
        if cause.when and verdict(cause.when, situation) is Verdict.HOLDS
    ]


def _names(record: Record, supplement: Supplement) -> set[str]:
    """The names that values of the record's message may have."""
    named = {one.name for one in placeholders(record.error_message) if one.name}
    return named.union(supplement.capture_names or ())


def _is_whole(cause: Cause, lacking: set[str]) -> bool:
    """Whether the sentences of a cause need no value that the text does not have."""
    return lacking.isdisjoint((*names_in(cause.because), *names_in(cause.do)))


def _with_values(cause: Cause, situation: Situation) -> Cause:
    values = situation.captures
    return msgspec.structs.replace(cause, because=filled(cause.because, values), do=filled(cause.do, values))
