"""Explanations that repeat no value of a message, for places where values may be secrets."""

import msgspec

from errkb.diagnosis.causes import Diagnosis
from errkb.explanation import Explanation
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Match
from errkb.raise_sites.result import RaiseSite
from errkb.reading import Occurrence
from errkb.records.supplement import Cause, filled

_HIDDEN = "(message not shown)"


def without_values(explanation: Explanation, kb: KnowledgeBase) -> Explanation:
    """The explanation with templates for messages and names for values.

    `kb` is what it was made with. A message that nothing is known of is left out as a whole.
    """
    match, raised = explanation.match, explanation.raised
    template = match.record.error_message if match else None
    if template is None and isinstance(raised, RaiseSite):
        template = raised.site.template
    occurrence = explanation.occurrence
    hidden = _hidden(occurrence, template) if occurrence else None
    if match is not None and hidden is not None:
        diagnosis = _diagnosis(explanation.diagnosis, match, kb)
        match = msgspec.structs.replace(match, captures={}, spans={}, occurrence=hidden, wording=None)
        explanation = msgspec.structs.replace(explanation, match=match, diagnosis=diagnosis)
    if isinstance(raised, RaiseSite):
        raised = msgspec.structs.replace(raised, captures={}, spans={})
    return msgspec.structs.replace(
        explanation,
        occurrence=hidden,
        raised=raised,
        elsewhere=tuple(without_values(one, kb) for one in explanation.elsewhere),
        alternatives=(),
    )


def _hidden(occurrence: Occurrence, template: str | None) -> Occurrence:
    return msgspec.structs.replace(
        occurrence,
        message=template if template is not None else _HIDDEN if occurrence.message else "",
        notes=(),
        location=None,
    )


def _diagnosis(diagnosis: Diagnosis | None, match: Match, kb: KnowledgeBase) -> Diagnosis | None:
    """The diagnosis with `‹name›` in its sentences where the value of that name stood."""
    supplement = kb.supplement(match.record.id)
    if diagnosis is None or supplement is None:
        return diagnosis
    names = {name: f"‹{name}›" for name in match.captures}

    def named(cause: Cause) -> Cause:
        for original in supplement.causes:
            if filled(original.because, match.captures) == cause.because:
                because, do = filled(original.because, names), filled(original.do, names)
                return msgspec.structs.replace(cause, because=because, do=do)
        return cause

    cause = named(diagnosis.cause) if diagnosis.cause else None
    return msgspec.structs.replace(
        diagnosis,
        cause=cause,
        do=cause.do if cause else diagnosis.do,
        possible=tuple(map(named, diagnosis.possible)),
    )
