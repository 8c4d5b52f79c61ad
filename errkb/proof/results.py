"""What is kept of proofs, beside the dataset, in `proofs.jsonl`: a line for each run that ended well.

A line holds for a record as long as its digest is that of the record's example and pattern; an
author's word that a record cannot be proven on an ordinary machine holds until it is proven.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from errkb.datasets.defaults import bundled_dataset
from errkb.digest import digest
from errkb.errors import DatasetError
from errkb.records.examples import compiles, example_halves
from errkb.records.record import Record

REASONS = ("shell", "needs gpu", "needs server", "needs download", "needs platform")
"""Why a record may be unprovable; `: ` and a note may follow. `shell` is recognised without being said."""
Status = Literal["proven", "stale", "unprovable", "missing"]


class Run(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of `proofs.jsonl`: both halves did what they should, or why they cannot be run.

    `package` and `version` name what was installed, and are None where the standard library is
    enough; `date` is the day when this result was first had.
    """

    id: str
    outcome: Literal["proven", "unprovable"]
    reason: str | None = None
    package: str | None = None
    version: str | None = None
    python: str | None = None
    platform: str | None = None
    date: str
    digest: str

    @property
    def key(self) -> tuple[str, str, str]:
        """A run replaces the one with the same record, major version and minor version of Python."""
        return (self.id, (self.version or "").partition(".")[0], ".".join((self.python or "").split(".")[:2]))


class Proof(msgspec.Struct, frozen=True):
    """How a record stands: `runs` are those that prove it, or that did before it changed (`stale`)."""

    status: Status
    runs: tuple[Run, ...] = ()
    reason: str | None = None


_decode_run = msgspec.json.Decoder(Run).decode


def digest_of(record: Record) -> str:
    """What a proof is about: the digest of example, U+0001 and pattern."""
    return digest(f"{record.example_fix}\x01{record.message_pattern}")


def proof_of(record: Record, runs: Sequence[Run]) -> Proof | None:
    """How a record stands, given its lines; None if it has no example with two halves."""
    halves = example_halves(record.example_fix)
    if halves is None:
        return None
    proven = tuple(run for run in runs if run.outcome == "proven")
    current = digest_of(record)
    if fresh := tuple(run for run in proven if run.digest == current):
        return Proof("proven", fresh)
    for run in runs:
        if run.outcome == "unprovable":
            return Proof("unprovable", reason=run.reason)
    if not compiles(halves[1]):  # the half before may be an example of a SyntaxError
        return Proof("unprovable", reason="shell")
    return Proof("stale", proven) if proven else Proof("missing")


def proofs_path(dataset: Path) -> Path:
    """Where the proofs of a dataset are kept: in its folder."""
    return (dataset if dataset.is_dir() else dataset.parent) / "proofs.jsonl"


def find_proof(record: Record, paths: Sequence[Path] | None = None) -> Proof | None:
    """How one record stands, found without decoding the lines of others; by default in errkb's own proofs."""
    runs: list[Run] = []
    for path in [proofs_path(bundled_dataset())] if paths is None else paths:
        with suppress(OSError):
            runs += _lines_of(record.id, path.read_bytes())
    return proof_of(record, runs)


def _lines_of(record_id: str, content: bytes) -> Iterator[Run]:
    """The lines of one record; broken ones are told by `errkb prove`, not to the reader of an explanation."""
    wanted = b'{"id":"' + record_id.encode() + b'"'
    start = content.find(wanted)
    while start >= 0:
        end = content.find(b"\n", start)
        line = content[start : end if end >= 0 else len(content)]
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            yield _decode_run(line)
        start = content.find(wanted, start + len(line))


def read_runs(path: Path) -> list[Run]:
    """All lines of a file, none if there is no file. Raises DatasetError."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", path=path) from None
    runs = []
    for number, line in enumerate(lines, 1):
        try:
            runs.append(_decode_run(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise DatasetError(f"not a proof: {error}", path=path, line=number) from None
    return runs


def standing(records: Iterable[Record], runs: Iterable[Run]) -> list[tuple[Record, Proof | None]]:
    """How each record stands, given all lines."""
    by_id: dict[str, list[Run]] = {}
    for run in runs:
        by_id.setdefault(run.id, []).append(run)
    return [(record, proof_of(record, by_id.get(record.id, ()))) for record in records]


def unprovable(record: Record, reason: str, date: str) -> Run:
    """The line that says why a record cannot be run. Raises DatasetError if the reason is none of `REASONS`."""
    if reason.partition(":")[0] not in REASONS:
        raise DatasetError(f"{reason!r} is no reason: {', '.join(REASONS)}; ': ' and a note may follow")
    return Run(id=record.id, outcome="unprovable", reason=reason, date=date, digest=digest_of(record))


def merge_runs(
    old: Iterable[Run], new: Iterable[Run], records: Iterable[Record], disproven: Iterable[tuple[str, str, str]] = ()
) -> list[Run]:
    """Old lines with new ones over them, in order; a result that was had before keeps its date.

    What goes: lines of no record, those that a new line of the same record outdates, and those
    with a key of `disproven`. So proving again what has not changed changes nothing.
    """
    digests = {record.id: digest_of(record) for record in records}
    outcomes = {run.id: run.outcome for run in new}
    kept = {
        run.key: run
        for run in old
        if run.id in digests
        and run.outcome == outcomes.get(run.id, run.outcome)
        and (run.id not in outcomes or run.digest == digests[run.id])
    }
    for key in disproven:
        kept.pop(key, None)
    for run in new:
        before = kept.get(run.key)
        if before is None or msgspec.structs.replace(before, date=run.date) != run:
            kept[run.key] = run
    return [kept[key] for key in sorted(kept)]


def write_runs(path: Path, runs: Iterable[Run]) -> None:
    """Lines to a file, all or nothing; the file is not touched if it holds them already. Raises DatasetError."""
    content = b"".join(msgspec.json.encode(run) + b"\n" for run in runs)
    try:
        if path.is_file() and path.read_bytes() == content:
            return
        from errkb.files import replace_file

        replace_file(path, [content])
    except OSError as error:
        raise DatasetError(f"cannot be written: {error.strerror or error}", path=path) from None
