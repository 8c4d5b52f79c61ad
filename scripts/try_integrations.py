"""The pre-commit hooks and the GitHub Action, each tried for real in a scratch folder.

    python scripts/try_integrations.py

Needs git, pre-commit (`pip install pre-commit`) and a package index. The hooks are taken from a
clone of this checkout's files, the steps of the action are run by bash as a runner would.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml  # comes with pre-commit

ROOT = Path(__file__).resolve().parent.parent
RECORD = next(iter((ROOT / "data" / "records.jsonl").read_text(encoding="utf-8").splitlines()))
CONFIGURATION = """\
repos:
  - repo: {source}
    rev: {revision}
    hooks:
      - id: errkb-validate
      - id: errkb-fmt
"""
_expected: list[str] = []


def main() -> int:
    """Try both; 1 if anything is not as promised."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        source = copied(place / "errkb")
        try_hooks(place, source)
        try_action(place, source)
    sys.stdout.write("\n".join(_expected) or "all as promised\n")
    return int(bool(_expected))


def expect(holds: bool, promise: str, output: str) -> None:
    """Note a promise that does not hold."""
    sys.stdout.write(f"{'ok  ' if holds else 'NOT '} {promise}\n")
    if not holds:
        _expected.append(f"{promise}:\n{output}")


def copied(target: Path) -> Path:
    """A repository of the files of this checkout."""
    listed = run(["git", "ls-files", "-co", "--exclude-standard"], ROOT)[1].splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    committed(target)
    return target


def committed(folder: Path) -> None:
    """Everything in a folder committed."""
    who = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    run(["git", "init", "-q"], folder)
    run(["git", "add", "-A"], folder)
    run(["git", *who, "commit", "-qm", "x"], folder)


def try_hooks(place: Path, source: Path) -> None:
    """The hooks in a scratch repository."""
    project = place / "project"
    (project / "data").mkdir(parents=True)
    revision = run(["git", "rev-parse", "HEAD"], source)[1].strip()
    (project / ".pre-commit-config.yaml").write_text(CONFIGURATION.format(source=source, revision=revision))
    records = project / "data" / "records.jsonl"
    records.write_text(RECORD + "\n", encoding="utf-8")
    committed(project)
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    environment = {"PRE_COMMIT_HOME": str(place / "cache")}
    status, output = run(command, project, environment)
    expect(status == 0 and output.count("Passed") == 2, "hooks pass over a good dataset", output)
    records.write_text(RECORD.replace('"severity":"error"', '"severity":"fatal"') + "\n", encoding="utf-8")
    status, output = run(command, project, environment)
    expect(status == 1 and "data/records.jsonl:1" in output and "D002" in output, "a faulty record is refused", output)
    records.write_text(json.dumps(json.loads(RECORD), indent=None) + "\n", encoding="utf-8")
    status, output = run(command, project, environment)
    expect(status == 1 and "files were modified" in output, "a file out of form is formatted and refused", output)
    expect(records.read_text(encoding="utf-8") == RECORD + "\n", "the formatted file is canonical", output)


def try_action(place: Path, source: Path) -> None:
    """The steps of the action, one after the other, as long as they succeed."""
    action = yaml.safe_load((source / "action.yml").read_text())
    expect(action["runs"]["using"] == "composite", "the action is a composite one", str(action))
    project = place / "project"
    for good in (True, False):
        severity = "error" if good else "fatal"
        text = RECORD.replace('"severity":"error"', f'"severity":"{severity}"') + "\n"
        (project / "data" / "records.jsonl").write_text(text, encoding="utf-8")
        inputs = {name: str(value.get("default", "")) for name, value in action["inputs"].items()}
        inputs |= {"paths": "data/records.jsonl", "sarif": "errkb.sarif", "python": sys.executable}
        status, output = 0, ""
        for step in action["runs"]["steps"]:
            environment = {name: filled(value, inputs, source) for name, value in step.get("env", {}).items()}
            shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            status, printed = run(shell, project, {**environment, "RUNNER_TEMP": str(place)})
            output += printed
            if status:
                break
        what = "good" if good else "faulty"
        expect(status == (0 if good else 1), f"the action ends with {0 if good else 1} over a {what} dataset", output)
        annotated = "::error file=data/records.jsonl,line=1," in output
        expect(annotated is not good, f"the action annotates a {what} dataset as it should", output)
        results = json.loads((project / "errkb.sarif").read_text())["runs"][0]["results"]
        expect(len(results) == (0 if good else 1), f"the action writes SARIF of a {what} dataset", str(results))


def filled(text: str, inputs: dict[str, str], source: Path) -> str:
    """An expression of the action with its value."""
    text = text.replace("${{ github.action_path }}", str(source))
    for name, value in inputs.items():
        text = text.replace(f"${{{{ inputs.{name} }}}}", value)
    return text


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Status and output of a command."""
    result = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout


if __name__ == "__main__":
    sys.exit(main())
