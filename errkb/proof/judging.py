"""What came of a run, judged by errkb's own look-up."""

import re
from collections.abc import Sequence

from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind, Match
from errkb.proof.running import Limits, RunResult
from errkb.records.examples import is_about_syntax
from errkb.records.record import Record

_TRACEBACK = re.compile(
    r'^ *(?:\+ Exception Group )?Traceback \(most recent call last\):$|^  File ".*", line \d+$', re.MULTILINE
)

_OWN_SIGNALS = (-2, -11)
"""Ctrl-C and a segmentation fault, which records are about; any other signal is an accident."""


def failure_before(record: Record, ended: RunResult, knowledge: KnowledgeBase, limits: Limits) -> str | None:
    """Why the half before does not show this record's error, or None if it does."""
    if ended.status is None:
        return f"before: not done in {limits.seconds:g} seconds"
    if not _shows_error(record, ended):
        return f"before: ended with status {ended.status}, not with an uncaught exception"
    matches = knowledge.search(ended.stderr, limit=20)
    last = last_line(ended)
    if not matches:
        return f"before: nothing is known about its error: {last}"
    match = own_match(record, matches)
    if match is None:
        first = matches[0].record
        return f"before: its error is answered with {first.id} ({first.repo}/{first.slug}): {last}"
    if match.kind not in (Kind.PATTERN, Kind.CLASS):
        return f"before: its error does not fit as a whole ({match.kind.value}): {last}"
    return None


def _shows_error(record: Record, ended: RunResult) -> bool:
    """Whether a run ended in an error that it printed: an exception, what argparse says, or a signal."""
    if ended.status == 1:
        return bool(_TRACEBACK.search(ended.stderr)) or (is_about_syntax(record) and ": " in ended.stderr)
    return (ended.status == 2 and ": error: " in ended.stderr) or ended.status in _OWN_SIGNALS


def failure_after(ended: RunResult, limits: Limits) -> str | None:
    """Why the half after is no fix, or None if it is one."""
    if ended.status is None:
        return f"after: not done in {limits.seconds:g} seconds"
    if ended.status != 0:
        lines = ended.stderr.strip().splitlines() or [""]
        return f"after: ended with status {ended.status}: {lines[-1]}".rstrip(": ")
    return None


def own_match(record: Record, matches: Sequence[Match]) -> Match | None:
    """The match that answers with this record: the first one, or one of the same message that ties with it."""
    if not matches:
        return None
    first = matches[0]
    for match in matches:
        equal = match.tied and abs(match.score - first.score) < 1e-9
        top = match is first or (equal and match.record.error_message == first.record.error_message)
        if top and (match.record.id == record.id or record.github_url in match.also_at):
            return match
    return None


def last_line(ended: RunResult) -> str:
    """The last line that a run wrote, empty if it wrote none."""
    return next(iter(ended.stderr.strip().splitlines()[-1:]), "")
