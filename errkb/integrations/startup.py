"""errkb in every program of an environment: files in its site-packages that install the hooks at start-up.

`errkb.pth` is for Python up to 3.14, `errkb.start` for later ones (PEP 829); both call `errkb_start.py`, which imports
nothing of errkb unless it is asked for.
"""

import sysconfig
from pathlib import Path

from errkb.errors import ErrkbError
from errkb.files import is_file, replace_file

VARIABLE = "ERRKB"
"""The variable that switches the hooks on, unless they are always on; `0` and nothing mean off."""
_MARK = "# Written by `errkb enable`; `errkb disable` removes it."
_MODULE = f'''{_MARK}
import os


def start():
    """Set hooks that explain uncaught exceptions; nothing unless that is asked for."""
    if {{condition}}:
        try:
            from errkb.integrations.hooks import install

            install()
        except Exception:
            pass
'''
_FILES = {
    "errkb.pth": f"{_MARK}\nimport errkb_start; errkb_start.start()\n",
    "errkb.start": f"{_MARK}\nerrkb_start:start\n",
}
_NAME = "errkb_start.py"


class StartupError(ErrkbError):
    """Files of an environment that cannot be written, or that are not ours."""


def site_packages() -> Path:
    """Where the environment that runs errkb looks for its packages."""
    return Path(sysconfig.get_path("purelib"))


def enable(folder: Path, *, always: bool) -> list[Path]:
    """Write the files; gives their paths. Raises StartupError."""
    condition = "True" if always else f'os.environ.get("{VARIABLE}", "0") not in ("", "0")'
    wanted = {_NAME: _MODULE.format(condition=condition), **_FILES}
    for name in wanted:
        path = folder / name
        if is_file(path) and not _is_ours(path):
            raise StartupError(f"{path} is there already, and errkb did not write it")
    written = []
    for name, content in wanted.items():  # the module first: the others call it
        try:
            replace_file(folder / name, [content.encode()])
        except OSError as error:
            raise StartupError(f"{folder / name} cannot be written: {error.strerror or error}") from None
        written.append(folder / name)
    return written


def disable(folder: Path) -> list[Path]:
    """Remove the files that `enable` wrote; gives the paths of those that were there. Raises StartupError."""
    removed = []
    for path in reversed(present(folder)):  # the module last
        try:
            path.unlink()
        except OSError as error:
            raise StartupError(f"{path} cannot be removed: {error.strerror or error}") from None
        removed.append(path)
    return removed


def present(folder: Path) -> list[Path]:
    """The files of ours that are there."""
    return [path for name in (_NAME, *_FILES) if is_file(path := folder / name) and _is_ours(path)]


def is_always(folder: Path) -> bool:
    """Whether the hooks are on without the variable."""
    path = folder / _NAME
    return path in present(folder) and "if True:" in path.read_text("utf-8", "replace")


def _is_ours(path: Path) -> bool:
    try:
        return path.read_text("utf-8", "replace").startswith(_MARK)
    except OSError:
        return False
