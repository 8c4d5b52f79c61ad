"""Two versions of a dataset compared: for people, for release notes, for programs."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from errkb.knowledge.dataset_diff import Change, Changed, Comparison, Lost
from errkb.records.record import Record, record_identity
from errkb.render.clean import one_line
from errkb.render.lines import Piece, shown, wrapped

VERSION = 1
_LONGEST = 100
_AROUND = 20
"""Characters on either side of a difference that are shown with it."""


def comparison_text(comparison: Comparison, *, width: int | None = None, colour: bool = False) -> str:
    """Lines with +, - and ~, and a count; wrapped at words if a width is given."""
    return shown((line for one in _lines(comparison) for line in wrapped(one, width)), colour=colour)


def _lines(comparison: Comparison) -> Iterator[Iterable[Piece]]:
    yield from ([Piece("+ ", "new"), Piece(_named(record))] for record in comparison.added)
    yield from ([Piece("- ", "old"), Piece(_named(record))] for record in comparison.removed)
    changed = [(_named(record), changes) for record, changes in comparison.changed]
    changed += [(f"{one_line(record_id)} supplement", changes) for record_id, changes in comparison.supplements]
    for name, changes in changed:
        yield [Piece("~ ", "value"), Piece(name)]
        for change in changes:
            yield from _change_lines(change)
    yield from ([Piece("! ", "error"), Piece(f"{_named(lost.record)}: {_fate(lost)}")] for lost in comparison.lost)
    yield [Piece(_count(comparison))]


def _change_lines(change: Change) -> Iterator[list[Piece]]:
    """What a field was and is: of lists the items that differ, of long texts the part that does."""
    field = Piece(f"    {one_line(change.field)}: ", "dim")
    old, new = change.old, change.new
    if isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        gone = [[field, Piece(f"- {_value(item)}", "old")] for item in old if item not in new]
        come = [[field, Piece(f"+ {_value(item)}", "new")] for item in new if item not in old]
        yield from gone + come or [[field, Piece("the order of its items")]]
        return
    if isinstance(old, str) and isinstance(new, str):
        old, new = _differing_parts(old, new)
    yield [field, Piece(_value(old), "old"), Piece(" -> "), Piece(_value(new), "new")]


def _differing_parts(old: str, new: str) -> tuple[str, str]:
    """Two texts without what they begin and end with in common, except for some characters of it."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    first, rest = max(0, start - _AROUND), max(0, end - _AROUND)
    lead, tail = "…" * (first > 0), "…" * (rest > 0)
    return tuple(f"{lead}{text[first : len(text) - rest]}{tail}" for text in (old, new))  # type: ignore[return-value]


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def comparison_markdown(comparison: Comparison) -> str:
    """Sections for release notes."""
    parts = [f"{_count(comparison)}\n"]
    for title, records in (("Added", comparison.added), ("Removed", comparison.removed)):
        if records:
            parts.append(f"### {title}\n\n" + "".join(f"- {_linked(record)}\n" for record in records))
    if comparison.changed:
        parts.append("### Changed\n\n" + "".join(map(_changed_markdown, comparison.changed)))
    if comparison.lost:
        listed = (f"- {_linked(lost.record)}: {_escaped(_fate(lost))}\n" for lost in comparison.lost)
        parts.append("### Messages answered by another record\n\n" + "".join(listed))
    return "\n".join(parts)


def comparison_json(comparison: Comparison) -> str:
    """One JSON document."""
    document = {
        "version": VERSION,
        "added": [record_identity(record) for record in comparison.added],
        "removed": [record_identity(record) for record in comparison.removed],
        "changed": [{**record_identity(record), "changes": _values(changes)} for record, changes in comparison.changed],
        "supplements": [
            {"id": record_id, "changes": _values(changes)} for record_id, changes in comparison.supplements
        ],
        "lost": [
            {**record_identity(lost.record), "message": lost.message, "now": lost.now and record_identity(lost.now)}
            for lost in comparison.lost
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _changed_markdown(changed: Changed) -> str:
    fields = ", ".join(f"`{_escaped(change.field)}`{_short(change)}" for change in changed.changes)
    return f"- {_linked(changed.record)}: {fields}\n"


def _short(change: Change) -> str:
    """What a short value was and is."""
    if any(isinstance(value, (list, dict)) or len(str(value)) > 30 for value in (change.old, change.new)):
        return ""
    return f" ({_escaped(_value(change.old))} → {_escaped(_value(change.new))})"


def _fate(lost: Lost) -> str:
    message = one_line(lost.message, _LONGEST)
    return f"{message!r} is now answered with " + (_named(lost.now) if lost.now else "nothing")


def _named(record: Record) -> str:
    return one_line(f"{record.id} {record.repo}/{record.slug}")


def _linked(record: Record) -> str:
    return f"`{record.id}` {_escaped(record.repo)}: {_escaped(one_line(record.error_message, _LONGEST))}"


def _value(value: Any) -> str:
    return one_line(json.dumps(value, ensure_ascii=False), _LONGEST)


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~" else char for char in one_line(text, 400))


def _values(changes: Iterable[Change]) -> dict[str, dict[str, Any]]:
    """What the fields were and are, for JSON."""
    return {change.field: {"old": change.old, "new": change.new} for change in changes}


def _count(comparison: Comparison) -> str:
    if comparison.same:
        return "No difference."
    names = ("added", "removed", "changed", "messages answered by another record", "supplements changed")
    return ", ".join(f"{len(part)} {name}" for part, name in zip(comparison, names, strict=True)) + "."
