"""The types of the public API, as a type checker of its users sees them."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="mypy is not installed")


def mypy(tmp_path: Path, *arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Runs mypy, strict, without the project's settings."""
    cache = ["--config-file=", f"--cache-dir={tmp_path / 'cache'}"]
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *cache, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=300,
        check=False,
    )


def test_the_public_api_is_typed(tmp_path: Path, root: Path) -> None:
    """A file that uses every public name passes mypy --strict, with the types that are promised."""
    result = mypy(tmp_path, str(root / "tests" / "typing_api.py"), cwd=root)
    assert (result.returncode, result.stderr) == (0, ""), result.stdout


def test_wrong_use_is_told(tmp_path: Path, root: Path) -> None:
    """The types are real ones, not Any: what is wrong with this file, mypy says."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import errkb\nerrkb.lookup(5)\nerrkb.nothing\nerrkb.search('x').sort(key=len)\n")
    result = mypy(tmp_path, str(wrong), cwd=root)
    assert result.returncode == 1
    assert [line.split(":")[1] for line in result.stdout.splitlines() if ": error: " in line] == ["2", "3", "4"]


def test_help_and_signatures_work() -> None:
    """`help(errkb)` prints, and every public class and function tells its signature."""
    import inspect
    import pydoc

    import errkb

    assert "explain" in pydoc.render_doc(errkb)
    for name in errkb.__all__:
        found = getattr(errkb, name)
        if inspect.isfunction(found) or isinstance(found, type(errkb.Explanation)):
            assert inspect.signature(found)
