"""The evidence for a raise site, and the answer with its score.

A likely answer, of a score of 0.5 and more, needs more than a message that fits: the place in the
traceback; or, without one, a whole message with rare words of its own, that no other place has.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from errkb.environment.distributions import Distribution
from errkb.matching.evidence import CONFIDENT, class_agreement, score
from errkb.matching.match import Evidence, Kind
from errkb.matching.matcher import Scored
from errkb.raise_sites.innermost_frame import Fit, InnermostFrame, Located
from errkb.raise_sites.result import RaiseSite
from errkb.reading import Occurrence
from errkb.records.template import Span, numbered_names, spans_by_name
from errkb.source_analysis.site import Site, SiteKind

_AS_GOOD = 0.02
"""Places whose scores differ by no more than this are equally good."""
_CLOSE_CLASS = 0.95
_RARE = 0.6
"""Factors of class and literal text from which on a message alone is conclusive."""


def answer_at(located: Located, site: Site, occurrence: Occurrence, found: Fit, frame: Evidence) -> RaiseSite:
    """The answer for a site in the file of the innermost frame."""
    evidence = (frame, class_agreement(occurrence.error_class, site.error_class))
    spans = _spans_by_expression(site, found.captures)
    return RaiseSite(
        distribution=located.distribution.name,
        version=located.distribution.version,
        path=located.path,
        site=site,
        score=score(evidence),
        kind=found.kind,
        captures={name: occurrence.message[start:end] for name, (start, end) in spans.items()},
        spans=spans,
        evidence=evidence,
        url=located.distribution.url,
    )


def answer_from_index(
    distribution: Distribution, site: Site, scored: Scored, place: InnermostFrame | None
) -> RaiseSite:
    """The answer for a site that an index has found; `place` is that of the innermost frame, if it is installed."""
    spans = scored.candidate.named_spans(scored.captures)
    if len(spans) == len(site.names):
        spans = _spans_by_expression(site, list(spans.values()))
    evidence = [item for item in scored.evidence if item.name != "frames"]
    if place is not None:
        same_file = place.located.root == distribution.root and str(place.located.file) == site.file
        if not same_file:
            made = site.kind in (SiteKind.CLASS, SiteKind.MADE)
            evidence.append(Evidence("frame", 0.8 if made else 0.5, "the innermost frame is in another file"))
    if site.kind is SiteKind.LOG:
        evidence.append(Evidence("kind", 0.7, "logged, not raised, there"))
    if site.kind is SiteKind.CLASS:
        evidence.append(_cap_below_likely(evidence, "kind", "the class makes the message; who raises it is not known"))
    elif place is None and not _is_conclusive(scored):
        evidence.append(_cap_below_likely(evidence, "message", "the message is the only evidence"))
    return RaiseSite(
        distribution=distribution.name,
        version=distribution.version,
        path=distribution.root / site.file,
        site=site,
        score=score(evidence),
        kind=scored.kind,
        captures={name: scored.occurrence.message[start:end] for name, (start, end) in spans.items()},
        spans=spans,
        evidence=tuple(evidence),
        url=distribution.url,
    )


def pick_answer(answers: list[RaiseSite]) -> RaiseSite | None:
    """The best answer, or None; if others are as good, it is not a likely one, and it names them."""
    if not answers:
        return None
    best = answers[0]
    others = [
        other
        for other in answers[1:]
        if (best.score - other.score <= _AS_GOOD or (other.kind, other.site.pattern) == (best.kind, best.site.pattern))
        and (other.path, other.site.line) != (best.path, best.site.line)
    ]
    if not others:
        return best
    tied = _cap_below_likely(best.evidence, "tied", f"{len(others)} other place{'s' * (len(others) > 1)} fit as well")
    places = dict.fromkeys(f"{other.site.file}:{other.site.line}" for other in others)
    return replace(best, score=best.score * tied.factor, evidence=(*best.evidence, tied), also_at=tuple(places)[:20])


def _spans_by_expression(site: Site, captures: Sequence[Span | None]) -> dict[str, Span]:
    """Spans by the expressions that they come from."""
    return spans_by_name(numbered_names(site.names, len(captures)), captures)


def _is_conclusive(scored: Scored) -> bool:
    """Whether a message alone shows where it comes from: whole, unchanged, of the class, and with rare words."""
    factors = {item.name: item.factor for item in scored.evidence}
    return (
        scored.kind is Kind.PATTERN
        and "changed" not in factors
        and factors.get("class", 0.0) >= _CLOSE_CLASS
        and factors.get("literals", 0.0) >= _RARE
    )


def _cap_below_likely(evidence: Iterable[Evidence], name: str, note: str) -> Evidence:
    """The evidence that keeps a score below that of a likely answer."""
    return Evidence(name, min(1.0, (CONFIDENT - 0.01) / score(evidence)), note)
