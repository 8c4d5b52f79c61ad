"""Datasets as they lie on disk: every carrier is opened by one call, every record knows its place.

Carriers: JSON Lines of records or of envelopes (`{"record": …}`), one JSON document (a record, an
envelope or an array of either), a folder of such files, and a published folder (`manifest.json`,
`index.json.gz`, `repos/<owner>/<name>.json`). Each file may be gzip-compressed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from errkb.datasets.files import NO_JSON, Entry, broken_json, read_bytes, read_file
from errkb.datasets.supplements import is_supplement_file, supplement_files
from errkb.errors import DatasetError
from errkb.files import is_file, is_folder, real_path
from errkb.records.record import Record, read_record

_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_NOT_RECORDS = frozenset(
    {
        "manifest.json",
        "repos.json",
        "index.json",
        "proofs.jsonl",
        "evidence.jsonl",
        "families.json",
        "class_notes.jsonl",
    }
)

_decode_record = msgspec.json.Decoder(Record).decode


def read_entries(path: Path) -> Iterator[Entry | DatasetError]:
    """Every record of a file or folder, and in its place every part that is broken.

    Raises DatasetError if nothing can be read at all.
    """
    if is_folder(path):
        yield from _folder(path)
    elif not is_supplement_file(path):
        yield from read_file(path)


def decode_entry(entry: Entry) -> Record:
    """The record of an entry. Raises DatasetError with its place."""
    try:
        return read_record(msgspec.json.decode(entry.raw, type=dict[str, Any]))
    except DatasetError as error:
        raise DatasetError(
            error.reason, path=entry.path, line=entry.line, pointer=entry.pointer + (error.pointer or "")
        ) from None
    except NO_JSON as error:
        raise broken_json(entry.path, entry.line, entry.raw, error, entry.pointer) from None


def check_entry(entry: Entry) -> Record:
    """The same at several times the speed, without the unknown fields."""
    try:
        return _decode_record(entry.raw)
    except NO_JSON:
        return decode_entry(entry)


def dataset_files(path: Path) -> list[Path]:
    """The files that a dataset's records are read from, in order. A file is its own, unless it holds supplements."""
    if not is_folder(path):
        return [] if is_supplement_file(path) else [path]
    root = path / "repos" if is_file(path / "manifest.json") else path
    return [
        file
        for file in sorted(root.rglob("*"))
        if file.name.endswith(_SUFFIXES)
        and file.name.removesuffix(".gz") not in _NOT_RECORDS
        and not is_supplement_file(file)
        and is_file(file)
    ]


def _folder(folder: Path) -> Iterator[Entry | DatasetError]:
    published = is_file(folder / "manifest.json")
    files = dataset_files(folder)
    if not (files or published or supplement_files(folder)):
        raise DatasetError("the folder holds no dataset (no .json, .jsonl or .gz of them)", path=folder)
    found: set[str] = set()
    for path in files:
        try:
            for entry in read_file(path):
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
        if not real_path(path).is_relative_to(real_path(folder)):
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
    except NO_JSON as problem:
        yield DatasetError(f"not the form of a published dataset: {problem}", path=path)
    else:
        for repo, count in missing.items():
            yield DatasetError(f"{count} of its records are in the index only", path=folder / "repos" / f"{repo}.json")


def _sha256(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def _id_of(raw: bytes) -> str:
    try:
        return str(msgspec.json.decode(raw).get("id"))
    except (*NO_JSON, AttributeError):
        return ""
