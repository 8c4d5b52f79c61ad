"""A record: what is known about one error, and the fields that follow from others.

The frozen Struct below is the one definition of the format (schema version 2); `json_schema`
gives the same as a JSON Schema, which `schema/record.schema.json` holds.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from errkb.digest import digest
from errkb.errors import DatasetError

SCHEMA_VERSION: Final = 2
SLUG_LENGTH = 50
"""Characters of the code or message that a slug is made from."""
SOURCE_LINES = 40
"""The most lines that `source_code` may hold."""
PATTERN_LENGTH = 500
"""The most characters that `message_pattern` should have; readers accept longer ones."""


def _whole(expression: str) -> str:
    # `$` alone also matches before a final newline in Python, not in JavaScript.
    return f"^(?:{expression})$(?!\\n)"


KEBAB_CASE = _whole("[a-z0-9]+(-[a-z0-9]+)*")
SHA = _whole("[0-9a-f]{40}")
TIMESTAMP = _whole(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z")

KebabCase = Annotated[str, Meta(pattern=KEBAB_CASE)]
NonEmpty = Annotated[str, Meta(min_length=1)]
LineNumber = Annotated[int, Meta(ge=1)]
RecordId = Annotated[str, Meta(pattern=_whole("[0-9a-f]{16}"))]


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel", dict=True):
    """What is known about one error. In JSON the names are camelCase, in Python snake_case."""

    id: Annotated[
        str, Meta(pattern=_whole("[0-9a-f]{16}"), description="Derived from repo, code or message, and filePath.")
    ]
    repo: Annotated[
        str,
        Meta(pattern=_whole(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+"), description="The project on GitHub, owner/name."),
    ]
    slug: Annotated[str, Meta(pattern=KEBAB_CASE, description="Readable name, unique within the repo, derived.")]
    error_code: Annotated[
        NonEmpty | None, Meta(description="A code that users see and search for (E0308, ERR_X), if there is one.")
    ]
    error_message: Annotated[
        str, Meta(min_length=1, description="The template: the message as the source writes it, placeholders kept.")
    ]
    message_pattern: Annotated[
        str,
        Meta(
            min_length=1,
            description="The template with literals escaped and each placeholder replaced by (.+?); no anchors.",
        ),
    ]
    error_type: Annotated[
        Literal["exception", "error_code", "console", "http", "validation", "panic"],
        Meta(description="How the error reaches people."),
    ]
    error_class: Annotated[NonEmpty | None, Meta(description="The class that is raised, without its module.")]
    http_status: Annotated[
        Annotated[int, Meta(ge=100, le=599)] | None, Meta(description="The HTTP status that goes with it.")
    ]
    severity: Annotated[Literal["critical", "error", "warning", "info"], Meta(description="How bad it is.")]
    file_path: Annotated[str, Meta(min_length=1, description="The file that raises it, from the repo's root.")]
    line_number: Annotated[LineNumber, Meta(description="The line that raises it, at analyzedSha.")]
    source_code: Annotated[
        str | None, Meta(description=f"The lines around it, at most {SOURCE_LINES}, where the licence allows.")
    ]
    source_code_start: Annotated[LineNumber | None, Meta(description="First line of the span that matters.")]
    source_code_end: Annotated[LineNumber | None, Meta(description="Last line of the span that matters.")]
    github_url: Annotated[
        str,
        Meta(
            pattern=_whole(r"https://github\.com/[^\x00-\x20\x7f]+"),
            description="Permalink to the lines at analyzedSha.",
        ),
    ]
    documentation: Annotated[str, Meta(description="What the message means, and why the library raises it.")]
    trigger_scenarios: Annotated[str, Meta(description="The calls and conditions that raise it.")]
    common_situations: Annotated[str, Meta(description="How people get there, and how to tell which cause they have.")]
    solutions: Annotated[tuple[NonEmpty, ...], Meta(description="Actions, ordered by how often they are the answer.")]
    example_fix: Annotated[str | None, Meta(description="A '# before' half that fails, an '# after' half that works.")]
    handling_strategy: Annotated[
        Literal["try-catch", "type-guard", "validation", "retry", "fallback"] | None,
        Meta(description="How a program should deal with it."),
    ]
    validation_code: Annotated[str | None, Meta(description="Code that checks beforehand.")]
    type_guard: Annotated[str | None, Meta(description="Code that narrows a type beforehand.")]
    try_catch_pattern: Annotated[str | None, Meta(description="Code that handles it.")]
    prevention_tips: Annotated[tuple[NonEmpty, ...], Meta(description="How not to meet it again.")]
    tags: Annotated[tuple[KebabCase, ...], Meta(description="Words to find it by.")]
    background_tag: Annotated[KebabCase | None, Meta(description="The cross-library family it belongs to.")] = None
    analyzed_sha: Annotated[str, Meta(pattern=SHA, description="The commit that all of this is true of.")]
    analyzed_at: Annotated[str, Meta(pattern=TIMESTAMP, description="When it was analysed: ISO 8601, UTC.")]
    schema_version: Annotated[Literal[2], Meta(description="The version of this format.")]

    def to_dict(self) -> dict[str, Any]:
        """The record as a JSON object, fields in their canonical order, then the unknown ones."""
        return write_record(self)

    def __repr__(self) -> str:
        return f"Record(id={self.id!r}, repo={self.repo!r}, error_message={self.error_message!r})"

    @property
    def extra(self) -> Mapping[str, Any]:
        """The fields of the document that this version does not know, as they stood."""
        extra: Mapping[str, Any] = self.__dict__.get("extra", {})
        if (raw := self.__dict__.get("raw")) is not None:
            extra = {name: value for name, value in msgspec.json.decode(raw).items() if name not in FIELDS}
        return extra


FIELDS: dict[str, str] = dict(zip(Record.__struct_encode_fields__, Record.__struct_fields__, strict=True))
"""JSON name → Python name, in the canonical order."""


_decode = msgspec.json.Decoder(Record).decode


def read_record(document: Mapping[str, Any]) -> Record:
    """The record that a decoded JSON object holds; unknown fields are kept in `extra`.

    Raises DatasetError, with the JSON pointer of the first trouble.
    """
    # JSON Schema calls 1.0 an integer, so it is one here too.
    known = {name: int(v) if isinstance(v, float) and v.is_integer() else v for name, v in document.items()}
    try:
        record = msgspec.convert(known, Record)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        raise DatasetError(reason, pointer=pointer_of(path.strip("`"))) from None
    except UnicodeEncodeError:  # from msgspec, where it expects no free text
        raise DatasetError("half a surrogate pair, where no free text stands") from None
    if extra := {name: value for name, value in document.items() if name not in FIELDS}:
        record.__dict__["extra"] = extra
    return record


def decode_record(raw: bytes) -> Record:
    """The record that JSON text holds; its unknown fields are looked for when `extra` is asked for.

    Raises DatasetError, with the JSON pointer of the first trouble.
    """
    try:
        record = _decode(raw)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return read_record(msgspec.json.decode(raw, type=dict[str, Any]))
    record.__dict__["raw"] = raw
    return record


def record_identity(record: Record) -> dict[str, str]:
    """What names a record in JSON documents: id, repo, slug and template."""
    return {"id": record.id, "repo": record.repo, "slug": record.slug, "errorMessage": record.error_message}


def write_record(record: Record) -> dict[str, Any]:
    """The record as a JSON object, known fields in canonical order, then the unknown ones."""
    document: dict[str, Any] = msgspec.to_builtins(record)
    lists = {name: list(value) for name, value in document.items() if isinstance(value, tuple)}
    return {**document, **lists, **record.extra}


def derive_id(repo: str, code: str | None, message: str, file_path: str) -> str:
    """First 16 hex digits of sha256 over repo, code else message, and path, joined by U+0001."""
    return digest("\x01".join((repo, code or message, file_path)))


def derive_slug(code: str | None, message: str) -> str:
    """The slug before any collision: the first characters, lowercased, other runs as one hyphen."""
    return re.sub("[^a-z0-9]+", "-", (code or message)[:SLUG_LENGTH].lower()).strip("-") or "error"


def slug_after_collision(slug: str, record_id: str) -> str:
    """The slug of a record whose plain slug another record of its repo has."""
    return f"{slug}-{record_id[:6]}"


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a record, generated from the Struct."""
    schema = msgspec.json.schema(Record)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "errkb record",
        **schema,
    }


def pointer_of(path: str) -> str:
    """The JSON pointer of a path as msgspec writes it: `$.tags[0]` → `/tags/0`."""
    return "".join(f"/{part}" for part in re.split(r"[.\[\]]+", path.removeprefix("$")) if part)
