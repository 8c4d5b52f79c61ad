"""The extension for IPython, in a real kernel and a real terminal session."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import errkb

pytest.importorskip("ipykernel")
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
NUMBER = "2aa14af794a3a468"
"""The record of `int('2.5')`."""


def notebook(*cells: str) -> Any:
    """A notebook with these cells."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a kernel that runs this Python."""
    folder = tmp_path / "kernels" / "here"
    folder.mkdir(parents=True)
    arguments = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (folder / "kernel.json").write_text(
        __import__("json").dumps({"argv": arguments, "display_name": "here", "language": "python"})
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    return "here"


def executed(kernel: str, *cells: str) -> list[list[Any]]:
    """The outputs of each cell."""
    ran = nbclient.NotebookClient(notebook(*cells), kernel_name=kernel, timeout=120, allow_errors=True).execute()
    return [cell.outputs for cell in ran.cells]


def kinds(outputs: list[Any]) -> list[str]:
    """The types of outputs."""
    return [output.output_type for output in outputs]


def test_answers_stand_below_the_errors(kernel: str) -> None:
    """After the error of the cell, which stays what it is; silence where nothing is known."""
    outputs = executed(
        kernel,
        "%load_ext errkb\nimport sys\n'msgspec' in sys.modules",
        "1 + 1",
        "int('2.5')",
        "int('3.5')",
        "{}['name']",
        "def f(:\n    pass",
        "async def g():\n    [].remove(1)\nawait g()",
        "raise type('Own', (Exception,), {})('nobody knows this one')",
        "raise SystemExit",
        "raise ExceptionGroup('two', [ValueError('a'), KeyError('b')])",
    )
    assert outputs[0][0].data["text/plain"] == "False"
    assert kinds(outputs[1]) == ["execute_result"]
    assert kinds(outputs[2]) == ["error", "display_data"]
    assert outputs[2][0].ename == "ValueError"
    assert set(outputs[2][1].data) == {"text/plain", "text/markdown", "text/html"}
    assert all(NUMBER in text for text in outputs[2][1].data.values())
    assert kinds(outputs[3]) == ["error", "stream"]
    assert outputs[3][1].text == f"errkb: as before, record {NUMBER}; %explain shows it\n"
    assert kinds(outputs[4]) == ["error", "display_data"]
    assert outputs[5][0].output_type == "error"
    assert kinds(outputs[6]) == ["error", "display_data"]
    assert kinds(outputs[7]) == ["error"]
    assert "errkb" not in str(outputs[8])


def test_magics(kernel: str) -> None:
    """The last error, a text, a pasted traceback; switched off, and unloaded."""
    outputs = executed(
        kernel,
        "%load_ext errkb\n%load_ext errkb",
        "%explain",
        "int('2.5')",
        "%explain",
        "%explain KeyError: 'name'",
        '%%explain\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: math domain error',
        "%explain nothing that is an error",
        "%errkb off",
        "int('4.5')",
        "%errkb loud",
        "%errkb full",
        "int('5.5')",
        "%unload_ext errkb",
        "int('6.5')",
        "%explain",
    )
    assert outputs[1][0].text == "errkb: no cell has failed yet; give a text\n"
    assert NUMBER in outputs[3][0].data["text/html"]
    assert outputs[3][0].output_type == "execute_result"
    assert "daad1a3507b7f387" in outputs[4][0].data["text/plain"]
    assert "math domain error" in outputs[5][0].data["text/markdown"]
    assert outputs[6][0].text == "errkb: nothing is known of it\n"
    assert kinds(outputs[8]) == ["error"]
    assert outputs[9][0].text == "errkb: one of off, on, full, not 'loud'\n"
    assert "example tested with" in outputs[11][1].data["text/plain"]
    assert kinds(outputs[13]) == ["error"]
    assert "explain" in str(outputs[14])


def test_the_kernel_still_reports_the_error(kernel: str) -> None:
    """A notebook that is run as a program stops at the cell."""
    client = nbclient.NotebookClient(notebook("%load_ext errkb", "int('2.5')", "1"), kernel_name=kernel, timeout=120)
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        client.execute()


@pytest.mark.parametrize("order", [("rich.traceback", "errkb"), ("errkb", "rich.traceback")])
def test_beside_rich(kernel: str, order: tuple[str, str]) -> None:
    """Its tracebacks and our answers, in whichever order they are loaded."""
    loads = {"errkb": "%load_ext errkb", "rich.traceback": "import rich.traceback; _ = rich.traceback.install()"}
    outputs = executed(kernel, *(loads[name] for name in order), "int('2.5')")
    assert NUMBER in str(outputs[2])
    assert "Traceback" in str(outputs[2])


@pytest.mark.parametrize("trouble", ["ERRKB_DATA", "ERRKB_CACHE_DIR"])
def test_trouble_of_ours_is_silent(kernel: str, tmp_path: Path, trouble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cell's error is all that is seen, or the answer below it."""
    (tmp_path / "broken.jsonl").write_text("no JSON\n")
    monkeypatch.setenv(trouble, str(tmp_path / "broken.jsonl"))
    outputs = executed(kernel, "%load_ext errkb", "int('2.5')")
    assert kinds(outputs[1])[0] == "error"
    assert kinds(outputs[1]).count("error") == 1


def test_a_terminal_session(tmp_path: Path, environment: dict[str, str]) -> None:
    """As text below the traceback."""
    result = subprocess.run(
        [sys.executable, "-m", "IPython", "--simple-prompt", "--colors=nocolor", "--no-banner"],
        input="%load_ext errkb\nint('2.5')\nexit\n",
        cwd=tmp_path, env=environment | {"IPYTHONDIR": str(tmp_path)}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "ValueError: invalid literal for int()" in result.stdout
    assert f"errkb show {NUMBER}" in result.stdout


def test_an_explanation_shows_itself_in_notebooks() -> None:
    """As the value of a cell, also in marimo."""
    found = errkb.explain("ValueError: invalid literal for int() with base 10: '2.5'")
    assert found is not None
    assert set(found._repr_mimebundle_()) == {"text/plain", "text/markdown", "text/html"}
    assert found._mime_() == ("text/html", found.html())
