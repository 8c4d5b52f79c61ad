"""Explanations as JSON, a versioned contract: docs/json.md says what each field means.

The output is pure ASCII, so no text can smuggle anything to a terminal.
"""

import json
from typing import TYPE_CHECKING, Any

import msgspec

from errkb.diagnosis.causes import Diagnosis
from errkb.diagnosis.your_line import YourLine
from errkb.explanation import Explanation
from errkb.matching.evidence import certainty
from errkb.matching.match import Match
from errkb.reading import Occurrence
from errkb.records.record import record_identity, write_record
from errkb.records.supplement import Cause

if TYPE_CHECKING:
    from errkb.proof.results import Proof

VERSION = 1


def render_json(explanation: Explanation) -> str:
    """One JSON document."""
    return dumps(document(explanation))


def dumps(value: Any) -> str:
    """`value` as indented ASCII JSON."""
    return json.dumps(value, indent=2)


def document(explanation: Explanation) -> dict[str, Any]:
    """The explanation as plain dictionaries and lists."""
    match, place = explanation.match, explanation.installed
    raised = None
    if explanation.raised is not None:
        from errkb.render.raise_site import raised_document

        raised = raised_document(explanation.raised)
    return {
        "version": VERSION,
        "found": match is not None,
        "occurrence": _occurrence(explanation.occurrence),
        "match": _match(match) if match else None,
        "record": write_record(match.record) if match else None,
        "diagnosis": _diagnosis(explanation.diagnosis) if explanation.diagnosis else None,
        "yourLine": _your_line(explanation.your_line),
        "installed": {"path": str(place.path), "line": place.line} if place else None,
        "proof": _proof(explanation.proof) if explanation.proof else None,
        "raiseSite": raised,
        "alternatives": [{**record_identity(other.record), **_match(other)} for other in explanation.alternatives],
        "elsewhere": [
            {
                "occurrence": _occurrence(other.occurrence),
                "match": {**record_identity(other.match.record), **_match(other.match)} if other.match else None,
                "diagnosis": _diagnosis(other.diagnosis) if other.diagnosis else None,
            }
            for other in explanation.elsewhere
        ],
        "classNote": msgspec.to_builtins(explanation.class_note),
        "related": [record_identity(record) for record in explanation.related],
        "language": explanation.language,
    }


def _diagnosis(diagnosis: Diagnosis) -> dict[str, Any]:
    related = diagnosis.related
    return {
        "do": diagnosis.do,
        "cause": _cause(diagnosis.cause) if diagnosis.cause else None,
        "possible": [_cause(cause) for cause in diagnosis.possible],
        "steps": list(diagnosis.steps),
        "doNot": [{"what": wrong.what, "why": wrong.why} for wrong in diagnosis.do_not],
        "related": {
            "instead": list(related.instead) if related else [],
            "leadsTo": list(related.leads_to) if related else [],
            "sameCause": list(related.same_cause) if related else [],
        },
        "links": [{"title": link.title, "url": link.url} for link in diagnosis.links],
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {"because": cause.because, "do": cause.do, "check": cause.check}


def _your_line(line: YourLine | None) -> dict[str, Any] | None:
    if line is None:
        return None
    return {"file": line.file, "line": line.line, "function": line.function, "source": line.source}


def _occurrence(occurrence: Occurrence | None) -> dict[str, Any] | None:
    if occurrence is None:
        return None
    return {
        "class": occurrence.error_class,
        "message": occurrence.message,
        "role": occurrence.role.value,
        "location": occurrence.location,
        "span": list(occurrence.span),
        "notes": list(occurrence.notes),
        "frames": [{"file": f.file, "line": f.line, "function": f.function} for f in occurrence.frames],
    }


def _proof(proof: "Proof") -> dict[str, Any]:
    names = ("package", "version", "python", "platform", "date")
    runs = [{name: getattr(run, name) for name in names} for run in proof.runs]
    return {"status": proof.status, "reason": proof.reason, "runs": runs}


def _match(match: Match) -> dict[str, Any]:
    return {
        "kind": match.kind.value,
        "score": round(match.score, 4),
        "certainty": certainty(match).value,
        "wording": match.wording,
        "tied": match.tied,
        "captures": [
            {"name": name, "value": value, "span": list(match.spans[name])} for name, value in match.captures.items()
        ],
        "alsoAt": list(match.also_at),
        "evidence": [
            {"name": item.name, "factor": round(item.factor, 4), "note": item.note} for item in match.evidence
        ],
    }
