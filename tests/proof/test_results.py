"""What is kept of proofs: when it holds, what replaces what, and that it is found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from errkb.datasets.defaults import bundled_dataset
from errkb.errors import DatasetError
from errkb.knowledge.base import load
from errkb.proof.proofs_file import current_digests, find_proof, merge_runs, read_runs, write_runs
from errkb.proof.results import ProofKey, Run, digest_of, proof_of, proof_status, unprovable
from errkb.records.record import Record, read_record

Document = dict[str, Any]


@pytest.fixture
def record(make_record: Callable[..., Document]) -> Record:
    """A record with an example."""
    return read_record(make_record())


def line(record: Record, python: str = "3.12.1", version: str | None = None, date: str = "2026-01-01") -> Run:
    """A line that proves the record."""
    return Run(
        id=record.id,
        outcome="proven",
        package="tool" if version else None,
        version=version,
        python=python,
        platform="linux-x86_64",
        date=date,
        digest=digest_of(record),
    )


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("example_fix", "# before\nraise KeyError\n# after\npass", "stale"),
        ("message_pattern", "cannot frobnicate (.+?) of (.+?) wi(?:d)gets", "stale"),
        ("documentation", "Explained better.", "proven"),
        ("example_fix", None, None),
        ("example_fix", "print('no half')", None),
    ],
)
def test_when_a_proof_holds(record: Record, field: str, value: str | None, status: str | None) -> None:
    """A proof is stale as soon as the example or the pattern is another one, and only then."""
    changed = msgspec.structs.replace(record, **{field: value})
    proof = proof_of(changed, [line(record)])
    assert (proof and proof.status) == status


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        ("tool serve --port x", "tool serve --port 1", "unprovable"),
        ("print('unclosed'", "print('closed')", "missing"),
        ("x", "'\\d'", "missing"),
        ("x", "\0", "unprovable"),
    ],
)
def test_shell_is_recognised(make_record: Callable[..., Document], before: str, after: str, status: str) -> None:
    """What is no Python after the fix is a command line; before it, it may be an example of a SyntaxError."""
    proof = proof_of(read_record(make_record(before, after)), ())
    assert proof is not None
    assert (proof.status, proof.reason) == (status, "shell" if status == "unprovable" else None)


def digests(record: Record) -> dict[ProofKey, str]:
    """What can be proven where there is just this record."""
    return current_digests([record], lambda _record_id: None)


def test_an_authors_word_holds_until_there_is_a_proof(record: Record) -> None:
    """`needs gpu` outlives changes of the example, and goes when the record is proven."""
    mark = unprovable(record, "needs gpu: two cards", "2026-01-01")
    changed = msgspec.structs.replace(record, example_fix="# before\nraise KeyError\n# after\npass")
    proof = proof_of(changed, [mark])
    assert proof is not None
    assert (proof.status, proof.reason) == ("unprovable", "needs gpu: two cards")
    assert merge_runs([mark], [line(record)], digests(record)) == [line(record)]
    assert merge_runs([line(record)], [mark], digests(record)) == [mark]


def test_only_known_reasons_are_kept(record: Record) -> None:
    """A record cannot be waved through for a reason of one's own."""
    with pytest.raises(DatasetError, match="needs luck"):
        unprovable(record, "needs luck", "2026-01-01")


def test_what_replaces_what(record: Record) -> None:
    """A run replaces the one with the same major version of the package and minor version of Python."""
    old = [line(record, "3.11.2"), line(record, "3.12.1"), line(record, "3.12.1", "1.2"), line(record, "3.12.1", "2.0")]
    new = [line(record, "3.12.4"), line(record, "3.12.4", "1.10")]
    merged = merge_runs(old, new, digests(record))
    assert [(run.python, run.version) for run in merged] == [
        ("3.11.2", None),
        ("3.12.4", None),
        ("3.12.4", "1.10"),
        ("3.12.1", "2.0"),
    ]


def test_the_same_result_keeps_its_date(record: Record) -> None:
    """Proving again what has not changed changes no line."""
    assert merge_runs([line(record)], [line(record, date="2026-06-01")], digests(record)) == [line(record)]


def test_what_goes(record: Record) -> None:
    """Lines of removed records go, those that a new run outdates, and those that failed this time."""
    stale = msgspec.structs.replace(line(record, "3.11.2"), digest="0" * 16)
    gone = msgspec.structs.replace(line(record), id="0" * 16)
    assert merge_runs([stale, gone], [line(record)], digests(record)) == [line(record)]
    assert merge_runs([stale, gone], [], digests(record)) == [stale]
    assert merge_runs([line(record)], [], digests(record), disproven=[line(record).key]) == []


def test_written_and_read_back(record: Record, tmp_path: Path) -> None:
    """Lines are read back as they were; what is there already is not written again."""
    path = tmp_path / "proofs.jsonl"
    runs = [line(record), line(record, version="1.2")]
    write_runs(path, runs)
    before = path.stat()
    write_runs(path, runs)
    assert read_runs(path) == runs
    assert path.stat().st_ino == before.st_ino
    assert [file.name for file in tmp_path.iterdir()] == ["proofs.jsonl"]


def test_a_broken_line_is_reported(tmp_path: Path) -> None:
    """A line that is no proof is refused with its place."""
    path = tmp_path / "proofs.jsonl"
    path.write_text('{"id":"x"}\n', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"proofs\.jsonl:1: not a proof"):
        read_runs(path)


def test_one_record_is_found_as_among_all() -> None:
    """Looking for one record's proof gives what reading all of errkb's own proofs gives."""
    runs = read_runs(bundled_dataset().with_name("proofs.jsonl"))
    stood = proof_status(load(bundled_dataset()).records(), runs)
    assert any(proof and proof.status == "proven" for _, proof in stood)
    assert [find_proof(record) for record, _ in stood] == [proof for _, proof in stood]


def test_a_search_for_one_survives_what_is_broken(record: Record, tmp_path: Path) -> None:
    """A broken or missing file of proofs costs the reader of an explanation the proof, nothing else."""
    path = tmp_path / "proofs.jsonl"
    good = msgspec.json.encode(line(record))
    path.write_bytes(b'{"id":"' + record.id.encode() + b'","outcome":\xff}\n\n' + good)
    proof = find_proof(record, [tmp_path / "none.jsonl", path])
    assert proof is not None
    assert proof.runs == (line(record),)


def test_errkbs_own_proofs_are_in_order() -> None:
    """data/proofs.jsonl is what errkb itself would write: sorted, one line a run, no field too many."""
    path = bundled_dataset().with_name("proofs.jsonl")
    runs = read_runs(path)
    assert path.read_bytes() == b"".join(msgspec.json.encode(run) + b"\n" for run in sorted(runs, key=lambda r: r.key))
    assert [json.loads(one)["id"] for one in path.read_text().splitlines()] == [run.id for run in runs]
