"""What runs of examples prove: a run, and the status of a record by its runs.

A run holds for a record as long as its digest is that of the record's example and pattern; an
author's word that a record cannot be proven on an ordinary machine holds until it is proven.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from errkb.digest import digest
from errkb.errors import DatasetError
from errkb.records.examples import before_and_after, compiles
from errkb.records.record import Record
from errkb.records.supplement import Supplement

REASONS = ("shell", "needs gpu", "needs server", "needs download", "needs platform")
"""Why a record may be unprovable; `: ` and a note may follow. `shell` is recognised without being said."""
Status = Literal["proven", "stale", "unprovable", "missing"]


class Run(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of `proofs.jsonl`: before failed and after worked, or why they cannot be run.

    `package` and `version` name what was installed, and are None where the standard library is
    enough; `date` is the day when this result was first had.
    """

    id: str
    outcome: Literal["proven", "unprovable"]
    triggers: int | None = None
    """Of a run of the triggers of causes: how many there were. None for a run of the example."""
    reason: str | None = None
    package: str | None = None
    version: str | None = None
    python: str | None = None
    platform: str | None = None
    date: str
    digest: str

    @property
    def proves(self) -> "ProofKey":
        """What it is a run of."""
        return self.id, "example" if self.triggers is None else "triggers"

    @property
    def key(self) -> "RunKey":
        """A run replaces the one of the same thing with the same major version and minor version of Python."""
        return (
            *self.proves, (self.version or "").partition(".")[0], ".".join((self.python or "").split(".")[:2])
        )  # fmt: skip


ProofKey = tuple[str, Literal["example", "triggers"]]
"""What can be proven: a record's example, or the triggers of its causes."""
RunKey = tuple[str, Literal["example", "triggers"], str, str]
"""What was run, the major version of the package, the minor version of Python."""


class Proof(msgspec.Struct, frozen=True):
    """The status of a record; `runs` are those that prove it, or that did before it changed (`stale`)."""

    status: Status
    runs: tuple[Run, ...] = ()
    reason: str | None = None

    @property
    def is_due(self) -> bool:
        """Whether it is to be proven, for the first time or again."""
        return self.status in ("stale", "missing")


def digest_of(record: Record) -> str:
    """What a proof is about: the digest of example, U+0001 and pattern."""
    return digest(f"{record.example_fix}\x01{record.message_pattern}")


def triggers_of(supplement: Supplement | None) -> list[tuple[int, str]]:
    """The triggers of a supplement, each with the number of its cause, from 0."""
    causes = supplement.causes if supplement else ()
    return [(number, cause.trigger) for number, cause in enumerate(causes) if cause.trigger]


def triggers_digest(record: Record, supplement: Supplement) -> str:
    """What a proof of triggers is about: the digest of the pattern and of all causes that have one."""
    parts = [record.message_pattern, *(f"{number} {trigger}" for number, trigger in triggers_of(supplement))]
    return digest("\x01".join((*parts, repr([cause.when for cause in supplement.causes]))))


def triggers_proof(record: Record, supplement: Supplement | None, runs: Sequence[Run]) -> Proof | None:
    """How the triggers of a record's causes stand, given its lines; None if it has none."""
    if supplement is None or not triggers_of(supplement):
        return None
    proven = tuple(run for run in runs if run.triggers is not None and run.id == record.id)
    current = triggers_digest(record, supplement)
    if fresh := tuple(run for run in proven if run.digest == current):
        return Proof("proven", fresh)
    return Proof("stale", proven) if proven else Proof("missing")


def proof_of(record: Record, runs: Sequence[Run]) -> Proof | None:
    """The proof of a record by its runs; None if it has no example with code before and after."""
    code = before_and_after(record.example_fix)
    if code is None:
        return None
    runs = [run for run in runs if run.triggers is None]
    proven = tuple(run for run in runs if run.outcome == "proven")
    current = digest_of(record)
    if fresh := tuple(run for run in proven if run.digest == current):
        return Proof("proven", fresh)
    for run in runs:
        if run.outcome == "unprovable":
            return Proof("unprovable", reason=run.reason)
    if not compiles(code[1]):  # the code before may be an example of a SyntaxError
        return Proof("unprovable", reason="shell")
    return Proof("stale", proven) if proven else Proof("missing")


def proof_status(records: Iterable[Record], runs: Iterable[Run]) -> list[tuple[Record, Proof | None]]:
    """Each record with its proof, given all runs."""
    by_id = _by_id(runs)
    return [(record, proof_of(record, by_id.get(record.id, ()))) for record in records]


def triggers_status(
    records: Iterable[Record], supplement_of: Callable[[str], Supplement | None], runs: Iterable[Run]
) -> list[tuple[Record, Proof]]:
    """How the triggers of each record that has some stand, given all runs."""
    by_id = _by_id(runs)
    status = (
        (record, triggers_proof(record, supplement_of(record.id), by_id.get(record.id, ()))) for record in records
    )
    return [(record, proof) for record, proof in status if proof is not None]


def _by_id(runs: Iterable[Run]) -> dict[str, list[Run]]:
    by_id: dict[str, list[Run]] = {}
    for run in runs:
        by_id.setdefault(run.id, []).append(run)
    return by_id


def unprovable(record: Record, reason: str, date: str) -> Run:
    """The line that says why a record cannot be run. Raises DatasetError if the reason is none of `REASONS`."""
    if reason.partition(":")[0] not in REASONS:
        raise DatasetError(f"{reason!r} is no reason: {', '.join(REASONS)}; ': ' and a note may follow")
    return Run(id=record.id, outcome="unprovable", reason=reason, date=date, digest=digest_of(record))
