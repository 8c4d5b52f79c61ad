"""What is shown for a text: one value that every renderer takes, so that they cannot drift apart."""

import difflib
import re
from collections.abc import Sequence

import msgspec

from errkb.installed import InstalledPlace, installed_place
from errkb.knowledge import KnowledgeBase
from errkb.match import Match
from errkb.reading import Occurrence

_HALVES = re.compile(
    r"^#[ \t]*before\b[^\n]*\n(.*?)^#[ \t]*after\b[^\n]*\n(.*)", re.MULTILINE | re.DOTALL | re.IGNORECASE
)
_MOST_ELSEWHERE = 20


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


def explain(kb: KnowledgeBase, found: Sequence[Occurrence], *, limit: int = 3, repo: str | None = None) -> Explanation:
    """The explanation of a text's occurrences (best first): of the best-matching one, the others in short."""
    matches = kb.search_occurrences(found, limit=limit, repo=repo)
    best = matches[0] if matches else None
    occurrence = best.occurrence if best else next(iter(found), None)
    others = [other for other in found if other is not occurrence][:_MOST_ELSEWHERE]
    return Explanation(
        occurrence=occurrence,
        match=best,
        alternatives=tuple(match for match in matches[1:] if match.occurrence is occurrence),
        elsewhere=tuple(
            Explanation(occurrence=other, match=next(iter(kb.search_occurrences([other], limit=1, repo=repo)), None)) for other in others
        ),
        installed=installed_place(best.record) if best else None,
    )


def explain_each(
    kb: KnowledgeBase, found: Sequence[Occurrence], *, limit: int = 3, repo: str | None = None
) -> list[Explanation]:
    """An explanation of each occurrence on its own, in order."""
    return [explain(kb, [occurrence], limit=limit, repo=repo) for occurrence in found[:_MOST_ELSEWHERE]]


def example_halves(example: str | None) -> tuple[str, str] | None:
    """The `# before` and the `# after` half of an example, or None if it has not both."""
    match = _HALVES.search(example or "")
    return (match[1].strip("\n"), match[2].strip("\n")) if match else None


def example_diff(example: str) -> list[tuple[str, str]]:
    """The example as lines, each with "-" (before only), "+" (after only) or " " (both, or not a pair)."""
    halves = example_halves(example)
    if halves is None:
        return [(" ", line) for line in example.strip("\n").splitlines()]
    before, after = (half.splitlines() for half in halves)
    return [(line[0], line[2:]) for line in difflib.ndiff(before, after) if line[0] != "?"]
