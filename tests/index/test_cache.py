"""The life of an index file: atomic, shared, rebuilt when the data changes or a byte is damaged."""

import gzip
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errkb
from errkb.datasets.dataset import read_entries
from errkb.folders import cache_folder
from errkb.index import DamagedIndex, Index
from errkb.index.cache import clear_cache, index_path, index_state, open_index
from errkb.index.store import Store, open_store
from errkb.knowledge.in_memory import from_entries

MakeDocument = Callable[..., dict[str, Any]]
MESSAGES = [f"the {word} of {{name}} is exhausted at {{place}}" for word in ("quota", "budget", "pool", "buffer")]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for one test."""
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def dataset(tmp_path: Path, make_document: MakeDocument) -> Path:
    """A settled dataset of four records."""
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(make_document(m, filePath=f"{n}.py")) + "\n" for n, m in enumerate(MESSAGES)))
    return settled(path)


def settled(path: Path) -> Path:
    """The file as if written some time ago."""
    before = time.time() - 60
    os.utime(path, (before, before))
    return path


def answer(path: Path, word: str = "budget") -> tuple[str, dict[str, str]] | None:
    """What a fresh knowledge base of a dataset says to a message."""
    kb = errkb.load(path)
    match = kb.lookup(f"the {word} of alpha is exhausted at beta")
    if match is None:
        return None
    assert [hit.record.id for hit in kb.search_words(f"{word} exhausted")] == [match.record.id]
    return match.record.error_message, dict(match.captures)


RIGHT = (MESSAGES[1], {"name": "alpha", "place": "beta"})


def test_second_start_builds_nothing(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once there, an index is opened as it is."""
    assert answer(dataset) == RIGHT
    monkeypatch.setattr("errkb.index.build.build_index", lambda *_a, **_k: pytest.fail("built again"))
    assert answer(dataset) == RIGHT


def test_nothing_is_left_beside_the_index(dataset: Path) -> None:
    """A build leaves one file: what it wrote first was renamed."""
    answer(dataset)
    assert list(cache_folder().iterdir()) == [index_path(dataset)]


def test_changed_data_is_seen(dataset: Path, make_document: MakeDocument) -> None:
    """A dataset that changes is indexed again."""
    assert answer(dataset, "horizon") is None
    with dataset.open("a") as file:
        file.write(json.dumps(make_document("the horizon of {name} is exhausted at {place}")) + "\n")
    assert answer(dataset, "horizon") is not None


def test_data_written_a_moment_ago_is_not_cached(dataset: Path) -> None:
    """A file that may still change within one tick of its clock is indexed in memory only."""
    future = time.time() + 60
    os.utime(dataset, (future, future))
    assert answer(dataset) == RIGHT
    assert not index_path(dataset).exists()


def test_unwritable_cache_means_memory(dataset: Path, own_cache: Path) -> None:
    """Where the cache cannot be written, answers are the same."""
    own_cache.write_text("a file where a folder should be")
    assert answer(dataset) == RIGHT


def test_any_flipped_byte_is_harmless(dataset: Path) -> None:
    """Whatever byte of the file is damaged: the right answer or a rebuild, never a crash or a wrong answer."""
    answer(dataset)
    good = index_path(dataset).read_bytes()
    rng = random.Random(11)
    for place in [*range(64), *rng.sample(range(len(good)), 1500)]:
        damaged = bytearray(good)
        damaged[place] ^= 1 << rng.randrange(8)
        index_path(dataset).write_bytes(damaged)
        assert answer(dataset) == RIGHT, place


def test_every_flipped_byte_is_found(dataset: Path) -> None:
    """A complete check finds the damage of any one byte."""
    answer(dataset)
    good = index_path(dataset).read_bytes()
    for place in range(len(good)):
        damaged = bytearray(good)
        damaged[place] ^= 0x10
        with pytest.raises(DamagedIndex):
            _checked(bytes(damaged), index_path(dataset))


