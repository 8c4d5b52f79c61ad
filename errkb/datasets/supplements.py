"""Supplements as they lie on disk.

They are in `supplements.jsonl` beside the records, or in `NAME.supplements.jsonl` beside `NAME.jsonl`.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from errkb.errors import DatasetError
from errkb.files import is_file, is_folder

if TYPE_CHECKING:
    from errkb.datasets.files import Entry
    from errkb.records.supplement import Supplement

_SUFFIXES = (".jsonl", ".json")


def is_supplement_file(path: Path) -> bool:
    """Whether a file holds supplements, by its name."""
    name = path.name.removesuffix(".gz")
    return name.endswith(_SUFFIXES) and (name.startswith("supplements.") or ".supplements." in name)


def supplement_files(dataset: Path) -> list[Path]:
    """The files that hold the supplements of a dataset, in order: of a folder all in it, of a file those beside it."""
    if is_folder(dataset):
        return [
            file for file in sorted(dataset.rglob("*supplements.json*")) if is_supplement_file(file) and is_file(file)
        ]
    if is_supplement_file(dataset):
        return [dataset]
    stem = dataset.name.removesuffix(".gz").rpartition(".")[0]
    names = (
        f"{name}{suffix}{gz}"
        for name in ("supplements", f"{stem}.supplements")
        for suffix in _SUFFIXES
        for gz in ("", ".gz")
    )
    return [file for file in map(dataset.with_name, names) if is_file(file)]


def read_supplements(dataset: Path) -> "Iterator[Entry | DatasetError]":
    """Every supplement of a dataset, and in its place every part that is broken."""
    from errkb.datasets.files import read_file  # needed where an index is built

    for path in supplement_files(dataset):
        try:
            yield from read_file(path)
        except DatasetError as error:
            yield error


def class_only_records(dataset: Path) -> Iterator[str]:
    """The ids of the records that a dataset's supplements let answer their class; broken parts are passed over."""
    for entry in read_supplements(dataset):
        if not isinstance(entry, DatasetError) and b'"classOnly"' in entry.raw:
            with suppress(DatasetError):
                supplement = check_supplement(entry)
                if supplement.class_only:
                    yield supplement.id


def check_supplement(entry: "Entry") -> "Supplement":
    """The supplement of an entry. Raises DatasetError with its place."""
    from errkb.datasets.files import NO_JSON, broken_json
    from errkb.records.supplement import decode_supplement  # most questions need none

    try:
        return decode_supplement(entry.raw)
    except DatasetError as error:
        raise DatasetError(
            error.reason, path=entry.path, line=entry.line, pointer=entry.pointer + (error.pointer or "")
        ) from None
    except NO_JSON as error:
        raise broken_json(entry.path, entry.line, entry.raw, error, entry.pointer) from None
