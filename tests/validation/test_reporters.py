"""Reports: every form says the same, and its readers accept it."""

import json
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from errkb.validation import Report
from errkb.validation.reporters import FORMATS, render
from errkb.validation.reporters.text import render as text_report
from errkb.validation.reporters.text import statistics

Document = dict[str, Any]
HOSTILE = (
    '{"id": "\\u001b[31m\\n\\u202e", "severity": "\\u001b]0;x\\u0007", "tags": ["%0A::error::%", "]]>", "\\uffff"]}'
)


@pytest.fixture
def report(good: list[Document], report_of: Any, lines: Any, monkeypatch: Any, tmp_path: Path) -> Report:
    """A report with an error, a warning, something to fix, and lines without any text."""
    monkeypatch.chdir(tmp_path)
    good[0]["severity"] = "50%: or, less\nfatal"
    good[1]["contentChangedAt"] = "x"
    good[2]["tags"] = ["b", "a"]
    found: Report = report_of([*lines(good), "{"])
    assert [finding.rule for finding in found.findings] == ["D002", "D003", "G001", "D001"]
    return found


@pytest.fixture
def hostile(report_of: Any) -> Report:
    """A report about texts that attack their readers."""
    found: Report = report_of([HOSTILE, "\x1b[31m{", "{}", "\x00\udcff<!-- ]]> {"])
    return found


@pytest.mark.parametrize("form", FORMATS)
def test_reports_are_harmless(form: str, hostile: Report) -> None:
    """No report holds a control character, or one that reorders or hides text, from a dataset."""
    text = render(hostile, form)
    assert all(char == "\n" or char.isprintable() for char in text)
    text.encode("utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_reports_of_nothing(form: str, good: list[Document], report_of: Any, lines: Any) -> None:
    """A dataset without fault has a report in every form, too."""
    text = render(report_of(lines(good)), form)
    assert text == "4 records, nothing found.\n" if form == "text" else "D00" not in text or form == "sarif"


def test_text_shows_the_place(report: Report) -> None:
    """A line for each finding, the piece of the file with carets under the place, and a count."""
    text = render(report, "text").splitlines()
    heads = [line for line in text if not line.startswith(" ")]
    assert heads[0].startswith("faulty.jsonl:1:")
    assert [line.split(":")[:2] for line in heads[:-1]] == [["faulty.jsonl", number] for number in "1235"]
    assert heads[-1] == "4 findings in 5 records, 1 of them warning. [*] 1 can be fixed with --fix."
    shown, carets = text[text.index(heads[2]) + 1 : text.index(heads[2]) + 3]
    start = carets.index("^")
    assert shown[start : len(carets)] == '["b", "a"]'


def test_carets_stand_under_wide_characters(good: list[Document], report_of: Any, lines: Any) -> None:
    """Wide characters before the place take two columns, combining ones none."""
    good[0]["solutions"] = ["日本語 e\u0301 is how it is written there", "TODO"]
    shown, carets = render(report_of(lines(good)), "text").splitlines()[1:3]
    assert carets.index("^") == shown.index('"TODO"') + 3 - 1


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_text_fits_a_terminal(good: list[Document], report_of: Any, lines: Any, width: int) -> None:
    """At every width the carets stand under what is meant, wide characters and all, and no line is wider."""
    good[0]["solutions"] = ["日本語 " * 20, "TODO", "e\u0301 " * 30]
    del good[1]["tags"]
    text = text_report(report_of(lines(good)), width=width).splitlines()
    marked = [(shown, carets) for shown, carets in pairwise(text) if set(carets[6:].strip()) == {"^"}]
    assert marked
    assert all(columns(line) <= width for line in text if " | " in line)
    assert any(
        '"TODO"' in shown and columns(shown[: shown.index('"TODO"')]) == carets.index("^") for shown, carets in marked
    )


def columns(text: str) -> int:
    """Columns of a terminal: two for wide characters, none for combining ones."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in text)


def test_statistics_count_the_rules(report: Report) -> None:
    """How often each rule was broken, and whether it can be fixed."""
    lines = statistics(report).splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [["1", code] for code in ("D001", "D002", "D003", "G001")]
    assert "[*]" in lines[3]


def test_json_names_all(report: Report) -> None:
    """The JSON report holds all that a finding is."""
    document = json.loads(render(report, "json"))
    assert (document["version"], document["valid"], document["records"]) == (1, False, 5)
    keys = ["rule", "name", "severity", "message", "path", "line", "column", "endColumn", "pointer", "recordId", "fix"]
    assert [list(finding) for finding in document["findings"]] == [keys] * 4
    assert document["findings"][2]["fix"] == {"field": "tags", "value": ["a", "b"]}
    assert {finding["path"] for finding in document["findings"]} == {"faulty.jsonl"}


def unescaped(text: str) -> str:
    """As the runner of GitHub Actions reads what is in a workflow command."""
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Level, properties and message of workflow commands."""
    found = []
    for line in text.splitlines():
        empty, command, message = line.split("::", 2)
        level, _, listed = command.partition(" ")
        assert empty == ""
        properties = dict(item.split("=", 1) for item in listed.split(","))
        found.append((level, {name: unescaped(value) for name, value in properties.items()}, unescaped(message)))
    return found


def test_github_reads_what_was_meant(report: Report) -> None:
    """Annotations carry level, relative path, place, rule and message, whatever characters are in them."""
    found = commands(render(report, "github"))
    assert [level for level, _, _ in found] == ["error", "warning", "error", "error"]
    for (_, properties, message), finding in zip(found, report.findings, strict=True):
        assert properties["file"] == "faulty.jsonl"
        assert properties["line"] == properties["endLine"] == str(finding.line)
        assert properties["title"] == f"{finding.rule} {finding.name}"
        assert properties["col"] == str(finding.column)
        assert finding.message.replace("\n", " ") in message


def test_github_commands_cannot_be_forged(hostile: Report) -> None:
    """A dataset cannot put a command of its own into the log."""
    text = render(hostile, "github")
    assert len(text.splitlines()) == len(hostile.findings)
    assert len(commands(text)) == len(hostile.findings)


def test_sarif_is_accepted_by_its_model(report: Report, hostile: Report) -> None:
    """SARIF 2.1.0: a published model of the standard reads it, and nothing is lost on the way."""
    sarif_pydantic = pytest.importorskip("sarif_pydantic")
    for one in (report, hostile):
        document = json.loads(render(one, "sarif"))
        log = sarif_pydantic.Sarif.model_validate(document)
        (run,) = log.runs
        assert log.version == "2.1.0"
        assert len(run.results) == len(one.findings)
        assert json.loads(log.model_dump_json(by_alias=True, exclude_none=True)).keys() <= document.keys() | {"$schema"}
        assert [result.rule_id for result in run.results] == [finding.rule for finding in one.findings]
        rules = run.tool.driver.rules
        assert [rules[result.rule_index].id for result in run.results] == [result.rule_id for result in run.results]


def test_sarif_says_where(report: Report) -> None:
    """A result has the level, a relative URI, and the region of the value."""
    results = json.loads(render(report, "sarif"))["runs"][0]["results"]
    assert [result["level"] for result in results] == ["error", "warning", "error", "error"]
    place = results[2]["locations"][0]["physicalLocation"]
    finding = report.findings[2]
    assert place["artifactLocation"] == {"uri": "faulty.jsonl", "uriBaseId": "%SRCROOT%"}
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == (finding.line, finding.column)
    assert place["region"]["endColumn"] - place["region"]["startColumn"] == len('["b", "a"]')


def test_fingerprints_outlive_lines_before(good: list[Document], report_of: Any, lines: Any) -> None:
    """A finding is known again after records were added before it."""

    def prints(texts: list[str]) -> list[str]:
        results = json.loads(render(report_of(texts), "sarif"))["runs"][0]["results"]
        return [result["partialFingerprints"]["errkb/v1"] for result in results]

    good[3]["tags"] = ["b", "a"]
    assert prints(lines(good)) == prints(lines(good)[2:])


def test_junit_is_read_by_a_parser(report: Report, hostile: Report) -> None:
    """JUnit XML: counts agree with the cases, errors are failures, warnings pass."""
    root = ElementTree.fromstring(render(report, "junit").encode())
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "4", "3", "0")
    (suite,) = root.findall("testsuite")
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("faulty.jsonl", "4", "3")
    failures = [case.find("failure") for case in suite.findall("testcase")]
    assert [failure is not None and failure.get("type") for failure in failures] == ["D002", False, "G001", "D001"]
    assert all(case.get("line") and case.get("file") for case in suite.findall("testcase"))
    ElementTree.fromstring(render(hostile, "junit").encode())


