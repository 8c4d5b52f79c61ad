"""What validation does not load, and when it shows progress."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LOADED = """
import sys
from errkb.validation import validate
from errkb.validation.reporters import render
report = validate([sys.argv[1]])
for form in ("text", "json", "github", "sarif", "junit"):
    render(report, form)
print(report.valid, *sorted({"jsonschema", "rich", "click", "rapidfuzz"} & set(sys.modules)))
"""


@pytest.mark.parametrize(("fault", "expected"), [({}, "True"), ({"severity": "x"}, "False jsonschema")])
def test_jsonschema_is_for_broken_records_only(
    fault: dict[str, Any], expected: str, tmp_path: Path, good: list[dict[str, Any]], environment: dict[str, str]
) -> None:
    """Good records are checked without the jsonschema package; the command line's packages are not needed at all."""
    good[0].update(fault)
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, good)))
    command = [sys.executable, "-c", LOADED, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.strip() == expected


def test_progress_is_steps_now_and_then(tmp_path: Path, make_document: Any) -> None:
    """Progress is reported in steps: how many records were checked."""
    from errkb.validation import validate

    path = tmp_path / "x.jsonl"
    line = json.dumps(make_document("the quick widget {name} has no handle"))
    path.write_text(f"{line}\n" * 1100)
    steps: list[int] = []
    report = validate([path], progress=steps.append)
    assert steps == [512, 1024]
    assert [finding.rule for finding in report.findings] == ["I001"] * 1099
