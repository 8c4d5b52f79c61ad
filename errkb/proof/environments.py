"""What examples run in: an interpreter as it stands, or a virtual environment made for a set of requirements.

`environments.toml` beside the dataset says what the examples of a repo need; `--with` says it for one run.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

import msgspec

from errkb.digest import digest
from errkb.errors import ErrkbError
from errkb.files import NO_PATH, exists, is_own, read_own, real_path
from errkb.folders import ENVIRONMENTS, cache_folder
from errkb.records.record import Record

_PRINT_INFO = """
import json, platform, sys, sysconfig
from importlib import metadata
def version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
names = sys.argv[1:]
print(json.dumps({
    "python": platform.python_version(),
    "platform": sysconfig.get_platform(),
    "versions": {name: version(name) for name in names},
}))
"""


_PYTHON = re.compile(r"python(?P<operator><|>=)3\.(?P<minor>\d{1,2})")


class NoEnvironmentError(ErrkbError):
    """An environment that cannot be made or does not start."""


class Plan(NamedTuple):
    """What a record is to run in: requirements over an interpreter; the first one is the record's own package."""

    python: Path
    requirements: tuple[str, ...]
    package: str | None


class EnvironmentInfo(msgspec.Struct, frozen=True):
    """The versions that an environment reports of itself."""

    python: str
    platform: str
    versions: dict[str, str | None]


class Requirements:
    """What examples need, by record id or repo, as `environments.toml` says."""

    def __init__(self, table: dict[str, tuple[str, ...]]) -> None:
        self._table = table

    def of(self, record: Record) -> tuple[str, ...] | None:
        """The distributions that a record needs: its own row, else its repo's; None if neither is named."""
        row = self._row(record)
        return row if row is None else tuple(one for one in row if not _PYTHON.fullmatch(one))

    def python_of(self, record: Record) -> str | None:
        """The version of Python that a record needs, such as `python<3.12`; None if all will do."""
        return next((one for one in self._row(record) or () if _PYTHON.fullmatch(one)), None)

    def _row(self, record: Record) -> tuple[str, ...] | None:
        return self._table.get(record.id, self._table.get(record.repo))


def fits(python_version: str, wanted: str) -> bool:
    """Whether a Python of this version (`3.11.7`) is one that `python<3.12` or `python>=3.12` asks for."""
    bound = _PYTHON.fullmatch(wanted)
    if bound is None:
        raise ValueError(f"not a version of Python: {wanted}")
    minor = int(python_version.split(".")[1])
    return minor < int(bound["minor"]) if bound["operator"] == "<" else minor >= int(bound["minor"])


def read_requirements(path: Path) -> Requirements:
    """The requirements in a file, none if there is no file. Raises NoEnvironmentError."""
    try:
        table = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, tuple[str, ...]])
    except FileNotFoundError:
        return Requirements({})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise NoEnvironmentError(f"{path}: {error}") from None
    return Requirements(table)


def package_of(requirement: str) -> str:
    """The name of the distribution that a requirement asks for: what stands before any extra or version."""
    end = next((place for place, character in enumerate(requirement) if not _of_name(character)), len(requirement))
    return requirement[:end]


def interpreter(plan: Plan) -> Path:
    """The interpreter to run in, its environment made if it is not there yet. Raises NoEnvironmentError.

    Environments stay in the cache folder. Each is made in a folder of its own; only when it is
    whole, a small file names it, so that nobody sees half of one and two may be made together.
    """
    if not plan.requirements:
        return plan.python
    if wrong := [one for one in plan.requirements if one.startswith("-")]:
        raise NoEnvironmentError(f"not a requirement: {wrong[0]!r}")
    root = cache_folder() / ENVIRONMENTS
    key = json.dumps([str(real_path(plan.python)), environment_info(plan.python, ()).python, sorted(plan.requirements)])
    pointer = root / (digest(key) + ".json")
    try:
        python = Path(json.loads(read_own(pointer))["interpreter"])
        # Only what was made here: else the cache would decide which program runs.
        if python.is_relative_to(root) and ".." not in python.parts and exists(python) and is_own(python.parent):
            return python
    except (*NO_PATH, KeyError, TypeError, RecursionError):
        pass
    try:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not is_own(root):
            raise NoEnvironmentError(f"{root}: another user owns this folder or may write to it")
        folder = Path(tempfile.mkdtemp(dir=root, prefix=pointer.stem + "-"))
    except OSError as error:
        raise NoEnvironmentError(f"the cache cannot be written: {error}") from None
    try:
        python = _make(folder, plan)
        new = folder / "errkb.json"
        new.touch(mode=0o600)
        new.write_text(json.dumps({"interpreter": str(python), "made of": json.loads(key)}, indent=2), encoding="utf-8")
        new.replace(pointer)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return python


def environment_info(python: Path, packages: tuple[str, ...]) -> EnvironmentInfo:
    """The versions of an interpreter and of packages installed for it. Raises NoEnvironmentError."""
    said = _called([str(python), "-I", "-c", _PRINT_INFO, *packages], f"{python} does not start as a Python")
    try:
        return msgspec.json.decode(said.encode(), type=EnvironmentInfo)
    except msgspec.DecodeError:
        raise NoEnvironmentError(f"{python} does not answer as a Python") from None


def _make(folder: Path, plan: Plan) -> Path:
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    for command in commands(folder, python, plan, shutil.which("uv")):
        _called(command, f"no environment with {' '.join(plan.requirements)} could be made")
    return python


def commands(folder: Path, python: Path, plan: Plan, uv: str | None) -> list[list[str]]:
    """What makes an environment: uv if it is there, else venv and pip."""
    if uv is not None:
        return [
            [uv, "venv", "--quiet", "--python", str(plan.python), str(folder)],
            [uv, "pip", "install", "--quiet", "--python", str(python), "--", *plan.requirements],
        ]
    return [
        [str(plan.python), "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--", *plan.requirements],
    ]


def _called(command: list[str], trouble: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603
            command, check=False, capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise NoEnvironmentError(f"{trouble}: {error.strerror or error}") from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("WARNING")]
        raise NoEnvironmentError(f"{trouble}: {lines[-1].strip() if lines else f'status {done.returncode}'}")
    return done.stdout


def _of_name(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in "-_.")
