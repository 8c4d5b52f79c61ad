"""The file of proofs beside a dataset, `proofs.jsonl`: a line for each run that ended well."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from errkb.datasets.defaults import bundled_dataset
from errkb.errors import DatasetError
from errkb.files import is_file, is_folder
from errkb.proof.results import Proof, ProofKey, Run, RunKey, digest_of, proof_of, triggers_digest, triggers_of
from errkb.records.record import Record
from errkb.records.supplement import Supplement

_decode_run = msgspec.json.Decoder(Run).decode


def proofs_path(dataset: Path) -> Path:
    """Where the proofs of a dataset are kept: in its folder."""
    return (dataset if is_folder(dataset) else dataset.parent) / "proofs.jsonl"


def find_proof(record: Record, paths: Sequence[Path] | None = None) -> Proof | None:
    """How one record stands, found without decoding the lines of others; by default in errkb's own proofs."""
    runs: list[Run] = []
    for path in [proofs_path(bundled_dataset())] if paths is None else paths:
        with suppress(OSError):
            runs += _lines_of(record.id, path.read_bytes())
    return proof_of(record, runs)


def _lines_of(record_id: str, content: bytes) -> Iterator[Run]:
    """The lines of one record; broken ones are skipped: `errkb prove` reports them."""
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


def current_digests(
    records: Iterable[Record], supplement_of: Callable[[str], Supplement | None]
) -> dict[ProofKey, str]:
    """What can be proven, examples and triggers, with the digest of each."""
    digests: dict[ProofKey, str] = {}
    for record in records:
        digests[record.id, "example"] = digest_of(record)
        supplement = supplement_of(record.id)
        if supplement and triggers_of(supplement):
            digests[record.id, "triggers"] = triggers_digest(record, supplement)
    return digests


def merge_runs(
    old: Iterable[Run], new: Iterable[Run], digests: Mapping[ProofKey, str], disproven: Iterable[RunKey] = ()
) -> list[Run]:
    """Old lines with new ones over them, in order; a result that was had before keeps its date.

    `digests` says what can be proven, and what a proof of it is about. What goes: lines of nothing in it,
    those that a new line of the same thing outdates, and those with a key of `disproven`. So proving
    again what has not changed changes nothing.
    """
    outcomes = {run.proves: run.outcome for run in new}
    kept = {
        run.key: run
        for run in old
        if run.proves in digests
        and run.outcome == outcomes.get(run.proves, run.outcome)
        and (run.proves not in outcomes or run.digest == digests[run.proves])
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
        if is_file(path) and path.read_bytes() == content:
            return
        from errkb.files import replace_file

        replace_file(path, [content])
    except OSError as error:
        raise DatasetError(f"cannot be written: {error.strerror or error}", path=path) from None
