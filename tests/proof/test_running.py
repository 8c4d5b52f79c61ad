"""Examples in a process: isolation, limits, and that nothing lives on."""

import fcntl
import sys
import threading
import time
from pathlib import Path

import pytest

from errkb.proof.running import Limits, Runner, RunResult, network_is_cut

PYTHON = Path(sys.executable)
HOLD = """
import fcntl, subprocess, sys
child = "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); time.sleep(60)"
child = subprocess.Popen([sys.executable, "-c", child, {path!r}], stdout=subprocess.PIPE)
child.stdout.readline()
"""


def run(code: str, limits: Limits | None = None) -> RunResult:
    """How a half with this code ends."""
    return Runner(limits or Limits()).run(PYTHON, code)


def is_free(path: Path) -> bool:
    """Whether nobody holds the file any more; killed processes let go within moments."""
    with path.open("w") as file:
        for _ in range(100):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(0.02)
            else:
                return True
    return False


def test_status_and_stderr() -> None:
    """A half gives its exit status and what it wrote to stderr, whatever the bytes."""
    ended = run("import os, sys\nos.write(2, b'caf\\xe9 \\xc3\\xa9')\nsys.exit(7)")
    assert (ended.status, ended.stderr) == (7, "caf\N{REPLACEMENT CHARACTER} é")


def test_a_half_sees_nothing_of_the_caller(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Secrets, PYTHONPATH, home, working folder and standard input of the caller are not there."""
    (tmp_path / "mine.py").touch()
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ended = run(
        "import importlib.util, os, sys, tempfile\n"
        f"home = os.path.expanduser('~')\nassert home != {str(Path.home())!r}, home\n"
        "assert 'secret' not in os.environ.values(), os.environ\n"
        "assert os.getcwd() == home and os.listdir() == [], os.listdir()\n"
        "assert os.path.dirname(tempfile.gettempdir()) == os.path.dirname(home), tempfile.gettempdir()\n"
        "assert sys.flags.isolated and importlib.util.find_spec('mine') is None\n"
        "assert sys.stdin.read() == ''\n"
    )
    assert (ended.status, ended.stderr) == (0, "")


def test_the_scratch_folder_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a half writes into its folders is gone afterwards."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run("import tempfile\nopen('x', 'w').close()\ntempfile.mkdtemp()").status == 0
    assert list(tmp_path.iterdir()) == []


def test_time_is_limited() -> None:
    """A half that does not end is ended, and has no status."""
    assert run("while True: pass", Limits(seconds=0.3)).status is None


def test_memory_is_limited() -> None:
    """A half that takes more memory than allowed fails."""
    ended = run("bytearray(1 << 30)", Limits(memory=512 * 1024 * 1024))
    assert ended.status == 1
    assert "MemoryError" in ended.stderr


def test_output_is_cut() -> None:
    """Of a very long stderr the end is kept, where the error stands."""
    ended = run("import sys\nfor _ in range(20): sys.stderr.write('x' * 100_000)\nraise ValueError('the end')")
    assert len(ended.stderr) < 300_000
    assert ended.stderr.endswith("ValueError: the end\n")


@pytest.mark.parametrize("end", ["", "while True: pass"], ids=["ended", "time is up"])
def test_children_do_not_live_on(tmp_path: Path, end: str) -> None:
    """The whole group of processes is ended with a half, whether it ended or its time was up."""
    lock = tmp_path / "lock"
    ended = run(HOLD.format(path=str(lock)) + end, Limits(seconds=2 if end else 20))
    assert ended.status == (None if end else 0)
    assert is_free(lock)


@pytest.mark.skipif(not network_is_cut(), reason="user namespaces are not allowed here")
def test_children_that_leave_their_session_do_not_live_on(tmp_path: Path) -> None:
    """They end with the half, too."""
    lock = tmp_path / "lock"
    ended = run(
        HOLD.format(path=str(lock)).replace("stdout=subprocess.PIPE", "stdout=subprocess.PIPE, start_new_session=True")
    )
    assert ended.status == 0
    assert is_free(lock)


def test_stop_ends_what_is_under_way(tmp_path: Path) -> None:
    """`stop` ends a half immediately, its children with it, and lets no new one begin."""
    runner, began = Runner(Limits()), tmp_path / "began"
    ended: list[RunResult] = []
    code = HOLD.format(path=str(tmp_path / "lock")) + f"open({str(began)!r}, 'w').close()\nwhile True: pass"
    thread = threading.Thread(target=lambda: ended.append(runner.run(PYTHON, code)))
    thread.start()
    while not began.exists():
        time.sleep(0.01)
    runner.stop()
    thread.join(10)
    assert [one.status for one in ended] == [-9]
    assert is_free(tmp_path / "lock")
    with pytest.raises(RuntimeError, match="stopped"):
        runner.run(PYTHON, "pass")


@pytest.mark.skipif(not network_is_cut(), reason="this system does not let a process leave the network")
def test_there_is_no_network_but_loopback() -> None:
    """A half has one device, loopback, over which it can talk to itself."""
    ended = run(
        "import socket\n"
        "assert [name for _, name in socket.if_nameindex()] == ['lo'], socket.if_nameindex()\n"
        "server = socket.create_server(('127.0.0.1', 0))\n"
        "socket.create_connection(server.getsockname(), timeout=5).close()\n"
    )
    assert (ended.status, ended.stderr) == (0, "")
