"""Records: the Struct, its JSON Schema, derived fields, unknown fields."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from errkb.errors import DatasetError
from errkb.records.record import (
    FIELDS,
    SCHEMA_VERSION,
    Record,
    derive_id,
    derive_slug,
    json_schema,
    read_record,
    slug_after_collision,
    write_record,
)

Document = dict[str, Any]

VALIDATOR = Draft202012Validator(json_schema())

JSON_TYPES = (None, True, False, 0, 1, -1, 2, 1.0, 2.0, 1.5, "", "x", [], ["x"], {}, {"a": 1})
NUMBERS = (99, 100, 599, 600, 100.0, 599.0, 599.5, -0.0, 1e300, 2**63 - 1, 2**63, 2**64, 10**30, -(10**30))
LISTS = ([""], ["a", ""], ["a", None], [1], [["a"]], ["Upper"], ["kebab-case", "a1-2"], ["a--b"], ["a\n"], ["-a"])
ENUMERATED = (
    "exception", "error_code", "console", "http", "validation", "panic", "Exception", "critical", "error", "warning",
    "info", "try-catch", "type-guard", "retry", "fallback", "exception\n",
)  # fmt: skip
STRINGS = (
    "a" * 15, "a" * 16, "a" * 17, "A" * 16, "a" * 16 + "\n", "g" * 16, "0" * 40, "0" * 40 + "\n", "\n" + "0" * 40,
    "owner/name", "owner/name\n", "owner", "owner/na me", "o/n/x", "kebab-case", "kebab-case\n", "Kebab", "kebab_case",
    "x" * 499, "x" * 500, "x" * 501, "é" * 500, "é" * 501, "😀" * 500, "😀" * 501, "٣" * 16, "ａ" * 16, "\ud800", "\x00",
    "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05Z\n",
    "2026-01-02 03:04:05Z", "2026-01-02T03:04:05+00:00", "٢٠٢٦-01-02T03:04:05Z",
    "https://github.com/a/b", "http://github.com/a/b", "https://github.com/", "https://github.com/a b",
    "https://github.com/a\n", "https://github.com/a\x7f", "https://github.com/ü",
)  # fmt: skip

VALUES = st.one_of(
    st.sampled_from((*JSON_TYPES, *NUMBERS, *LISTS, *ENUMERATED, *STRINGS)),
    st.text(max_size=60),
    st.text(st.characters(codec=None), max_size=5),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.text(max_size=10), max_size=4),
)


def accepts(document: Document) -> bool:
    """Whether errkb reads the document."""
    try:
        read_record(document)
    except DatasetError:
        return False
    return True


def test_founding_record_is_valid(founding: Document) -> None:
    """The founding record is accepted by the schema and by the Struct, and written back as it stood."""
    VALIDATOR.validate(founding)
    assert write_record(read_record(founding)) == founding


def test_schema_file_is_what_the_code_generates(root: Path) -> None:
    """schema/record.schema.json is what scripts/write_schema.py writes."""
    stored = (root / "schema" / "record.schema.json").read_text(encoding="utf-8")
    assert stored == json.dumps(json_schema(), indent=2) + "\n"


def test_schema_is_itself_valid() -> None:
    """The generated schema is valid under its own meta-schema."""
    Draft202012Validator.check_schema(json_schema())


def test_every_field_is_in_the_schema(founding: Document) -> None:
    """Struct, schema and founding record name the same fields, and the schema describes each."""
    schema = json_schema()
    properties = schema.get("properties") or schema["$defs"][schema["$ref"].rpartition("/")[2]]["properties"]
    assert list(properties) == list(FIELDS)
    assert set(founding) == set(FIELDS)
    assert [field.encode_name for field in msgspec.structs.fields(Record)] == list(FIELDS)
    assert all(about.get("description") for about in properties.values())


@pytest.mark.parametrize("field", FIELDS)
def test_a_removed_field_is_refused_by_both_or_neither(founding: Document, field: str) -> None:
    """Without any one field the Struct and the schema agree; only backgroundTag may be absent."""
    del founding[field]
    assert accepts(founding) == VALIDATOR.is_valid(founding) == (field == "backgroundTag")


@pytest.mark.parametrize("field", FIELDS)
def test_every_tabled_value_in_every_field(founding: Document, field: str) -> None:
    """C1: whatever value of the tables stands in a field, the Struct accepts it iff the schema does."""
    disagreements = []
    for value in (*JSON_TYPES, *NUMBERS, *LISTS, *ENUMERATED, *STRINGS):
        document = {**founding, field: value}
        if accepts(document) != VALIDATOR.is_valid(document):
            disagreements.append(value)
    assert disagreements == []


@settings(max_examples=250)
@given(changes=st.dictionaries(st.sampled_from(list(FIELDS)), VALUES, min_size=1, max_size=3), data=st.data())
def test_struct_and_schema_accept_the_same_documents(
    founding_document: Document, changes: Document, data: st.DataObject
) -> None:
    """C1: the Struct accepts a mutated record iff the JSON Schema does."""
    document = {**founding_document, **changes}
    for name in data.draw(st.lists(st.sampled_from(list(FIELDS)), max_size=1)):
        document.pop(name, None)
    assert accepts(document) == VALIDATOR.is_valid(document)


@pytest.mark.parametrize(
    ("field", "value", "pointer"),
    [
        ("severity", "fatal", "/severity"),
        ("tags", ["good", "Not Good"], "/tags/1"),
        ("solutions", ["a", "b", 3], "/solutions/2"),
        ("lineNumber", 0, "/lineNumber"),
        ("schemaVersion", 3, "/schemaVersion"),
    ],
)
def test_the_error_names_the_place(founding: Document, field: str, value: Any, pointer: str) -> None:
    """A refused document is refused with the JSON pointer of the trouble."""
    with pytest.raises(DatasetError) as caught:
        read_record({**founding, field: value})
    assert caught.value.pointer == pointer


def test_whole_floats_are_integers(founding: Document) -> None:
    """JSON Schema calls 108.0 an integer: it is read as one."""
    record = read_record({**founding, "lineNumber": 108.0, "schemaVersion": 2.0})
    assert record.line_number == 108
    assert isinstance(record.line_number, int)


def test_derived_fields_of_the_founding_record(founding: Document) -> None:
    """Id and slug of the founding record follow from its other fields."""
    record = read_record(founding)
    assert derive_id(record.repo, record.error_code, record.error_message, record.file_path) == "73154bc6b02214fb"
    assert derive_slug(record.error_code, record.error_message) == "offload-prefetch-step-self-prefetch-offload-pref"


def test_the_code_stands_for_the_message_in_the_id() -> None:
    """With an error code, the message has no part in the id; path and repo have."""
    first = derive_id("o/r", "E1", "one", "a.py")
    assert first == derive_id("o/r", "E1", "two", "a.py")
    assert len({first, derive_id("o/r", None, "one", "a.py"), derive_id("o/r", "E1", "one", "b.py")}) == 3


@pytest.mark.parametrize(
    ("code", "message", "slug"),
    [
        (None, "Hello, World", "hello-world"),
        ("ERR_X", "whatever", "err-x"),
        ("", "the message", "the-message"),
        (None, "  --a__b--  ", "a-b"),
        (None, "!!!", "error"),
        (None, "日本語", "error"),
        (None, "Größe", "gr-e"),
        (None, "x" * 60, "x" * 50),
        (None, "x" * 49 + " y", "x" * 49),
        (None, " " * 50 + "late", "error"),
        (None, "K\u212a İ", "kk-i"),
    ],
)  # fmt: skip
def test_slugs(code: str | None, message: str, slug: str) -> None:
    """First fifty characters, lowercased, other runs as one hyphen, trimmed, `error` if nothing is left."""
    assert derive_slug(code, message) == slug


@given(st.text(st.characters(codec=None)))
def test_a_slug_is_always_kebab_case(message: str) -> None:
    """Whatever the message, the slug and the id are ones that a record may have."""
    slug, record_id = derive_slug(None, message), derive_id("o/r", None, message, "a.py")
    assert all(part.isascii() and part.isalnum() and part == part.lower() for part in slug.split("-"))
    assert slug_after_collision(slug, record_id) == f"{slug}-{record_id[:6]}"


def test_unknown_fields_are_kept_and_written_back(founding: Document) -> None:
    """Fields of newer producers are read over, kept in `extra` and written after the known ones."""
    newer = {"contentChangedAt": "2026-01-01", **founding, "z": {"deep": [1, 2.0]}, "extra": 1.0}
    record = read_record(newer)
    assert record.extra == {"contentChangedAt": "2026-01-01", "z": {"deep": [1, 2.0]}, "extra": 1.0}
    written = write_record(record)
    assert written == newer
    assert list(written) == [*FIELDS, "contentChangedAt", "z", "extra"]


def test_a_record_without_unknown_fields_has_no_extra(make_document: Callable[..., Document]) -> None:
    """`extra` is an empty mapping where there is nothing to keep."""
    assert dict(read_record(make_document("some message of a tool")).extra) == {}


def test_schema_version_is_that_of_the_struct() -> None:
    """`SCHEMA_VERSION` is the one version that a record may have."""
    assert json_schema()["$defs"]["Record"]["properties"]["schemaVersion"]["enum"] == [SCHEMA_VERSION]
