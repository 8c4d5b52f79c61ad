"""A supplement: what is known about a record beyond its own fields, keyed by the record's id.

The frozen Structs below are the one definition of the format; `json_schema` gives it as a JSON
Schema, which `schema/supplement.schema.json` holds.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from errkb.errors import DatasetError
from errkb.records.record import NonEmpty, RecordId, pointer_of
from errkb.records.template import derive_pattern

CURE_LENGTH = 100
"""Characters that fit into the first line of an answer."""
Look = Literal["str", "int", "float", "number", "None", "bool", "list", "dict", "tuple", "path", "url", "empty"]
"""What a captured value looks like, as Python writes it."""


class Wording(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Another text of the same error: an older or newer version of the library says it so."""

    error_message: Annotated[NonEmpty, Meta(description="The template, placeholders kept.")]
    message_pattern: Annotated[
        NonEmpty | None, Meta(description="Its pattern, where it is not the one that follows from the template.")
    ] = None
    error_class: Annotated[NonEmpty | None, Meta(description="Its class, where it is not that of the record.")] = None
    versions: Annotated[NonEmpty | None, Meta(description="The versions that say it so: `numpy<1.24`.")] = None

    @property
    def pattern(self) -> str:
        """The pattern that messages are matched with."""
        return self.message_pattern or derive_pattern(self.error_message)


