"""What is found for an error that no record knows: the place in the reader's own packages that raises it."""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from errkb.matching.match import Evidence, Kind
from errkb.records.template import without_number
from errkb.source_analysis.site import Condition, Site

_CONTEXT_BEFORE = 4
_CONTEXT_AFTER = 2
_MOST_LINES = 12
_LONGEST_LINE = 200


class RaiseSite(msgspec.Struct, frozen=True, kw_only=True):
    """The place that raises an error, as installed here.

    `score` is in (0, 1]; from 0.5 on it is likely the right place. It is the product of the
    factors of `evidence`.
    """

    distribution: str
    version: str
    path: Path
    site: Site
    score: float
    kind: Kind
    captures: Mapping[str, str]
    """The values in the message by the expressions that they come from, in order."""
    spans: Mapping[str, tuple[int, int]]
    evidence: tuple[Evidence, ...]
    also_at: tuple[str, ...] = ()
    """Further places that raise the same message as well: `file:line`."""
    url: str | None = None
    """The page of the distribution's sources."""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that matter most: those around the place, or the last early ones if there are none."""
        around = tuple(condition for condition in self.site.conditions if not condition.early)
        return around or self.site.conditions[-3:]

    @property
    def condition_values(self) -> dict[str, str]:
        """The captured values whose expression occurs in a condition; shown as `here x = 3`."""
        texts = [condition.text for condition in self.site.conditions]
        return {name: value for name, value in self.captures.items() if any(_mentions(text, name) for text in texts)}

    def excerpt(self) -> list[tuple[int, str]]:
        """The lines of source around the place, with their numbers; empty if they cannot be read."""
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        start = max(1, self.site.line - _CONTEXT_BEFORE)
        end = min(len(lines), self.site.end_line + _CONTEXT_AFTER, start + _MOST_LINES - 1)
        return [(number, lines[number - 1][:_LONGEST_LINE].rstrip()) for number in range(start, end + 1)]


class Compiled(msgspec.Struct, frozen=True, kw_only=True):
    """An error that no Python statement raises: compiled code does, called from this place."""

    distribution: str
    version: str
    path: Path
    file: str
    line: int
    function: str
    source: str
    """The line that calls it."""


def _mentions(condition: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(without_number(name))}(?!\w)", condition) is not None
