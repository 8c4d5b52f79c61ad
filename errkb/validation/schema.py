"""Why a document is no record, in the words of the `jsonschema` package."""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from errkb.datasets.files import NO_JSON
from errkb.datasets.json_spans import escape_pointer

Schema = Callable[[], dict[str, Any]]
"""What makes a JSON Schema: `json_schema` of `records.record` or of `records.supplement`."""


def json_object(raw: bytes) -> dict[str, Any] | None:
    """The object that JSON text holds; None if it holds none."""
    try:
        document = msgspec.json.decode(raw)
    except NO_JSON:
        return None
    return document if isinstance(document, dict) else None


def schema_violations(document: Any, schema: Schema) -> Iterator[tuple[str, str]]:
    """Message and JSON pointer of everything that a schema says against a document."""
    errors = _validator(schema).iter_errors(document)
    for error in sorted(errors, key=lambda error: [str(part) for part in error.path]):
        # Of "a string or null", the string's complaint says more than "not valid under any of the schemas".
        deeper = [inner for inner in error.context if inner.validator != "type"]
        best = deeper[0] if deeper else error
        pointer = "".join(f"/{escape_pointer(str(part))}" for part in best.absolute_path)
        yield _shortened(best), pointer


@functools.cache
def _validator(schema: Schema) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


def _shortened(error: Any) -> str:
    if error.validator == "anyOf":
        kinds = " or ".join(inner.schema.get("type", "one of the listed values") for inner in error.context)
        return f"{_cut(error.instance)} is not {kinds}"
    if error.validator == "pattern":
        return f"{_cut(error.instance)} does not match {error.schema['pattern']!r}"
    message: str = error.message
    return message if len(message) < 300 else f"{_cut(error.instance)} breaks the rule {error.validator!r}"


def _cut(instance: Any) -> str:
    shown = repr(instance)
    return shown if len(shown) <= 80 else shown[:79] + "…"
