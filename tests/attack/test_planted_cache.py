"""What others may have written to the cache is not used."""

import json
import os
import sys
from pathlib import Path
from zlib import crc32

import pytest

import errkb
from errkb.datasets.defaults import bundled_dataset
from errkb.index import DamagedIndex
from errkb.index.cache import index_path, open_index
from errkb.index.store import MAGIC, Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and links")


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two records with an index in a cache of their own."""
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"".join(bundled_dataset().read_bytes().splitlines(keepends=True)[:2]))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    open_index(path)
    assert index_path(path).is_file()
    return path


def test_an_index_that_others_may_write_is_built_again(dataset: Path) -> None:
    """The new one is the user's alone."""
    index_path(dataset).chmod(0o666)
    open_index(dataset)
    assert index_path(dataset).stat().st_mode & 0o022 == 0


def test_a_link_in_the_cache_is_replaced_and_not_followed(dataset: Path, tmp_path: Path) -> None:
    """What it points at keeps its content."""
    victim = tmp_path / "victim.txt"
    victim.write_text("mine")
    index_path(dataset).unlink()
    index_path(dataset).symlink_to(victim)
    assert len(open_index(dataset)) == 2
    assert victim.read_text() == "mine"
    assert not index_path(dataset).is_symlink()


@pytest.mark.parametrize(
    "header",
    [
        [],
        {"sections": {}, "notes": 5, "length": 0},
        {"sections": {"places": "x"}, "notes": {}, "length": 0},
        {"sections": {"places": [-8, 4]}, "notes": {}, "length": 0},
        {"sections": {"places": [0, 1 << 40]}, "notes": {}, "length": 0},
        {"sections": {}, "notes": {"files": 3}, "length": 0},
        {"sections": {}, "notes": {}, "length": 1 << 60},
    ],
    ids=repr,
)
def test_a_header_of_another_form_is_built_again(header: object, dataset: Path) -> None:
    """Whatever it says, it is no traceback."""
    text = json.dumps(header).encode()
    content = MAGIC + b"".join(number.to_bytes(4, "little") for number in (len(text), crc32(text), 0)) + text
    index_path(dataset).write_bytes(content)
    assert len(open_index(dataset)) == 2
    with pytest.raises(DamagedIndex):
        Store(content).section("places")


def test_an_index_that_is_cut_while_it_is_open_is_built_again(dataset: Path) -> None:
    """A mapped file would end the process here."""
    kb = errkb.load(dataset)
    os.truncate(index_path(dataset), 0)
    assert kb.lookup("nothing of the kind") is None
    assert len(list(kb.records())) == 2
