"""Datasets of records with examples, and `errkb prove` on them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Document = dict[str, Any]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

MESSAGE = "cannot frobnicate {count} of {total} widgets"
RAISES = 'raise ValueError("cannot frobnicate 3 of 4 widgets")'


@pytest.fixture
def make_record(make_document: Callable[..., Document]) -> Callable[..., Document]:
    """A record of Python code alone, with this before and after."""

    def make(before: str = RAISES, after: str = "pass", message: str = MESSAGE, **changes: Any) -> Document:
        changes = {"repo": "python/cpython", "errorClass": "ValueError", **changes}
        return make_document(message, exampleFix=f"# before\n{before}\n\n# after\n{after}\n", **changes)

    return make


@pytest.fixture
def dataset(tmp_path: Path) -> Callable[..., Path]:
    """Writes records, and what their repos need, to a dataset in a folder of its own."""

    def write(*documents: Document, needs: str = '"python/cpython" = []\n') -> Path:
        folder = tmp_path / "dataset"
        folder.mkdir(exist_ok=True)
        (folder / "environments.toml").write_text(needs, encoding="utf-8")
        path = folder / "records.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
        return path

    return write


@pytest.fixture
def prove(errkb: Run) -> Run:
    """`errkb prove --yes-run-code`."""
    return lambda path, *arguments, **others: errkb("prove", str(path), "--yes-run-code", *arguments, **others)


@pytest.fixture
def kept() -> Callable[[Path], list[Document]]:
    """The lines of the proofs beside a dataset."""

    def read(path: Path) -> list[Document]:
        proofs = path.with_name("proofs.jsonl")
        return [json.loads(line) for line in proofs.read_text(encoding="utf-8").splitlines()] if proofs.exists() else []

    return read
