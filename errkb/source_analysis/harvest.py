"""Harvest: the raise sites of files and packages. Sources are parsed, never imported or run."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import msgspec

from errkb.files import is_file
from errkb.source_analysis.module_index import ModuleIndex
from errkb.source_analysis.parsed_source import SITE_KEYWORDS, ParsedSource, UnreadableSourceError, read_source
from errkb.source_analysis.site import Site
from errkb.source_analysis.site_visitor import read_sites

_SITE_KEYWORDS = tuple(word.encode() for word in SITE_KEYWORDS)
_NO_SOURCE = frozenset({"tests", "_tests", "__pycache__", "node_modules", "site-packages"})


class Skipped(msgspec.Struct, frozen=True):
    """A file that could not be read, and why."""

    file: str
    reason: str


class Harvest(msgspec.Struct):
    """The sites of some files, the files that could not be read, and counts."""

    sites: list[Site]
    skipped: list[Skipped]
    files: int = 0
    lines: int = 0


def harvest_source(content: bytes | str, file: str = "module.py", modules: ModuleIndex | None = None) -> list[Site]:
    """The sites of one source text. Raises UnreadableSourceError if it cannot be parsed."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    source = ParsedSource(raw, module_name(file), package=file.endswith("__init__.py"))
    try:
        return read_sites(source, file, modules or ModuleIndex())
    except RecursionError:
        raise UnreadableSourceError("nested too deeply") from None


def harvest_files(root: Path, files: Iterable[PurePosixPath], progress: Callable[[int], None] | None = None) -> Harvest:
    """The sites of files below a folder; the folder is where their packages are imported from."""
    found = Harvest([], [])
    modules = ModuleIndex([root])
    with _without_collection():
        for count, file in enumerate(files):
            if progress and not count % 50:
                progress(count)
            try:
                content = read_source(root / file)
                found.files += 1
                found.lines += content.count(b"\n")
                if any(word in content for word in _SITE_KEYWORDS):
                    found.sites += harvest_source(content, str(file), modules)
            except UnreadableSourceError as reason:
                found.skipped.append(Skipped(str(file), str(reason)))
    return found


def source_files(root: Path, under: Sequence[PurePosixPath], *, tests: bool = False) -> Iterator[PurePosixPath]:
    """The Python files at or below some paths below `root`, in order; folders named `tests` only if asked for."""
    for start in under:
        path = root / start
        if is_file(path):
            yield start
            continue
        for folder, names, files in path.walk() if hasattr(path, "walk") else _walk(path):
            names[:] = sorted(name for name in names if _is_source_folder(name, tests))
            for name in sorted(files):
                if name.endswith(".py"):
                    yield PurePosixPath((folder / name).relative_to(root).as_posix())


def is_source(file: PurePosixPath) -> bool:
    """Whether a file of a distribution may have raise sites: Python, and no test."""
    return file.suffix == ".py" and not _NO_SOURCE.intersection(file.parts[:-1])


def module_name(file: str) -> str:
    """`pkg/sub/__init__.py` → `pkg.sub`."""
    parts = list(PurePosixPath(file).with_suffix("").parts)
    if parts and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def _is_source_folder(name: str, tests: bool) -> bool:
    return not name.startswith(".") and (name not in _NO_SOURCE or (tests and name in ("tests", "_tests")))


def _walk(path: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    import os

    for folder, names, files in os.walk(path):
        yield Path(folder), names, files


@contextmanager
def _without_collection() -> Iterator[None]:
    """Syntax trees hold no cycles: collecting garbage while they are built finds nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
