"""C7 for supplements: one fault for each rule; each is found at its place, and nothing else is."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.datasets import entry_access
from errkb.validation import validate
from errkb.validation.rules.supplement import RULES

Document = dict[str, Any]
MESSAGE = "no drawer %d in cabinet %s"
GOOD: Document = {
    "cure": "List the drawers: `print(cabinet.drawers)`.",
    "wordings": [{"errorMessage": "drawer {number} is missing from {cabinet}"}],
    "captureNames": ["number", "cabinet"],
    "causes": [
        {
            "when": {"captures": {"number": {"matches": "-(.+?)"}}},
            "because": "`{number}` is negative.",
            "do": "Count from 0.",
            "trigger": "raise ValueError('no drawer -1 in cabinet oak')",
        },
        {"because": "The cabinet is another one.", "do": "Print its name."},
    ],
    "links": [{"title": "Drawers", "url": "https://docs.example/drawers"}],
}


def _with(**changes: Any) -> Callable[[Document], None]:
    return lambda document: document.update(changes)


def _cause(**changes: Any) -> Callable[[Document], None]:
    return lambda document: document["causes"][0].update(changes)


def _when(when: Document) -> Callable[[Document], None]:
    return _cause(when=when)


def _without(name: str) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        del document[name]
        document["causes"] = document["causes"][1:]

    return change


FAULTS: dict[str, tuple[Callable[[Document], None], str, str]] = {
    "a cure that is a list": (_with(cure=["x"]), "supplement-schema", "/cure"),
    "an address without https": (_with(links=[{"title": "x", "url": "http://a"}]), "supplement-schema", "/links/0/url"),
    "no such record": (_with(id="0" * 16), "supplement-of-nothing", "/id"),
    "a misspelt field": (_with(cures="x"), "supplement-unknown-field", "/cures"),
    "a long cure": (_with(cure="x " * 60), "long-cure", "/cure"),
    "too few names": (_with(captureNames=["number"], causes=[]), "capture-names", "/captureNames"),
    "a name twice": (_with(captureNames=["number", "number"], causes=[]), "capture-names", "/captureNames"),
    "no names for %d and %s": (_without("captureNames"), "nameless-captures", None or ""),
    "no such capture": (_when({"captures": {"nubmer": {"equals": "1"}}}), "condition", "/causes/0/when"),
    "an empty when": (_when({}), "condition", "/causes/0/when"),
    "two tests of one capture": (
        _when({"captures": {"number": {"equals": "1", "looksLike": "int"}}}),
        "condition",
        "/causes/0/when",
    ),
    "a pattern outside the dialect": (
        _when({"captures": {"number": {"matches": "(?=1)."}}}),
        "condition",
        "/causes/0/when",
    ),
    "a wording without text": (_with(wordings=[{"errorMessage": "{a}", "messagePattern": "(.+?)"}]), "wording-pattern", "/wordings/0"),
    "a wording of another record": (
        _with(wordings=[{"errorMessage": "the hinge of window {n} squeaks loudly"}]),
        "wording-not-found",
        "/wordings/0",
    ),
    "related to nothing": (_with(related={"instead": ["0" * 16]}), "related-to-nothing", "/related/instead"),
    "a text still to be written": (_cause(do="TODO: what to do"), "supplement-placeholder", "/causes/0/do"),
    "a trigger that does not parse": (_cause(trigger="import os\nprint('x'"), "trigger-syntax", "/causes/0/trigger"),
}  # fmt: skip


@pytest.fixture
def findings(tmp_path: Path, make_document: Callable[..., Document]) -> Callable[..., list[tuple[str, str | None]]]:
    """The rules and pointers that validation gives for two good records with these supplements."""

    def find(*changes: Callable[[Document], None]) -> list[tuple[str, str | None]]:
        record = make_document(MESSAGE, errorClass="ValueError")
        other = make_document("the hinge of window {n} squeaks loudly", errorClass="ValueError")
        lines = []
        for change in changes:
            document = {"id": record["id"], **copy.deepcopy(GOOD)}
            change(document)
            lines.append(json.dumps(document))
        (tmp_path / "records.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (record, other)))
        (tmp_path / "supplements.jsonl").write_text("".join(f"{line}\n" for line in lines))
        return [(one.name, one.pointer) for one in validate([tmp_path / "records.jsonl"]).findings]

    return find


def test_a_good_supplement_has_no_finding(findings: Callable[..., Any]) -> None:
    """Nothing is said of a supplement without fault."""
    assert findings(_with()) == []


@pytest.mark.parametrize(("change", "rule", "pointer"), FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_is_found(
    findings: Callable[..., Any], change: Callable[[Document], None], rule: str, pointer: str
) -> None:
    """A seeded fault is found by its rule, at its place, and nothing else is said."""
    assert findings(change) == [(rule, pointer or None)]


def test_two_supplements_of_one_record(findings: Callable[..., Any]) -> None:
    """The second supplement of a record in a file is reported."""
    assert ("supplement-twice", "/id") in findings(_with(), _with(wordings=[]))


def test_broken_lines_do_not_hide_others(tmp_path: Path, make_document: Callable[..., Document]) -> None:
    """A line that is no JSON is reported with its number, and the next line is checked."""
    (tmp_path / "records.jsonl").write_text(json.dumps(make_document(MESSAGE, errorClass="ValueError")) + "\n")
    (tmp_path / "supplements.jsonl").write_text('{"id": \n{"id": "' + "0" * 16 + '"}\n')
    report = validate([tmp_path / "records.jsonl"])
    assert [(one.name, one.line) for one in report.findings] == [("broken-json", 1), ("supplement-of-nothing", 2)]


def test_records_are_read_once_for_all_supplements(
    tmp_path: Path, make_document: Callable[..., Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many supplements a compressed dataset has, its file is not unpacked again for each."""
    opened: list[Path] = []
    original = entry_access.open_file
    monkeypatch.setattr(entry_access, "open_file", lambda path: (opened.append(path), original(path))[1])
    records = [make_document(f"the hinge of window {number} squeaks in {{room}}") for number in range(20)]
    dataset = tmp_path / "records.jsonl.gz"
    dataset.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in records).encode()))
    supplements = ({"id": one["id"], "cure": "Oil it.", "cures": "Oil it."} for one in records)
    (tmp_path / "supplements.jsonl").write_text("".join(json.dumps(one) + "\n" for one in supplements))
    found = [one for one in validate([dataset]).findings if one.name == "supplement-unknown-field"]
    assert len(found) == len(records)
    assert len([path for path in opened if path == dataset]) <= 3


def test_every_rule_has_its_fault() -> None:
    """Each rule on supplements except unknown-value is seeded here."""
    seeded = {rule for _, rule, _ in FAULTS.values()} | {"supplement-twice", "unknown-value"}
    assert {rule.name for rule in RULES} == seeded
