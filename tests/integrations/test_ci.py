"""`errkb ci`: the errors of a job, grouped and reported as each service likes it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sarif_pydantic import Sarif

from errkb.integrations.ci.inputs import Piece, pieces
from errkb.integrations.ci.reports import LARGEST_SUMMARY, REPORTS, SERVICES, report_of

ROOT = Path(__file__).resolve().parent.parent.parent
KEY = "sk-proj-a8Kd03jfLq92mXz7Qw5tYv1uB6nR4eG0"
TESTS = """
import json

def test_number():
    int("2.5")

def test_name():
    {}["name"]

def test_chain():
    try:
        json.loads("{")
    except ValueError as error:
        raise RuntimeError("the configuration, of 100%: is broken") from error

def test_fine():
    pass
"""
STAMPS = {
    "github": "2024-05-01T10:00:00.1234567Z ",
    "gitlab": "2024-05-01T10:00:00.123456Z 01O ",
    "azure": "2024-05-01T10:00:00.1234567Z ",
    "jenkins": "[2024-05-01T10:00:00.123Z] ",
    "plain": "",
}
"""What the services write before each line of a log."""


@pytest.fixture
def workspace(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A checkout whose tests failed, with the log and the JUnit file that they left."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "test_shop.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "--junitxml=junit.xml"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, env=environment, timeout=120, check=False)
    (folder / "ci.log").write_bytes(ran.stdout)
    return folder


def errkb_ci(
    folder: Path, environment: dict[str, str], *arguments: str, text: bytes | None = None
) -> subprocess.CompletedProcess[str]:
    """What the command prints, run in a folder."""
    result = subprocess.run(
        [sys.executable, "-m", "errkb", "ci", *arguments],
        cwd=folder, capture_output=True, env=environment, input=text, timeout=300, check=False,
    )  # fmt: skip
    return subprocess.CompletedProcess(
        result.args, result.returncode, result.stdout.decode("utf-8"), result.stderr.decode("utf-8")
    )


def groups_of(folder: Path, environment: dict[str, str], *arguments: str) -> list[dict[str, Any]]:
    """The groups as JSON."""
    result = errkb_ci(folder, environment, "--format", "json", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    groups: list[dict[str, Any]] = json.loads(result.stdout)["groups"]
    return groups


@pytest.mark.parametrize("file", ["ci.log", "junit.xml"])
def test_errors_are_grouped_with_their_line(workspace: Path, environment: dict[str, str], file: str) -> None:
    """From a log and from a JUnit file alike."""
    groups = groups_of(workspace, environment, file)
    found = {group["title"].partition(":")[0]: group for group in groups}
    assert set(found) == {"ValueError", "KeyError", "RuntimeError", "json.decoder.JSONDecodeError"}
    assert found["ValueError"]["place"] == {"file": "test_shop.py", "line": 5}
    assert found["KeyError"]["place"] == {"file": "test_shop.py", "line": 8}
    assert found["RuntimeError"]["place"] == {"file": "test_shop.py", "line": 14}
    assert found["ValueError"]["rule"] == "2aa14af794a3a468"
    assert found["json.decoder.JSONDecodeError"]["times"] == "behind 1 other"
    titles = [group["title"] for group in groups]
    assert titles.index(found["json.decoder.JSONDecodeError"]["title"]) < titles.index(found["RuntimeError"]["title"])


@pytest.mark.parametrize("service", STAMPS)
def test_logs_of_the_services_are_read(workspace: Path, environment: dict[str, str], service: str) -> None:
    """With the time and the stream before each line."""
    lines = (workspace / "ci.log").read_text().splitlines()
    (workspace / "stamped.log").write_text("".join(f"{STAMPS[service]}{line}\n" for line in lines))
    groups = groups_of(workspace, environment, "stamped.log")
    assert {group["rule"] for group in groups} >= {"2aa14af794a3a468", "daad1a3507b7f387"}
    places = [group["place"]["line"] for group in groups if group["place"]]
    assert 5 in places


@pytest.mark.parametrize("variable", SERVICES)
def test_the_service_is_known_by_its_variable(variable: str) -> None:
    """Nothing else is asked."""
    assert report_of({variable: "true"}) == SERVICES[variable]
    assert report_of({}) == "text"


def test_github(workspace: Path, environment: dict[str, str]) -> None:
    """Annotations at the workspace's lines, escaped as the runner reads them; the summary is appended to."""
    target = workspace / "summary.md"
    target.write_text("# Earlier\n")
    surroundings = environment | {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(target)}
    result = errkb_ci(workspace, surroundings, "ci.log")
    commands = [line for line in result.stdout.splitlines() if line.startswith(("::error", "::notice"))]
    assert any(
        line.startswith("::error file=test_shop.py,line=5,title=ValueError%3A invalid literal") for line in commands
    )
    broken = next(line for line in commands if "RuntimeError" in line)
    assert "title=RuntimeError%3A the configuration%2C of 100%25%3A is broken::" in broken
    assert result.stdout.count("::group::") == result.stdout.count("::endgroup::") == 4
    assert target.read_text().startswith("# Earlier\n## errkb: 3 errors of 4 kinds\n")
    assert result.returncode == 0


