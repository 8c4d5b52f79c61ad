"""Folders of a user: where errkb keeps what it can make again, and where users keep datasets of their own."""

import os
import sys
from pathlib import Path
from typing import NamedTuple


class CachedFiles(NamedTuple):
    """Files in the cache folder that one part of errkb owns."""

    pattern: str
    """Which files they are: a glob from the cache folder."""
    contents: str
    cleared: bool
    """Whether `errkb index --clear` removes them."""


INDEX_SUFFIX = ".index"
SITES = "sites"
ENVIRONMENTS = "environments"
CACHED_FILES = (
    CachedFiles(f"*{INDEX_SUFFIX}", "an index for each dataset", cleared=True),
    CachedFiles(f"{SITES}/*.jsonl", "the harvested raise sites of each distribution", cleared=True),
    # Virtual environments take minutes and downloads to make again, and no index depends on them.
    CachedFiles(f"{ENVIRONMENTS}/*", "the virtual environments of `errkb prove`", cleared=False),
)
"""Everything that errkb writes to the cache folder."""


def cache_folder() -> Path:
    """`ERRKB_CACHE_DIR`, else errkb's folder in the platform's cache folder."""
    if named := os.environ.get("ERRKB_CACHE_DIR"):
        return Path(named)
    return _platform_folder("Library/Caches", "XDG_CACHE_HOME", ".cache")


def user_data_folder() -> Path:
    """The folder of a user's own datasets: every file and folder in it is one."""
    return _platform_folder("Library/Application Support", "XDG_DATA_HOME", ".local/share")


def _platform_folder(on_mac: str, variable: str, elsewhere: str) -> Path:
    """Errkb's folder: in LOCALAPPDATA on Windows, below the home on a Mac, else where the XDG variable says."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / on_mac
    else:
        base = os.environ.get(variable) or Path.home() / elsewhere
    return Path(base) / "errkb"
