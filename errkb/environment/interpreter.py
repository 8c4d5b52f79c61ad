"""Whose packages are read: an interpreter's folders, found by the layout of its files. Nothing is run."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from errkb.errors import ErrkbError
from errkb.files import NO_PATH, is_file, is_folder, real_path
from errkb.folders import working_folder


class InterpreterError(ErrkbError):
    """A path that is no Python interpreter or environment."""


class Interpreter:
    """The folders that an interpreter imports from."""

    def __init__(self, prefix: Path, libraries: tuple[Path, ...], stdlib: Path | None, version: str) -> None:
        self.prefix = prefix
        self.stdlib = stdlib
        self.version = version
        """`3.11`, or as far as it is known."""
        self._libraries = libraries

    @cached_property
    def libraries(self) -> tuple[Path, ...]:
        """The site-packages folders, and the folders that their .pth files name."""
        named = [folder for library in self._libraries for folder in _pth_folders(library)]
        return tuple(dict.fromkeys((*self._libraries, *named)))


def find_interpreter(python: Path | None = None, start: Path | None = None) -> Interpreter:
    """The interpreter that the reader means.

    `python` (an executable, or the folder of an environment) if given; else the active virtual
    or conda environment; else the nearest `.venv` at or above `start` (default: the working directory);
    else the one that runs errkb, or, where that is a tool's private environment, the first Python on the
    PATH. Raises InterpreterError if `python` is none.
    """
    if python is not None:
        return _at(python)
    for candidate in (*_active(), *_project_environments(start)):
        with suppress(InterpreterError, OSError):
            return _environment(candidate)
    return _on_path() if _is_private(Path(sys.prefix)) else own_interpreter()


def _active() -> Iterator[Path]:
    active, conda = os.environ.get("VIRTUAL_ENV"), os.environ.get("CONDA_PREFIX")
    if active and is_file(Path(active) / "pyvenv.cfg"):
        yield _absolute(Path(active))
    if conda and is_folder(Path(conda) / "conda-meta"):
        yield _absolute(Path(conda))


def _project_environments(start: Path | None) -> Iterator[Path]:
    folder = start or working_folder()
    if folder is None:
        return
    folder = real_path(folder)
    for candidate in (folder, *folder.parents):
        if is_file(candidate / ".venv" / "pyvenv.cfg"):
            yield candidate / ".venv"


def _is_private(prefix: Path) -> bool:
    """Whether an environment was made for one tool, by pipx or uv: nobody's program runs in it."""
    return any(is_file(prefix / name) for name in ("pipx_metadata.json", "uv-receipt.toml"))


def _on_path() -> Interpreter:
    """The first Python on the PATH that is not errkb's own; if there is none, one without packages."""
    own = real_path(Path(sys.prefix))
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in ("python3", "python", "python.exe"):
            path = Path(folder, name)
            if folder and os.access(path, os.X_OK) and not _absolute(path).is_relative_to(own):
                with suppress(InterpreterError, OSError):
                    return _at(path)
    return Interpreter(own, (), None, "")


def own_interpreter() -> Interpreter:
    """The interpreter that runs errkb."""
    stdlib = Path(os.__file__).parent  # as sysconfig says, which takes long to import
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    script = real_path(Path(main)).parent if main else None
    libraries = tuple(
        path
        for path in map(Path, filter(None, sys.path))
        if is_folder(path) and path not in (stdlib, script) and path.name != "lib-dynload"
    )
    version = ".".join(map(str, sys.version_info[:3]))
    return Interpreter(Path(sys.prefix), libraries, stdlib, version)


def _absolute(path: Path) -> Path:
    """An absolute path, links kept: an environment's Python is a link, and its place tells which one it is."""
    try:
        return Path(os.path.abspath(path))  # noqa: PTH100
    except OSError:  # the working folder is gone
        return path


def _at(python: Path) -> Interpreter:
    python = _absolute(python)
    if is_folder(python):
        return _environment(python)
    if not is_file(python):
        raise InterpreterError(f"{python} is no Python interpreter")
    for prefix in (python.parent.parent, python.parent):
        if is_file(prefix / "pyvenv.cfg"):
            return _environment(prefix)
    real = real_path(python)
    windows = is_folder(real.parent / "Lib")
    return _installation(real.parent if windows else real.parent.parent, real.name.removeprefix("python"))


def _environment(prefix: Path) -> Interpreter:
    if not is_file(prefix / "pyvenv.cfg"):
        return _installation(prefix)
    settings = {}
    for line in (prefix / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines():
        name, _, value = line.partition("=")
        settings[name.strip().lower()] = value.strip()
    version = settings.get("version") or settings.get("version_info") or ""
    short = ".".join(version.split(".")[:2])
    libraries = _site_packages(prefix, short)
    stdlib = None
    if home := settings.get("home"):
        base = Path(home) if is_folder(Path(home) / "Lib") else Path(home).parent
        stdlib = _standard_library(base, short)
        if settings.get("include-system-site-packages", "").lower() == "true":
            libraries = (*libraries, *_site_packages(base, short))
    if not libraries:
        raise InterpreterError(f"{prefix} has no site-packages")
    return Interpreter(prefix, libraries, stdlib, version)


def _installation(prefix: Path, version: str = "") -> Interpreter:
    version = version.removesuffix(".exe")
    stdlib = _standard_library(prefix, version)
    libraries = _site_packages(prefix, version)
    if not libraries and stdlib is None:
        raise InterpreterError(f"{prefix} holds no Python interpreter")
    if not version and stdlib is not None:
        version = stdlib.name.removeprefix("python") if stdlib.name != "Lib" else ""
    return Interpreter(prefix, libraries, stdlib, version)


def _standard_library(prefix: Path, version: str) -> Path | None:
    return next((folder for folder in _library_folders(prefix, version) if is_file(folder / "os.py")), None)


def _site_packages(prefix: Path, version: str) -> tuple[Path, ...]:
    folders = [
        folder / name for folder in _library_folders(prefix, version) for name in ("site-packages", "dist-packages")
    ]
    folders.append(prefix / "lib" / "python3" / "dist-packages")
    found: dict[Path, Path] = {}
    for folder in folders:
        if is_folder(folder):
            found.setdefault(real_path(folder), folder)
    return tuple(found.values())


def _library_folders(prefix: Path, version: str) -> Iterator[Path]:
    """`lib/python3.X` of the wanted version, or of the newest one there is."""
    for lib in (prefix / "lib", prefix / "lib64", prefix / "local" / "lib"):
        found = sorted(lib.glob("python3.*"), key=_by_version, reverse=True)
        exact = [folder for folder in found if folder.name == f"python{version}"]
        yield from (exact or found)[:1]
    if is_folder(prefix / "Lib"):
        yield prefix / "Lib"


def _by_version(folder: Path) -> list[int]:
    return [int(part) if part.isdigit() else -1 for part in folder.name.removeprefix("python").split(".")]


def _pth_folders(library: Path) -> Iterator[Path]:
    """Folders that `.pth` files of a library name in plain; their `import` lines are not run."""
    for path in sorted(library.glob("*.pth")):
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[:100]
        except NO_PATH:
            continue
        for line in lines:
            line = line.strip()
            if line and not line.startswith(("#", "import ", "import\t")) and "\x00" not in line:
                folder = library / line
                if is_folder(folder):
                    yield folder
