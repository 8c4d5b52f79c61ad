"""What a command line means by a package or path: where its sources are."""

from pathlib import Path, PurePosixPath
from typing import NamedTuple

from errkb.environment.distributions import Environment
from errkb.errors import ErrkbError
from errkb.files import exists, is_file, is_folder, real_path
from errkb.source_analysis.harvest import source_files


class TargetError(ErrkbError):
    """A package that is not installed, or a path that is not there."""


class Target(NamedTuple):
    """Sources: a folder, and the files below it."""

    name: str
    version: str
    root: Path
    files: tuple[PurePosixPath, ...]
    repo: str


def find_target(named: str, environment: Environment, *, tests: bool = False) -> Target:
    """The sources of an installed distribution or module, or below a path. Raises TargetError."""
    path = Path(named)
    if exists(path) and (is_folder(path) or path.suffix == ".py"):
        return _at(path, tests=tests)
    wanted = named.replace("_", "-").replace(".", "-").lower()
    for distribution in environment.distributions:
        if distribution.name == wanted:
            break
    else:
        owner = environment.owner_of_module(named)
        if owner is None and named.lower() in ("python", "stdlib"):
            owner = environment.standard_library
        if owner is None:
            raise TargetError(f"{named} is neither a path nor a package of {environment.interpreter.prefix}")
        distribution = owner
    return Target(distribution.name, distribution.version, distribution.root, distribution.files, distribution.repo)


def _at(path: Path, *, tests: bool) -> Target:
    path = real_path(path)
    top = path if is_folder(path) else path.parent
    while is_file(top / "__init__.py") and top.parent != top:
        top = top.parent
    under = PurePosixPath(path.relative_to(top).as_posix())
    files = tuple(source_files(top, [under], tests=tests))
    return Target(path.name, "", top, files, "unknown/unknown")
