"""The command line at terminals and at pipes that close."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Document = dict[str, Any]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals and pipes of POSIX")

KNOWN = "offload_prefetch_step (0) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"
COMMAND = [sys.executable, "-m", "errkb"]


def at_a_terminal(arguments: list[str], environment: dict[str, str], typed: bytes = b"") -> tuple[int, bytes, bytes]:
    """Status, what the terminal shows, and stderr of errkb with stdin and stdout at a terminal."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment | {"TERM": "xterm"}
    )
    os.close(theirs)
    os.write(ours, typed)
    shown = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side has closed
            break
        if not chunk:
            break
        shown += chunk
    _, stderr = process.communicate(timeout=60)
    os.close(ours)
    return process.returncode, shown, stderr


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "-"], ["-"]])
def test_an_error_is_pasted_at_a_terminal(environment: dict[str, str], arguments: list[str]) -> None:
    """Nothing given, or a dash: a sentence says how, many lines are read, and one Ctrl-D ends them."""
    pasted = b"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'name'\n\x04"
    status, shown, stderr = at_a_terminal(arguments, environment, pasted)
    assert status == 0
    assert stderr.startswith(b"Paste the error, then press Ctrl-D")
    assert b"daad1a3507b7f387" in shown


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)], ids=["plain", "no-color"])
def test_colour_at_a_terminal(environment: dict[str, str], env: dict[str, str], coloured: bool) -> None:
    """At a terminal the answer is in colour, unless NO_COLOR is set."""
    status, shown, stderr = at_a_terminal(["explain", KNOWN], environment | env)
    assert (status, stderr) == (0, b"")
    assert (b"\x1b[" in shown) == coloured
    assert b"73154bc6b02214fb" in shown


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, make_document: Callable[..., Document]) -> Path:
    """A dataset whose listing does not fit in a pipe."""
    path = tmp_path_factory.mktemp("data") / "large.jsonl"
    documents = (make_document(f"the wheel number {n} of the clock is bent " + "x" * 100) for n in range(800))
    path.write_text("\n".join(map(json.dumps, documents)))
    path.with_name("small.jsonl").write_text(json.dumps(make_document("the only wheel of the clock is bent")))
    return path


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("list", 0),
        ("list", 1),
        ("show", 0),
        ("explain", 0),
        ("explain", 1),
        ("explain-json", 0),
        ("validate", 1),
        ("help", 0),
    ],
)
@pytest.mark.parametrize("buffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_closed_pipe_is_no_error(
    environment: dict[str, str], large: Path, command: str, lines: int, buffered: str
) -> None:
    """A reader that leaves after a line, or at once, is no error, and nothing is said about it."""
    arguments = {
        "list": ["list", "--data", str(large)],
        "show": ["show", "73154bc6b02214fb"],
        "explain": ["explain", KNOWN],
        "explain-json": ["explain", "--json", KNOWN],
        "validate": ["validate", "--format", "json", str(large.with_name("small.jsonl"))],
        "help": ["--help"],
    }[command]
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment | {"PYTHONUNBUFFERED": buffered},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    for _ in range(lines):
        assert process.stdout.readline()
    process.stdout.close()
    stderr = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), stderr) == (0, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_streams_raise_nothing(environment: dict[str, str], closed: str) -> None:
    """Without stdin or stdout at all, errkb ends without a traceback."""
    script = f'exec "$0" -m errkb explain "$1" {closed}'
    result = subprocess.run(
        ["sh", "-c", script, sys.executable, KNOWN], capture_output=True, env=environment, timeout=60
    )
    assert (result.returncode, result.stderr) == (0, b"")
    empty = (
        f'exec "$0" -m errkb explain {closed} < /dev/null'
        if closed == ">&-"
        else f'exec "$0" -m errkb explain {closed}'
    )
    result = subprocess.run(["sh", "-c", empty, sys.executable], capture_output=True, env=environment, timeout=60)
    assert result.returncode in (1, 2)
    assert b"Traceback" not in result.stderr
