"""The plugin `pytest-errkb`, in real runs of pytest."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import errkb

PLUGIN = Path(__file__).resolve().parents[2] / "plugins" / "pytest-errkb"
NUMBER = "2aa14af794a3a468"
"""The record of `int('2.5')`."""
TESTS = """
import pytest

@pytest.mark.parametrize("text", ["1.5", "2.5", "3.5"])
def test_number(text):
    int(text)

def test_name():
    {}["name"]

def test_fine():
    pass

def test_assert():
    assert 1 + 1 == 3

def test_unknown():
    raise type("Own", (Exception,), {})("nobody knows this one")

def test_skipped():
    pytest.skip("int('2.5')")

@pytest.mark.xfail
def test_expected():
    int("2.5")

@pytest.fixture
def broken():
    int("4.5")

def test_setup(broken):
    pass
"""
HOSTILE = """
class E(Exception):
    def __str__(self):
        raise RuntimeError
def test_odd():
    raise E
def test_long():
    raise ValueError("x" * 5_000_000)
def test_exit():
    raise SystemExit(3)
def test_group():
    raise BaseExceptionGroup("two", [ValueError("a"), KeyError("b")])
"""


def run(
    folder: Path, environment: dict[str, str], *options: str, code: str = TESTS, plugin: bool = True
) -> subprocess.CompletedProcess[str]:
    """A run of pytest over one file of tests."""
    (folder / "test_shop.py").write_text(code)
    search = os.pathsep.join([str(PLUGIN), *filter(None, sys.path)])
    loaded = ["-p", "pytest_errkb"] if plugin else []
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *loaded, *options],
        cwd=folder, env=environment | {"PYTHONPATH": search, "COLUMNS": "80"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def outcome(text: str) -> str:
    """The last line of a run, without the time."""
    return re.sub(r" in [\d.]+s.*", "", text.strip().splitlines()[-1]).strip("= ")


MATRIX = {
    "plain": [],
    "long": ["--tb=long"],
    "short": ["--tb=short"],
    "native": ["--tb=native"],
    "quiet": ["-q"],
    "no capture": ["--show-capture=no"],
    "xdist": ["-n", "2"],
    "strict": ["-W", "error", "--strict-config", "--strict-markers"],
}


@pytest.mark.parametrize("options", MATRIX.values(), ids=MATRIX)
def test_the_first_failure_is_explained_and_the_others_point_to_it(
    tmp_path: Path, environment: dict[str, str], options: list[str]
) -> None:
    """One answer a record, a line for each further test, a count at the end; the outcome is that without the plugin."""
    alone = run(tmp_path, environment, *options, plugin=False)
    result = run(tmp_path, environment, *options)
    assert result.returncode == alone.returncode == 1
    assert outcome(result.stdout) == outcome(alone.stdout)
    assert result.stdout.count(f"errkb show {NUMBER}") == 1
    assert len(re.findall(r"^as in test_shop\.py::test_", result.stdout, re.MULTILINE)) == 3
    assert result.stdout.count("errkb show") == 2
    assert re.search(
        r"^4 failures: python/cpython/\S+ \(first: test_shop\.py::test_\S+\)$", result.stdout, re.MULTILINE
    )
    assert "INTERNALERROR" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("options", "variables"),
    [(["--no-errkb"], {}), (["-o", "errkb=off"], {}), ([], {"ERRKB_PYTEST": "off"}), (["-p", "no:pytest_errkb"], {})],
)
def test_it_can_be_switched_off(
    tmp_path: Path, environment: dict[str, str], options: list[str], variables: dict[str, str]
) -> None:
    """By option, setting, variable, or by pytest itself."""
    result = run(tmp_path, environment | variables, *options)
    assert result.returncode == 1
    assert "errkb" not in result.stdout


def test_whole_answers(tmp_path: Path, environment: dict[str, str]) -> None:
    """With --errkb, and what is wrong is said of a mode that there is not."""
    assert "example tested with" in run(tmp_path, environment, "--errkb").stdout
    result = run(tmp_path, environment, "-o", "errkb=loud")
    assert result.returncode == 4
    assert "errkb must be one of off, brief, full" in result.stderr


@pytest.mark.parametrize("options", [["--tb=no"], ["-qq", "--tb=no"]])
def test_nothing_is_added_where_no_traceback_is_wanted(
    tmp_path: Path, environment: dict[str, str], options: list[str]
) -> None:
    """Neither a section nor a count."""
    assert "errkb" not in run(tmp_path, environment, *options).stdout


@pytest.mark.parametrize("options", [[], ["-n", "2"]])
def test_junit_files_have_the_record(tmp_path: Path, environment: dict[str, str], options: list[str]) -> None:
    """As a property of each test that failed, and in the text of its failure."""
    run(tmp_path, environment, "--junitxml=junit.xml", *options)
    cases = list(ElementTree.parse(tmp_path / "junit.xml").getroot().iter("testcase"))
    found = {
        case.get("name"): [p.get("value") for p in case.iter("property") if p.get("name") == "errkb"] for case in cases
    }
    assert {name for name, ids in found.items() if ids == [NUMBER]} == {
        "test_number[1.5]", "test_number[2.5]", "test_number[3.5]", "test_setup",
    }  # fmt: skip
    assert found["test_fine"] == found["test_expected"] == found["test_unknown"] == []


def test_errors_of_the_collection(tmp_path: Path, environment: dict[str, str]) -> None:
    """A module that is missing, and code that cannot be parsed."""
    shown = run(tmp_path, environment, code="import no_such_module_here\n").stdout
    assert "no_such_module_here" in shown
    assert "errkb show" in shown
    shown = run(tmp_path, environment, code="def f(:\n    pass\n").stdout
    assert "SyntaxError" in shown


def test_nothing_of_errkb_is_imported_while_all_tests_pass(tmp_path: Path, environment: dict[str, str]) -> None:
    """Nor is anything in the header."""
    code = "import sys\ndef test_fine():\n    assert not [m for m in sys.modules if m.partition('.')[0] in ('errkb', 'msgspec')]\n"
    result = run(tmp_path, environment, code=code)
    assert result.returncode == 0, result.stdout
    assert "errkb" not in result.stdout.replace(str(tmp_path), "")


def test_five_hundred_equal_failures(tmp_path: Path, environment: dict[str, str]) -> None:
    """One answer, 499 lines, one count."""
    code = "import pytest\n@pytest.mark.parametrize('n', range(500))\ndef test_number(n):\n    int(f'{n}.5')\n"
    shown = run(tmp_path, environment, "--tb=short", code=code).stdout
    assert shown.count("errkb show") == 1
    assert len(re.findall(r"^as in test_shop\.py::test_number\[0\]$", shown, re.MULTILINE)) == 499
    assert "\n500 failures: python/cpython/" in shown


def test_odd_exceptions_are_as_without_it(tmp_path: Path, environment: dict[str, str]) -> None:
    """No error of pytest's own, and the same counts."""
    alone = run(tmp_path, environment, code=HOSTILE, plugin=False)
    result = run(tmp_path, environment, code=HOSTILE)
    assert outcome(result.stdout) == outcome(alone.stdout)
    assert "INTERNALERROR" not in result.stdout


@pytest.mark.parametrize("name", ["ERRKB_DATA", "ERRKB_CACHE_DIR"])
def test_trouble_of_errkb_changes_no_outcome(tmp_path: Path, environment: dict[str, str], name: str) -> None:
    """A broken dataset, a cache that cannot be written."""
    (tmp_path / "broken.jsonl").write_text("no JSON\n")
    alone = run(tmp_path, environment, plugin=False)
    result = run(tmp_path, environment | {name: str(tmp_path / "broken.jsonl")})
    assert (result.returncode, outcome(result.stdout)) == (alone.returncode, outcome(alone.stdout))


def test_the_plugin_has_the_version_of_errkb() -> None:
    """And depends on it."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]
    assert project["version"] == errkb.__version__
    assert f"errkb=={errkb.__version__}" in project["dependencies"]
