"""The raise site of an error among the reader's installed distributions.

In this order, and no further than to the first likely answer: the statement at the innermost frame
of the traceback; the sites of the distributions of its frames; those of the distribution that owns
the class; all of them, if asked for.
"""

import ast
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from errkb.errors import DatasetError
from errkb.index import DamagedIndex
from errkb.match import Evidence, Kind
from errkb.matching import Scored, score_occurrence
from errkb.patterns import Message, Squeezed
from errkb.raise_sites.answer import Compiled, RaiseSite
from errkb.raise_sites.cache import open_sites
from errkb.raise_sites.distributions import Distribution, Environment
from errkb.raise_sites.drafts import site_of
from errkb.raise_sites.frames import Fit, Located, Place, fit, locate, place_of
from errkb.raise_sites.site import Site, SiteKind
from errkb.ranking import CONFIDENT, THRESHOLD, class_agreement, score
from errkb.reading import Occurrence

_MOST_FRAMES = 40
_MOST_DISTRIBUTIONS = 6
_AS_GOOD = 0.02
"""Places whose scores differ by less than this are as good as each other."""
_LEAST_LITERAL = 8
_PLACE_FACTORS = {Kind.PATTERN: 0.98, Kind.INSIDE: 0.9, Kind.PARTIAL: 0.8}

Progress = Callable[[str], None]


class Finder:
    """Finds raise sites in one environment."""

    def __init__(self, environment: Environment, *, deep: bool = False, progress: Progress | None = None) -> None:
        """`progress` is told which distribution is about to be searched."""
        self._environment = environment
        self._deep = deep
        self._progress = progress

    def find(self, occurrence: Occurrence) -> RaiseSite | Compiled | None:
        """The place that raises an error: a Python statement, a call of compiled code, or None if it is not found."""
        occurrence = _unquoted(occurrence)
        place = place_of(self._environment, occurrence.frames[-1]) if occurrence.frames else None
        if place is not None:
            found = _at(place, occurrence) or _near(place, occurrence)
            if found is not None:
                return found
            if place.same and not place.here:
                return _compiled(place)
        if not occurrence.message.strip():
            return None
        return self._among(self._distributions(occurrence), occurrence, place)

    def _distributions(self, occurrence: Occurrence) -> Iterator[Distribution]:
        """Those to be searched, the likeliest first."""
        seen: set[int] = set()
        for distribution in self._likely(occurrence):
            if id(distribution) not in seen:
                seen.add(id(distribution))
                yield distribution
                if len(seen) >= _MOST_DISTRIBUTIONS:
                    break
        if self._deep:
            for distribution in (*self._environment.distributions, self._environment.standard_library):
                if distribution is not None and id(distribution) not in seen:
                    yield distribution

    def _likely(self, occurrence: Occurrence) -> Iterator[Distribution]:
        for frame in occurrence.frames[: -_MOST_FRAMES - 1 : -1]:
            if located := locate(self._environment, frame.file):
                yield located.distribution
        module, _, _ = (occurrence.error_class or "").rpartition(".")
        if module and (owner := self._environment.owner_of_module(module)):
            yield owner

    def _among(
        self, distributions: Iterator[Distribution], occurrence: Occurrence, place: Place | None
    ) -> RaiseSite | None:
        best: list[RaiseSite] = []
        likely = True
        for number, distribution in enumerate(distributions):
            if number >= _MOST_DISTRIBUTIONS:
                likely = False
            if likely and best and best[0].score >= CONFIDENT and not (self._deep and not occurrence.frames):
                break
            if self._progress:
                self._progress(str(distribution))
            best += self._in(distribution, occurrence, place)
            best.sort(key=lambda one: (-one.score, one.site.file, one.site.line))
        return _chosen(best)

    def _in(self, distribution: Distribution, occurrence: Occurrence, place: Place | None) -> list[RaiseSite]:
        try:
            index = open_sites(distribution)
            scored = score_occurrence(index, occurrence)
        except (DatasetError, DamagedIndex, OSError):
            return []
        found = []
        for one in scored:
            try:
                site = site_of(index.record(one.candidate.number))
            except (DatasetError, DamagedIndex, msgspec.ValidationError):
                continue
            answer = _from_index(distribution, site, one, place)
            if answer.score >= THRESHOLD:
                found.append(answer)
        return found


def _at(place: Place, occurrence: Occurrence) -> RaiseSite | None:
    """The site of the statement at the frame's line, if its message fits, or if it has none of its own."""
    message, squeezed = Message(occurrence.message), Squeezed(occurrence.message)
    answers = []
    for site in place.here:
        found = fit(site, message, squeezed)
        if found is not None:
            note = f"the statement at line {place.line} of the innermost frame, and its message fits"
            evidence = Evidence("frame", _PLACE_FACTORS[found.kind] - 0.05 * found.loose, note)
            answers.append(_answer(place.located, site, occurrence, found, evidence))
    if answers:
        return max(answers, key=lambda answer: (answer.score, answer.site.literal))
    opaque = [site for site in place.here if not site.pattern]
    if opaque and place.same:
        evidence = Evidence("frame", 0.7, f"the statement at line {place.line} of the innermost frame; its message is made elsewhere")
        site = opaque[0]
        whole = (0, len(occurrence.message))
        return _answer(place.located, site, occurrence, Fit(Kind.PARTIAL, [whole] if len(site.names) == 1 else []), evidence)
    return None


