"""Supplements under check: each on its own, against its record, and as an answer to its own wordings."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from errkb.datasets.dataset import decode_entry
from errkb.datasets.defaults import bundled_dataset
from errkb.datasets.entry_access import Place, place_of, reread
from errkb.datasets.files import Entry
from errkb.datasets.supplements import check_supplement, read_supplements
from errkb.errors import DatasetError
from errkb.exception_names import with_class
from errkb.knowledge.base import KnowledgeBase, open_datasets
from errkb.records.record import Record
from errkb.records.sample import sample
from errkb.records.supplement import Supplement, json_schema
from errkb.validation.rule import ComparedRecord, Rule, Violation
from errkb.validation.rules.document import BROKEN
from errkb.validation.rules.supplement import CHECKS, SCHEMA, TWICE, WORDING_LOSES
from errkb.validation.schema import json_object, schema_violations
from errkb.validation.supplement_subject import SupplementSubject

Note = Callable[[Rule, Violation, Place, str | None], None]


class SupplementChecker:
    """Checks the supplements of datasets whose records were read before; findings go to `note`."""

    def __init__(self, by_id: dict[str, ComparedRecord], note: Note, wanted: frozenset[str]) -> None:
        self.count = 0
        self._by_id = by_id
        self._note = note
        self._wanted = wanted
        self._with_wordings: list[tuple[Supplement, str | None, Place]] = []
        """Supplements with wordings, each with the class of its record."""

    def check(self, datasets: Sequence[Path]) -> None:
        """Check all supplements of these datasets."""
        for dataset in datasets:
            by_record: dict[str, list[tuple[Entry, Supplement]]] = {}
            for entry, supplement in self._read(dataset):
                by_record.setdefault(supplement.id, []).append((entry, supplement))
            for record_id, record in self._records(by_record):
                for entry, supplement in by_record[record_id]:
                    self._check(entry, supplement, record)
        if WORDING_LOSES.code in self._wanted:
            self._check_wordings(datasets)

    def _read(self, dataset: Path) -> Iterator[tuple[Entry, Supplement]]:
        """The supplements of a dataset that can be read; what is wrong with the others is noted."""
        seen: dict[tuple[Path, str], int] = {}
        for entry in read_supplements(dataset):
            self.count += 1
            if isinstance(entry, DatasetError):
                place = Place(entry.path or dataset, entry.line or 1, "", 0, 0)
                self._note(BROKEN, Violation(entry.reason, entry.pointer or ""), place, None)
                continue
            supplement = self._decoded(entry)
            if supplement is None:
                continue
            first = seen.setdefault((entry.path, supplement.id), entry.line)
            if first != entry.line:
                message = f"line {first} is about this record too"
                self._note(TWICE, Violation(message, "/id"), place_of(entry), supplement.id)
            yield entry, supplement

    def _records(self, ids: Collection[str]) -> Iterator[tuple[str, Record | None]]:
        """Each id with its record, None if there is none; the files of the records are read once."""
        heads = {record_id: self._by_id[record_id] for record_id in ids if record_id in self._by_id}
        for entry in reread(head.place for head in heads.values()):
            record = decode_entry(entry)
            yield record.id, record
        for record_id in ids:
            if record_id not in heads:
                yield record_id, self._bundled.get(record_id)

    def _check(self, entry: Entry, supplement: Supplement, record: Record | None) -> None:
        fields = list(msgspec.json.decode(entry.raw, type=dict[str, msgspec.Raw]))
        subject = SupplementSubject(supplement, record, fields, self._is_known)
        broken: set[str] = set()
        for rule, check in CHECKS:
            for violation in check(subject):
                broken.add(rule.code)
                self._note(rule, violation, place_of(entry), supplement.id)
        if supplement.wordings and broken.isdisjoint(WORDING_LOSES.superseded_by):
            self._with_wordings.append((supplement, record.error_class if record else None, place_of(entry)))

    def _decoded(self, entry: Entry) -> Supplement | None:
        try:
            return check_supplement(entry)
        except DatasetError as problem:
            document = json_object(entry.raw)
            if document is None:
                self._note(BROKEN, Violation(problem.reason, ""), Place(entry.path, entry.line, "", 0, 0), None)
                return None
            violations = list(schema_violations(document, json_schema)) or [(problem.reason, problem.pointer or "")]
            name = document.get("id")
            for message, pointer in violations:
                self._note(
                    SCHEMA, Violation(message, pointer), place_of(entry), name if isinstance(name, str) else None
                )
            return None

    def _check_wordings(self, datasets: Sequence[Path]) -> None:
        """Whether the message of every wording is answered with its own record, first or tied with one of its text."""
        if not self._with_wordings:
            return
        knowledge = open_datasets([bundled_dataset(), *datasets], lenient=True)
        for supplement, record_class, place in self._with_wordings:
            for number, wording in enumerate(supplement.wordings):
                error_class = wording.error_class or record_class
                message = sample(wording.error_message).message
                matches = knowledge.search(with_class(error_class, message), limit=20)
                if supplement.id in [one.record.id for one in matches if one.tied or one is matches[0]]:
                    continue
                said = f"is answered with {matches[0].record.id}" if matches else "gets no answer"
                violation = Violation(f"its message {said}", f"/wordings/{number}")
                self._note(WORDING_LOSES, violation, place, supplement.id)

    def _is_known(self, record_id: str) -> bool:
        return record_id in self._by_id or self._bundled.get(record_id) is not None

    @cached_property
    def _bundled(self) -> KnowledgeBase:
        return open_datasets([bundled_dataset()], lenient=True)
