"""Two versions of a dataset compared: for release notes, and to keep promises to those who link to records."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from errkb.datasets.dataset import decode_entry, read_entries
from errkb.datasets.files import Entry
from errkb.datasets.supplements import check_supplement, read_supplements
from errkb.errors import DatasetError
from errkb.exception_names import with_class
from errkb.knowledge.base import KnowledgeBase
from errkb.knowledge.in_memory import from_entries
from errkb.records.record import Record, write_record
from errkb.records.sample import sample
from errkb.records.supplement import Supplement, merged, write_supplement


class Change(NamedTuple):
    """A field of a record with another value; None where a version has not the field."""

    field: str
    old: Any
    new: Any


class Changed(NamedTuple):
    """A record of both versions, and what differs."""

    record: Record
    changes: Sequence[Change]


class ChangedSupplement(NamedTuple):
    """The supplement of a record, and what differs; all of it, where one version has none."""

    record_id: str
    changes: Sequence[Change]


class Lost(NamedTuple):
    """A message of a record of the old version that is not answered with that record any more."""

    record: Record
    message: str
    now: Record | None
    """What it is answered with now."""


class Comparison(NamedTuple):
    """What differs between two versions, each part in the order of its dataset."""

    added: Sequence[Record]
    removed: Sequence[Record]
    changed: Sequence[Changed]
    lost: Sequence[Lost]
    supplements: Sequence[ChangedSupplement]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not any(self)


def compare(old: Path, new: Path) -> Comparison:
    """Compare two datasets. Raises DatasetError if one cannot be read, or a part of it is broken."""
    before, after = _records(old), _records(new)
    changed = []
    for record_id, record in before.items():
        if record_id not in after:
            continue
        if changes := tuple(_differing(write_record(record), write_record(after[record_id]))):
            changed.append(Changed(after[record_id], changes))
    return Comparison(
        added=[record for record_id, record in after.items() if record_id not in before],
        removed=[record for record_id, record in before.items() if record_id not in after],
        changed=changed,
        lost=list(_lost(before, after, _knowledge(old), _knowledge(new))),
        supplements=list(_changed_supplements(_supplements(old), _supplements(new))),
    )


def _records(path: Path) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for entry in read_entries(path):
        if isinstance(entry, DatasetError):
            raise entry
        record = decode_entry(entry)
        records[record.id] = record
    return records


def _supplements(path: Path) -> dict[str, Supplement]:
    supplements: dict[str, Supplement] = {}
    for entry in read_supplements(path):
        if isinstance(entry, DatasetError):
            raise entry
        supplement = check_supplement(entry)
        known = supplements.get(supplement.id)
        supplements[supplement.id] = merged(supplement, known) if known else supplement
    return supplements


def _changed_supplements(
    before: Mapping[str, Supplement], after: Mapping[str, Supplement]
) -> Iterator[ChangedSupplement]:
    for record_id in dict.fromkeys((*before, *after)):
        old, new = (
            {} if one is None else write_supplement(one) for one in (before.get(record_id), after.get(record_id))
        )
        if changes := tuple(_differing(old, new)):
            yield ChangedSupplement(record_id, changes)


def _knowledge(path: Path) -> KnowledgeBase:
    entries, supplements = (
        (entry for entry in found if isinstance(entry, Entry)) for found in (read_entries(path), read_supplements(path))
    )
    return from_entries(entries, supplements)


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    for field in dict.fromkeys((*before, *after)):
        if before.get(field) != after.get(field):
            yield Change(field, before.get(field), after.get(field))


def _lost(
    before: Mapping[str, Record], after: Mapping[str, Record], old: KnowledgeBase, new: KnowledgeBase
) -> Iterator[Lost]:
    for record in before.values():
        message = sample(record.error_message).message
        text = with_class(record.error_class, message)
        was = old.lookup(text)
        if was is None or was.record.id != record.id:
            continue
        now = new.lookup(text)
        if now is None or now.record.id != record.id:
            answered_by = now.record if now else None
            if answered_by and answered_by.error_message == record.error_message and record.id in after:
                continue  # a record of the same template: as good
            yield Lost(record, message, answered_by)
