"""What is shown for a text: one value that every renderer takes, so that they cannot drift apart."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from errkb.environment.installed import InstalledPlace, installed_place
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind, Match
from errkb.reading import Occurrence
from errkb.records.record import Record

if TYPE_CHECKING:
    from errkb.proof.results import Proof
    from errkb.raise_sites.result import Compiled, RaiseSite

_MOST_ELSEWHERE = 20
FindSite = Callable[[Occurrence], "RaiseSite | Compiled | None"]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """One occurrence of a text, explained as far as it is known.

    `occurrence` is None only if nothing at all could be read from the text.
    """

    occurrence: Occurrence | None
    match: Match | None = None
    alternatives: tuple[Match, ...] = ()
    """Other records that may be the right one, best first."""
    elsewhere: tuple["Explanation", ...] = ()
    """Other occurrences of the same text, each with its own best match."""
    installed: InstalledPlace | None = None
    """Where the reader's own installation raises it."""
    proof: "Proof | None" = None
    """Whether the record's example was run; None if it has none to run."""
    raised: "RaiseSite | Compiled | None" = None
    """Where no record is known for sure: the place in the reader's packages that raises it."""


def explain(
    kb: KnowledgeBase,
    found: Sequence[Occurrence],
    *,
    limit: int = 3,
    repo: str | None = None,
    find_site: FindSite | None = None,
) -> Explanation:
    """The explanation of a text's occurrences (best first): of the best-matching one, the others in short.

    `find_site` is asked for the place that raises an error for which there is no record, or only
    one that is worded otherwise.
    """
    matches = kb.search_occurrences(found, limit=limit, repo=repo)
    best = matches[0] if matches else None
    occurrence = best.occurrence if best else next(iter(found), None)
    others = [other for other in found if occurrence is None or other.span != occurrence.span][:_MOST_ELSEWHERE]
    return Explanation(
        occurrence=occurrence,
        match=best,
        alternatives=tuple(match for match in matches[1:] if best and match.occurrence.span == best.occurrence.span),
        elsewhere=tuple(
            Explanation(occurrence=other, match=next(iter(kb.search_occurrences([other], limit=1, repo=repo)), None))
            for other in others
        ),
        installed=installed_place(best.record) if best else None,
        proof=_proof(best.record, kb.datasets) if best else None,
        raised=find_site(occurrence) if find_site and occurrence and (not best or best.kind is Kind.FUZZY) else None,
    )


def explain_each(
    kb: KnowledgeBase,
    found: Sequence[Occurrence],
    *,
    limit: int = 3,
    repo: str | None = None,
    find_site: FindSite | None = None,
) -> list[Explanation]:
    """An explanation of each occurrence on its own, in order."""
    return [explain(kb, [one], limit=limit, repo=repo, find_site=find_site) for one in found[:_MOST_ELSEWHERE]]


def _proof(record: Record, datasets: Sequence[Path]) -> "Proof | None":
    """What is known of running the record's example; looked up only for a record that has one."""
    if not record.example_fix:
        return None
    from errkb.proof.proofs_file import find_proof, proofs_path

    return find_proof(record, [proofs_path(dataset) for dataset in datasets])


def example_diff(example: str) -> list[tuple[str, str]]:
    """The example as lines, each with "-" (before only), "+" (after only) or " " (both, or not a pair)."""
    import difflib

    from errkb.records.examples import example_halves

    halves = example_halves(example)
    if halves is None:
        return [(" ", line) for line in example.strip("\n").splitlines()]
    before, after = (half.splitlines() for half in halves)
    lines: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [(" ", line) for line in before[a:b]]
        else:
            lines += [("-", line) for line in before[a:b]] + [("+", line) for line in after[c:d]]
    return lines
