"""What tests share: the founding record, records made from a message, dataset files, and errkb in a process."""

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from errkb.records.record import derive_id, derive_slug
from errkb.records.template import derive_pattern

Document = dict[str, Any]

ROOT = Path(__file__).resolve().parent.parent
FOUNDING_ID = "73154bc6b02214fb"
SETTINGS_OF_ERRKB = (
    "ERRKB_DATA",
    "NO_COLOR",
    "FORCE_COLOR",
    "_ERRKB_COMPLETE",
    "COMP_WORDS",
    "COMP_CWORD",
    "PYTHONUNBUFFERED",
)

settings.register_profile("errkb", deadline=None, max_examples=150)
settings.load_profile("errkb")


@pytest.fixture(scope="session", autouse=True)
def _home_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps the user's own datasets, settings and cache out of the tests, and the tests out of them."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in SETTINGS_OF_ERRKB:
            patch.delenv(name, raising=False)
        for name, value in clean_environment(home).items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def founding_document() -> Document:
    """The founding record as JSON; not to be changed, see `founding`."""
    lines = (ROOT / "data" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return next(document for document in map(json.loads, lines) if document["id"] == FOUNDING_ID)


@pytest.fixture
def founding(founding_document: Document) -> Document:
    """A copy of the founding record."""
    return copy.deepcopy(founding_document)


@pytest.fixture(scope="session")
def make_document(founding_document: Document) -> Callable[..., Document]:
    """A valid record with this message, derived fields included; `changes` are set last, whatever they break."""

    def make(message: str, **changes: Any) -> Document:
        document = copy.deepcopy(founding_document)
        repo, path = changes.get("repo", "acme/tool"), changes.get("filePath", "tool/core.py")
        code = changes.get("errorCode")
        document |= {
            "id": derive_id(repo, code, message, path),
            "repo": repo,
            "slug": derive_slug(code, message),
            "errorMessage": message,
            "messagePattern": derive_pattern(message),
            "filePath": path,
            "tags": sorted(document["tags"]),
            "githubUrl": f"https://github.com/{repo}/blob/{document['analyzedSha']}/{path}#L90-L126",
        }
        return {**document, **changes}

    return make


@pytest.fixture(scope="session")
def jsonl() -> Callable[[Iterable[Document]], str]:
    """Documents as JSON Lines."""
    return lambda documents: "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)


@pytest.fixture
def errkb(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[bytes]"]:
    """Runs `python -m errkb` in an empty folder, without the user's datasets and settings."""
    home = tmp_path / "home"
    home.mkdir()

    def run(
        *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-m", "errkb", *arguments],
            input=stdin,
            capture_output=True,
            cwd=cwd or home,
            env=clean_environment(home) | dict(env or {}),
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Environment variables for a process that shall not see the user's settings."""
    return clean_environment(tmp_path)


def clean_environment(home: Path) -> dict[str, str]:
    """The environment without what steers errkb, and with a home of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS_OF_ERRKB}
    return kept | {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(home / "cache")}