def _near(place: Place, occurrence: Occurrence) -> RaiseSite | None:
    """A site of the frame's file, for a traceback of another version of it."""
    if place.same and place.here:
        return None
    message, squeezed = Message(occurrence.message), Squeezed(occurrence.message)
    frame = occurrence.frames[-1]
    function = (frame.function or "").rpartition(".")[2]
    answers = []
    for site in place.sites:
        if site.literal < _LEAST_LITERAL or site.kind is SiteKind.LOG:
            continue
        found = fit(site, message, squeezed)
        if found is None or found.kind is not Kind.PATTERN or found.loose:
            continue
        agrees = bool(function) and function == site.function.rpartition(".")[2]
        note = "in the file of the innermost frame" + (" and in its function" if agrees else "") + ", at another line"
        answers.append(_answer(place.located, site, occurrence, found, Evidence("frame", 0.9 if agrees else 0.7, note)))
    answers.sort(key=lambda one: (-one.score, abs(one.site.line - place.line)))
    return _chosen(answers)


def _answer(located: Located, site: Site, occurrence: Occurrence, found: Fit, frame: Evidence) -> RaiseSite:
    evidence = (frame, class_agreement(occurrence.error_class, site.error_class))
    spans = _named(site, found.captures)
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


def _from_index(distribution: Distribution, site: Site, scored: Scored, place: Place | None) -> RaiseSite:
    spans = dict(scored.spans)
    if len(spans) == len(site.names):
        spans = _named(site, list(spans.values()))
    evidence = [item for item in scored.evidence if item.name != "frames"]
    if place is not None:
        same_file = place.located.root == distribution.root and str(place.located.file) == site.file
        if not same_file:
            made = site.kind in (SiteKind.CLASS, SiteKind.MADE)
            evidence.append(Evidence("frame", 0.8 if made else 0.5, "the innermost frame is in another file"))
    if site.kind is SiteKind.LOG:
        evidence.append(Evidence("kind", 0.7, "logged, not raised, there"))
    elif site.kind is SiteKind.CLASS:
        evidence.append(Evidence("kind", 0.95, "the class makes the message; who raises it is not told"))
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


def _named(site: Site, captures: Sequence[tuple[int, int] | None]) -> dict[str, tuple[int, int]]:
    """Spans by the expressions that they come from; an expression met again gets `#2`, `#3`, …."""
    names = site.names if len(site.names) == len(captures) else [str(number + 1) for number in range(len(captures))]
    spans: dict[str, tuple[int, int]] = {}
    for name, span in zip(names, captures, strict=True):
        if span is not None:
            count = sum(known.partition("#")[0] == name for known in spans)
            spans[f"{name}#{count + 1}" if count else name] = span
    return spans


def _chosen(answers: list[RaiseSite]) -> RaiseSite | None:
    """The best answer; if others are as good, it is no likely one, and they are named."""
    if not answers:
        return None
    best = answers[0]
    others = [
        other
        for other in answers[1:]
        if best.score - other.score <= _AS_GOOD and (other.path, other.site.line) != (best.path, best.site.line)
    ]
    if not others:
        return best
    factor = min(1.0, (CONFIDENT - 0.01) / best.score)
    tied = Evidence("tied", factor, f"{len(others)} other place{'s' * (len(others) > 1)} fit as well")
    places = dict.fromkeys(f"{other.site.file}:{other.site.line}" for other in others)
    return replace(
        best, score=best.score * factor, evidence=(*best.evidence, tied), also_at=tuple(places)[:20]
    )


def _compiled(place: Place) -> Compiled:
    distribution = place.located.distribution
    function = next((site.function for site in place.sites if site.line <= place.line <= site.end_line), "")
    return Compiled(
        distribution=distribution.name,
        version=distribution.version,
        path=place.located.path,
        file=str(place.located.file),
        line=place.line,
        function=function,
        source=place.source,
    )


def _unquoted(occurrence: Occurrence) -> Occurrence:
    """A KeyError prints the repr of its message: the message itself is what the source says."""
    message = occurrence.message
    if (occurrence.error_class or "").endswith("KeyError") and message[:1] in "'\"" and message[:1] == message[-1:]:
        try:
            value = ast.literal_eval(message)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return occurrence
        if isinstance(value, str):
            return replace(occurrence, message=value)
    return occurrence
