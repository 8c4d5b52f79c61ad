"""The command line in real processes: what it answers, and how it ends."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.cli.group import GROUPS

Document = dict[str, Any]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

STEP = "offload_prefetch_step ({}) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"
PLACEHOLDER = "self.prefetch.offload_prefetch_step"
PREFIX = "(APIServer pid=4711) "
TRACEBACK = f"""\
Traceback (most recent call last):
  File "/usr/lib/python3.12/runpy.py", line 198, in _run_module_as_main
    return _run_code(code, main_globals, None,
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/opt/venv/lib/python3.12/site-packages/vllm/engine/arg_utils.py", line 1500, in create_engine_config
    offload_config = OffloadConfig(
                     ^^^^^^^^^^^^^^
  File "/opt/venv/lib/python3.12/site-packages/pydantic/_internal/_dataclasses.py", line 123, in __init__
    s.__pydantic_validator__.validate_python(ArgsKwargs(args, kwargs), self_instance=s)
pydantic_core._pydantic_core.ValidationError: 1 validation error for OffloadConfig
  Value error, {STEP.format(-3)} [type=value_error, input_value={{'offload_backend': 'prefetch'}}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.12/v/value_error
"""


def captures(result: "subprocess.CompletedProcess[bytes]") -> dict[str, str]:
    """The captured values of a JSON answer, after a look at its record."""
    answer = json.loads(result.stdout)
    assert answer["record"]["id"] == "73154bc6b02214fb"
    return {capture["name"]: capture["value"] for capture in answer["match"]["captures"]}


def test_a_message_as_argument(errkb: Run) -> None:
    """The bare message as an argument is explained with its value, solutions and example."""
    result = errkb("explain", STEP.format(0))
    text = result.stdout.decode()
    assert (result.returncode, result.stderr) == (0, b"")
    for wanted in (
        "73154bc6b02214fb",
        "offload_prefetch_step (0) must be >= 1",
        "Do    ",
        "Why   ",
    ):
        assert wanted in text
    assert "\x1b" not in text


@pytest.mark.parametrize("way", ["argument", "words", "dash", "pipe", "file", "file-dash"])
def test_ways_in(errkb: Run, tmp_path: Path, way: str) -> None:
    """The text comes as an argument, as words, through `-`, a pipe or a file: the answer is the same."""
    text = STEP.format(7)
    (tmp_path / "log.txt").write_text(text)
    arguments, stdin = {
        "argument": ([text], b""),
        "words": (text.split(), b""),
        "dash": (["-"], text.encode()),
        "pipe": ([], text.encode()),
        "file": (["-f", str(tmp_path / "log.txt")], b""),
        "file-dash": (["--file", "-"], text.encode()),
    }[way]
    result = errkb("explain", "--json", *arguments, stdin=stdin)
    assert result.returncode == 0
    assert captures(result) == {PLACEHOLDER: "7"}


@pytest.mark.parametrize("prefix", ["", PREFIX])
def test_a_traceback_with_the_pydantic_envelope(errkb: Run, prefix: str) -> None:
    """The same error as its reader sees it, every line prefixed by the process, is the same record."""
    text = "".join(prefix + line for line in TRACEBACK.splitlines(keepends=True))
    result = errkb("explain", "--json", stdin=text.encode())
    assert result.returncode == 0
    assert captures(result) == {PLACEHOLDER: "-3"}


ENCODINGS: dict[str, bytes] = {
    "utf-8-bom": STEP.format(0).encode("utf-8-sig"),
    "utf-16-le-bom": b"\xff\xfe" + STEP.format(0).encode("utf-16-le"),
    "utf-16-be-bom": b"\xfe\xff" + STEP.format(0).encode("utf-16-be"),
    "junk-before": b"\xff\x80\xc3\n" + STEP.format(0).encode() + b"\n\xff",
    "nul-before": b"\x00\x00\n" + STEP.format(0).encode(),
    "crlf": STEP.format(0).encode() + b"\r\n",
    "colour": b"\x1b[31m" + STEP.format(0).encode() + b"\x1b[0m",
}


@pytest.mark.parametrize("stdin", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_encodings(errkb: Run, stdin: bytes) -> None:
    """Byte order marks, UTF-16, junk bytes and colour around a message do not hide it."""
    result = errkb("explain", "--json", stdin=stdin)
    assert result.returncode == 0
    assert captures(result) == {PLACEHOLDER: "0"}


ALL_BYTES = bytes(range(256)) * 40
JUNK: dict[str, tuple[list[str], bytes]] = {
    "empty": ([], b""),
    "empty-markdown": (["--markdown"], b""),
    "blank": (["--json"], b"\n\n"),
    "odd-utf-16": (["--markdown"], b"\xff\xfe\xff"),
    "half-a-pair": (["--color", "always"], b"\xff\xfe\x00\xd8"),
    "nul": (["--all"], b"\x00" * 5000),
    "escapes": (["--color", "always"], b"\x1b]0;x\x07" * 50),
    "all-bytes": ([], ALL_BYTES),
    "all-bytes-json": (["--json"], ALL_BYTES),
    "all-bytes-markdown": (["--markdown"], ALL_BYTES),
    "all-bytes-all": (["--all", "--json"], ALL_BYTES),
}


@pytest.mark.parametrize(("form", "stdin"), JUNK.values(), ids=JUNK.keys())
def test_any_bytes_end_well(errkb: Run, form: list[str], stdin: bytes) -> None:
    """Bytes that are no text get a short answer and status 1, no traceback."""
    result = errkb("explain", *form, stdin=stdin)
    assert (result.returncode, result.stderr) == (1, b"")
    assert result.stdout.endswith(b"\n")
    assert b"\x00" not in result.stdout
    assert b"\x07" not in result.stdout


def test_an_unknown_error_is_said_to_be_unknown(errkb: Run) -> None:
    """What is not known is said to be, with status 1; a text without an error is one line."""
    result = errkb("explain", stdin=b"all is well\n")
    assert (result.returncode, result.stderr) == (1, b"")
    assert result.stdout.count(b"\n") == 1
    assert len(result.stdout) > 10
    unknown = errkb("explain", "foo.BarError: the frobnicator is unhinged")
    assert unknown.returncode == 1
    assert unknown.stdout.startswith(b"foo.BarError: the frobnicator is unhinged\n\nNo record for this error.\n")


WRONG_USE: dict[str, tuple[list[str], str]] = {
    "json-and-markdown": (["explain", "--json", "--markdown", "x"], "--json and --markdown exclude each other"),
    "text-and-file": (["explain", "x", "-f", "-"], "exclude each other"),
    "missing-file": (["explain", "-f", "none.txt"], "none.txt"),
    "folder-as-file": (["explain", "-f", "."], "."),
    "unknown-option": (["explain", "--nope", "x"], "--nope"),
    "unknown-command": (["nope"], "nope"),
    "bad-limit": (["explain", "-n", "0", "x"], "0"),
    "missing-data": (["explain", "--data", "none.jsonl", "x"], "errkb: none.jsonl: cannot be read"),
    "missing-data-to-list": (["list", "--data", "none.jsonl"], "errkb: none.jsonl: cannot be read"),
    "missing-data-to-validate": (["validate", "none.jsonl"], "errkb: none.jsonl: cannot be read"),
    "nothing-to-validate": (["validate"], "PATH"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG_USE.values(), ids=WRONG_USE.keys())
def test_wrong_use(errkb: Run, arguments: list[str], said: str) -> None:
    """Wrong use and unreadable input are told on stderr, with status 2 and no traceback."""
    result = errkb(*arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert said in result.stderr.decode()
    assert b"Traceback" not in result.stderr
    if said.startswith("errkb:"):
        assert result.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("arguments", "stdout"),
    [(["--version"], b"errkb "), (["--help"], b"Usage: errkb"), (["explain", "-h"], b"Usage: ")],
)
def test_help_and_version(errkb: Run, arguments: list[str], stdout: bytes) -> None:
    """Help and version are printed to stdout, with status 0."""
    result = errkb(*arguments)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(stdout)


def test_every_command_is_listed_with_its_help(errkb: Run) -> None:
    """`errkb --help` names every command below a heading, with a sentence; the list imports none of them."""
    shown = errkb("--help").stdout.decode()
    for heading, commands in GROUPS.items():
        assert f"\n{heading}:\n" in shown
        for name, sentence in commands.items():
            assert re.search(rf"^  {name} +{re.escape(sentence)}$", shown, re.MULTILINE)
            assert errkb(name, "--help").returncode == 0
    assert all(len(line) <= 80 for line in shown.splitlines())


MEANT = [
    (["explian", "x"], 2, "Did you mean 'explain'?"),
    (["nope"], 2, "`errkb help` lists all"),
    (["IndexError: list index out of range"], 0, "list index out of range"),
    (["KeyError"], 0, ""),
    (["explain", "73154bc6b02214fb"], 0, "offload_prefetch_step"),
    (["explain", "vllm-project/vllm/offload-prefetch-step-self-prefetch-offload-pref"], 0, "offload_prefetch_step"),
    (["show", "73154"], 0, "offload_prefetch_step"),
    (["show", "7"], 1, "no record '7'"),
    (["show", "zzzz"], 1, "`errkb search` finds some by words"),
    (["explain", "-1 is not in list"], 2, "put -- before the text"),
    (["explain", "--", "-1 is not in list"], 0, "Print the list"),
    (["list", "--repo", "vllm"], 1, "Did you mean vllm-project/vllm?"),
    (["search", "--repo", "nobody/nothing", "frame"], 1, "no records of the repo 'nobody/nothing'"),
    (["explain", "--repo", "pandas", "nothing that is known"], 1, "Did you mean pandas-dev/pandas?"),
    (["search", "--limit", "1", "cuda"], 0, ""),
    (["search", "-n", "1", "cuda"], 0, ""),
    (["-V"], 0, "errkb 0."),
    (["help"], 0, "For an error:"),
    (["help", "show"], 0, "Usage: errkb show"),
    (["help", "nope"], 2, "There is no command 'nope'"),
    (["completion", "bash"], 0, "_ERRKB_COMPLETE=bash_source"),
    (["completion", "fish"], 0, "_ERRKB_COMPLETE=fish_source"),
]
"""What people type, the exit status, and words of what is said."""


@pytest.mark.parametrize(("arguments", "status", "said"), MEANT, ids=str)
def test_what_was_meant_is_done_or_said(errkb: Run, arguments: list[str], status: int, said: str) -> None:
    """Nobody needs help, and nobody is surprised."""
    result = errkb(*arguments)
    assert result.returncode == status
    assert said in (result.stdout + result.stderr).decode()


@pytest.mark.parametrize(
    "text",
    [
        "No errors found",
        "Found 0 errors. Watching for file changes.",
        "Compiled without errors.",
        "3 passed, 0 failures",
    ],
)
def test_a_text_that_denies_an_error_holds_none(errkb: Run, text: str) -> None:
    """Though the word stands in it."""
    result = errkb("explain", stdin=text.encode())
    assert (result.returncode, result.stdout.decode().splitlines()[-1]) == (1, "No error found in this text.")


def test_a_file_that_is_there_is_read(errkb: Run, tmp_path: Path) -> None:
    """By its name alone, and that is said."""
    (tmp_path / "ci.log").write_text("KeyError: 'name'\n")
    for arguments in (["explain", str(tmp_path / "ci.log")], [str(tmp_path / "ci.log")]):
        result = errkb(*arguments)
        assert b"reading the file" in result.stderr
        assert b"daad1a3507b7f387" in result.stdout


def test_completion_is_installed_once(errkb: Run, tmp_path: Path) -> None:
    """In the file that the shell reads."""
    (tmp_path / ".bashrc").write_text("alias ll='ls -l'")
    for said in (b"added to", b"has it already"):
        assert said in errkb("completion", "bash", "--install", env={"HOME": str(tmp_path)}).stdout
    assert (tmp_path / ".bashrc").read_text().splitlines() == [
        "alias ll='ls -l'", 'eval "$(_ERRKB_COMPLETE=bash_source errkb)"',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "env", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        (["--json"], {"FORCE_COLOR": "1"}, False),
        (["--markdown"], {"FORCE_COLOR": "1"}, False),
    ],
    ids=str,
)
def test_colour(errkb: Run, arguments: list[str], env: dict[str, str], coloured: bool) -> None:
    """Colour is for those who ask for it; NO_COLOR wins over FORCE_COLOR, the option over both."""
    result = errkb("explain", STEP.format(0), *arguments, env=env)
    assert result.returncode == 0
    assert (b"\x1b[" in result.stdout) == coloured


def test_hostile_text_is_printed_harmless(errkb: Run) -> None:
    """Escape sequences of a message do not reach the terminal, whatever the form."""
    value = "\x1b]0;owned\x07\x1b[2J\u202e<b>[x](y)"
    for form in ([], ["--json"], ["--markdown"], ["--full"]):
        output = errkb("explain", *form, stdin=STEP.format(value).encode()).stdout
        assert not set(output) & (set(range(32)) - {9, 10}), form
        assert "\u202e" not in output.decode()


def test_stdout_of_few_characters(errkb: Run) -> None:
    """Where stdout can hold ASCII only, what it cannot hold is replaced."""
    result = errkb("explain", STEP.format("ü"), env={"PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"offload_prefetch_step (?) must" in result.stdout


def test_show_and_list(errkb: Run, founding: Document) -> None:
    """`show` gives a record by id or name, `list` a line for each; unknown ones end in status 1."""
    by_id = errkb("show", "--json", "73154bc6b02214fb")
    by_name = errkb("show", "--json", f"{founding['repo']}/{founding['slug']}")
    assert (by_id.returncode, by_name.returncode) == (0, 0)
    assert json.loads(by_id.stdout) == json.loads(by_name.stdout) == founding
    text = errkb("show", "73154bc6b02214fb").stdout.decode()
    assert "severity: error\n" in text
    assert "solutions:\n  - Set offload_prefetch_step to at least 1" in text
    assert "cause (where the text says so):" in text
    prose = text[text.index("documentation:") : text.index("exampleFix:")]
    assert all(len(line) <= 80 for line in prose.splitlines())
    listed = errkb("list", "--repo", founding["repo"])
    assert listed.returncode == 0
    assert any(line.startswith("73154bc6b02214fb  vllm-project/vllm  ") for line in listed.stdout.decode().splitlines())
    objects = [json.loads(line) for line in errkb("list", "--json").stdout.splitlines()]
    assert "73154bc6b02214fb" in {record["id"] for record in objects}
    for nothing in (errkb("list", "--repo", "no/such"), errkb("show", "no-such\x1b[31m")):
        assert (nothing.returncode, nothing.stdout) == (1, b"")
        assert b"\x1b" not in nothing.stderr
    assert b"no record" in errkb("show", "no-such").stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(errkb: Run, shell: str) -> None:
    """Shell completion can be had for bash, zsh and fish."""
    result = errkb(env={"_ERRKB_COMPLETE": f"{shell}_source"})
    assert result.returncode == 0
    assert b"_ERRKB_COMPLETE" in result.stdout


def test_ids_are_completed(errkb: Run, founding: Document) -> None:
    """`errkb show` completes ids and names of records, a line each, whatever their messages hold."""
    for start, wanted in (
        ("7315", "73154bc6b02214fb"),
        ("vllm-project/vllm/off", f"{founding['repo']}/{founding['slug']}"),
    ):
        env = {"_ERRKB_COMPLETE": "bash_complete", "COMP_WORDS": f"errkb show {start}", "COMP_CWORD": "2"}
        lines = errkb(env=env).stdout.decode().splitlines()
        assert f"plain,{wanted}" in lines
        assert all(line.startswith("plain,") and start in line for line in lines)


def test_python_finds_the_same(environment: dict[str, str]) -> None:
    """`errkb.lookup` in a fresh interpreter gives the record and the value."""
    code = f"import errkb; m = errkb.lookup({STEP.format(0)!r}); print(m.record.id, dict(m.captures))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=60, check=True
    )
    assert result.stdout == f"73154bc6b02214fb {{'{PLACEHOLDER}': '0'}}\n"


def test_a_cut_is_told(errkb: Run) -> None:
    """Of a message that is too long to be read whole, that it was cut is said."""
    result = errkb("explain", stdin=b"ValueError: " + b"word " * 10_000)
    assert b"the first 20000 characters were read" in result.stderr