def test_junit_names_files_without_fault(good: list[Document], report_of: Any, lines: Any) -> None:
    """A file without findings is a case that passes, so that nobody thinks it was forgotten."""
    root = ElementTree.fromstring(render(report_of(lines(good)), "junit").encode())
    assert (root.get("tests"), root.get("failures"), len(root.findall(".//testcase"))) == ("1", "0", 1)


def test_paths_outside_the_working_directory_stay_whole(
    good: list[Document], report_of: Any, lines: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    """Elsewhere, a path is named as it was, and as a file URI in SARIF."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    good[0]["tags"] = ["b", "a"]
    report = report_of(lines(good))
    assert json.loads(render(report, "json"))["findings"][0]["path"] == (tmp_path / "faulty.jsonl").as_posix()
    result = json.loads(render(report, "sarif"))["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


@pytest.mark.parametrize(
    ("form", "lines_out"), [("text", 10), ("github", 4), ("json", None), ("sarif", None), ("junit", None)]
)
def test_the_command_line_reports(
    form: str, lines_out: int | None, report: Report, tmp_path: Path, errkb: Callable[..., Any]
) -> None:
    """`errkb validate --format` prints the form and exits 1."""
    result = errkb("validate", "faulty.jsonl", "--format", form, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (1, b"")
    assert result.stdout.decode() == render(report, form)
    assert lines_out in (
        None,
        len([line for line in result.stdout.splitlines() if not line.startswith(b"    |")]) + 5,
        4,
    )
