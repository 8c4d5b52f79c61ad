"""The evidence beside the bundled dataset: what was found in public issues, for each record."""

import re
from pathlib import Path

import msgspec
import pytest

from errkb.knowledge.base import load


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of evidence.jsonl, see CONTRIBUTING.md."""

    id: str
    query: str
    read: int
    reports: int
    threads: tuple[str, ...]


@pytest.fixture(scope="module")
def evidence(root: Path) -> list[Line]:
    """All of it."""
    lines = (root / "data" / "evidence.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Line) for line in lines]


def test_evidence_is_of_records(root: Path, evidence: list[Line]) -> None:
    """At most a line for each record and none for others, in the order of ids; two thirds are counted."""
    known = {record.id for record in load(root / "data" / "records.jsonl").records()}
    ids = [line.id for line in evidence]
    assert ids == sorted(set(ids))
    assert known.issuperset(ids)
    assert len(ids) >= 2 / 3 * len(known)


def test_counts_are_possible(evidence: list[Line]) -> None:
    """No more reports than threads were read, and no more of them named than there are, each as owner/name#number."""
    for line in evidence:
        assert line.query, line.id
        assert 0 <= line.reports <= line.read, line.id
        assert len(line.threads) <= min(4, line.reports), line.id
        assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", thread) for thread in line.threads), line.id


def test_records_are_chosen_by_what_people_report(evidence: list[Line]) -> None:
    """Nineteen of twenty records have reports."""
    assert sum(line.reports > 0 for line in evidence) >= 0.95 * len(evidence)
