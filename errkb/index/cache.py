"""Where indexes live between runs: one file per dataset in the user's cache folder.

A file is written beside its place and renamed, so that nobody sees half of it and several
processes may build together. It is used while the dataset's files have the sizes and times that
it was built from, it is undamaged, and nobody but this user (or root) can have written it; else it is
built again. Where the cache cannot be written, the index is kept in memory.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

from errkb.datasets.supplements import read_supplements, supplement_files
from errkb.files import NO_PATH, is_folder, path_to_text, real_path, replace_own
from errkb.folders import CACHED_FILES, INDEX_SUFFIX, cache_folder
from errkb.index import DamagedIndex, Index
from errkb.index.store import Store, open_store

_SETTLED_NS = 50_000_000
"""A file changed less than this before it was read may change again within one tick of its clock."""

FileStates = list[list[str | int]]


def index_path(dataset: Path) -> Path:
    """Where the index of a dataset lies."""
    place = os.fsencode(real_path(dataset))
    return cache_folder() / f"{crc32(place):08x}{crc32(place[::-1]):08x}{INDEX_SUFFIX}"


def open_index(
    dataset: Path,
    *,
    searchable: bool = False,
    rebuild: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Index:
    """The index of a dataset, from the cache if that is good, else built and cached.

    `searchable`: with the word index of `errkb search`, which is built only on request and kept on
    rebuilding once it was there. Raises DatasetError if the dataset cannot be read at all.
    """
    sources = _file_states(dataset)
    path = index_path(dataset)
    if not rebuild:
        try:
            store = open_store(path)
            if not {source[0] for source in store.notes.sources}.issuperset(store.notes.files):
                raise DamagedIndex("it names a file that is not the dataset's")
            if store.notes.sources == sources and (store.notes.searchable or not searchable):
                return Index(store)
            searchable = searchable or store.notes.searchable
            _log("the dataset %s has changed, or is to be searched: building its index", dataset)
        except FileNotFoundError:
            _log("building the index of %s", dataset)
        except (DamagedIndex, OSError) as error:
            _log("the index of %s is unusable (%s): building it again", dataset, error)
    from errkb.datasets.dataset import read_entries
    from errkb.index.build import build_index

    content = build_index(
        read_entries(dataset), sources, progress, supplements=read_supplements(dataset), searchable=searchable
    )
    newest = max((int(mtime) for _, _, mtime in sources), default=0)
    if _file_states(dataset) == sources and time.time_ns() - newest > _SETTLED_NS and write_cached(path, content):
        with suppress(DamagedIndex, OSError):
            return Index(open_store(path))
    return Index(Store(content))


def index_state(dataset: Path) -> dict[str, Any]:
    """`state` of a dataset's index in the cache (good, stale, damaged or missing), its `records` and `bytes`."""
    path = index_path(dataset)
    try:
        store = open_store(path)
        store.check_all()
        if store.notes.sources != _file_states(dataset):
            return {"state": "stale"}
        return {"state": "good", "records": len(Index(store)), "bytes": path.stat().st_size}
    except FileNotFoundError:
        return {"state": "missing"}
    except (DamagedIndex, OSError):
        return {"state": "damaged"}


def clear_cache() -> int:
    """Remove what `CACHED_FILES` says is cleared: indexes and harvested raise sites. The number of indexes."""
    folder = cache_folder()
    paths = [path for files in CACHED_FILES if files.cleared for path in folder.glob(files.pattern)]
    for path in paths:
        path.unlink(missing_ok=True)
    return sum(path.suffix == INDEX_SUFFIX for path in paths)


def _file_states(dataset: Path) -> FileStates:
    files = [dataset]
    if is_folder(dataset):
        from errkb.datasets.dataset import dataset_files

        files = dataset_files(dataset)
    sources: FileStates = []
    for file in dict.fromkeys((*files, *supplement_files(dataset))):
        with suppress(*NO_PATH):
            status = file.stat()
            sources.append([path_to_text(real_path(file)), status.st_size, status.st_mtime_ns])
    return sources


def write_cached(path: Path, content: bytes) -> bool:
    """Put a file into the cache, all or nothing. Whether that was possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_own(path, [content])
    except OSError as error:
        _log("the cache cannot be written: %s", error)
        return False
    return True


def _log(message: str, *arguments: object) -> None:
    import logging  # rarely needed, and slow to import

    logging.getLogger("errkb").info(message, *arguments)
