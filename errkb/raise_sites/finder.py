"""The raise site of an error among the reader's installed distributions.

In this order, and no further than to the first likely answer: the statement at the innermost frame
of the traceback; the sites of the distributions of its frames; those of the distribution that owns
the class; all of them, if asked for.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from errkb.environment.distributions import Distribution, Environment
from errkb.errors import DatasetError
from errkb.index import DamagedIndex, Index
from errkb.matching.evidence import THRESHOLD, is_likely
from errkb.matching.match import Evidence, Kind
from errkb.matching.matcher import score_occurrence
from errkb.patterns import Message
from errkb.patterns.damaged_text import Squeezed
from errkb.raise_sites.drafts import decode_site
from errkb.raise_sites.innermost_frame import Fit, InnermostFrame, find_innermost_frame, fit, locate
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.raise_sites.scoring import answer_at, answer_from_index, pick_answer
from errkb.raise_sites.sites_cache import open_sites
from errkb.reading import Occurrence
from errkb.source_analysis.site import SiteKind

_MOST_FRAMES = 40
_MOST_DISTRIBUTIONS = 6
_LEAST_LITERAL = 8
_PLACE_FACTORS = {Kind.PATTERN: 0.98, Kind.INSIDE: 0.9, Kind.PARTIAL: 0.8}

Progress = Callable[[str], None]


class Finder:
    """The search for raise sites in one environment."""

    def __init__(self, environment: Environment, *, deep: bool = False, progress: Progress | None = None) -> None:
        """`progress` is called with each distribution before it is searched."""
        self._environment = environment
        self._deep = deep
        self._progress = progress
        self._indexes: dict[Path, Index] = {}

    def find(self, occurrence: Occurrence) -> RaiseSite | Compiled | None:
        """The place that raises an error: a Python statement or a call of compiled code; None if it is not found."""
        occurrence = _with_message_unquoted(occurrence)
        place = find_innermost_frame(self._environment, occurrence) if occurrence.frames else None
        if place is not None:
            found = _answer_at_line(place, occurrence) or _answer_in_file(place, occurrence)
            if found is not None:
                return found
            if place.same_function and not place.at_line:
                return _compiled(place)
        if not occurrence.message.strip():
            return None
        return self._search(self._distributions(occurrence), occurrence, place)

    def _distributions(self, occurrence: Occurrence) -> Iterator[Distribution]:
        """Those to be searched, the likeliest first."""
        seen: set[int] = set()
        for distribution in self._likely_distributions(occurrence):
            if id(distribution) not in seen:
                seen.add(id(distribution))
                yield distribution
                if len(seen) >= _MOST_DISTRIBUTIONS:
                    break
        if self._deep:
            standard = self._environment.standard_library
            for distribution in (*self._environment.distributions, *([standard] if standard else [])):
                if id(distribution) not in seen:
                    yield distribution

    def _likely_distributions(self, occurrence: Occurrence) -> Iterator[Distribution]:
        for frame in occurrence.frames[: -_MOST_FRAMES - 1 : -1]:
            if located := locate(self._environment, frame.file):
                yield located.distribution
        module, _, _ = (occurrence.error_class or "").rpartition(".")
        if module and (owner := self._environment.owner_of_module(module)):
            yield owner

    def _search(
        self, distributions: Iterator[Distribution], occurrence: Occurrence, place: InnermostFrame | None
    ) -> RaiseSite | None:
        best: list[RaiseSite] = []
        likely = True
        for number, distribution in enumerate(distributions):
            if number >= _MOST_DISTRIBUTIONS:
                likely = False
            if likely and best and is_likely(best[0].score) and not (self._deep and not occurrence.frames):
                break
            if self._progress:
                self._progress(str(distribution))
            best += self._search_distribution(distribution, occurrence, place)
            best.sort(key=lambda one: (-one.score, one.site.file, one.site.line))
        return pick_answer(best)

    def _search_distribution(
        self, distribution: Distribution, occurrence: Occurrence, place: InnermostFrame | None
    ) -> list[RaiseSite]:
        try:
            index = self._indexes.get(distribution.root / distribution.name)
            if index is None:
                index = self._indexes[distribution.root / distribution.name] = open_sites(distribution)
            scored = score_occurrence(index, occurrence)
        except (DatasetError, DamagedIndex, OSError):
            return []
        found = []
        for one in scored:
            try:
                site = decode_site(index.record(one.candidate.number))
            except (DatasetError, DamagedIndex, msgspec.ValidationError):
                continue
            answer = answer_from_index(distribution, site, one, place)
            if answer.score >= THRESHOLD:
                found.append(answer)
        return found


def _answer_at_line(place: InnermostFrame, occurrence: Occurrence) -> RaiseSite | None:
    """The site of the statement at the frame's line, if its message fits, or if it has none of its own."""
    message, squeezed = Message(occurrence.message), Squeezed(occurrence.message)
    answers = []
    for site in place.at_line:
        found = fit(site, message, squeezed)
        if found is not None:
            note = f"the statement at line {place.line} of the innermost frame, and its message fits"
            evidence = Evidence("frame", _PLACE_FACTORS[found.kind] - 0.05 * found.loose, note)
            answers.append(answer_at(place.located, site, occurrence, found, evidence))
    if answers:
        return max(answers, key=lambda answer: (answer.score, answer.site.literal))
    if not (place.at_line and place.same_function):
        return None
    line = f"the statement at line {place.line} of the innermost frame"
    opaque = next((site for site in place.at_line if not site.pattern), None)
    if opaque is not None:
        evidence = Evidence("frame", 0.7, f"{line}; its message is made elsewhere")
        captures = [(0, len(occurrence.message))] if len(opaque.names) == 1 else []
        return answer_at(place.located, opaque, occurrence, Fit(Kind.PARTIAL, captures), evidence)
    evidence = Evidence("frame", 0.45, f"{line}, though its message does not fit")
    return answer_at(place.located, place.at_line[0], occurrence, Fit(Kind.FUZZY, []), evidence)


def _answer_in_file(place: InnermostFrame, occurrence: Occurrence) -> RaiseSite | None:
    """A site of the frame's file, for a traceback of another version of it.

    Where the function at the line is the frame's, it may as well be the same version, and the
    message may come from what the line calls: then the site is a possible one only.
    """
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
        factor = 0.48 if place.same_function else 0.9 if agrees else 0.7
        answers.append(answer_at(place.located, site, occurrence, found, Evidence("frame", factor, note)))
    answers.sort(key=lambda one: (-one.score, abs(one.site.line - place.line)))
    return pick_answer(answers)


def _compiled(place: InnermostFrame) -> Compiled:
    distribution = place.located.distribution
    function = next((site.function for site in place.sites if site.line <= place.line <= site.end_line), "")
    return Compiled(
        distribution=distribution.name,
        version=distribution.version,
        path=place.located.path,
        file=str(place.located.file),
        line=place.line,
        function=function,
        source=place.source_line,
    )


def _with_message_unquoted(occurrence: Occurrence) -> Occurrence:
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