def _checked(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    open_store(path).check_all()


@pytest.mark.parametrize("length", [0, 1, 15, 30, 400])
def test_cut_files_are_rebuilt(dataset: Path, length: int) -> None:
    """A file that was cut, wherever, is built again."""
    answer(dataset)
    index_path(dataset).write_bytes(index_path(dataset).read_bytes()[:length])
    assert answer(dataset) == RIGHT


def test_data_exchanged_under_an_open_knowledge_base(dataset: Path, make_document: MakeDocument) -> None:
    """A knowledge base whose dataset is rewritten in place indexes it again instead of reading wrong lines."""
    kb = errkb.load(dataset)
    assert kb.lookup("the budget of alpha is exhausted at beta")
    other = make_document("the warranty of {name} ended", filePath="w.py")
    dataset.write_text("\n" + json.dumps(other) + "\n")
    kb.search("the pool of a is exhausted at b")
    match = kb.lookup("the warranty of gamma ended")
    assert match is not None
    assert dict(match.captures) == {"name": "gamma"}


def test_processes_build_at_once(dataset: Path, tmp_path: Path) -> None:
    """Several processes that start with an empty cache all answer, and one good file remains."""
    code = (
        "import sys, errkb; m = errkb.load(sys.argv[1]).lookup('the pool of alpha is exhausted at beta');"
        "print(m.captures['name'])"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, str(dataset)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert (out.strip(), err) == (b"alpha", b"")
    assert index_state(dataset)["state"] == "good"
    assert len(list(cache_folder().iterdir())) == 1


def test_compressed_data(dataset: Path, tmp_path: Path) -> None:
    """Records of compressed and of plain files of one folder are found alike."""
    folder = tmp_path / "folder"
    folder.mkdir()
    lines = dataset.read_text().splitlines(keepends=True)
    (folder / "a.jsonl.gz").write_bytes(gzip.compress("".join(lines[:2]).encode()))
    (folder / "b.jsonl").write_text("".join(lines[2:]))
    for path in folder.iterdir():
        settled(path)
    for _ in range(2):
        for word in ("quota", "budget", "pool", "buffer"):
            assert answer(folder, word) is not None


def test_states_and_clearing(dataset: Path) -> None:
    """A missing, good, stale and damaged index is reported as such, and clearing removes it."""
    states = [index_state(dataset)["state"]]
    open_index(dataset)
    states.append(index_state(dataset)["state"])
    settled(dataset)
    with dataset.open("a") as file:
        file.write("\n")
    states.append(index_state(dataset)["state"])
    index_path(dataset).write_bytes(b"no index")
    states.append(index_state(dataset)["state"])
    assert states == ["missing", "good", "stale", "damaged"]
    assert clear_cache() == 1
    assert index_state(dataset)["state"] == "missing"


def test_problems_are_kept_in_the_index(dataset: Path) -> None:
    """What is broken in a dataset is reported also when its index comes from the cache."""
    with dataset.open("a") as file:
        file.write("{broken\n")
    settled(dataset)
    for _ in range(2):
        (problem,) = errkb.load(dataset).problems
        assert (problem.path, problem.line) == (dataset, 5)


def test_an_overlay_leaves_the_large_index_alone(
    dataset: Path, tmp_path: Path, make_document: MakeDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second dataset over a first gets an index of its own; the first is not built again."""
    errkb.load(dataset)
    overlay = tmp_path / "overlay.jsonl"
    overlay.write_text(json.dumps({**make_document(MESSAGES[1], filePath="1.py"), "documentation": "ours"}) + "\n")
    built = []
    original = errkb.index.build.build_index
    monkeypatch.setattr(
        "errkb.index.build.build_index",
        lambda entries, sources, *a, **k: built.append(sources) or original(entries, sources, *a, **k),
    )
    kb = errkb.load(dataset, overlay)
    match = kb.lookup("the budget of alpha is exhausted at beta")
    assert match is not None
    assert match.record.documentation == "ours"
    assert [Path(source[0][0]).name for source in built] == ["overlay.jsonl"]
    assert len(kb) == 4


def test_pages_are_read_on_demand(dataset: Path) -> None:
    """Opening an index and asking it once checks only the pages it needs."""
    open_index(dataset)
    store = open_store(index_path(dataset))
    index = Index(store)
    assert isinstance(store, Store)
    assert index.find("nothing") is None
    assert not store.trusted


def test_words_are_added_when_they_are_first_searched(dataset: Path) -> None:
    """An index has no words to search until somebody searches; then it has them, also after the data changed."""
    errkb.load(dataset).lookup("anything at all")
    small = index_path(dataset).stat().st_size
    assert not open_index(dataset).searchable
    assert len(errkb.load(dataset).search_words("exhausted")) == 4
    assert open_index(dataset).searchable
    assert index_path(dataset).stat().st_size > small
    dataset.write_text("".join(dataset.read_text().splitlines(keepends=True)[:3]))
    settled(dataset)
    assert open_index(dataset).searchable
    assert len(errkb.load(dataset).search_words("exhausted")) == 3


def test_a_knowledge_base_that_is_open_gets_its_words(dataset: Path) -> None:
    """Searching does not disturb look-ups of the same knowledge base, before or after."""
    kb = errkb.load(dataset)
    for _ in range(2):
        match = kb.lookup("the pool of alpha is exhausted at beta")
        assert match is not None
        assert [hit.record.id for hit in kb.search_words("pool")] == [match.record.id]


def test_records_in_memory_cannot_be_searched_by_words(dataset: Path) -> None:
    """Where there is no dataset to build an index with words from, that is said."""
    with pytest.raises(errkb.DatasetError, match="in memory"):
        from_entries(read_entries(dataset)).search_words("pool")


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of open files to set")
def test_a_dataset_of_many_files_needs_few_open_ones(tmp_path: Path, make_document: MakeDocument) -> None:
    """A published dataset has a file for each project: more than a process may have open."""
    import resource

    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(150):
        document = make_document(f"Drawer {number} of {{name}} is stuck")
        (folder / f"{number}.json").write_text(json.dumps([document]))
    kb = errkb.load(folder)
    lowest_free = os.dup(1)
    os.close(lowest_free)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free + 60, hard))
    try:
        assert len({record.id for record in kb.records()}) == 150
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