class ValueTest(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a captured value must be; exactly one of the fields is given."""

    equals: Annotated[str | None, Meta(description="The value, character for character.")] = None
    one_of: Annotated[
        Annotated[tuple[str, ...], Meta(min_length=1)] | None, Meta(description="One of these values.")
    ] = None
    matches: Annotated[NonEmpty | None, Meta(description="A pattern of our dialect that covers the whole value.")] = (
        None
    )
    looks_like: Annotated[Look | None, Meta(description="The kind of value, as Python writes it.")] = None


class FrameTest(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a frame of the traceback must be; all fields that are given must hold for one frame."""

    package: Annotated[NonEmpty | None, Meta(description="A folder of the path: `pandas`.")] = None
    module: Annotated[NonEmpty | None, Meta(description="A part of the path, with /: `multiprocessing/spawn`.")] = None
    function: Annotated[NonEmpty | None, Meta(description="The name of the function.")] = None
    innermost: Annotated[bool, Meta(description="Whether only the innermost frame counts.")] = False


class When(msgspec.Struct, frozen=True, kw_only=True, rename={"error_class": "class"}, omit_defaults=True):
    """When a cause is the reader's: every condition that is given must hold. Data, never executed."""

    captures: Annotated[
        dict[NonEmpty, ValueTest], Meta(description="What captured values must be, by the name of the capture.")
    ] = {}  # msgspec copies it
    error_class: Annotated[NonEmpty | None, Meta(description="The class in the text: last name, or with its path.")] = (
        None
    )
    text: Annotated[tuple[NonEmpty, ...], Meta(description="Words that all stand in the pasted text.")] = ()
    frame: Annotated[FrameTest | None, Meta(description="A frame of the traceback.")] = None
    path: Annotated[Literal["windows", "posix"] | None, Meta(description="The style of paths in the text.")] = None


class Cause(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One cause of an error. Without `when` the text cannot tell it from others."""

    when: Annotated[When | None, Meta(description="When this is the reader's cause.")] = None
    because: Annotated[NonEmpty, Meta(description="Why it happened. `{name}` stands for a captured value.")]
    do: Annotated[NonEmpty, Meta(description="What to do about it. `{name}` stands for a captured value.")]
    trigger: Annotated[NonEmpty | None, Meta(description="A program that ends in this error by this cause.")] = None
    check: Annotated[NonEmpty | None, Meta(description="A command or line that tells whether it is this cause.")] = None


class DoNot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A popular cure that is wrong."""

    what: Annotated[NonEmpty, Meta(description="The wrong cure.")]
    why: Annotated[NonEmpty, Meta(description="Why it is wrong.")]


class Related(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Ids of other records."""

    instead: Annotated[tuple[RecordId, ...], Meta(description="Similar messages with another meaning.")] = ()
    leads_to: Annotated[tuple[RecordId, ...], Meta(description="Errors that follow from this one.")] = ()
    same_cause: Annotated[tuple[RecordId, ...], Meta(description="Errors with the same cause.")] = ()


class Link(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An official page about the error."""

    title: Annotated[NonEmpty, Meta(description="What the page is called.")]
    url: Annotated[str, Meta(pattern=r"^https://[^\x00-\x20\x7f]+$(?!\n)", description="Its address.")]


class Supplement(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What is known about a record beyond its own fields."""

    id: Annotated[RecordId, Meta(description="The id of the record, which may be in another dataset.")]
    cure: Annotated[NonEmpty | None, Meta(description=f"What to do, in one line of {CURE_LENGTH} characters.")] = None
    wordings: Annotated[tuple[Wording, ...], Meta(description="Other texts of the same error.")] = ()
    classes: Annotated[tuple[NonEmpty, ...], Meta(description="Further classes that it is raised under.")] = ()
    capture_names: Annotated[
        tuple[str, ...] | None,
        Meta(description="Names of the captures of the record's pattern, in order; an empty one hides its value."),
    ] = None
    class_only: Annotated[
        bool, Meta(description="Whether the record answers its class where no record with a text does.")
    ] = False
    causes: Annotated[tuple[Cause, ...], Meta(description="Causes, the most frequent first.")] = ()
    do_not: Annotated[tuple[DoNot, ...], Meta(description="Popular cures that are wrong.")] = ()
    related: Annotated[Related | None, Meta(description="Other records.")] = None
    links: Annotated[tuple[Link, ...], Meta(description="Official pages about the error.")] = ()


FIELDS: dict[str, str] = dict(zip(Supplement.__struct_encode_fields__, Supplement.__struct_fields__, strict=True))
"""JSON name → Python name, in the canonical order."""
_Item = TypeVar("_Item")
_decode = msgspec.json.Decoder(Supplement).decode


def decode_supplement(raw: bytes) -> Supplement:
    """The supplement that JSON text holds; unknown fields are passed over.

    Raises DatasetError, with the JSON pointer of the first trouble, and msgspec.DecodeError if it is no JSON.
    """
    try:
        return _decode(raw)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        raise DatasetError(reason, pointer=pointer_of(path.strip("`"))) from None
    except UnicodeEncodeError:  # from msgspec, where it expects no free text
        raise DatasetError("half a surrogate pair, where no free text stands") from None


def write_supplement(supplement: Supplement) -> dict[str, Any]:
    """The supplement as a JSON object: fields in canonical order, those without a value left out."""
    document: dict[str, Any] = msgspec.to_builtins(supplement)
    return document


def merged(later: Supplement, earlier: Supplement) -> Supplement:
    """Two supplements of one record as one: the later one comes first in lists and wins single values.

    What both say is in the result once.
    """
    related = later.related or earlier.related
    if later.related and earlier.related:
        related = Related(
            **{
                name: tuple(dict.fromkeys((*getattr(later.related, name), *getattr(earlier.related, name))))
                for name in Related.__struct_fields__
            }
        )
    return Supplement(
        id=later.id,
        cure=later.cure or earlier.cure,
        wordings=_joined(later.wordings, earlier.wordings),
        classes=tuple(dict.fromkeys((*later.classes, *earlier.classes))),
        capture_names=earlier.capture_names if later.capture_names is None else later.capture_names,
        class_only=later.class_only or earlier.class_only,
        causes=_joined(later.causes, earlier.causes),
        do_not=_joined(later.do_not, earlier.do_not),
        related=related,
        links=_joined(later.links, earlier.links),
    )


def _joined(later: tuple[_Item, ...], earlier: tuple[_Item, ...]) -> tuple[_Item, ...]:
    return (*later, *(item for item in earlier if item not in later))


_NAME = re.compile(r"\{([^{}\n]{1,80})\}")


def filled(sentence: str, values: Mapping[str, str]) -> str:
    """A sentence with `{name}` of each captured value replaced by it; other braces stay."""
    return _NAME.sub(lambda match: values.get(match[1], match[0]), sentence)


def names_in(sentence: str) -> list[str]:
    """What stands in braces in a sentence: names of captured values, and perhaps code."""
    return _NAME.findall(sentence)


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a supplement, generated from the Structs."""
    schema = msgspec.json.schema(Supplement)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "errkb supplement", **schema}
