"""Classes that installed packages derive from others agree with a record of the base."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errkb
from errkb.environment.class_bases import installed_bases

ERRORS = """
from .base import StoreError as Base
from . import base


class StockError(Base):
    pass


class EmptyError(StockError, KeyError):
    pass


class Loop(Loop):
    pass
"""


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """An environment in which `shop` is installed."""
    folder = tmp_path / "env"
    packages = folder / "lib" / "python3.11" / "site-packages"
    (packages / "shop").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").touch()
    (folder / "pyvenv.cfg").write_text(f"home = {folder / 'bin'}\nversion = 3.11.4\n")
    (packages / "shop" / "__init__.py").write_text("from .errors import *\nfrom .errors import EmptyError\n")
    (packages / "shop" / "base.py").write_text("class StoreError(ValueError):\n    pass\n")
    (packages / "shop" / "errors.py").write_text(ERRORS)
    (packages / "shop" / "broken.py").write_text("class Broken(ValueError)\n")
    return folder


@pytest.mark.parametrize(
    ("error_class", "bases"),
    [
        ("shop.errors.StockError", {"Base", "StoreError", "ValueError"}),
        ("shop.errors.EmptyError", {"StockError", "KeyError", "Base", "StoreError", "ValueError"}),
        ("shop.EmptyError", {"StockError", "KeyError", "Base", "StoreError", "ValueError"}),
        ("shop.errors.Loop", {"Loop"}),
        ("shop.errors.Nothing", set()),
        ("shop.broken.Broken", set()),
        ("other.errors.StockError", set()),
        ("StockError", set()),
        ("../shop.StockError", set()),
        ("", set()),
    ],
)
def test_bases(python: Path, error_class: str, bases: set[str]) -> None:
    """The last names of all bases, through imports and re-exports; nothing for what is not installed."""
    assert installed_bases(python)(error_class) == bases


def test_a_derived_class_is_as_certain_as_the_records_own(
    python: Path, tmp_path: Path, make_document: Callable[..., dict[str, Any]]
) -> None:
    """A class of an installed package that derives from the record's class leaves no doubt; elsewhere it does."""
    record = make_document("only %d of %s left in the store", errorClass="StoreError")
    dataset = tmp_path / "records.jsonl"
    dataset.write_text(json.dumps(record) + "\n", encoding="utf-8")
    kb = errkb.load(dataset)
    text = "shop.errors.StockError: only 3 of tea left in the store"
    known = errkb.explain(text, kb=kb, python=python)
    assert known is not None
    assert "certain" in known.text()
    assert known.match is not None
    assert next(one.factor for one in known.match.evidence if one.name == "class") > 0.98
    doubtful = kb.lookup(text)
    assert doubtful is not None
    assert next(one.factor for one in doubtful.evidence if one.name == "class") < 0.98
