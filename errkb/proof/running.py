"""One half of an example, run in a process of its own within limits.

What is prevented: reading the caller's environment, more time or memory than allowed, processes
of the same group that live on, and, on Linux with user namespaces, any process that lives on and any
network but loopback. What is not: the example may read and write whatever files the caller may. It is
code that runs.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

_START = Path(__file__).with_name("start.py")
_LONGEST_OUTPUT = 256 * 1024
_INHERITED = (
    "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE",
)  # fmt: skip
"""What an example sees of the caller's environment: what programs need in order to start and to be right."""


class Limits(NamedTuple):
    """Seconds on the clock and bytes of address space that a half may take."""

    seconds: float = 60
    memory: int = 8 * 1024**3


class RunResult(NamedTuple):
    """How a half ended: exit status (None: its time was up) and the end of what it wrote to stderr."""

    status: int | None
    stderr: str
    seconds: float


class Runner:
    """A runner of programs, for any thread; `stop` ends those that run and lets no new one begin."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._live: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, python: Path, code: str) -> RunResult:
        """Run `code` in a fresh, isolated interpreter, in a scratch folder that is its home too."""
        with tempfile.TemporaryDirectory(prefix="errkb-prove-", ignore_cleanup_errors=True) as scratch:
            folder = Path(scratch)
            script = folder / "example.py"
            script.write_bytes((code + "\n").encode("utf-8", "surrogatepass"))
            for name in ("work", "tmp"):
                (folder / name).mkdir()
            with (folder / "stderr").open("w+b") as stderr:
                began = time.monotonic()
                status = self._wait(self._begin(python, script, stderr.fileno()))
                seconds = time.monotonic() - began
                stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - _LONGEST_OUTPUT))
                return RunResult(status, stderr.read().decode("utf-8", "replace"), seconds)

    def stop(self) -> None:
        """End all that is under way."""
        with self._lock:
            self._stopped = True
            for process in self._live:
                _kill_group(process)

    def _begin(self, python: Path, script: Path, stderr: int) -> "subprocess.Popen[bytes]":
        limits = (str(self._limits.memory), str(int(self._limits.seconds) + 2))
        with self._lock:
            if self._stopped:
                raise RuntimeError("stopped")
            process = subprocess.Popen(  # noqa: S603  # running code is what this is for
                [python, "-I", "-S", _START, *limits, script],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                cwd=script.parent / "work",
                env=environment(python, script.parent),
                start_new_session=True,
            )
            self._live.add(process)
        return process

    def _wait(self, process: "subprocess.Popen[bytes]") -> int | None:
        try:
            return process.wait(self._limits.seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with self._lock:
                _kill_group(process)
                self._live.discard(process)
            process.wait()


def environment(python: Path, scratch: Path) -> dict[str, str]:
    """The environment of an example: a home in `scratch`, and nothing of the caller's that may be a secret."""
    here, temporary = str(scratch / "work"), str(scratch / "tmp")
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return kept | {
        "PATH": os.pathsep.join((str(python.parent), os.defpath)),
        "HOME": here,
        "USERPROFILE": here,
        "TMPDIR": temporary,
        "TEMP": temporary,
        "TMP": temporary,
        "LANG": "C.UTF-8",
    }


def network_is_cut() -> bool:
    """Whether examples run without a network here."""
    probe = [sys.executable, "-I", "-S", str(_START), "--probe"]
    return subprocess.run(probe, check=False, capture_output=True).returncode == 0  # noqa: S603


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all of its group, also those that it left behind."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
