"""Sites of a distribution, harvested once: a dataset in the cache folder, with an index like any other."""

import atexit
import functools
import logging
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from errkb.digest import digest
from errkb.environment.distributions import Distribution
from errkb.files import is_file
from errkb.folders import SITES, cache_folder
from errkb.index import Index
from errkb.index.cache import index_path, open_index, write_cached
from errkb.raise_sites.drafts import encode_site
from errkb.source_analysis.harvest import harvest_files

_log = logging.getLogger("errkb")
_VERSION = 1
"""Raise it when the same source gives other sites than before."""


def open_sites(distribution: Distribution, progress: Callable[[int], None] | None = None) -> Index:
    """The index of a distribution's sites, harvested if they are not in the cache.

    Raises DatasetError if there is nowhere to keep them.
    """
    place = digest(f"{distribution.root}")[:8]
    state = f"{_VERSION} {distribution.version} {distribution.fingerprint()}"
    name = f"{distribution.name}-{place}-"
    path = cache_folder() / SITES / f"{name}{digest(state)}.jsonl"
    if not is_file(path):
        _log.info("harvesting %s", distribution)
        content = _harvested(distribution, progress)
        if not write_cached(path, content):
            path = _temporary_folder() / path.name
            path.write_bytes(content)
        _remove_older(path, name)
    return open_index(path)


@functools.cache
def _temporary_folder() -> Path:
    """For this process only, where the cache cannot be written."""
    folder = Path(tempfile.mkdtemp(prefix="errkb-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _harvested(distribution: Distribution, progress: Callable[[int], None] | None) -> bytes:
    found = harvest_files(distribution.root, distribution.files, progress)
    for skipped in found.skipped:
        _log.info("not harvested: %s: %s", skipped.file, skipped.reason)
    repo = distribution.repo
    return b"".join(encode_site(site, repo) + b"\n" for site in found.sites if site.literal)


def _remove_older(path: Path, name: str) -> None:
    for other in path.parent.glob(f"{name}*.jsonl"):
        if other != path:
            with suppress(OSError):
                other.unlink()
                index_path(other).unlink()
