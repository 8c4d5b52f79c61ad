"""Hooks in a running program: the same bytes up to the end of the traceback, the same status, then what is known."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import errkb
from errkb.integrations.hooks import Installed
from errkb.integrations.startup import StartupError, disable, enable, present

INSTALL = "import errkb; errkb.install(unraisable=True)\n"
NUMBER = "2aa14af794a3a468"
"""The record of `int('2.5')`."""
FAILURES = {
    "plain": "int('2.5')",
    "thread": "import threading\nt = threading.Thread(target=int, args=('2.5',)); t.start(); t.join()",
    "unraisable": "class A:\n    def __del__(self): int('2.5')\na = A()\ndel a",
    "atexit": "import atexit\natexit.register(int, '2.5')",
    "task": (
        "import asyncio, gc\nasync def f(): int('2.5')\nasync def main():\n    t = asyncio.create_task(f())\n"
        "    await asyncio.wait([t])\n    del t\n    gc.collect()\nasyncio.run(main())"
    ),
    "executor": "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(int, '2.5').result()",
    "chain": "try:\n    {}['x']\nexcept KeyError:\n    int('2.5')",
    "hook before": "import sys\nint('2.5')",
}
SILENT = {
    "exit": "raise SystemExit(3)",
    "interrupt": "raise KeyboardInterrupt",
    "recursion": "def f(): f()\nf()",
    "memory": "raise MemoryError",
    "unknown": "raise type('Own', (Exception,), {})('nobody knows this one')",
    "no stderr": "import sys\nsys.stderr = None\nint('2.5')",
    "closed stderr": "import sys\nsys.stderr.close()\nint('2.5')",
    "odd exception": "class E(Exception):\n    def __str__(self): raise ValueError('2.5')\nraise E",
    "unreadable": "class S(str): pass\nclass E(ValueError):\n    def __str__(self): return S('x')\nraise E(1)",
}


def python(code: str, environment: dict[str, str], folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """What a program leaves; its text is in a file, as tracebacks show lines of files."""
    (folder / "program.py").write_text(code)
    return subprocess.run(
        [sys.executable, *options, "program.py"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def both(code: str, environment: dict[str, str], folder: Path) -> Sequence[subprocess.CompletedProcess[str]]:
    """The program by itself and with the hooks; an empty line keeps the numbers of lines alike."""
    return python("\n" + code, environment, folder), python(INSTALL + code, environment, folder)


def same(text: str) -> str:
    """A text without addresses and counts of references, which differ from run to run."""
    return re.sub(r"0x[0-9a-f]+|refcount : \d+", "0x", text)


@pytest.mark.parametrize("code", FAILURES.values(), ids=FAILURES)
def test_what_is_known_stands_below(tmp_path: Path, environment: dict[str, str], code: str) -> None:
    """Once, in a few lines; what was before is what it was."""
    alone, hooked = both(code, environment, tmp_path)
    assert (hooked.returncode, hooked.stdout) == (alone.returncode, alone.stdout)
    assert same(hooked.stderr).startswith(same(alone.stderr))
    added = hooked.stderr[len(alone.stderr) :]
    assert added.count(NUMBER) == 1
    assert len(added.splitlines()) <= 7


@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT)
def test_nothing_is_said_where_nothing_should_be(tmp_path: Path, environment: dict[str, str], code: str) -> None:
    """The same bytes, the same status."""
    alone, hooked = both(code, environment, tmp_path)
    assert (hooked.returncode, hooked.stdout) == (alone.returncode, alone.stdout)
    assert same(hooked.stderr) == same(alone.stderr)


def test_a_group_is_explained(tmp_path: Path, environment: dict[str, str]) -> None:
    """By one of its members."""
    alone, hooked = both("raise ExceptionGroup('two', [ValueError('a'), KeyError('b')])", environment, tmp_path)
    assert hooked.returncode == alone.returncode == 1
    assert hooked.stderr.startswith(alone.stderr)


TROUBLES = {
    "broken dataset": {"ERRKB_DATA": "broken.jsonl"},
    "no cache": {"XDG_CACHE_HOME": "broken.jsonl", "ERRKB_CACHE_DIR": "broken.jsonl"},
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_trouble_of_ours_changes_nothing(tmp_path: Path, environment: dict[str, str], trouble: str) -> None:
    """At most the answer is missing."""
    (tmp_path / "broken.jsonl").write_text("no JSON\n")
    alone, hooked = both("int('2.5')", environment | TROUBLES[trouble], tmp_path)
    assert (hooked.returncode, hooked.stdout) == (alone.returncode, alone.stdout)
    assert hooked.stderr.startswith(alone.stderr)
    assert "Traceback" not in hooked.stderr[len(alone.stderr) :]


def test_a_full_disk(tmp_path: Path, environment: dict[str, str]) -> None:
    """The same status as without hooks."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    statuses = []
    for code in ("\nint('2.5')", INSTALL + "int('2.5')"):
        (tmp_path / "program.py").write_text(code)
        with Path("/dev/full").open("w") as full:
            statuses.append(
                subprocess.run(
                    [sys.executable, "program.py"], cwd=tmp_path, env=environment, stderr=full, timeout=60, check=False
                ).returncode
            )
    assert statuses[0] == statuses[1]


