"""Datasets as they lie on disk: every carrier is opened by one call, every record knows its place.

Carriers: JSON Lines of records or of envelopes (`{"record": …}`), one JSON document (a record, an
envelope or an array of either), a folder of such files, and a published folder (`manifest.json`,
`index.json.gz`, `repos/<owner>/<name>.json`). Each file may be gzip-compressed.
"""

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from errkb.errors import DatasetError
from errkb.records import Record, read_record

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_NO_JSON = (msgspec.DecodeError, ValueError, RecursionError)
_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_NOT_RECORDS = frozenset({"manifest.json", "repos.json", "index.json", "proofs.jsonl", "families.json"})


class Entry(NamedTuple):
    """One record's JSON text and its place: file, line (from 1) and JSON pointer into the document there."""

    path: Path
    line: int
    pointer: str
    raw: bytes
    offset: int
    """Bytes before `raw` in the uncompressed file."""


class _Members(msgspec.Struct):
    """What tells a record from an envelope and from a published index."""

    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    record: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    errors: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_decode_members = msgspec.json.Decoder(_Members).decode
_decode_record = msgspec.json.Decoder(Record).decode
_decode_array = msgspec.json.Decoder(list[msgspec.Raw]).decode


def read_entries(path: Path) -> Iterator[Entry | DatasetError]:
    """Every record of a file or folder, and in its place every part that is broken.

    Raises DatasetError if nothing can be read at all.
    """
    if path.is_dir():
        yield from _folder(path)
    else:
        yield from _file(path)


def decode_entry(entry: Entry) -> Record:
    """The record of an entry. Raises DatasetError with its place."""
    try:
        return read_record(msgspec.json.decode(entry.raw, type=dict[str, Any]))
    except DatasetError as error:
        raise DatasetError(
            error.reason, path=entry.path, line=entry.line, pointer=entry.pointer + (error.pointer or "")
        ) from None
    except _NO_JSON as error:
        raise _broken_json(entry.path, entry.line, entry.raw, error, entry.pointer) from None


def check_entry(entry: Entry) -> Record:
    """The same at several times the speed, without the unknown fields."""
    try:
        return _decode_record(entry.raw)
    except _NO_JSON:
        return decode_entry(entry)


