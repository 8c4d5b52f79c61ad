"""Installed distributions, read from their files: who owns a file or module, which version, which sources."""

import csv
import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from errkb.environment.interpreter import Interpreter
from errkb.files import exists, is_file, is_folder
from errkb.source_analysis.harvest import is_source, source_files

_SOURCE_LABELS = ("source", "source code", "sources", "repository", "code", "github", "homepage", "home")
_GITHUB = re.compile(r"https?://(?:www\.)?github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?(?:[/#?].*)?$")
_LARGEST_METADATA = 200_000


class Distribution:
    """One installed distribution; `root` is the folder that its packages are imported from."""

    def __init__(self, name: str, version: str, root: Path, info: Path | None = None) -> None:
        self.name = name
        self.version = version
        self.root = root
        self._info = info

    def __str__(self) -> str:
        return f"{self.name} {self.version}".rstrip()

    @cached_property
    def record(self) -> bytes:
        """The list of its files, empty if it has none."""
        return _read(self._info / "RECORD") if self._info else b""

    def owns(self, file: PurePosixPath) -> bool:
        """Whether a file below the root is one of its files."""
        return f"\n{file},".encode() in b"\n" + self.record or f'\n"{file}",'.encode() in b"\n" + self.record

    @cached_property
    def files(self) -> tuple[PurePosixPath, ...]:
        """Its Python sources, tests aside, from the root."""
        rows = csv.reader(self.record.decode("utf-8", "replace").splitlines())
        listed = (PurePosixPath(row[0]) for row in rows if row and row[0].endswith(".py"))
        found = tuple(sorted({file for file in listed if is_source(file) and ".." not in file.parts}))
        return found or tuple(source_files(self.root, self._packages()))

    @cached_property
    def url(self) -> str | None:
        """The page of its sources, as its metadata names it."""
        links: dict[str, str] = {}
        for line in self._metadata():
            name, _, value = line.partition(": ")
            if name == "Project-URL":
                label, _, link = value.partition(",")
                links.setdefault(label.strip().lower(), link.strip())
            elif name == "Home-page" and value.strip() not in ("", "UNKNOWN"):
                links.setdefault("home", value.strip())
        ordered = [links[label] for label in _SOURCE_LABELS if label in links]
        ordered = [link for link in (*ordered, *links.values()) if link.startswith(("https://", "http://"))]
        return next((link for link in ordered if _GITHUB.match(link)), None) or next(iter(ordered), None)

    @property
    def repo(self) -> str:
        """owner/name on GitHub where the metadata names it, else a name of that form."""
        match = _GITHUB.match(self.url or "")
        return match[1] if match else f"unknown/{re.sub(r'[^A-Za-z0-9._-]', '-', self.name) or 'unknown'}"

    def fingerprint(self) -> str:
        """Changes when the sources do."""
        if self.record and self._info:
            status = (self._info / "RECORD").stat()
            return f"{status.st_size} {status.st_mtime_ns}"
        newest = total = 0
        for file in self.files:
            try:
                status = (self.root / file).stat()
            except OSError:
                continue
            newest, total = max(newest, status.st_mtime_ns), total + status.st_size
        return f"{len(self.files)} {total} {newest}"

    def _packages(self) -> list[PurePosixPath]:
        """Its packages and modules right below the root, where no list of files tells."""
        listed = _read(self._info / "top_level.txt").decode("utf-8", "replace").split() if self._info else []
        names = (*listed, self.name, self.name.replace("-", "_"))
        paths = (path for name in names for path in (self.root / name, self.root / f"{name}.py") if exists(path))
        found = (PurePosixPath(path.relative_to(self.root).as_posix()) for path in paths)
        return list(dict.fromkeys(found))

    def _metadata(self) -> Iterator[str]:
        if self._info is None:
            return
        for name in ("METADATA", "PKG-INFO"):
            for line in _read(self._info / name)[:_LARGEST_METADATA].decode("utf-8", "replace").splitlines():
                if not line:
                    return
                yield line


