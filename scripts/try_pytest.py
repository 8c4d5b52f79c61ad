"""The plugin pytest-errkb with several versions of pytest and beside other plugins, each in an environment of its own.

    python scripts/try_pytest.py [--versions 7.4 8.4 9.*]

Needs a package index. Prints a table: version, case, what was seen. The exit status is 1 if anything differs from what
should be.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = """
import pytest

@pytest.mark.parametrize("text", ["1.5", "2.5", "3.5"])
def test_number(text):
    int(text)

def test_fine():
    pass

@pytest.fixture
def broken():
    int("4.5")

def test_setup(broken):
    pass
"""
CASES: dict[str, tuple[list[str], str]] = {
    "plain": ([], ""),
    "--tb=long": (["--tb=long"], ""),
    "--tb=native": (["--tb=native"], ""),
    "-qq": (["-qq"], ""),
    "-x": (["-x"], ""),
    "xdist": (["-n", "2"], "pytest-xdist"),
    "sugar": (["-p", "pytest_sugar"], "pytest-sugar"),
    "pretty": (["-p", "pytest_pretty"], "pytest-pretty"),
    "html": (["--html=report.html"], "pytest-html"),
    "rerunfailures": (["--reruns", "1"], "pytest-rerunfailures"),
}
"""Options, and the package that they need."""
_LOADED = {
    "pytest-xdist": ("xdist",),
    "pytest-html": ("html", "metadata"),
    "pytest-rerunfailures": ("pytest_rerunfailures",),
}
"""The names by which pytest loads packages, where the options do not name them."""


def main() -> None:
    """Try all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--versions", nargs="*", default=["7.4.*", "8.4.*", "9.*"])
    failures = 0
    for version in parser.parse_args().versions:
        with tempfile.TemporaryDirectory() as folder:
            failures += try_version(Path(folder), version)
    sys.exit(1 if failures else 0)


def try_version(folder: Path, version: str) -> int:
    """The number of cases that went wrong with a version of pytest."""
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    others = [package for _, package in CASES.values() if package]
    plugin = ROOT / "plugins" / "pytest-errkb"
    install = [python, "-m", "pip", "install", "-q", f"pytest=={version}", ROOT, plugin, *others]
    subprocess.run(list(map(str, install)), check=True)
    (folder / "test_shop.py").write_text(TESTS)
    wrong = 0
    for name, (options, package) in CASES.items():
        loaded = [word for plugin_name in ("errkb", *_LOADED.get(package, ())) for word in ("-p", plugin_name)]
        ran = subprocess.run(
            [str(python), "-m", "pytest", "-p", "no:cacheprovider", *loaded, *options],
            cwd=folder,
            env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "80"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        shown = re.sub(r"\x1b\[[\d;]*m", "", ran.stdout)
        answers = shown.count("errkb show")
        pointers = len(re.findall(r"^\s*as in test_shop\.py", shown, re.MULTILINE))
        counted = "failures: python/cpython" in shown
        expected = (1, 0, False) if name == "-x" else (1, 3, name != "-qq")
        good = (answers, pointers, counted) == expected and ran.returncode == 1 and "INTERNALERROR" not in shown
        wrong += not good
        seen = f"answers {answers}, pointers {pointers}, counted {counted}, status {ran.returncode}"
        print(f"{version:7} {name:14} {'good' if good else 'WRONG':6} {seen}")
        if not good:
            print(shown[-3000:], ran.stderr[-2000:], sep="\n")
    return wrong


if __name__ == "__main__":
    main()
