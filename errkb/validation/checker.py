"""The checks themselves: one pass over the files, then the records against each other."""

import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from errkb.datasets.dataset import decode_entry, read_entries
from errkb.datasets.entry_access import Place, place_of
from errkb.datasets.files import NO_JSON, Entry, read_bytes
from errkb.datasets.supplements import class_only_records
from errkb.errors import DatasetError
from errkb.files import is_file, is_folder
from errkb.records.record import Record, json_schema
from errkb.validation.decoding import decode
from errkb.validation.finding import Finding
from errkb.validation.locating import Found
from errkb.validation.own_message import indistinguishable, not_answered_by_themselves
from errkb.validation.rule import ComparedRecord, Context, Rule, Subject, Violation
from errkb.validation.rules import RULES
from errkb.validation.rules.collisions import INDISTINGUISHABLE, LOSES
from errkb.validation.rules.document import BROKEN, DAMAGED, SCHEMA
from errkb.validation.schema import json_object, schema_violations
from errkb.validation.settings import Settings
from errkb.validation.words import keys

_PROGRESS_EVERY = 512


class Checker:
    """What is known while datasets are checked. `found` holds the findings, not yet placed in their lines."""

    def __init__(self, settings: Settings, progress: Callable[[int], None] | None = None) -> None:
        self.settings = settings
        self.progress = progress
        self.found: list[Found] = []
        self.records = 0
        self.supplements = 0
        self.heads: list[ComparedRecord] = []
        self.raised: dict[int, frozenset[str]] = {}
        """Number of a head → codes of the rules that its record breaks."""
        self._context = Context({}, {}, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"), None)
        self._rules = _needed(settings)
        self._shared: dict[str, str] = {}

    def read(self, dataset: Path) -> None:
        """Check the records of a dataset, each on its own and against the ids and slugs before it."""
        self.look_beside(dataset)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python thinks of examples
            for entry in read_entries(dataset):
                self.records += 1
                if self.progress and not self.records % _PROGRESS_EVERY:
                    self.progress(self.records)
                if isinstance(entry, DatasetError):
                    self._unreadable(entry, dataset)
                elif record := self._decoded(entry):
                    self.check(Subject(entry, record))

    def look_beside(self, dataset: Path) -> None:
        """Take up what lies beside a dataset: families.json, and supplements of records that answer their class."""
        class_only = self._context.class_only | frozenset(class_only_records(dataset))
        self._context = self._context._replace(families=_families(dataset), class_only=class_only)

    def _decoded(self, entry: Entry) -> Record | None:
        """The record of an entry, or None after what is wrong with it was noted."""
        try:
            return decode(entry.raw)
        except NO_JSON:
            pass
        try:
            return decode_entry(entry)
        except DatasetError as problem:
            self._against_schema(entry, problem)
            return None

    def check(self, subject: Subject) -> None:
        """Check a record by all rules that look at one record, and remember it."""
        if raised := self.examine(subject):
            self.raised[len(self.heads)] = frozenset(raised)
        self.remember(subject)

    def examine(self, subject: Subject) -> list[str]:
        """The codes of the rules that a record breaks; the findings are noted."""
        raised: list[str] = []
        context = self._context
        for rule, check in self._rules:
            if raised and any(code in raised for code in rule.superseded_by):
                continue
            if violations := check(subject, context):
                raised.append(rule.code)
                for violation in violations:
                    self._note(rule, violation, place_of(subject.entry), subject.record.id)
        return raised

    def compare(self) -> None:
        """Compare the records with each other."""
        wanted = self.settings.severities
        if INDISTINGUISHABLE.code in wanted:
            self._compared(INDISTINGUISHABLE, indistinguishable(self.unaffected_by(INDISTINGUISHABLE)))
        if LOSES.code in wanted:
            self._compared(LOSES, not_answered_by_themselves(self.unaffected_by(LOSES)))

    def check_supplements(self, datasets: Sequence[Path]) -> None:
        """Check the supplements of datasets whose records were read."""
        from errkb.validation.supplements import SupplementChecker

        checker = SupplementChecker(self._context.by_id, self._note, frozenset(self.settings.severities))
        checker.check(datasets)
        self.supplements = checker.count

    def unaffected_by(self, rule: Rule) -> list[ComparedRecord]:
        """The records with a text of their own for which no other finding makes a rule moot."""
        nothing: frozenset[str] = frozenset()
        return [
            head
            for n, head in enumerate(self.heads)
            if self.raised.get(n, nothing).isdisjoint(rule.superseded_by) and head.id not in self._context.class_only
        ]

    def _compared(self, rule: Rule, violations: Iterable[tuple[ComparedRecord, Violation]]) -> None:
        for head, violation in violations:
            self._note(rule, violation, head.place, head.id)

    def remember(self, subject: Subject) -> None:
        """Keep what others are compared with."""
        entry, record, sample = subject.entry, subject.record, subject.sample
        shared = self._shared.setdefault
        head = ComparedRecord(
            place_of(entry),
            record.id,
            shared(record.repo, record.repo),
            record.slug,
            shared(record.file_path, record.file_path),
            record.error_code,
            record.error_class and shared(record.error_class, record.error_class),
            sample.message,
            keys(subject.words),
            record.message_pattern,
            record.message_pattern == sample.derived,
        )
        self.heads.append(head)
        self._context.by_id.setdefault(head.id, head)
        self._context.by_slug.setdefault(f"{head.repo}/{head.slug}", head)

    def _unreadable(self, problem: DatasetError, dataset: Path) -> None:
        rule = BROKEN if problem.line else DAMAGED
        place = Place(problem.path or dataset, problem.line or 1, "", 0, 0)
        self._note(rule, Violation(problem.reason, problem.pointer or ""), place, None)

    def _against_schema(self, entry: Entry, problem: DatasetError) -> None:
        document = json_object(entry.raw)
        violations = [] if document is None else list(schema_violations(document, json_schema))
        if document is None or not violations:
            self._unreadable(problem, entry.path)
            return
        record_id = document.get("id")
        named = record_id if isinstance(record_id, str) else None
        for message, pointer in violations:
            self._note(SCHEMA, Violation(message, pointer), place_of(entry), named)

    def _note(self, rule: Rule, violation: Violation, place: Place, record_id: str | None) -> None:
        severity = self.settings.severity(rule.code, place.path)
        if severity is None:
            return
        finding = Finding(
            rule=rule.code,
            name=rule.name,
            severity=severity,
            message=violation.message,
            path=place.path,
            line=place.line,
            pointer=(place.pointer + violation.pointer) or None,
            record_id=record_id,
            fix=violation.fix,
        )
        self.found.append(Found(finding, place))


def _needed(settings: Settings) -> list[tuple[Rule, Callable[[Subject, Context], Iterable[Violation]]]]:
    """The rules that look at one record: those reported, and those whose finding explains one of them as well."""
    wanted = set(settings.severities)
    while True:
        more = {code for rule in RULES if rule.code in wanted for code in rule.superseded_by} - wanted
        if not more:
            break
        wanted |= more
    return [(rule, rule.check) for rule in RULES if rule.check and rule.code in wanted]


def _families(dataset: Path) -> frozenset[str] | None:
    """The names in families.json beside a dataset. Raises DatasetError if that is no JSON object."""
    path = (dataset if is_folder(dataset) else dataset.parent) / "families.json"
    if not is_file(path):
        return None
    try:
        families: Any = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"cannot be read: {error}", path=path) from None
    if not isinstance(families, dict):
        raise DatasetError("is not a JSON object of families", path=path)
    return frozenset(families)
