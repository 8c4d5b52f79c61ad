"""`errkb new` begins a record; `errkb diff` compares two versions of a dataset."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.records.record import derive_id
from errkb.validation import validate

Document = dict[str, Any]
SHA = "0123456789abcdef" * 2 + "01234567"
PLACE = ("--repo", "acme/tool", "--file", "src/a b.py", "--line", "7", "--sha", SHA)
TEXT = "drawer.LockedError: no drawer {n} in cabinet {name!r}"


def test_new_fills_in_what_follows(errkb: Callable[..., Any], tmp_path: Path) -> None:
    """Class, message, id, slug, pattern, link and time are filled in; only the prose is missing."""
    result = errkb("new", TEXT, *PLACE)
    record = json.loads(result.stdout)
    assert (result.returncode, record["errorClass"]) == (0, "LockedError")
    assert record["id"] == derive_id("acme/tool", None, "no drawer {n} in cabinet {name!r}", "src/a b.py")
    assert record["messagePattern"] == "no drawer (.+?) in cabinet (.+?)"
    assert record["githubUrl"] == f"https://github.com/acme/tool/blob/{SHA}/src/a%20b.py#L7"
    path = tmp_path / "x.jsonl"
    path.write_bytes(result.stdout)
    assert {finding.rule for finding in validate([path]).findings} == {"T001", "X003"}


@pytest.mark.parametrize("missing", [0, 2, 4, 6])
def test_new_marks_what_is_missing(missing: int, errkb: Callable[..., Any], tmp_path: Path) -> None:
    """A record that lacks its place is refused by validation, whichever part is missing."""
    result = errkb("new", TEXT, *PLACE[:missing], *PLACE[missing + 2 :])
    path = tmp_path / "x.jsonl"
    path.write_bytes(result.stdout)
    report = validate([path])
    assert (result.returncode, report.valid) == (0, False)
    assert b"TODO" in result.stderr


def test_new_is_valid_once_it_is_filled_in(errkb: Callable[..., Any], tmp_path: Path) -> None:
    """With prose and an example in place of the marks, the record is valid."""
    record = json.loads(errkb("new", TEXT, *PLACE).stdout)
    record |= {
        "documentation": "The cabinet has fewer drawers than the caller believes.",
        "triggerScenarios": "Cabinet.open(n) with a number that is too high.",
        "commonSituations": "Counting drawers from one.",
        "solutions": ["Count from zero."],
        "exampleFix": "# before\nopen(3)\n\n# after\nopen(2)\n",
    }
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(record))
    assert validate([path]).findings == []


def test_new_reads_tracebacks_and_pipes(errkb: Callable[..., Any]) -> None:
    """A whole traceback is understood, from a pipe as well."""
    text = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: no drawer 7\n'
    record = json.loads(errkb("new", "-", *PLACE, stdin=text.encode()).stdout)
    assert (record["errorClass"], record["errorMessage"]) == ("ValueError", "no drawer 7")
    assert errkb("new", stdin=b" \n").returncode == 2


def test_new_quotes_a_checkout_and_appends(errkb: Callable[..., Any], tmp_path: Path) -> None:
    """With a checkout the lines around the place are quoted; -o appends on a line of its own."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a b.py").write_text("\n".join(f"line {number}" for number in range(1, 31)))
    path = tmp_path / "x.jsonl"
    path.write_text('{"no": "line feed"}')
    assert errkb("new", TEXT, *PLACE, "--checkout", str(tmp_path), "-o", str(path)).returncode == 0
    first, second = path.read_text().splitlines()
    record = json.loads(second)
    assert first == '{"no": "line feed"}'
    assert (record["sourceCodeStart"], record["sourceCodeEnd"]) == (2, 12)
    assert record["sourceCode"].splitlines()[5] == "line 7"
    assert record["githubUrl"].endswith("#L2-L12")
    path.write_text(second)
    assert {finding.rule for finding in validate([path]).findings} == {"T001", "X003"}


@pytest.fixture
def versions(tmp_path: Path, good: list[Document], make_document: Callable[..., Document]) -> Path:
    """Two versions: one record removed, one added, one changed in two fields, one whose pattern got worse."""
    old = [*good, make_document("hinge {a} of lid lost")]
    new = [json.loads(json.dumps(document)) for document in (*good[1:], make_document("hinge {a} of lid lost"))]
    new[0] |= {"severity": "info", "newer": [1]}
    new[1]["messagePattern"] = "unexpected thing in slot (.+?)"
    new.append(make_document("a toggle {x} is *loose*"))
    for name, documents in (("old", old), ("new", new)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, documents)))
    return tmp_path


def test_diff_names_all_that_differs(versions: Path, errkb: Callable[..., Any], good: list[Document]) -> None:
    """Added, removed, changed field by field, and messages that are answered otherwise."""
    result = errkb("diff", "old.jsonl", "new.jsonl", "--json", cwd=versions)
    document = json.loads(result.stdout)
    assert result.returncode == 0
    assert [record["errorMessage"] for record in document["added"]] == ["a toggle {x} is *loose*"]
    assert [record["id"] for record in document["removed"]] == [good[0]["id"]]
    assert {record["id"]: record["changes"] for record in document["changed"]} == {
        good[1]["id"]: {
            "severity": {"old": good[1]["severity"], "new": "info"},
            "newer": {"old": None, "new": [1]},
        },
        good[2]["id"]: {
            "messagePattern": {"old": "unexpected gadget in slot (.+?)", "new": "unexpected thing in slot (.+?)"}
        },
    }
    lost = {record["id"]: record["now"] for record in document["lost"]}
    assert good[0]["id"] in lost
    assert set(lost) <= {good[0]["id"], good[2]["id"]}


@pytest.mark.parametrize("form", [(), ("--markdown",)])
def test_diff_for_people(form: tuple[str, ...], versions: Path, errkb: Callable[..., Any]) -> None:
    """The text and the Markdown name the same; Markdown in messages is no markup."""
    text = errkb("diff", "old.jsonl", "new.jsonl", *form, cwd=versions).stdout.decode()
    assert "1 added, 1 removed, 2 changed" in text
    assert "messagePattern" in text
    if form:
        assert "### Removed" in text
        assert r"is \*loose\*" in text
    else:
        assert [line[0] for line in text.splitlines() if line[0] in "+-~!"][:4] == ["+", "-", "~", "~"]


def test_diff_can_fail(versions: Path, errkb: Callable[..., Any]) -> None:
    """--exit-code: 1 if ids disappeared, 0 if only new ones came."""
    assert errkb("diff", "old.jsonl", "new.jsonl", "--exit-code", cwd=versions).returncode == 1
    assert errkb("diff", "old.jsonl", "old.jsonl", "--exit-code", cwd=versions).stdout == b"No difference.\n"
    with (versions / "old.jsonl").open("a") as file:
        file.write("\n" + (versions / "new.jsonl").read_text().splitlines()[-1])
    first = (versions / "old.jsonl").read_text().splitlines()
    (versions / "less.jsonl").write_text("\n".join(first[:-1]))
    assert errkb("diff", "less.jsonl", "old.jsonl", "--exit-code", cwd=versions).returncode == 0


def test_diff_refuses_broken_datasets(versions: Path, errkb: Callable[..., Any]) -> None:
    """A broken line would look like a removed record: status 2, with the place."""
    (versions / "new.jsonl").write_text("{")
    result = errkb("diff", "old.jsonl", "new.jsonl", cwd=versions)
    assert (result.returncode, b"new.jsonl:1" in result.stderr) == (2, True)