def test_gitlab(workspace: Path, environment: dict[str, str]) -> None:
    """A folded section, and Code Quality issues whose fingerprints stay the same."""
    arguments = ("--format", "gitlab", "-o", "quality.json", "ci.log")
    printed = errkb_ci(workspace, environment, *arguments).stdout
    assert "section_start:0:errkb[collapsed=true]\r" in printed
    issues = json.loads((workspace / "quality.json").read_text())
    assert {issue["location"]["path"] for issue in issues} == {"test_shop.py"}
    assert {*issues[0]} == {"description", "check_name", "fingerprint", "severity", "location"}
    errkb_ci(workspace, environment, *arguments)
    assert json.loads((workspace / "quality.json").read_text()) == issues


def test_azure(workspace: Path, environment: dict[str, str]) -> None:
    """Issues of the task, and a summary that is uploaded."""
    surroundings = environment | {"TF_BUILD": "True", "AGENT_TEMPDIRECTORY": str(workspace)}
    printed = errkb_ci(workspace, surroundings, "ci.log").stdout
    assert "##vso[task.logissue type=error;sourcepath=test_shop.py;linenumber=5;]ValueError: invalid" in printed
    assert f"##vso[task.uploadsummary]{workspace / 'errkb.md'}" in printed
    assert (workspace / "errkb.md").read_text().startswith("## errkb: 3 errors")


def test_sarif(workspace: Path, environment: dict[str, str]) -> None:
    """As the schema wants it."""
    printed = errkb_ci(workspace, environment, "--format", "sarif", "ci.log").stdout
    log = Sarif.model_validate_json(printed)
    assert len(log.runs[0].results or []) == 4


@pytest.mark.parametrize("form", [*REPORTS, "auto"])
def test_every_report_without_an_error(tmp_path: Path, environment: dict[str, str], form: str) -> None:
    """It says that there is none, and the status is 0 also with --strict."""
    (tmp_path / "ci.log").write_text("collected 3 items\n\ntest_a.py ...   [100%]\n\n== 3 passed in 0.01s ==\n")
    result = errkb_ci(tmp_path, environment, "--format", form, "--strict", "ci.log")
    assert (result.returncode, result.stderr) == (0, "")
    if form != "sarif":
        assert "no error found" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--strict", "ci.log"), 1, ""),
        (("ci.log",), 0, ""),
        (("none.log",), 0, "none.log"),
        (("--strict", "none.log", "ci.log"), 2, "none.log"),
        (("--strict", "broken.xml"), 2, "broken.xml is no JUnit file"),
        (("--format", "unknown", "ci.log"), 2, "unknown"),
    ],
)
def test_statuses(
    workspace: Path, environment: dict[str, str], arguments: tuple[str, ...], status: int, said: str
) -> None:
    """The step's own status is not hidden, unless that is asked for."""
    (workspace / "broken.xml").write_text("<testsuite><testcase name='a'><failure>")
    result = errkb_ci(workspace, environment, *arguments)
    assert result.returncode == status
    assert said in result.stderr


def test_ten_thousand_failures(tmp_path: Path, environment: dict[str, str]) -> None:
    """A summary under its limit, at most five annotations, each failure counted."""
    with (tmp_path / "ci.log").open("w") as log:
        log.write("=================================== FAILURES ===================================\n")
        for number in range(10_000):
            log.write(
                f"____ test_{number} ____\n\n    def test_{number}():\n>       f({number})\n"
                f"E       ValueError: the drawer {number} of kind_{'abcdefghijklmnopqrstuvwxyz'[number % 26]} is too small\n\n"
                f"test_shop.py:{number + 1}: ValueError\n"
            )
        log.write("=========================== short test summary info ============================\n")
        log.writelines(f"FAILED test_shop.py::test_{number} - ValueError: the drawer...\n" for number in range(10_000))
    target = tmp_path / "summary.md"
    surroundings = environment | {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(target)}
    result = errkb_ci(tmp_path, surroundings, "ci.log")
    assert "errkb: 10000 errors of 26 kinds" in result.stdout
    assert "6 more kinds are left out" in result.stdout
    assert len(re.findall(r"^::(?:error|notice) ", result.stdout, re.MULTILINE)) <= 5
    assert target.stat().st_size < LARGEST_SUMMARY + 1000


