"""Records decoded for validation: unknown fields refused, expressions checked once for each value.

The expressions of the schema (`pattern`) are most of the time that msgspec takes for a record,
and most of the values that they are for come again and again: repo, sha, time, tags. So they are
left out of the Struct that is decoded, and checked here with a memory.
"""

import functools
import operator
import re
import typing
from collections.abc import Callable
from typing import Any, cast

import msgspec

from errkb.records.record import Record


def _without_patterns(annotation: Any) -> Any:
    """A type without its `pattern` constraints."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        inner = _without_patterns(arguments[0])
        metas = [meta for meta in arguments[1:] if not (isinstance(meta, msgspec.Meta) and meta.pattern)]
        return functools.reduce(lambda one, meta: typing.Annotated[one, meta], metas, inner)
    if origin is tuple:
        return tuple.__class_getitem__((_without_patterns(arguments[0]), ...))
    if origin in (typing.Union, types_union) and arguments:
        return functools.reduce(operator.or_, map(_without_patterns, arguments))
    return annotation


def _pattern(annotation: Any) -> str | None:
    """The `pattern` constraint in a type, if there is one."""
    if typing.get_origin(annotation) is typing.Annotated:
        for meta in annotation.__metadata__:
            if isinstance(meta, msgspec.Meta) and meta.pattern:
                return meta.pattern
    found = (_pattern(argument) for argument in typing.get_args(annotation))
    return next((pattern for pattern in found if pattern), None)


types_union = type(int | str)
_HINTS = typing.get_type_hints(Record, include_extras=True)
_Lean = msgspec.defstruct(
    "_Lean",
    [
        (field.name, _without_patterns(_HINTS[field.name]), msgspec.field(default=field.default))
        if field.default is not msgspec.NODEFAULT
        else (field.name, _without_patterns(_HINTS[field.name]))
        for field in msgspec.structs.fields(Record)
    ],
    bases=(Record,),
    frozen=True,
    kw_only=True,
    rename="camel",
    dict=True,
    forbid_unknown_fields=True,
)
_decode = msgspec.json.Decoder(_Lean).decode
_PATTERNS = {name: pattern for name, hint in _HINTS.items() if (pattern := _pattern(hint))}
_EACH = operator.attrgetter(*(name for name in _PATTERNS if name != "tags"))
_CHECKS: tuple[Callable[[str], object], ...] = tuple(
    re.compile(pattern).search for name, pattern in _PATTERNS.items() if name != "tags"
)
_is_tag = re.compile(_PATTERNS["tags"]).search
_MOST_REMEMBERED = 100_000
_good: list[set[str | None]] = [{None} for _ in _CHECKS]
_good_tags: set[str] = set()


def decode(raw: bytes) -> Record:
    """The record in a JSON text. Raises ValueError, as msgspec does, if it is none or has unknown fields."""
    record = cast("Record", _decode(raw))
    for value, good, check in zip(_EACH(record), _good, _CHECKS, strict=True):
        if value not in good:
            if not check(value):
                raise ValueError(value)
            if len(good) < _MOST_REMEMBERED:
                good.add(value)
    if not _good_tags.issuperset(record.tags):
        if not all(map(_is_tag, record.tags)):
            raise ValueError(record.tags)
        _good_tags.update(record.tags)
    return record
