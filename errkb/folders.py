"""Folders of a user: where errkb keeps what it can make again, and where users keep datasets of their own.

There need not be any: a container may run as a user whom nobody knows, in a folder that is gone.
"""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from errkb.files import real_path


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


_NOWHERE = Path(os.devnull)
"""Nothing can be below it, so where there is no home, all works in memory."""


def cache_folder() -> Path:
    """`ERRKB_CACHE_DIR`, else errkb's folder in the platform's cache folder."""
    if named := os.environ.get("ERRKB_CACHE_DIR"):
        return Path(named)
    return _platform_folder("Library/Caches", "XDG_CACHE_HOME", ".cache")


def user_data_folder() -> Path:
    """The folder of a user's own datasets: every file and folder in it is one."""
    return _platform_folder("Library/Application Support", "XDG_DATA_HOME", ".local/share")


def home() -> Path | None:
    """The user's home, None where there is none."""
    try:
        return Path.home()
    except (RuntimeError, KeyError):
        return None


def working_folder() -> Path | None:
    """The folder that relative paths start from, None if it was deleted or may not be entered."""
    try:
        return Path.cwd()
    except OSError:
        return None


def relative_name(path: Path, folder: Path | None = None) -> str:
    """A path from a folder (by default the working one), with `/`; as it is if it lies elsewhere."""
    try:
        return real_path(path).relative_to(folder or working_folder() or "/").as_posix()
    except ValueError:
        return path.as_posix()


def expanded(name: str) -> Path:
    """A path with `~` put in full; as it stands where that home is not known."""
    try:
        return Path(name).expanduser()
    except (RuntimeError, KeyError):
        return Path(name)


def _platform_folder(on_mac: str, variable: str, elsewhere: str) -> Path:
    """Errkb's folder: in LOCALAPPDATA on Windows, below the home on a Mac, else where the XDG variable says."""
    below_home = on_mac
    named = None
    if sys.platform == "win32":
        named, below_home = os.environ.get("LOCALAPPDATA"), "AppData/Local"
    elif sys.platform != "darwin":
        named, below_home = os.environ.get(variable), elsewhere
    if named:
        return Path(named) / "errkb"
    user = home()
    return (user / below_home if user else _NOWHERE) / "errkb"
