"""Wherever errkb is run and whatever a path names: a sentence and status 2, or the rest of the work is done."""

import os
import sys
from pathlib import Path

import pytest

import errkb
from errkb.cli.group import run
from errkb.datasets.defaults import bundled_dataset

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths, pipes and users")

COMMANDS = (
    ("explain", "x", "--data"),
    ("search", "x", "--data"),
    ("list", "--data"),
    ("show", "x", "--data"),
    ("stats", "--data"),
    ("index", "--data"),
    ("validate",),
    ("validate", "--format", "sarif"),
    ("fmt", "--check"),
    ("prove", "--check"),
    ("drift", "--data"),
    ("harvest",),
    ("diff", "r.jsonl"),
)
PATHS = ("loop", "/" + "x" * 5000, "pipe.jsonl", "/dev/zero", "nothing", "~nouser/x", b"caf\xe9/r.jsonl", b"folder")


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of traps to run in, and a cache of its own."""
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    some = b"".join(bundled_dataset().read_bytes().splitlines(keepends=True)[:2])
    Path("r.jsonl").write_bytes(some)
    for folder, name in ((b"caf\xe9", b"r.jsonl"), (b"folder", b"x\xe9.jsonl")):
        Path(os.fsdecode(folder)).mkdir()
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(some)
    Path("loop").symlink_to("pool")
    Path("pool").symlink_to("loop")
    os.mkfifo("pipe.jsonl")


def status(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit status of a command; whatever it raises goes on."""
    monkeypatch.setattr(sys, "argv", ["errkb", *arguments])
    return run()


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ascii(path)[:20])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_lives_with_every_path(
    command: tuple[str, ...], path: str | bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No exception, and one of the promised statuses."""
    assert status(monkeypatch, *command, os.fsdecode(path)) in (0, 1, 2)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ascii(path)[:20])
def test_the_environment_may_name_any_path(path: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the datasets answers."""
    monkeypatch.setenv("ERRKB_DATA", os.fsdecode(path))
    assert status(monkeypatch, "explain", "ValueError: math domain error") == 0


@pytest.mark.parametrize("command", [*COMMANDS, ("explain",)], ids=" ".join)
def test_commands_run_where_the_working_folder_is_gone(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where relative paths mean nothing."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert status(monkeypatch, *command, "r.jsonl") in (0, 1, 2)


def test_there_need_be_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whom nobody knows is answered from memory."""

    def unknown(_self: object = None) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("HOME", "ERRKB_CACHE_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    monkeypatch.setattr(Path, "expanduser", unknown)
    assert status(monkeypatch, "explain", "ValueError: math domain error") == 0
    assert status(monkeypatch, "index") == 0
    assert errkb.load("r.jsonl").lookup("x") is None


@pytest.mark.parametrize("text", ['[tool.errkb]\nx = "" #\ny = ' + "[" * 20_000, 'datasets = ["a\\u0000b"]'])
def test_odd_configuration_is_refused_in_a_sentence(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nested too deeply, or a path with a NUL."""
    Path("errkb.toml").write_text(text, encoding="utf-8")
    assert status(monkeypatch, "explain", "no such error") in (1, 2)


@pytest.mark.parametrize("coding", ["undefined", "idna"])
def test_sources_of_odd_codings_are_read_all_the_same(coding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A codec that reads no text does not end a harvest."""
    Path("a.py").write_text(f"# coding: {coding}\nraise ValueError('one two three')\n", encoding="utf-8")
    assert status(monkeypatch, "harvest", "a.py") in (0, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    """Status 2 and a sentence."""
    import subprocess

    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "errkb", "list"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ended.returncode == 2
    assert b"cannot be written" in ended.stderr
    assert b"Traceback" not in ended.stderr