def test_nothing_is_imported_before_something_fails(tmp_path: Path, environment: dict[str, str]) -> None:
    """`errkb.install()` loads three small modules."""
    code = INSTALL + "import sys\nprint(*sorted(m for m in sys.modules if m.partition('.')[0] in ('errkb', 'msgspec')))"
    loaded = python(code, environment, tmp_path).stdout.split()
    assert loaded == ["errkb", "errkb.integrations", "errkb.integrations.hooks", "errkb.version"]


def test_at_most_five_answers_and_each_once(tmp_path: Path, environment: dict[str, str]) -> None:
    """A program with a thousand failing threads is not buried."""
    code = INSTALL + (
        "import threading\n"
        "calls = [lambda: int('2.5'), lambda: {}['x'], lambda: [][0], lambda: 1 / 0, lambda: None.x, lambda: [].remove(1),"
        " lambda: int('2.5'), lambda: 'a' + 1, lambda: undefined]\n"
        "for call in calls * 20:\n    thread = threading.Thread(target=call)\n    thread.start()\n    thread.join()\n"
    )
    shown = python(code, environment, tmp_path).stderr
    assert shown.count("errkb show") == 5
    assert shown.count(NUMBER) == 1


def test_hooks_chain_with_those_of_others(tmp_path: Path, environment: dict[str, str]) -> None:
    """What was there is called first, as before; what comes later may replace ours."""
    code = (
        "import sys, errkb\nsys.excepthook = lambda *a: print('other', a[0].__name__, file=sys.stderr)\n"
        "errkb.install()\nint('2.5')"
    )
    shown = python(code, environment, tmp_path).stderr
    assert shown.startswith("other ValueError\n\nDo")
    later = (
        "import sys, errkb\nerrkb.install()\nsys.excepthook = lambda *a: print('later', file=sys.stderr)\nint('2.5')"
    )
    assert python(later, environment, tmp_path).stderr == "later\n"


def test_install_is_idempotent_and_uninstall_puts_all_back() -> None:
    """One object, and every hook as it was."""
    import logging
    import threading

    before = (sys.excepthook, threading.excepthook, sys.unraisablehook, logging.getLogger("asyncio").callHandlers)
    first = errkb.install(unraisable=True)
    assert isinstance(first, Installed)
    assert errkb.install() is first
    assert sys.excepthook is not before[0]
    first.uninstall()
    first.uninstall()
    after = (sys.excepthook, threading.excepthook, sys.unraisablehook, logging.getLogger("asyncio").callHandlers)
    assert after == before
    assert errkb.install() is not first
    errkb.install().uninstall()


def test_full_prints_the_whole_answer(tmp_path: Path, environment: dict[str, str]) -> None:
    """As `errkb explain` does."""
    shown = python("import errkb; errkb.install(full=True)\nint('2.5')", environment, tmp_path).stderr
    assert "example tested with" in shown


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """An environment with the packages of this one, in which `errkb enable` may write."""
    import venv

    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (library,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    (library / "others.pth").write_text("\n".join(path for path in sys.path if path) + "\n")
    return tmp_path / "env"


@pytest.mark.skipif(sys.platform == "win32", reason="the folders of POSIX")
def test_enable_and_disable_an_environment(fresh: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Switched by the variable unless always; nothing is left behind."""

    def run(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(fresh / "bin" / "python"), *arguments],
            cwd=tmp_path, env=environment | changes, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    (tmp_path / "a.py").write_text("int('2.5')")
    (library,) = (fresh / "lib").glob("python*/site-packages")
    before = sorted(path.name for path in library.iterdir())
    assert "not enabled" in run("-m", "errkb", "enable", "--show").stdout
    assert "ERRKB=1" in run("-m", "errkb", "enable").stdout
    assert NUMBER not in run("a.py").stderr
    assert NUMBER not in run("a.py", ERRKB="0").stderr
    assert run("a.py", ERRKB="1").stderr.count(NUMBER) == 1
    assert run("-I", "a.py", ERRKB="1").stderr.count(NUMBER) == 1
    assert run("-m", "errkb", "enable", "--always").returncode == 0
    assert NUMBER in run("a.py").stderr
    assert run("-c", "import sys; print('msgspec' in sys.modules)").stdout == "False\n"
    assert "removed" in run("-m", "errkb", "disable").stdout
    assert sorted(path.name for path in library.iterdir() if path.name != "__pycache__") == before
    assert NUMBER not in run("a.py", ERRKB="1").stderr


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    """Neither written over nor removed."""
    (tmp_path / "errkb.pth").write_text("import mine\n")
    with pytest.raises(StartupError, match="did not write"):
        enable(tmp_path, always=False)
    assert disable(tmp_path) == []
    assert (tmp_path / "errkb.pth").read_text() == "import mine\n"
    assert present(tmp_path) == []