class StandardLibrary(Distribution):
    """Python's own modules."""

    def __init__(self, interpreter: Interpreter, root: Path) -> None:
        super().__init__("Python", interpreter.version, root)

    @cached_property
    def files(self) -> tuple[PurePosixPath, ...]:
        """All modules but tests and what only looks like a part of it."""
        left_out = {"site-packages", "dist-packages", "test", "idlelib", "lib2to3", "turtledemo", "ensurepip"}
        starts = [
            PurePosixPath(path.name)
            for path in sorted(self.root.iterdir())
            if path.name not in left_out and (path.suffix == ".py" or is_file(path / "__init__.py"))
        ]
        return tuple(file for file in source_files(self.root, starts) if not {"test", "tests"} & set(file.parts))

    @property
    def repo(self) -> str:
        """Python's repository."""
        return "python/cpython"

    @cached_property
    def url(self) -> str | None:
        """Python's repository."""
        return "https://github.com/python/cpython"

    def fingerprint(self) -> str:
        """Python's files change with its version only."""
        return f"{(self.root / 'os.py').stat().st_mtime_ns}"


class Environment:
    """The distributions of an interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self._owners: dict[tuple[Path, PurePosixPath], Distribution] = {}

    @cached_property
    def standard_library(self) -> Distribution | None:
        """Python's own modules, if they are there as source."""
        root = self.interpreter.stdlib
        return StandardLibrary(self.interpreter, root) if root and is_folder(root) else None

    @cached_property
    def distributions(self) -> tuple[Distribution, ...]:
        """All installed distributions, by name; the first of a name is the one in use."""
        found: dict[str, Distribution] = {}
        for library in self.interpreter.libraries:
            for info in sorted((*library.glob("*.dist-info"), *library.glob("*.egg-info"))):
                name, _, version = info.name.rpartition(".")[0].partition("-")
                name = re.sub(r"[-_.]+", "-", name).lower()
                distribution = _editable(info, name, version) or Distribution(name, version, library, info)
                found.setdefault(name, distribution)
        return tuple(found[name] for name in sorted(found))

    def owner(self, root: Path, file: PurePosixPath) -> Distribution:
        """The distribution of a file below a root; if none lists it, one is made up for its top-level package."""
        known = self._owners.get((root, file))
        if known is None:
            known = self._owners[root, file] = self._owner(root, file)
        return known

    def owner_of_module(self, module: str) -> Distribution | None:
        """The distribution that a (dotted) module or class belongs to, or None if it is not installed."""
        parts = module.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        roots = [*self.interpreter.libraries, *filter(None, [self.interpreter.stdlib])]
        for length in range(len(parts), 0, -1):
            for root in roots:
                for file in (
                    PurePosixPath(*parts[:length], "__init__.py"),
                    PurePosixPath(*parts[:length]).with_suffix(".py"),
                ):
                    if is_file(root / file):
                        return self.owner(root, file)
        return None

    def _owner(self, root: Path, file: PurePosixPath) -> Distribution:
        if root == self.interpreter.stdlib and self.standard_library:
            return self.standard_library
        top = re.sub(r"[-_.]+", "-", PurePosixPath(file.parts[0]).stem).lower()
        here = [distribution for distribution in self.distributions if distribution.root == root]
        for distribution in sorted(here, key=lambda one: one.name != top):
            if distribution.owns(file) or (distribution.name == top and not distribution.record):
                return distribution
        editable = [one for one in here if not one.owns(file) and file in one.files] if len(here) < 4 else []
        return next(iter(editable), None) or Distribution(PurePosixPath(file.parts[0]).stem, "", root)


def _editable(info: Path, name: str, version: str) -> Distribution | None:
    """The distribution of an editable installation, whose files lie where they are edited."""
    try:
        document = json.loads(_read(info / "direct_url.json") or b"{}")
        if not document.get("dir_info", {}).get("editable"):
            return None
        folder = Path(unquote(urlsplit(document["url"]).path))
    except (ValueError, KeyError, AttributeError, TypeError):
        return None
    root = folder / "src" if is_folder(folder / "src") else folder
    distribution = Distribution(name, version, root, info)
    distribution.record = b""
    return distribution if is_folder(folder) else None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
