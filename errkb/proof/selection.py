"""Which records to prove, and in what."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from errkb.datasets.defaults import bundled_dataset
from errkb.errors import ErrkbError
from errkb.files import exists, real_path
from errkb.knowledge.base import KnowledgeBase, load
from errkb.proof.environments import Plan, Requirements, package_of
from errkb.proof.proofs_file import current_digests, proofs_path, read_runs
from errkb.proof.results import Proof, ProofKey, Run, proof_status, triggers_status
from errkb.records.record import Record


class SelectionError(ErrkbError):
    """A name that is neither a record nor a repo nor a dataset."""


class Selection(NamedTuple):
    """A dataset, its proofs, and those of its records that were named; `named` are the ids named one by one."""

    dataset: Path
    knowledge: KnowledgeBase
    every: list[Record]
    chosen: list[Record]
    named: frozenset[str]
    runs: list[Run]

    @property
    def proofs(self) -> Path:
        """The file with the dataset's proofs."""
        return proofs_path(self.dataset)

    @property
    def proof_status(self) -> list[tuple[Record, Proof | None]]:
        """Each chosen record with its proof."""
        return proof_status(self.chosen, self.runs)

    @property
    def triggers_status(self) -> list[tuple[Record, Proof]]:
        """How the triggers of each chosen record that has some stand."""
        return triggers_status(self.chosen, self.knowledge.supplement, self.runs)

    @property
    def digests(self) -> dict[ProofKey, str]:
        """All that can be proven of the dataset."""
        return current_digests(self.every, self.knowledge.supplement)

    @property
    def trusted(self) -> bool:
        """Whether this is errkb's own dataset, whose examples its authors have read."""
        own = real_path(bundled_dataset())
        return real_path(self.dataset) in (own, own.parent)


def select(names: Sequence[str]) -> Selection:
    """The records that ids, `owner/repo/slug`s, repos and at most one path of a dataset name; all if nothing does.

    Raises SelectionError, or DatasetError if the dataset cannot be read.
    """
    paths = [name for name in names if exists(Path(name))]
    if len(paths) > 1:
        raise SelectionError(f"one dataset at a time: {paths[0]} or {paths[1]}")
    dataset = Path(paths[0]) if paths else bundled_dataset()
    knowledge = load(dataset)
    every = list(knowledge.records())
    chosen: dict[str, Record] = {}
    named = set()
    for name in names:
        if name in paths:
            continue
        one = knowledge.get(name)
        found = [one] if one else [record for record in every if record.repo == name]
        if not found:
            raise SelectionError(f"{name}: neither a record nor a repo of {dataset}, nor a path")
        chosen |= {record.id: record for record in found}
        named |= {record.id for record in found if one}
    records = list(chosen.values()) if chosen else every
    return Selection(dataset, knowledge, every, records, frozenset(named), read_runs(proofs_path(dataset)))


def runnable(selection: Selection, *, stale: bool) -> tuple[list[Record], dict[str, int]]:
    """The chosen records that can be run, and how many are left out why.

    A record that its author called unprovable is tried if it was named itself; with `stale`, one
    whose proof holds is left out.
    """
    chosen: list[Record] = []
    skipped: dict[str, int] = {}
    for record, proof in selection.proof_status:
        if proof is None:
            reason = "without an example"
        elif proof.status == "unprovable" and (proof.reason == "shell" or record.id not in selection.named):
            reason = f"unprovable ({(proof.reason or '').partition(':')[0]})"
        elif proof.status == "proven" and stale:
            reason = "proven already"
        else:
            chosen.append(record)
            continue
        skipped[reason] = skipped.get(reason, 0) + 1
    return chosen, skipped


def plans(record: Record, requirements: Requirements, wanted: tuple[str, ...], pythons: Sequence[Path]) -> list[Plan]:
    """The environments that a record is to run in; none if nothing names one.

    `wanted` requirements take the place of those that the dataset names for the record;
    interpreters without `wanted` are taken as they stand; without either, the running one is used.
    """
    known = requirements.of(record)
    package = package_of((known or wanted)[0]) if known or wanted else None
    if pythons:
        return [Plan(python, wanted, package) for python in pythons]
    if wanted or known is not None:
        return [Plan(Path(sys.executable), wanted or known or (), package)]
    return []
