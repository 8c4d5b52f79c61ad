"""A record and its supplement, field by field: what `errkb show` prints."""

from collections.abc import Iterator, Mapping
from typing import Any

from errkb.exception_names import with_class
from errkb.records.record import Record, write_record
from errkb.records.supplement import Cause, Supplement
from errkb.render.clean import clean, one_line
from errkb.render.lines import INDENT, Line, Piece, bulleted, prose, shown, title, wrapped

_CODE = frozenset({"errorMessage", "messagePattern", "sourceCode", "exampleFix", "validationCode", "typeGuard"})
_CODE |= {"tryCatchPattern", "filePath", "githubUrl"}
"""Fields whose lines stay as they are."""


def render_fields(record: Record, supplement: Supplement | None, *, width: int, colour: bool = False) -> str:
    """The record with all its fields, prose wrapped to `width` columns, then what its supplement adds."""
    heading = one_line(with_class(record.error_class, record.error_message), 400)
    lines = [*wrapped([Piece(heading, "error")], width), (), *_record(write_record(record), width)]
    if supplement is not None:
        lines += _supplement(supplement, width)
    return shown(lines, colour=colour)


def _record(document: Mapping[str, Any], width: int) -> Iterator[Line]:
    for field, value in document.items():
        if value not in (None, [], ""):
            yield from _field(one_line(field), value, width, code=field in _CODE)


def _field(name: str, value: Any, width: int, *, code: bool) -> Iterator[Line]:
    """A field on one line if it fits there, else below its name."""
    items = [clean(str(item)) for item in (value if isinstance(value, list) else [value])]
    only = f"{name}: {items[0]}"
    if len(items) == 1 and len(only) <= width and "\n" not in only:
        yield (Piece(f"{name}: ", "title"), *prose(items[0]))
        return
    yield (Piece(f"{name}:", "title"),)
    if code:
        bullet = "- " if isinstance(value, list) else ""
        yield from ((Piece(INDENT + bullet + line),) for item in items for line in item.splitlines())
    elif isinstance(value, list):
        yield from bulleted(items, width)
    else:
        yield from wrapped(prose(items[0]), width, INDENT)


def _supplement(supplement: Supplement, width: int) -> Iterator[Line]:
    yield from title("Supplement")
    if supplement.cure:
        yield from _field("cure", supplement.cure, width, code=False)
    if supplement.wordings:
        yield from _field("wordings", [one.error_message for one in supplement.wordings], width, code=True)
    if supplement.classes:
        yield from _field("classes", list(supplement.classes), width, code=True)
    for cause in supplement.causes:
        yield from _cause(cause, width)
    for wrong in supplement.do_not:
        yield from _field("do not", f"{wrong.what} {wrong.why}", width, code=False)
    for link in supplement.links:
        yield (Piece("link: ", "title"), Piece(f"{one_line(link.title)} "), Piece(one_line(link.url), "", link.url))


def _cause(cause: Cause, width: int) -> Iterator[Line]:
    decided = "where the text says so" if cause.when else "not decided by the text"
    yield (Piece("cause", "title"), Piece(f" ({decided}):", "dim"))
    yield from wrapped(prose(cause.because), width, INDENT)
    yield from wrapped([Piece("do: ", "dim"), *prose(cause.do)], width, INDENT)
