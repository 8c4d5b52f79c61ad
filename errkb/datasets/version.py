"""What version of a dataset is in use."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from errkb.digest import digest
from errkb.errors import DatasetError
from errkb.files import is_file, is_folder


class _Manifest(msgspec.Struct, rename="camel"):
    dataset_version: str | None = None


def dataset_version(datasets: Sequence[Path]) -> str | None:
    """The `datasetVersion` of the last published dataset; without one a digest of sizes and times; None for none."""
    from errkb.datasets.files import NO_JSON, read_bytes

    for folder in reversed(datasets):
        path = folder / "manifest.json"
        if is_folder(folder) and is_file(path):
            with suppress(DatasetError, *NO_JSON):
                manifest = msgspec.json.decode(read_bytes(path), type=_Manifest)
                if manifest.dataset_version:
                    return manifest.dataset_version
    marks = []
    for dataset in datasets:
        with suppress(OSError):
            status = dataset.stat()
            marks.append(f"{dataset}:{status.st_size}:{status.st_mtime_ns}")
    return digest("\n".join(marks)) if marks else None