def is_compressed(path: Path) -> bool:
    """Whether a file holds gzip data. Raises DatasetError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(2) == _GZIP_MAGIC
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", path=path) from None


def read_bytes(path: Path) -> bytes:
    """The content of a file, uncompressed. Raises DatasetError."""
    with _opened(path) as file:
        return _guarded(path, file.read)


def dataset_files(path: Path) -> list[Path]:
    """The files that a dataset's records are read from, in order; a file's own path is all there is to it."""
    if not path.is_dir():
        return [path]
    root = path / "repos" if (path / "manifest.json").is_file() else path
    return [
        file
        for file in sorted(root.rglob("*"))
        if file.name.endswith(_SUFFIXES) and file.name.removesuffix(".gz") not in _NOT_RECORDS and file.is_file()
    ]


def _folder(folder: Path) -> Iterator[Entry | DatasetError]:
    published = (folder / "manifest.json").is_file()
    files = dataset_files(folder)
    if not (files or published):
        raise DatasetError("the folder holds no dataset (no .json, .jsonl or .gz of them)", path=folder)
    found: set[str] = set()
    for path in files:
        try:
            for entry in _file(path):
                if published and isinstance(entry, Entry):
                    found.add(_id_of(entry.raw))
                yield entry
        except DatasetError as error:
            yield error
    if published:
        yield from _missing_from(folder, found)


class _Manifest(msgspec.Struct):
    class Files(msgspec.Struct):
        class Index(msgspec.Struct):
            path: str
            sha256: str | None = None

        index: Index

    files: Files


class _Index(msgspec.Struct):
    class Error(msgspec.Struct):
        id: str
        repo: str

    errors: list[Error]


def _missing_from(folder: Path, found: set[str]) -> Iterator[DatasetError]:
    """What a published folder promises in its index and does not hold."""
    path = folder / "manifest.json"
    try:
        index = msgspec.json.decode(read_bytes(path), type=_Manifest).files.index
        path = folder / index.path
        if not path.resolve().is_relative_to(folder.resolve()):
            raise DatasetError(f"the index {index.path!r} lies outside the folder", path=folder / "manifest.json")
        content = read_bytes(path)
        if index.sha256 and index.sha256 not in (_sha256(path.read_bytes()), _sha256(content)):
            yield DatasetError("its sha256 is not the one in manifest.json", path=path)
        missing: dict[str, int] = {}
        for error in msgspec.json.decode(content, type=_Index).errors:
            if error.id not in found:
                missing[error.repo] = missing.get(error.repo, 0) + 1
    except DatasetError as problem:
        yield problem
    except _NO_JSON as problem:
        yield DatasetError(f"not the form of a published dataset: {problem}", path=path)
    else:
        for repo, count in missing.items():
            yield DatasetError(f"{count} of its records are in the index only", path=folder / "repos" / f"{repo}.json")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _id_of(raw: bytes) -> str:
    try:
        return str(msgspec.json.decode(raw).get("id"))
    except (*_NO_JSON, AttributeError):
        return ""


def _file(path: Path) -> Iterator[Entry | DatasetError]:
    """The entries of one file; a file of lines is read line by line, however large."""
    with _opened(path) as file:
        first = _guarded(path, file.readline).removeprefix(_BOM)
        while first and not first.strip():
            first = _guarded(path, file.readline)
        start = first.lstrip()[:1]
        file.seek(0)
        if path.name.removesuffix(".gz").endswith(".jsonl") or (start == b"{" and _is_json(first)):
            yield from _lines(path, file)
        elif start in (b"[", b"{"):
            yield from _document(path, _guarded(path, file.read))
        else:
            raise DatasetError("holds no JSON" if start else "is empty", path=path)


def _opened(path: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path, "rb")) if is_compressed(path) else path.open("rb")


def _guarded(path: Path, read: Callable[[], bytes]) -> bytes:
    try:
        return read()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DatasetError(f"damaged gzip data: {error}", path=path) from None
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", path=path) from None


def _lines(path: Path, file: BinaryIO) -> Iterator[Entry | DatasetError]:
    offset, number = 0, 1
    while True:
        try:
            line = _guarded(path, file.readline)
        except DatasetError as error:
            yield DatasetError(error.reason, path=path, line=number)
            return
        if not line:
            return
        bom = len(_BOM) if number == 1 and line.startswith(_BOM) else 0
        raw = line[bom:].rstrip(b"\r\n")
        if raw.strip():
            yield _unwrapped(Entry(path, number, "", raw, offset + bom))
        offset += len(line)
        number += 1


def _document(path: Path, content: bytes) -> Iterator[Entry | DatasetError]:
    bom = len(_BOM) if content.startswith(_BOM) else 0
    content = b" " * bom + content[bom:]  # offsets stay those of the file
    if content.lstrip()[:1] == b"{":
        start = content.index(b"{")
        yield _unwrapped(Entry(path, content.count(b"\n", 0, start) + 1, "", content[start:], start))
        return
    try:
        members = _decode_array(content)
    except _NO_JSON as error:
        raise _broken_json(path, 1, content, error) from None
    offset, line, counted = 0, 1, 0
    for number, member in enumerate(members):
        raw = bytes(member)
        offset = content.index(raw, offset)
        line += content.count(b"\n", counted, offset)
        counted = offset
        yield _unwrapped(Entry(path, line, f"/{number}", raw, offset))
        offset += len(raw)


def _unwrapped(entry: Entry) -> Entry | DatasetError:
    """The entry of a record, out of its envelope if it is in one; or what is wrong with it."""
    if b'"record"' not in entry.raw and b'"errors"' not in entry.raw:
        return entry
    try:
        members = _decode_members(entry.raw)
    except _NO_JSON as error:
        return _broken_json(entry.path, entry.line, entry.raw, error, entry.pointer)
    if members.id is not msgspec.UNSET or members.record is msgspec.UNSET:
        if members.id is msgspec.UNSET and members.errors is not msgspec.UNSET:
            reason = "this is the index of a published dataset and holds no records: open its folder instead"
            return DatasetError(reason, path=entry.path, line=entry.line)
        return entry
    raw = bytes(members.record)
    inside = entry.raw.index(raw)
    line = entry.line + entry.raw.count(b"\n", 0, inside)
    return Entry(entry.path, line, f"{entry.pointer}/record", raw, entry.offset + inside)


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except _NO_JSON:
        return False
    return True


def _broken_json(path: Path, line: int, raw: bytes, error: Exception, pointer: str = "") -> DatasetError:
    """Broken JSON with the line that it breaks in; Python's own reader knows the place and says it better."""
    import json

    reason = str(error).partition(" (byte")[0]
    try:
        value = json.loads(raw)
        if not isinstance(value, dict):
            reason = f"a record is a JSON object, not {type(value).__name__}"
    except json.JSONDecodeError as better:
        reason = f"broken JSON at column {better.colno}: {better.msg.removesuffix(' at')}"
        line += better.lineno - 1
    except UnicodeDecodeError as better:
        reason = f"not UTF-8: {better.reason} at byte {better.start}"
    except RecursionError:
        reason = "nested too deeply"
    except ValueError:
        reason = "a number of too many digits"
    return DatasetError(reason, path=path, line=line, pointer=pointer or None)
