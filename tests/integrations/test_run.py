"""`errkb run`: the command runs as it would by itself, and its error is explained below."""

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX")
ERRKB = [sys.executable, "-m", "errkb", "run"]
FAILS = "import sys\nprint('out', flush=True)\nprint('warned', file=sys.stderr)\nint('2.5')\n"
PATIENCE = 60
"""Seconds after which a test gives up; nothing waits that long unless it is broken."""


def run(
    arguments: Sequence[str | Path], environment: dict[str, str], folder: Path, text: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """What `errkb run` with these arguments leaves."""
    return subprocess.run(
        [*ERRKB, *map(str, arguments)],
        cwd=folder, env=environment, input=text, capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


def bare(
    arguments: Sequence[str | Path], environment: dict[str, str], folder: Path
) -> subprocess.CompletedProcess[bytes]:
    """What the command leaves by itself."""
    return subprocess.run(
        list(map(str, arguments)),
        cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, check=False, input=b"",
    )  # fmt: skip


@pytest.mark.parametrize("options", [[], ["--stdout"], ["--all"]])
def test_a_failing_program_is_explained_below_its_traceback(
    tmp_path: Path, environment: dict[str, str], options: list[str]
) -> None:
    """The bytes before are those of the program by itself, stdout holds nothing else, the status is its own."""
    (tmp_path / "a.py").write_text(FAILS)
    alone = bare([sys.executable, "a.py"], environment, tmp_path)
    watched = run([*options, "--", sys.executable, "a.py"], environment, tmp_path)
    assert watched.stdout == alone.stdout == b"out\n"
    assert watched.stderr.startswith(alone.stderr)
    assert b"2aa14af794a3a468" in watched.stderr
    assert watched.returncode == alone.returncode == 1


@pytest.mark.parametrize(
    "code",
    [
        "print('fine')",
        "import sys; print('warning: x', file=sys.stderr)",
        "raise SystemExit(3)",
        "import sys; sys.stderr.write('nothing that is known'); sys.exit(7)",
        "raise type('Own', (Exception,), {})('nobody knows this one')",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "raise KeyboardInterrupt",
        "import sys; sys.stderr.buffer.write(bytes(range(256)) * 5000)",
    ],
)
def test_nothing_is_said_where_nothing_is_known(tmp_path: Path, environment: dict[str, str], code: str) -> None:
    """The same bytes and the same status, or the same signal."""
    alone = bare([sys.executable, "-c", code], environment, tmp_path)
    watched = run(["--", sys.executable, "-c", code], environment, tmp_path)
    assert (watched.stdout, watched.stderr, watched.returncode) == (alone.stdout, alone.stderr, alone.returncode)


def test_a_crash_ends_with_its_signal(tmp_path: Path, environment: dict[str, str]) -> None:
    """A shell sees the same status, 139."""
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    assert run(["--", sys.executable, "-c", code], environment, tmp_path).returncode == -signal.SIGSEGV


def test_commands_that_cannot_start(tmp_path: Path, environment: dict[str, str]) -> None:
    """127 and 126, as a shell has it."""
    (tmp_path / "plain").write_text("no program")
    assert run(["no-such-command"], environment, tmp_path).returncode == 127
    assert run(["./plain"], environment, tmp_path).returncode == 126
    assert run([], environment, tmp_path).returncode == 2


def test_a_script_runs_with_python(tmp_path: Path, environment: dict[str, str]) -> None:
    """`python -m errkb run script.py` takes that Python; options behind it are the script's."""
    (tmp_path / "a.py").write_text("import sys; print(sys.executable, sys.argv[1:])")
    result = run(["a.py", "--all", "-n", "3"], environment, tmp_path)
    assert result.stdout.decode().strip() == f"{sys.executable} ['--all', '-n', '3']"


def test_bytes_come_at_once_and_stdin_is_the_commands(tmp_path: Path, environment: dict[str, str]) -> None:
    """What was written is there before the command goes on."""
    code = "import sys; sys.stderr.write('asked? '); sys.stderr.flush(); sys.stderr.write(input().upper())"
    command = [*ERRKB, "--", sys.executable, "-c", code]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as child:
        assert child.stderr is not None
        assert child.stdin is not None
        seen = b""
        while seen != b"asked? ":
            seen += child.stderr.read(1)
        child.stdin.write(b"yes\n")
        assert child.stderr.read() == b"YES"
    assert child.returncode == 0


def test_a_background_process_does_not_keep_us_and_goes_on_writing(tmp_path: Path, environment: dict[str, str]) -> None:
    """It holds the pipe; what it writes later arrives all the same."""
    os.mkfifo(tmp_path / "go")
    script = "(read word < go; echo late >&2) & echo early >&2; exit 3"
    with subprocess.Popen(
        [*ERRKB, "--", "sh", "-c", script], cwd=tmp_path, env=environment, stderr=subprocess.PIPE
    ) as child:
        assert child.wait(PATIENCE) == 3
        (tmp_path / "go").write_text("now\n")
        assert child.stderr is not None
        assert child.stderr.read() == b"early\nlate\n"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory is read from /proc")
def test_a_hundred_megabytes_in_bounded_memory(tmp_path: Path, environment: dict[str, str]) -> None:
    """Only the end is kept."""
    writer = "import sys\nline = b'x' * 99 + b'\\n'\nfor _ in range(10_000): sys.stderr.buffer.write(line * 100)\nsys.exit(1)"
    code = (
        "import sys\nfrom errkb.integrations.child_process import Tail, run_watched\ntail = Tail()\n"
        f"status = run_watched([sys.executable, '-c', {writer!r}], tail)\n"
        "most = int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])\n"
        "print(status, len(tail.text()) < 400_000, most < 150_000)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=tmp_path, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert result.stdout == b"1 True True\n"


def test_a_signal_for_us_reaches_the_command(tmp_path: Path, environment: dict[str, str]) -> None:
    """Its handler decides."""
    code = (
        "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
        "print('ready', flush=True)\nsignal.pause()"
    )
    with subprocess.Popen(
        [*ERRKB, "--", sys.executable, "-c", code], cwd=tmp_path, env=environment, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        child.terminate()
        assert child.wait(PATIENCE) == 5


class Terminal:
    """A command at a terminal of its own, typed into by the test."""

    def __init__(self, command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
        self.seen = b""
        self.process, self._terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it
            os.execvpe(command[0], list(command), environment)

    def expect(self, words: bytes) -> None:
        """Read until these words were shown."""
        while words not in self.seen:
            assert select.select([self._terminal], [], [], PATIENCE)[0], self.seen
            self.seen += os.read(self._terminal, 4096)

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._terminal, keys)

    def end(self) -> int:
        """The exit status, when all was read."""
        while True:
            try:
                assert select.select([self._terminal], [], [], PATIENCE)[0], self.seen
                chunk = os.read(self._terminal, 4096)
            except OSError:
                break
            if not chunk:
                break
            self.seen += chunk
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.mark.parametrize("options", [[], ["--pty"]])
def test_control_c_is_the_commands(tmp_path: Path, environment: dict[str, str], options: list[str]) -> None:
    """Its handler decides, and nothing of ours is shown."""
    code = "import signal, sys\nsignal.signal(signal.SIGINT, lambda *_: sys.exit(5))\nprint('ready', flush=True)\nsignal.pause()"
    terminal = Terminal([*ERRKB, *options, "--", sys.executable, "-c", code], tmp_path, environment)
    terminal.expect(b"ready")
    terminal.type(b"\x03")
    assert terminal.end() == 5
    assert b"Traceback" not in terminal.seen


@pytest.mark.parametrize("options", [[], ["--pty"]])
def test_control_c_without_a_handler(tmp_path: Path, environment: dict[str, str], options: list[str]) -> None:
    """The command dies of it, and so do we."""
    terminal = Terminal([*ERRKB, *options, "--", "sh", "-c", "echo ready; read x"], tmp_path, environment)
    terminal.expect(b"ready")
    terminal.type(b"\x03")
    assert terminal.end() in (-signal.SIGINT, 130)


SHELL = """
import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
_, status = os.waitpid(child, os.WUNTRACED)
print("stopped" if os.WIFSTOPPED(status) else "not stopped", flush=True)
os.killpg(child, signal.SIGCONT)
_, status = os.waitpid(child, 0)
print("ended", os.waitstatus_to_exitcode(status), flush=True)
"""


def test_control_z_suspends_both(tmp_path: Path, environment: dict[str, str]) -> None:
    """As a shell does it: stopped, and continued."""
    (tmp_path / "shell.py").write_text(SHELL)
    code = "print('ready', flush=True); import sys; sys.exit(len(input()))"
    command = [sys.executable, str(tmp_path / "shell.py"), *ERRKB, "--", sys.executable, "-c", code]
    terminal = Terminal(command, tmp_path, environment)
    terminal.expect(b"ready")
    terminal.type(b"\x1a")
    terminal.expect(b"stopped")
    assert b"not stopped" not in terminal.seen
    terminal.type(b"abcd\n")
    terminal.expect(b"ended 4")
    terminal.end()


@pytest.mark.skipif(shutil.which("less") is None, reason="less is not installed")
@pytest.mark.parametrize("options", [[], ["--pty"]])
def test_a_pager_works(tmp_path: Path, environment: dict[str, str], options: list[str]) -> None:
    """It reads keys and ends at q."""
    (tmp_path / "long.txt").write_text("".join(f"line {number}\n" for number in range(500)))
    surroundings = environment | {"TERM": "xterm", "LESS": ""}
    terminal = Terminal([*ERRKB, *options, "--", "less", "long.txt"], tmp_path, surroundings)
    terminal.expect(b"line 10")
    terminal.type(b"q")
    assert terminal.end() == 0


def test_python_colours_its_traceback_at_a_terminal(tmp_path: Path, environment: dict[str, str]) -> None:
    """Its stderr is a pipe, but ours is not."""
    code = "import os; print('colours', os.environ.get('PYTHON_COLORS'), flush=True)"
    for surroundings, said in ((environment, b"colours 1"), (environment | {"NO_COLOR": "1"}, b"colours None")):
        terminal = Terminal([*ERRKB, "--", sys.executable, "-c", code], tmp_path, surroundings)
        terminal.expect(said)
        assert terminal.end() == 0


def test_a_session_shows_the_answer(tmp_path: Path, environment: dict[str, str]) -> None:
    """With --pty the command believes in its terminal, and its error is explained."""
    code = "import sys; print(sys.stderr.isatty(), sys.stdout.isatty(), flush=True); int('2.5')"
    terminal = Terminal([*ERRKB, "--pty", "--", sys.executable, "-c", code], tmp_path, environment)
    assert terminal.end() == 1
    assert b"True True" in terminal.seen
    assert b"2aa14af794a3a468" in terminal.seen


TROUBLE = ("broken dataset", "no cache", "closed stderr", "full disk", "no home")


@pytest.mark.parametrize("trouble", TROUBLE)
def test_trouble_of_ours_changes_nothing(tmp_path: Path, environment: dict[str, str], trouble: str) -> None:
    """Same bytes up to the end of the traceback, same status."""
    (tmp_path / "a.py").write_text(FAILS)
    (tmp_path / "broken.jsonl").write_text("no JSON\n")
    cache = tmp_path / "cache"
    cache.write_text("a file where a folder should be")
    surroundings = {
        "broken dataset": environment | {"ERRKB_DATA": str(tmp_path / "broken.jsonl")},
        "no cache": environment | {"XDG_CACHE_HOME": str(cache), "ERRKB_CACHE_DIR": str(cache)},
        "no home": {name: value for name, value in environment.items() if name != "HOME"},
    }.get(trouble, environment)
    redirection = {"closed stderr": "2>&-", "full disk": "2>/dev/full"}.get(trouble, "")
    if trouble == "full disk" and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")

    def both(command: Sequence[str]) -> tuple[int, bytes, bytes]:
        quoted = " ".join(f"'{word}'" for word in command)
        ran = bare(["sh", "-c", f"{quoted} {redirection}"], surroundings, tmp_path)
        return ran.returncode, ran.stdout, ran.stderr

    alone = both([sys.executable, "a.py"])
    watched = both([*ERRKB, "--", sys.executable, "a.py"])
    assert watched[1] == alone[1]
    assert watched[2].startswith(alone[2])
    if trouble == "full disk":  # which meets us, not the command: its own status is that of its error
        assert watched[0] == 1
    else:
        assert watched[0] == alone[0]


def test_a_job_is_reported(tmp_path: Path, environment: dict[str, str]) -> None:
    """With --ci, as `errkb ci` does, and the status stays that of the tests."""
    (tmp_path / "test_a.py").write_text("def test_a():\n    int('2.5')\n")
    target = tmp_path / "summary.md"
    surroundings = environment | {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(target)}
    command = ["--ci", "--", sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "test_a.py"]
    result = run(command, surroundings, tmp_path)
    assert result.returncode == 1
    assert b"::error file=test_a.py,line=2,title=ValueError%3A invalid literal" in result.stdout
    assert "## errkb: 1 error of 1 kind" in target.read_text()
