"""Which rules are reported: flags, pyproject.toml, errkb.toml."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.datasets.configuration import ConfigurationError, find_configuration
from errkb.errors import ErrkbError
from errkb.validation import Settings
from errkb.validation.rules import RULES
from errkb.validation.settings import UnknownRuleError, codes, find_rule, settings

Document = dict[str, Any]


@pytest.fixture
def folder(tmp_path: Path, good: list[Document], lines: Any) -> Path:
    """A dataset with a fault of G001 and one of T002, in a folder of its own."""
    good[0]["tags"] = ["b", "a"]
    good[1]["solutions"] = []
    project = tmp_path / "project"
    (project / "old").mkdir(parents=True)
    (project / "records.jsonl").write_text("\n".join(lines(good)))
    (project / "old" / "records.jsonl").write_text("\n".join(lines(good)))
    return project


@pytest.fixture
def found(folder: Path, errkb: Callable[..., Any]) -> Callable[..., Any]:
    """Codes with severities that `errkb validate` reports, given the text of a configuration and flags."""

    def run(configuration: str = "", *flags: str, name: str = "errkb.toml", path: str = "records.jsonl") -> Any:
        (folder / name).write_text(configuration)
        result = errkb("validate", *([path] if path else []), "--format", "json", *flags, cwd=folder)
        if result.returncode == 2:
            return result.stderr.decode()
        findings = json.loads(result.stdout)["findings"]
        assert result.returncode == any(finding["severity"] == "error" for finding in findings)
        return [(finding["rule"], finding["severity"]) for finding in findings]

    return run


BOTH = [("G001", "error"), ("T002", "warning")]
CASES: dict[str, tuple[str, tuple[str, ...], Any]] = {
    "nothing said": ("", (), BOTH),
    "select by code": ('[validate]\nselect = ["G001"]', (), BOTH[:1]),
    "select by name": ('[validate]\nselect = ["thin-prose"]', (), BOTH[1:]),
    "select by letter": ('[validate]\nselect = ["T", "P"]', (), BOTH[1:]),
    "select all": ('[validate]\nselect = ["ALL"]', (), BOTH),
    "ignore": ('[validate]\nignore = ["g001"]', (), BOTH[1:]),
    "ignore what is selected": ('[validate]\nselect = ["G"]\nignore = ["G001"]', (), []),
    "severity up": ('[validate.severity]\nT002 = "error"', (), [BOTH[0], ("T002", "error")]),
    "severity down": ('[validate.severity]\ntags-order = "warning"', (), [("G001", "warning"), BOTH[1]]),
    "severity of a letter": ('[validate.severity]\nT = "error"', (), [BOTH[0], ("T002", "error")]),
    "per file": ('[validate.per-file-ignores]\n"records.jsonl" = ["G001"]', (), BOTH[1:]),
    "per file elsewhere": ('[validate.per-file-ignores]\n"new/*" = ["G001"]', (), BOTH),
    "flag": ("", ("--select", "G001"), BOTH[:1]),
    "flag over configuration": ('[validate]\nselect = ["T"]', ("--select", "G"), BOTH[:1]),
    "flag with commas": ("", ("--ignore", "G001,T002"), []),
    "flag twice": ("", ("--select", "G001", "--select", "T002"), BOTH),
    "both ignore": ('[validate]\nignore = ["T"]', ("--ignore", "G"), []),
}


@pytest.mark.parametrize(("configuration", "flags", "expected"), CASES.values(), ids=CASES.keys())
def test_rules_are_chosen(found: Any, configuration: str, flags: tuple[str, ...], expected: Any) -> None:
    """Flags and configuration choose the rules that are reported, and how severe they are."""
    assert found(configuration, *flags) == expected


def test_pyproject_does_as_well(found: Any) -> None:
    """[tool.errkb.validate] in pyproject.toml is the same."""
    assert found('[tool.errkb.validate]\nignore = ["G001"]', name="pyproject.toml") == BOTH[1:]


def test_per_file_ignores_go_by_the_path(found: Any) -> None:
    """A pattern with a folder means files there only, from the folder of the configuration."""
    configuration = '[validate.per-file-ignores]\n"old/*" = ["ALL"]'
    assert found(configuration, path="old/records.jsonl") == []
    assert found(configuration) == BOTH


def test_the_configured_datasets_are_checked(found: Any) -> None:
    """Without a path, the datasets of the configuration are checked."""
    assert found('datasets = ["records.jsonl"]', path="") == BOTH
    assert "Name a dataset" in found("", path="")


WRONG: dict[str, tuple[str, tuple[str, ...], str]] = {
    "rule": ('[validate]\nselect = ["GG01"]', (), "there is no rule 'GG01'; did you mean 'G001'?"),
    "rule in a flag": ("", ("--ignore", "thin-pose"), "there is no rule 'thin-pose'; did you mean 'thin-prose'?"),
    "rule of a severity": ('[validate.severity]\nQ1 = "error"', (), "there is no rule 'Q1'"),
    "rule of a file": ('[validate.per-file-ignores]\n"x" = ["whatever"]', (), "there is no rule 'whatever'"),
    "severity": ('[validate.severity]\nT002 = "fatal"', (), "'fatal' is none of error, warning"),
    "setting": ('[validate]\nslect = ["G"]', (), "there is no setting 'validate.slect'; did you mean 'select'?"),
    "table": ("[validat]", (), "there is no setting 'validat'; did you mean 'validate'?"),
    "type": ('[validate]\nselect = "G"', (), "$.validate.select"),
    "TOML": ("[validate", (), "errkb.toml: "),
}


@pytest.mark.parametrize(("configuration", "flags", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_unknown_is_an_error(found: Any, configuration: str, flags: tuple[str, ...], message: str) -> None:
    """An unknown rule or setting ends in status 2 with a sentence that helps."""
    assert message in found(configuration, *flags)


def test_the_nearest_configuration_counts(tmp_path: Path) -> None:
    """It is searched upwards, and says from where its paths go."""
    (tmp_path / "errkb.toml").write_text('datasets = ["x"]')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    configuration = find_configuration(inner)
    assert configuration is not None
    assert (configuration.folder, configuration.path) == (tmp_path, tmp_path / "errkb.toml")
    (inner / "pyproject.toml").write_text("[tool.errkb]\nvalidate = 3")
    with pytest.raises(ConfigurationError, match=r"pyproject\.toml"):
        find_configuration(inner)


def test_moot_findings_stay_moot_where_their_cause_is_ignored(good: list[Document], report_of: Any, lines: Any) -> None:
    """What follows from a fault that nobody wants to hear of is not reported in its place."""
    copies = [*good, good[0]]
    assert report_of(lines(copies), settings(ignore=["I001"])).findings == []
    assert report_of(lines(copies), settings(select=["I004", "M"])).findings == []


def test_rules_are_found_by_code_and_name() -> None:
    """Codes, names, letters and ALL name rules, in any case."""
    assert codes(["all"]) == {rule.code for rule in RULES}
    assert codes(["p"]) == {rule.code for rule in RULES if rule.code.startswith("P")}
    assert find_rule("p001") == find_rule("pattern-dialect")
    with pytest.raises(UnknownRuleError):
        find_rule("P")
    assert settings() == Settings(folder=settings().folder)
    with pytest.raises(ErrkbError):
        settings(severity={"P": "bad"})
