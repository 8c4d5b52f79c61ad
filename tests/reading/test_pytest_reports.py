"""A test report is read as its tests: one failing test is one error, with its place, in the tests' order."""

import subprocess
import sys
from pathlib import Path

import pytest

import errkb

TESTS = """
import json
import pytest

def open_database():
    raise ConnectionError("the database is down")

@pytest.fixture
def database():
    open_database()

@pytest.mark.parametrize("text", ["1.5", "x"])
def test_number(text):
    int(text)

def test_name():
    {}["name"]

def test_chain():
    try:
        json.loads("{")
    except ValueError as error:
        raise RuntimeError("the configuration is broken") from error

def test_sum():
    assert 1 + 1 == 3

def test_query(database):
    pass
"""
ERRORS = [
    ("ConnectionError", "the database is down", 6),
    ("ValueError", "invalid literal for int() with base 10: '1.5'", 14),
    ("ValueError", "invalid literal for int() with base 10: 'x'", 14),
    ("KeyError", "'name'", 17),
    ("RuntimeError", "the configuration is broken", 23),
    ("JSONDecodeError", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)", 21),
    ("AssertionError", "assert (1 + 1) == 3", 26),
]
"""In the order of the text. The class and the message of each error, and the line of the test file where it came from."""


@pytest.mark.parametrize("style", ["auto", "long", "short"])
def test_each_failing_test_is_one_error(tmp_path: Path, environment: dict[str, str], style: str) -> None:
    """What the short summary repeats is no further error."""
    (tmp_path / "test_shop.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", f"--tb={style}", "-p", "no:cacheprovider", "-p", "no:xdist"]
    report = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=120, check=False
    ).stdout
    found = errkb.occurrences(report)
    names = [((one.error_class or "").rpartition(".")[2], one.message.partition("\n")[0]) for one in found]
    assert names == [(name, message) for name, message, _ in ERRORS]
    for one, (_, _, line) in zip(found, ERRORS, strict=True):
        assert ("test_shop.py", line) in [(Path(frame.file).name, frame.line) for frame in one.frames], one.message


def test_the_place_has_its_source() -> None:
    """The line that pytest marks stands at the place that it names below the error."""
    (one,) = errkb.occurrences(
        "    def test_a():\n>       int(text)\nE       ValueError: bad text here\n\ntests/test_a.py:9: ValueError\n"
    )
    assert [(frame.file, frame.line, frame.source) for frame in one.frames] == [("tests/test_a.py", 9, "int(text)")]


def test_a_summary_alone_is_its_errors() -> None:
    """Each line an error, also with the message cut."""
    text = (
        "=========================== short test summary info ============================\n"
        "ERROR tests/test_db.py::test_open - ConnectionError: the database is down\n"
        "FAILED tests/test_size.py::test_size[7] - ValueError: the drawer 7 is too sma...\n"
        "FAILED tests/test_size.py::test_name - KeyError: 'name'\n"
        "FAILED tests/test_size.py::test_sum - assert 1 == 2\n"
        "========================= 3 failed, 1 error in 0.12s ===========================\n"
    )
    assert [(one.error_class, one.message) for one in errkb.occurrences(text)] == [
        ("ConnectionError", "the database is down"),
        ("ValueError", "the drawer 7 is too sma..."),
        ("KeyError", "'name'"),
        ("AssertionError", "assert 1 == 2"),
    ]
