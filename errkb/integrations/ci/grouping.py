"""The errors of a job by what is known of them: a record, a raise site, or the class with its masked message."""

import re
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from pathlib import Path

import msgspec

from errkb.explanation import Explanation, explain_found, find_raise_site
from errkb.integrations.ci.inputs import Piece
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind
from errkb.raise_sites.result import RaiseSite
from errkb.reading import Occurrence, Role, occurrences

_REMEMBERED = 2000
_PLACES = 5
_CAUSES = (Role.CAUSE, Role.CONTEXT, Role.WRAPPED)
_MASKED = re.compile(r"0x[0-9a-fA-F]+|\d+|'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"")
_DEEPEST = 12
"""Folders in front of a path that may be another machine's."""


class Place(msgspec.Struct, frozen=True):
    """A line of the workspace: its path from there, with `/`, and its number from 1."""

    file: str
    line: int


class Group(msgspec.Struct):
    """Equal errors of a job."""

    explanation: Explanation
    """That of the first of them."""
    count: int = 0
    """How many there are."""
    behind: int = 0
    """How many errors of other groups they caused."""
    place: Place | None = None
    """The innermost line of the workspace in the first traceback that has one."""
    names: list[str] = []  # msgspec copies it
    """The inputs or tests that they are from, the first few."""


def group_errors(
    pieces: Iterable[Piece], kb: KnowledgeBase, workspace: Path, python: Path | None = None
) -> list[Group]:
    """The groups, root causes and the most frequent first. `python` is whose packages are searched for raise sites."""
    known = _Known(kb, python)
    groups: dict[Hashable, Group] = {}
    for piece in pieces:
        found = known.read(piece.text)
        for number, (one, key, explanation) in enumerate(found):
            group = groups.setdefault(key, Group(explanation))
            if number and one.role in _CAUSES:
                group.behind += key != found[0][1]
                continue
            group.count += 1
            if group.place is None:
                group.place = own_line(one, workspace)
            if len(group.names) < _PLACES and piece.name not in group.names:
                group.names.append(piece.name)
    ordered = sorted(groups.values(), key=lambda group: (-(group.count + group.behind), -group.behind))
    return [group for group in ordered if group.count or group.explanation.match]


class _Known:
    """What was found for texts and occurrences, so that equal ones are looked up once."""

    def __init__(self, kb: KnowledgeBase, python: Path | None) -> None:
        self._kb = kb
        self._find_site: Callable[[Occurrence], object] = partial(find_raise_site, python=python)
        self._python = python
        self._explained: dict[Hashable, tuple[Hashable, Explanation]] = {}

    def read(self, text: str) -> list[tuple[Occurrence, Hashable, Explanation]]:
        """The errors of a text, each with the key of its group and its explanation."""
        found = [(one, *self._look_up(one, text)) for one in occurrences(text)]
        return [(one, key, explanation) for one, key, explanation in found if _is_error(one, explanation)]

    def _look_up(self, one: Occurrence, text: str) -> tuple[Hashable, Explanation]:
        frames = tuple((frame.file, frame.line) for frame in one.frames[-3:])
        seen = (one.error_class, one.message, frames)
        if seen not in self._explained:
            if len(self._explained) >= _REMEMBERED:
                self._explained.clear()
            explanation = explain_found(
                self._kb,
                [one],
                text=text,
                python=self._python,
                find_site=self._find_site,  # type: ignore[arg-type]
            )
            self._explained[seen] = (_key(explanation, one), explanation)
        return self._explained[seen]


def _is_error(one: Occurrence, explanation: Explanation) -> bool:
    """Whether something was raised: it has a class or frames, or a record answers it for sure."""
    if one.error_class or one.frames:
        return True
    return explanation.match is not None and explanation.match.kind in (Kind.PATTERN, Kind.CODE)


def _key(explanation: Explanation, one: Occurrence) -> Hashable:
    match, raised = explanation.match, explanation.raised
    if match is not None and match.kind is not Kind.FUZZY:
        return match.record.id
    if isinstance(raised, RaiseSite):
        return str(raised.path), raised.site.line
    return one.error_class, _MASKED.sub("*", one.message[:500])


def own_line(one: Occurrence, workspace: Path) -> Place | None:
    """The innermost frame of an error whose file is in the workspace, also where the log is another machine's."""
    from errkb.diagnosis.your_line import is_foreign

    for frame in reversed(one.frames):
        if frame.line and not is_foreign(frame.file) and (file := _in_workspace(frame.file, workspace)):
            return Place(file, frame.line)
    return None


def _in_workspace(file: str, workspace: Path) -> str | None:
    from errkb.files import is_file

    parts = [part for part in re.split(r"[\\/]+", file) if part not in ("", ".")]
    if ".." in parts or re.match(r"<", file):
        return None
    for skipped in range(min(len(parts), _DEEPEST)):
        name = "/".join(parts[skipped:])
        if is_file(workspace / name):
            return name
    return None
