"""Do the records of a repo still say what its source says? Each is compared with the harvested sites."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import PurePosixPath

import msgspec

from errkb.errors import PatternError
from errkb.patterns import Message, Pattern, fold
from errkb.records.record import Record
from errkb.records.template import Placeholder, derive_pattern, parse_template
from errkb.source_analysis.site import Site

_LEAST_SIMILARITY_HERE = 60.0
"""Percentage from which on two messages of one file count as one message, reworded."""
_LEAST_SIMILARITY_ELSEWHERE = 80.0


class DriftStatus(StrEnum):
    """What became of a record's message in the source."""

    UNCHANGED = "unchanged"
    MOVED = "moved"
    """The same message, at another line or in another file."""
    REWORDED = "reworded"
    GONE = "gone"
    UNCHECKED = "unchecked"
    """Not raised by Python source."""


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """A record, and what the source has in its place."""

    record: Record
    status: DriftStatus
    site: Site | None = None
    """The place that raises it now."""


def compare_with_source(records: Iterable[Record], sites: Sequence[Site]) -> Iterator[Drift]:
    """Each record with its status, in order."""
    source = _Source([site for site in sites if site.literal])
    for record in records:
        yield source.compare(record)


class _Source:
    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites
        self._by_pattern: dict[str, list[Site]] = {}
        self._by_file: dict[str, list[Site]] = {}
        for site in sites:
            self._by_pattern.setdefault(fold(site.pattern), []).append(site)
            self._by_file.setdefault(PurePosixPath(site.file).name, []).append(site)

    def compare(self, record: Record) -> Drift:
        if not record.file_path.endswith((".py", ".pyi")):
            return Drift(record=record, status=DriftStatus.UNCHECKED)
        here = [
            site for site in self._by_file.get(PurePosixPath(record.file_path).name, ()) if _same_file(record, site)
        ]
        same = self._by_pattern.get(fold(derive_pattern(record.error_message, 10_000))) or self._by_pattern.get(
            fold(record.message_pattern)
        )
        same = same or _sites_that_match(record, here) or _sites_that_match(record, self._sites)
        if same:
            best = min(same, key=lambda site: (not _same_file(record, site), abs(site.line - record.line_number)))
            at_home = _same_file(record, best) and best.line <= record.line_number <= best.end_line
            return Drift(record=record, status=DriftStatus.UNCHANGED if at_home else DriftStatus.MOVED, site=best)
        reworded = _most_similar(record, here, _LEAST_SIMILARITY_HERE) or _most_similar(
            record, self._sites, _LEAST_SIMILARITY_ELSEWHERE
        )
        return Drift(record=record, status=DriftStatus.REWORDED if reworded else DriftStatus.GONE, site=reworded)


def _same_file(record: Record, site: Site) -> bool:
    """Whether both name one file; a repo may keep its packages in a folder."""
    ours, theirs = PurePosixPath(record.file_path).parts, PurePosixPath(site.file).parts
    shorter = min(len(ours), len(theirs))
    return ours[-shorter:] == theirs[-shorter:]


def _sites_that_match(record: Record, sites: Iterable[Site]) -> list[Site]:
    """Sites whose message, filled, is read whole by the record's pattern: as where a named text was put in."""
    try:
        pattern = Pattern(record.message_pattern)
    except PatternError:
        return []
    found = []
    for site in sites:
        reading = pattern.read(Message(_plain(site.template)))
        if (
            reading is not None
            and reading.whole
            and 2 * len(_plain(record.error_message)) >= len(_plain(site.template))
        ):
            found.append(site)
    return found


def _most_similar(record: Record, sites: Iterable[Site], least: float) -> Site | None:
    from rapidfuzz.fuzz import ratio

    wanted = _plain(record.error_message)
    best, score = None, least
    for site in sites:
        likeness = ratio(wanted, _plain(site.template))
        if site.error_class and record.error_class and site.error_class != record.error_class:
            likeness -= 10
        if likeness > score:
            best, score = site, likeness
    return best


def _plain(template: str) -> str:
    """A template with all its placeholders alike."""
    return "".join("{}" if isinstance(part, Placeholder) else part for part in parse_template(template))
