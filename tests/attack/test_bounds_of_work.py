"""What is spent and kept is bounded, and what is refused is said."""

import gzip
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

import errkb
from errkb.datasets.dataset import read_entries
from errkb.datasets.defaults import bundled_dataset
from errkb.errors import DatasetError
from errkb.validation import validate

RECORD = json.loads(bundled_dataset().read_bytes().splitlines()[0])


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for each test."""
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache"))


def test_costly_patterns_share_half_a_second(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What was left out is said in a warning of the logger."""
    costly = "hostile words here (?:a?){200}(?:[ab]?){200}(?:b{0,100})zz"
    path = tmp_path / "records.jsonl"
    path.write_text(
        "".join(
            json.dumps(
                {**RECORD, "id": f"{n:016x}", "slug": f"s{n}", "errorMessage": "hostile", "messagePattern": costly}
            )
            + "\n"
            for n in range(20)
        )
    )
    kb = errkb.load(path)
    with caplog.at_level(logging.WARNING, "errkb"):
        kb.lookup("hostile words here " + "a" * 1500 + " zz")
        start = process_time()
        kb.lookup("hostile words here " + "a" * 1500 + " zz")
    assert process_time() - start < 3  # half a second, on a machine that has time
    assert "not tried" in caplog.text


@pytest.mark.parametrize(
    ("name", "limit", "content"),
    [
        ("r.jsonl", "LINE", b'{"id": "' + b"x" * 3000 + b'"}\n'),
        ("r.json", "DOCUMENT", b"[" + b'{"id": 1},' * 300 + b'{"id": 1}]'),
    ],
)
def test_what_is_too_large_is_refused(
    name: str, limit: str, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compressed or not; the sentence names the variable that allows more."""
    monkeypatch.setenv(f"ERRKB_LIMIT_{limit}", "1000")
    for path, data in ((tmp_path / name, content), (tmp_path / f"{name}.gz", gzip.compress(content))):
        path.write_bytes(data)
        try:
            problems = list(read_entries(path))
        except DatasetError as problem:
            problems = [problem]
        assert f"ERRKB_LIMIT_{limit}" in str(problems[0])


def test_a_line_that_is_too_long_does_not_hide_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line numbers and offsets go on."""
    monkeypatch.setenv("ERRKB_LIMIT_LINE", "1000")
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"id":"a"}\n' + b"x" * 900_000 + b'\n{"id":"b"}\n')
    first, long, last = read_entries(path)
    assert isinstance(long, DatasetError)
    assert not isinstance(first, DatasetError)
    assert not isinstance(last, DatasetError)
    assert (last.line, path.read_bytes()[last.offset :][: len(last.raw)]) == (3, b'{"id":"b"}')


def test_very_many_small_values_are_refused(tmp_path: Path) -> None:
    """They would take thirty times their size."""
    path = tmp_path / "ones.json.gz"
    path.write_bytes(gzip.compress(b"[1" + b",1" * 1_500_000 + b"]"))
    with pytest.raises(DatasetError, match="small values"):
        list(read_entries(path))


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        lambda count: json.dumps([{**RECORD, "slug": "wrong", "id": f"{n:016x}"} for n in range(count)]),
        lambda count: json.dumps([{**RECORD, **{f"key{n}": n for n in range(40 * count)}}]),
    ],
    ids=["one line", "unknown keys"],
)
def test_validating_is_linear(content: Callable[[int], str], tmp_path: Path) -> None:
    """Four times the findings take about four times as long."""
    seconds = []
    for count in (100, 400):
        path = tmp_path / f"{count}.json"
        path.write_text(content(count))
        os.utime(path, (1_000_000_000, 1_000_000_000))
        start = process_time()
        validate([path])
        seconds.append(process_time() - start)
    assert seconds[1] < max(10 * seconds[0], 2)
