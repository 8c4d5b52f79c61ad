"""Validation: a linter for datasets. It finds and says; it prints nothing."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from errkb.dataset import Entry, decode_entry, read_entries
from errkb.errors import DatasetError
from errkb.knowledge import from_entries
from errkb.validation.finding import Finding
from errkb.validation.rules import BROKEN, RULES, SCHEMA, Dataset, Rule, Subject

__all__ = ["Finding", "Report", "validate"]


class Report(msgspec.Struct, frozen=True):
    """What validation found, in the order of the files and lines."""

    findings: Sequence[Finding]
    records: int
    """Records that were read, broken ones included."""

    @property
    def valid(self) -> bool:
        """Whether nothing worse than a warning was found."""
        return not any(finding.severity == "error" for finding in self.findings)


def validate(paths: Iterable[Path | str]) -> Report:
    """Check all records of these datasets, each on its own and against the others.

    Raises DatasetError if a path cannot be read at all.
    """
    findings: list[Finding] = []
    subjects: list[Subject] = []
    records = 0
    for path in paths:
        for entry in read_entries(Path(path)):
            records += 1
            if isinstance(entry, DatasetError):
                findings.append(_broken(entry, Path(path)))
                continue
            try:
                subjects.append(Subject(entry, decode_entry(entry)))
            except DatasetError as problem:
                findings.extend(_against_schema(entry, problem))
    findings += _against_rules(subjects)
    order = {path: number for number, path in enumerate(dict.fromkeys(finding.path for finding in findings))}
    findings.sort(key=lambda finding: (order[finding.path], finding.line))
    return Report(findings, records)


def _broken(problem: DatasetError, path: Path) -> Finding:
    return _finding(
        BROKEN, problem.reason, problem.path or path, problem.line or 1, pointer=problem.pointer, record_id=None
    )


def _against_schema(entry: Entry, problem: DatasetError) -> Iterator[Finding]:
    import json

    from errkb.validation.schema import schema_troubles

    try:
        document = json.loads(entry.raw)
    except ValueError:
        yield _broken(problem, entry.path)
        return
    record_id = document.get("id") if isinstance(document, dict) else None
    named = record_id if isinstance(record_id, str) else None
    troubles = list(schema_troubles(document)) or [(problem.reason, problem.pointer or "")]
    for message, pointer in troubles:
        yield _finding(SCHEMA, message, entry.path, entry.line, pointer=entry.pointer + pointer, record_id=named)


def _against_rules(subjects: Sequence[Subject]) -> Iterator[Finding]:
    by_id: dict[str, Subject] = {}
    by_slug: dict[tuple[str, str], Subject] = {}
    for subject in subjects:
        by_id.setdefault(subject.record.id, subject)
        by_slug.setdefault((subject.record.repo, subject.record.slug), subject)
    dataset = Dataset(subjects, by_id, by_slug, from_entries(subject.entry for subject in by_id.values()))
    for subject in subjects:
        raised: dict[str, bool] = defaultdict(bool)
        for rule in RULES:
            if rule.check is None or any(raised[code] for code in rule.after):
                continue
            for trouble in rule.check(subject, dataset):
                raised[rule.code] = True
                yield _finding(
                    rule,
                    trouble.message,
                    subject.entry.path,
                    subject.entry.line,
                    pointer=subject.entry.pointer + trouble.pointer,
                    record_id=subject.record.id,
                )


def _finding(rule: Rule, message: str, path: Path, line: int, *, pointer: str | None, record_id: str | None) -> Finding:
    return Finding(
        rule=rule.code,
        name=rule.name,
        severity=rule.severity,
        message=message,
        path=path,
        line=line,
        pointer=pointer or None,
        record_id=record_id,
    )
