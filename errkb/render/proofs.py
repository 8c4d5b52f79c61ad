"""Proofs, for people and for programs: what running gave, what is missing, how a dataset stands."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from errkb.proof.proving import Attempt
from errkb.proof.results import Proof, Run, triggers_of, triggers_status
from errkb.records.record import Record
from errkb.records.supplement import Supplement
from errkb.render.clean import clean, one_line
from errkb.render.lines import Line, Piece, prose, shown, wrapped
from errkb.render.phrases import ran_with

VERSION = 1
_COLUMNS = ("records", "proven", "stale", "missing", "unprovable", "no example")
_JSON_NAMES = {"no example": "noExample"}
_ALL = "all"
_STDERR_LINES = 30

Standing = Sequence[tuple[Record, Proof | None]]


def tried_text(results: Sequence[Attempt], skipped: Mapping[str, int]) -> str:
    """A line for each record, more for those that failed, and the counts."""
    lines = []
    for tried in results:
        name = f"{tried.outcome}  {_name(tried.record)}"
        about = f"{ran_with([tried.run])}, {tried.seconds:.1f} s" if tried.run else ""
        lines.append(f"{name}  {about}".rstrip())
        if tried.trouble:
            lines.append(f"    {one_line(tried.trouble, 500)}")
            lines += [f"    | {clean(line)}" for line in tried.stderr.splitlines()[-_STDERR_LINES:]]
    counts = [f"{count} {name}" for name, count in {**_counts(results), **skipped}.items() if count]
    return "".join(line + "\n" for line in (*lines, (", ".join(counts) or "nothing to run") + "."))


def tried_json(results: Sequence[Attempt], skipped: Mapping[str, int], dataset: str, network: str) -> str:
    """One JSON document: version, dataset, network, counts, results."""
    documents = [
        {
            **_identity(tried.record),
            "outcome": tried.outcome,
            "trouble": tried.trouble,
            "package": tried.run and tried.run.package,
            "version": tried.run and tried.run.version,
            "python": tried.run and tried.run.python,
            "platform": tried.run and tried.run.platform,
            "seconds": round(tried.seconds, 2),
            "stderr": tried.stderr,
        }
        for tried in results
    ]
    counts = {**_counts(results), "skipped": dict(skipped)}
    return _dumps({"dataset": dataset, "network": network, "counts": counts, "results": documents})


class Lacking(NamedTuple):
    """A proof that is stale or missing: of a record's example, or of the triggers of its causes."""

    record: Record
    status: str
    what: str


def lacking_text(lacking: Sequence[Lacking], orphans: Sequence[str], count: int) -> str:
    """A line for each example whose proof is stale or missing, for each proof of no record, and the counts."""
    examples = [one for one in lacking if one.what == "example"]
    triggers = [one for one in lacking if one.what == "triggers"]
    lines = [f"{one.status}  {_name(one.record)}" for one in examples]
    lines += [f"orphan  {one_line(orphan)}" for orphan in orphans]
    if lines:
        lines.append(f"{len(examples)} of {count} records to be proven: errkb prove --stale")
    else:
        lines.append("All proofs hold.")
    if triggers:
        lines.append(f"Triggers of {len(triggers)} records are still to be run: errkb prove --stale --only triggers")
    return "".join(line + "\n" for line in lines)


def lacking_json(lacking: Sequence[Lacking], orphans: Sequence[str], count: int) -> str:
    """One JSON document: version, records, lacking, orphans."""
    documents = [{**_identity(one.record), "status": one.status, "what": one.what} for one in lacking]
    return _dumps({"records": count, "lacking": documents, "orphans": list(orphans)})


