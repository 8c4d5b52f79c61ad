"""The one canonical form of a dataset's files.

Fields stand in the order of the schema, unknown ones after them; a record on a line, without white
space between its values; characters as themselves, not as escapes; sorted by repo, slug and id;
a line feed after each line. Values are never changed: numbers keep their spelling, and a line that
is canonical already keeps every byte.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from errkb.datasets.files import BOM, Entry, read_bytes, read_file, rewrite_file
from errkb.datasets.json_spans import spans, unescape_pointer
from errkb.datasets.supplements import is_supplement_file
from errkb.errors import DatasetError
from errkb.records import record, supplement

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+|\s+', re.DOTALL)
_UNNEEDED_ESCAPE = re.compile(r"\\(?:u|/)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Formatted(NamedTuple):
    """A file with its content, as it is and in canonical form; both uncompressed."""

    path: Path
    before: bytes
    after: bytes

    @property
    def changed(self) -> bool:
        """Whether the file is not in canonical form."""
        return self.before != self.after

    def write(self) -> None:
        """Replace the content of the file by the canonical one, as a whole."""
        rewrite_file(self.path, [self.after])


class _Line(NamedTuple):
    repo: str
    slug: str
    id: str
    text: str


def format_file(path: Path) -> Formatted:
    """A file of records or supplements in canonical form. Raises DatasetError if any part of it is neither."""
    fields = tuple(supplement.FIELDS if is_supplement_file(path) else record.FIELDS)
    for entry in read_file(path):
        if isinstance(entry, DatasetError):
            raise entry
        _object(entry)
    content = read_bytes(path)
    text = content.removeprefix(BOM).decode("utf-8", "surrogateescape")
    members = None if path.name.removesuffix(".gz").endswith(".jsonl") else _document(text)
    if members is None:
        lines = sorted(_line(line, fields) for line in text.split("\n") if line.strip())
        after = "".join(f"{line.text}\n" for line in lines)
    elif isinstance(members, list):
        lines = sorted(_line(member, fields) for member in members)
        after = "[\n" + ",\n".join(line.text for line in lines) + "\n]\n" if lines else "[]\n"
    else:
        after = _line(members, fields).text + "\n"
    return Formatted(path, content, after.encode("utf-8", "surrogateescape"))


def canonical(text: str, fields: Sequence[str] = tuple(record.FIELDS)) -> str:
    """The canonical text of a record or supplement, or of an envelope around one. `text` is a JSON object.

    `fields` are the names of its fields in order, by default those of a record.
    """
    members = _members(text)
    if "record" in members and "id" not in members:
        parts = [
            (name, canonical(value, fields) if name == "record" else _compact(value)) for name, value in members.items()
        ]
    else:
        known = [name for name in fields if name in members]
        unknown = [name for name in members if name not in fields]
        parts = [(name, _compact(members[name])) for name in (*known, *unknown)]
    return "{" + ",".join(f"{_quoted(name)}:{value}" for name, value in parts) + "}"


def _object(entry: Entry) -> None:
    try:
        document = json.loads(entry.raw)
    except (ValueError, RecursionError) as error:
        reason = f"broken JSON: {error}" if isinstance(error, ValueError) else "nested too deeply"
        raise DatasetError(reason, path=entry.path, line=entry.line, pointer=entry.pointer) from None
    if not isinstance(document, dict):
        raise DatasetError("not a record", path=entry.path, line=entry.line, pointer=entry.pointer)


def _line(text: str, fields: Sequence[str]) -> _Line:
    document = json.loads(text)
    inner = document["record"] if "record" in document and "id" not in document else document
    repo, slug, record_id = (str(inner.get(name, "")) for name in ("repo", "slug", "id"))
    return _Line(repo, slug, record_id, canonical(text, fields))


def _document(text: str) -> str | list[str] | None:
    """The text of the one object of a document, the texts of the members of an array; None for lines of JSON."""
    try:
        json.loads(text)
    except ValueError:
        return None
    return text if text.lstrip().startswith("{") else list(_members(text).values())


def _members(text: str) -> dict[str, str]:
    """The texts of the members of an object by their names, or of an array by their numbers."""
    found = spans(text, depth=1).items()
    return {unescape_pointer(pointer[1:]): text[span.start : span.end] for pointer, span in found if pointer}


def _compact(value: str) -> str:
    """A JSON text without white space between its tokens, its strings with no needless escape."""
    return "".join(_spelled(token) for token in _TOKEN.findall(value) if not token.isspace())


def _spelled(token: str) -> str:
    if token[0] != '"' or not _UNNEEDED_ESCAPE.search(token):
        return token
    return _quoted(json.loads(token))


def _quoted(text: str) -> str:
    """A JSON string; half a surrogate pair, which UTF-8 cannot hold, stays an escape."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