def test_a_full_summary_is_not_made_longer(workspace: Path, environment: dict[str, str]) -> None:
    """The service would drop all of it."""
    target = workspace / "summary.md"
    target.write_text("x" * (LARGEST_SUMMARY - 100))
    surroundings = environment | {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(target)}
    assert errkb_ci(workspace, surroundings, "ci.log").returncode == 0
    assert target.stat().st_size < 1024 * 1024


@pytest.mark.parametrize("form", REPORTS)
def test_secrets_and_values(tmp_path: Path, environment: dict[str, str], form: str) -> None:
    """A key is masked in every report; with --no-values no value is repeated at all."""
    log = f"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: '{KEY}'\n".encode()
    log += b'Traceback (most recent call last):\n  File "a.py", line 2, in <module>\nValueError: hunter2 is wrong\n'
    plain = errkb_ci(tmp_path, environment, "--format", form, "-o", "out", text=log)
    written = (tmp_path / "out").read_text() if (tmp_path / "out").exists() else ""
    assert KEY not in plain.stdout + written
    (tmp_path / "out").unlink(missing_ok=True)
    hidden = errkb_ci(tmp_path, environment, "--format", form, "--no-values", "-o", "out", text=log)
    written = (tmp_path / "out").read_text() if (tmp_path / "out").exists() else ""
    assert "hunter2" not in hidden.stdout + written
    assert "sk-p" not in hidden.stdout + written


def test_a_text_cannot_forge_commands(tmp_path: Path, environment: dict[str, str]) -> None:
    """What a message holds is no command of the service."""
    log = (
        b'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n'
        b"ValueError: a\n::set-output name=x::y\n##vso[task.setvariable variable=x]y\n"
    )
    for form in ("github", "azure"):
        printed = errkb_ci(tmp_path, environment, "--format", form, text=log).stdout
        assert not re.search(r"^(?:::set-output|##vso\[task\.setvariable)", printed, re.MULTILINE)


def cut(text: str) -> list[str]:
    """The pieces of a log."""
    return [piece.text for piece in pieces(iter(text.splitlines(keepends=True)), "log")]


def test_chains_and_groups_are_not_cut() -> None:
    """A traceback that another one caused stands with it."""
    header = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
    chain = (
        f"{header}KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n"
        f"{header}ValueError: b\n"
    )
    assert cut(chain + chain) == [chain, chain]
    group = f"  + Exception Group {header}  | ExceptionGroup: two (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | {header}"
    assert len(cut(group)) == 1


def test_nothing_of_a_log_is_lost() -> None:
    """All pieces together are the log, but for a summary that repeats."""
    log = "a\n____ test_a ____\nb\nTraceback (most recent call last):\nc\n" + "d\n" * 1000
    assert "".join(cut(log)) == log
    alone = "=== short test summary info ===\nFAILED a.py::test_b - KeyError: 'x'\n=== 1 failed ===\n"
    assert "FAILED a.py" in "".join(cut(alone))


def steps() -> Iterator[tuple[str, str]]:
    """The name and the script of each step of the action."""
    text = (ROOT / "explain" / "action.yml").read_text()
    for block in re.split(r"^    - name: ", text, flags=re.MULTILINE)[1:]:
        script = block.partition("      run: |\n")[2]
        yield block.partition("\n")[0], "\n".join(line[8:] for line in script.splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_the_action_runs_as_the_runner_runs_it(workspace: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Its last step, by `bash -e`, over the files that are named."""
    name, script = list(steps())[-1]
    assert name == "Explain"
    tools = tmp_path / "errkb-explain" / "bin"
    tools.mkdir(parents=True)
    (tools / "python").symlink_to(sys.executable)
    surroundings = environment | {
        "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "ERRKB_FILES": "ci.log junit.xml", "ERRKB_ARGUMENTS": "--no-values",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }  # fmt: skip
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    ran = subprocess.run(
        command, cwd=workspace, env=surroundings, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "::error file=test_shop.py,line=5" in ran.stdout
    assert "## errkb: 6 errors" in (tmp_path / "summary.md").read_text()


def test_pieces_have_the_name_of_their_input() -> None:
    """So that a report says where an error is from."""
    assert [*pieces(["KeyError: 'a'\n"], "job.log")] == [Piece("job.log", "KeyError: 'a'\n")]