class Causes(NamedTuple):
    """How much the supplements of some records know."""

    supplements: int
    causes: int
    decided: int
    """Causes that values in the text decide."""
    triggers: int
    proven: int
    """Triggers that were run, and ended as they should."""

    @classmethod
    def counted(
        cls, records: Sequence[Record], supplement_of: Callable[[str], Supplement | None], runs: Sequence[Run]
    ) -> "Causes":
        """The counts over these records and the lines of their proofs."""
        known = {record.id: found for record in records if (found := supplement_of(record.id))}
        causes = [cause for supplement in known.values() for cause in supplement.causes]
        proven = [record for record, proof in triggers_status(records, known.get, runs) if proof.status == "proven"]
        return cls(
            supplements=len(known),
            causes=len(causes),
            decided=sum(cause.when is not None for cause in causes),
            triggers=sum(bool(cause.trigger) for cause in causes),
            proven=sum(len(triggers_of(known[record.id])) for record in proven),
        )


def stats_text(standing: Standing, causes: Causes, *, width: int, colour: bool = False) -> str:
    """A table, a line for each repo and one for all, how many are unprovable why, and what supplements know.

    Names of repos are cut where the table would be wider than `width` columns.
    """
    rows = _rows(standing)
    table = [["", *_COLUMNS]]
    table += [[one_line(repo), *(str(row[name] or "-") for name in _COLUMNS)] for repo, row in rows.items()]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    first = min(widths[0], max(12, width - sum(widths[1:]) - 2 * len(_COLUMNS)))
    lines: list[Line] = [
        (
            Piece(_cut_repo(name, first).ljust(first), "title" if name == _ALL else ""),
            Piece("".join(f"  {cell:>{room}}" for cell, room in zip(cells, widths[1:], strict=True)), style),
        )
        for (name, *cells), style in zip(table, ["title", *[""] * len(rows)], strict=True)
    ]
    reasons = ", ".join(f"{reason} {count}" for reason, count in _reasons(standing).items())
    lines += wrapped(prose(f"unprovable: {reasons}"), width) if reasons else []
    lines += wrapped(
        prose(
            f"supplements: {causes.supplements}, with {causes.causes} causes; values decide {causes.decided}; "
            f"triggers: {causes.triggers}, proven {causes.proven}"
        ),
        width,
    )
    return shown(lines, colour=colour)


def _cut_repo(repo: str, most: int) -> str:
    """A repo in so many characters: without its owner where it does not fit, and cut where that is not enough."""
    return repo if len(repo) <= most else one_line("…/" + repo.rpartition("/")[2], most)


def stats_json(standing: Standing, causes: Causes) -> str:
    """One JSON document: version, all, repos, reasons, causes."""
    rows = {
        repo: {_JSON_NAMES.get(name, name): count for name, count in row.items()}
        for repo, row in _rows(standing).items()
    }
    return _dumps({"all": rows.pop(_ALL), "repos": rows, "reasons": _reasons(standing), "causes": causes._asdict()})


def _rows(standing: Standing) -> dict[str, dict[str, int]]:
    """How many records of each repo stand how, and of all."""
    rows: dict[str, dict[str, int]] = {}
    for record, proof in sorted(standing, key=lambda item: item[0].repo):
        row = rows.setdefault(record.repo, dict.fromkeys(_COLUMNS, 0))
        row["records"] += 1
        row[proof.status if proof else "no example"] += 1
    return {**rows, _ALL: {name: sum(row[name] for row in rows.values()) for name in _COLUMNS}}


def _reasons(standing: Standing) -> dict[str, int]:
    unprovable = (proof for _, proof in standing if proof and proof.status == "unprovable")
    reasons = [(proof.reason or "").partition(":")[0] for proof in unprovable]
    return {reason: reasons.count(reason) for reason in sorted(set(reasons))}


def _counts(results: Sequence[Attempt]) -> dict[str, int]:
    outcomes = [tried.outcome for tried in results]
    return {name: outcomes.count(name) for name in ("proven", "failed", "unavailable")}


def _name(record: Record) -> str:
    return f"{record.id}  {one_line(record.repo)}/{one_line(record.slug)}"


def _identity(record: Record) -> dict[str, str]:
    return {"id": record.id, "repo": record.repo, "slug": record.slug}


def _dumps(document: Mapping[str, Any]) -> str:
    return json.dumps({"version": VERSION, **document}, indent=2) + "\n"
