"""Which datasets are used on the command line, and what is said of broken ones."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Document = dict[str, Any]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

STEP = "offload_prefetch_step ({}) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"


def test_broken_parts_of_a_dataset_are_told_and_the_rest_is_used(
    errkb: Run, tmp_path: Path, founding: Document
) -> None:
    """A broken line is told on stderr, harmless; the answer comes from the others."""
    broken = {**founding, "severity": "\x1b[31mfatal"}
    (tmp_path / "a.jsonl").write_text("\n".join([json.dumps(broken), "{", json.dumps(founding)]))
    result = errkb("explain", "--data", "a.jsonl", STEP.format(0), cwd=tmp_path)
    assert result.returncode == 0
    told = result.stderr.decode().splitlines()
    assert [line.split(": ")[:3] for line in told] == [
        ["errkb", "skipped", "a.jsonl:1 at /severity"],
        ["errkb", "skipped", "a.jsonl:2"],
    ]
    assert b"\x1b" not in result.stderr


@pytest.fixture
def overlays(tmp_path: Path, make_document: Callable[..., Document]) -> Path:
    """A project folder with datasets a, b and c, each with a record of its own and one that all have."""
    for name in "abc":
        own = make_document(f"the {name} gear of the clock is bent")
        common = make_document("the common wheel of the clock is bent", documentation=f"from {name}")
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(own) + "\n" + json.dumps(common) + "\n")
    (tmp_path / "sub" / "folder").mkdir(parents=True)
    return tmp_path


def in_force(errkb: Run, cwd: Path, *arguments: str, **env: str) -> tuple[set[str], str]:
    """Which of the datasets a, b, c and errkb's own answer, and whose common record it is."""
    listed = errkb("list", *arguments, cwd=cwd, env=env).stdout.decode()
    marks = {"own": "73154bc6b02214fb"} | {name: f"the {name} gear" for name in "abc"}
    names = {name for name, mark in marks.items() if mark in listed}
    common = errkb("explain", "--json", *arguments, "the common wheel of the clock is bent", cwd=cwd, env=env)
    record = json.loads(common.stdout)["record"]
    return names, record["documentation"] if record else ""


def test_overlays(errkb: Run, overlays: Path) -> None:
    """The default datasets: errkb's own, the project's, ERRKB_DATA, later over earlier; --data alone replaces all."""
    sub = overlays / "sub" / "folder"
    assert in_force(errkb, sub) == ({"own"}, "")
    (overlays / "pyproject.toml").write_text('[tool.errkb]\ndatasets = ["a.jsonl"]\n')
    assert in_force(errkb, sub) == ({"own", "a"}, "from a")
    (overlays / "sub" / "errkb.toml").write_text('datasets = ["../b.jsonl"]\n')
    assert in_force(errkb, sub) == ({"own", "b"}, "from b")
    more = os.pathsep.join(str(overlays / name) for name in ("c.jsonl", "a.jsonl"))
    assert in_force(errkb, sub, ERRKB_DATA=more) == ({"own", "a", "b", "c"}, "from a")
    data = ("--data", "../../b.jsonl", "--data", "../../a.jsonl")
    assert in_force(errkb, sub, *data, ERRKB_DATA=more) == ({"a", "b"}, "from a")


def test_datasets_of_the_user(errkb: Run, overlays: Path, tmp_path: Path) -> None:
    """Datasets in the user's data folder are used everywhere, over errkb's own."""
    folder = tmp_path / "data" / "errkb"
    folder.mkdir(parents=True)
    (overlays / "a.jsonl").rename(folder / "mine.jsonl")
    (folder / ".hidden").write_text("no dataset")
    assert in_force(errkb, overlays, XDG_DATA_HOME=str(tmp_path / "data")) == ({"own", "a"}, "from a")


CONFIGURATIONS: dict[str, tuple[str, str, str]] = {
    "broken-errkb-toml": ("errkb.toml", "datasets = [", "errkb.toml"),
    "broken-pyproject": ("pyproject.toml", "[tool.errkb]\ndatasets = [", "pyproject.toml"),
    "wrong-type": ("errkb.toml", "datasets = 5", "errkb.toml"),
    "table-of-wrong-type": ("pyproject.toml", "[tool]\nerrkb = 5", "pyproject.toml"),
}


@pytest.mark.parametrize(("name", "content", "said"), CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())
def test_broken_configuration(errkb: Run, tmp_path: Path, name: str, content: str, said: str) -> None:
    """A configuration that cannot be understood is refused in a sentence that names the file."""
    (tmp_path / name).write_text(content)
    result = errkb("explain", "x", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"errkb: ")
    assert said in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1


@pytest.mark.parametrize("way", ["configuration", "environment"])
def test_a_missing_dataset_in_force_is_told_and_passed_over(errkb: Run, tmp_path: Path, way: str) -> None:
    """A dataset that the project or the environment names and that is not there is told; the others answer."""
    if way == "configuration":
        (tmp_path / "errkb.toml").write_text('datasets = ["none.jsonl"]')
    env = {"ERRKB_DATA": "none.jsonl"} if way == "environment" else {}
    result = errkb("explain", STEP.format(0), cwd=tmp_path, env=env)
    assert result.returncode == 0
    assert b"73154bc6b02214fb" in result.stdout
    assert result.stderr.startswith(b"errkb: skipped: ")
    assert b"none.jsonl: cannot be read" in result.stderr
    assert result.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "content",
    [
        "# [tool.errkb] is not used here\n",
        "[tool.errkb-other]\nx = 1\n",
        "[project]\nname = 'errkb-user'\n",
        "tool = 5 # errkb",
    ],
)
def test_a_pyproject_without_settings_is_passed_over(errkb: Run, overlays: Path, content: str) -> None:
    """A pyproject.toml that only mentions errkb is no configuration; the search goes on above."""
    (overlays / "errkb.toml").write_text('datasets = ["a.jsonl"]\n')
    (overlays / "sub" / "pyproject.toml").write_text(content)
    assert in_force(errkb, overlays / "sub") == ({"own", "a"}, "from a")


def test_search_by_words(errkb: Run, overlays: Path) -> None:
    """`errkb search` shows records in two to four lines each, or as JSON; exit status 1 if there is none."""
    data = ("--data", str(overlays / "a.jsonl"))
    shown = errkb("search", *data, "wheel", "bent")
    assert shown.returncode == 0
    head, about, prose = shown.stdout.decode().splitlines()
    assert head.endswith("acme/tool")
    assert about.endswith("the common wheel of the clock is bent")
    assert prose == "  from a"
    (hit,) = json.loads(errkb("search", "--json", *data, "common").stdout)["hits"]
    assert (hit["errorMessage"], hit["missing"]) == ("the common wheel of the clock is bent", [])
    partly = errkb("search", *data, "wheel", "common", "zebra")
    assert (partly.returncode, b"(without zebra)" in partly.stdout) == (0, True)
    assert partly.stderr.decode() == "errkb: no record has all of these words\n"
    nothing = errkb("search", *data, "zebra")
    assert (nothing.returncode, nothing.stdout) == (1, b"")
