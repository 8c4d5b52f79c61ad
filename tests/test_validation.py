"""Validation: every fault is found at its place, and nothing else is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.errors import DatasetError
from errkb.render.report import report_json, report_text
from errkb.validation import Finding, Report, validate
from errkb.validation.rules import RULES

Document = dict[str, Any]
Make = Callable[..., Document]

MESSAGES = (
    "the quick widget {name} has no handle",
    "cannot open drawer {number} of cabinet {cabinet}",
    "unexpected gadget in slot {slot}",
    "spindle {x} overheated at {y} degrees",
)


@pytest.fixture
def good(make_document: Make) -> list[Document]:
    """Four records without fault."""
    return [make_document(message) for message in MESSAGES]


def lines(documents: list[Document]) -> list[str]:
    """One JSON text a document."""
    return [json.dumps(document, ensure_ascii=False) for document in documents]


def report_of(tmp_path: Path, texts: list[str]) -> Report:
    """What validation says about a file of these lines."""
    path = tmp_path / "faulty.jsonl"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return validate([path])


def places(findings: Any) -> list[tuple[int, str, str | None]]:
    """Line, rule and pointer of findings."""
    return [(finding.line, finding.rule, finding.pointer) for finding in findings]


def test_the_good_dataset_is_valid(tmp_path: Path, good: list[Document]) -> None:
    """A dataset without fault gets no finding."""
    report = report_of(tmp_path, lines(good))
    assert (list(report.findings), report.records, report.valid) == ([], 4, True)


def test_the_dataset_of_errkb_is_valid(root: Path) -> None:
    """data/ has no fault, not even a warning."""
    report = validate([root / "data" / "records.jsonl"])
    assert [str(finding) for finding in report.findings] == []
    assert report.records >= 1


@pytest.fixture
def four_faults(make_document: Make) -> list[str]:
    """Ten records: line 3 cut JSON, line 5 an unknown enum value, line 7 a repeated id, line 9 a look-ahead."""
    words = ["apple", "birch", "cedar", "daisy", "elder", "ficus", "grape", "hazel", "iris", "juniper"]
    documents = [make_document(f"the {word} tree number {{n}} does not grow") for word in words]
    documents[4]["severity"] = "fatal"
    documents[6] = documents[1]
    documents[8]["messagePattern"] = "the iris tree(?= number) (.+?) does not grow"
    texts = lines(documents)
    texts[2] = texts[2][:100]
    return texts


def test_four_faults_are_four_findings(tmp_path: Path, four_faults: list[str]) -> None:
    """Cut JSON, an unknown enum value, a repeated id, a look-ahead: four findings with their lines."""
    report = report_of(tmp_path, four_faults)
    assert places(report.findings) == [
        (3, "D001", None),
        (5, "D002", "/severity"),
        (7, "I001", "/id"),
        (9, "P001", "/messagePattern"),
    ]
    assert (report.records, report.valid) == (10, False)


@pytest.mark.parametrize(("form", "count"), [("text", 4), ("json", 4)])
def test_four_faults_end_in_status_1(
    tmp_path: Path, four_faults: list[str], errkb: Callable[..., Any], form: str, count: int
) -> None:
    """The command line reports them all and exits 1."""
    (tmp_path / "faulty.jsonl").write_text("\n".join(four_faults))
    result = errkb("validate", "faulty.jsonl", "--format", form, cwd=tmp_path)
    output = result.stdout.decode()
    assert (result.returncode, result.stderr) == (1, b"")
    if form == "text":
        found = [line.split(":")[:2] for line in output.splitlines()[:-1]]
        assert output.splitlines()[-1] == "4 findings in 10 records."
    else:
        found = [[finding["path"], str(finding["line"])] for finding in json.loads(output)["findings"]]
    assert found == [["faulty.jsonl", line] for line in "3579"]


def without_id(document: Document) -> None:
    """A fault: an id that does not follow from the record."""
    document["id"] = "0" * 16


def change(**changes: Any) -> Callable[[Document], None]:
    """A fault: these fields changed."""
    return lambda document: document.update(changes)


def named(name: str) -> str:
    """The code of a rule."""
    return next(rule.code for rule in RULES if rule.name == name)


# rule, what is done to the second record of the good dataset, where it is found
SEEDED: dict[str, tuple[str, Callable[[Document], Any], list[str | None]]] = {
    "missing-field": ("schema", lambda d: d.pop("solutions"), [None]),
    "enum": ("schema", change(errorType="oops"), ["/errorType"]),
    "type": ("schema", change(lineNumber="8"), ["/lineNumber"]),
    "number": ("schema", change(httpStatus=99), ["/httpStatus"]),
    "list-member": ("schema", change(tags=["good", "Not Kebab"]), ["/tags/1"]),
    "two-at-once": ("schema", change(severity="x", lineNumber=0), ["/lineNumber", "/severity"]),
    "newline-after-sha": ("schema", change(analyzedSha="0" * 40 + "\n"), ["/analyzedSha"]),
    "half-a-surrogate-pair": ("broken-json", change(severity="\udc00"), [None]),
    "unknown": ("unknown-field", change(contentChangedAt="x"), ["/contentChangedAt"]),
    "unknown-with-slash": ("unknown-field", lambda d: d.update({"a/b~c": 1}), ["/a~1b~0c"]),
    "id": ("id-not-derived", without_id, ["/id"]),
    "slug": ("slug-not-derived", change(slug="another"), ["/slug"]),
    "slug-with-digits-of-another-id": (
        "slug-not-derived",
        lambda d: d.update(slug=d["slug"] + "-000000"),
        ["/slug"],
    ),
    "anchor": ("pattern-dialect", change(messagePattern="^cannot open"), ["/messagePattern"]),
    "back-reference": ("pattern-dialect", change(messagePattern=r"cannot (.+?) \1"), ["/messagePattern"]),
    "no-text": ("pattern-dialect", change(messagePattern="(.+?)"), ["/messagePattern"]),
    "no-regex": ("pattern-dialect", change(messagePattern="cannot open ("), ["/messagePattern"]),
    "too-long": (
        "pattern-too-long",
        lambda d: d.update(messagePattern=d["messagePattern"] + "(?:)" * 120),
        ["/messagePattern"],
    ),
    "misses-template": ("pattern-misses-template", change(messagePattern="cannot close drawer"), ["/messagePattern"]),
}


@pytest.mark.parametrize(("name", "seed", "pointers"), SEEDED.values(), ids=SEEDED.keys())
def test_a_seeded_fault_is_found_and_nothing_else(
    tmp_path: Path, good: list[Document], name: str, seed: Callable[[Document], Any], pointers: list[str | None]
) -> None:
    """C7: one fault in a good dataset is found by its rule, at its line and pointer, and nothing else is found."""
    seed(good[1])
    report = report_of(tmp_path, [json.dumps(document) for document in good])
    assert places(report.findings) == [(2, named(name), pointer) for pointer in pointers]
    assert {finding.name for finding in report.findings} == {name}
    assert report.valid == (name == "unknown-field")
    assert all(finding.message and finding.path.name == "faulty.jsonl" for finding in report.findings)


def test_a_repeated_slug_is_found(tmp_path: Path, good: list[Document], make_document: Make) -> None:
    """Two records of a repo with one slug: the later one is told what to be called, and then all is well."""
    start = "the record of a message that is longer than a slug: "
    first, second = make_document(start + "{value} of a box"), make_document(start + "the lid came off {name}")
    report = report_of(tmp_path, lines([*good, first, second]))
    assert places(report.findings) == [(6, "I004", "/slug")]
    wanted = f"{second['slug']}-{second['id'][:6]}"
    assert wanted in report.findings[0].message
    assert places(report_of(tmp_path, lines([*good, first, {**second, "slug": wanted}])).findings) == []


def test_one_slug_in_two_repos_is_no_fault(tmp_path: Path, good: list[Document], make_document: Make) -> None:
    """A slug names a record within its repo only."""
    other = make_document(MESSAGES[0], repo="acme/other")
    assert places(report_of(tmp_path, lines([*good, other])).findings) == []


def test_a_record_that_loses_its_own_message_is_found(
    tmp_path: Path, good: list[Document], make_document: Make
) -> None:
    """A record whose own message is answered with another record is told which one shadows it."""
    vague = make_document("drawer {a} lost: {b}", messagePattern="lost")
    precise = make_document("drawer {a} lost: {b} {c}", messagePattern="drawer (.+?) lost: (.+?)")
    report = report_of(tmp_path, lines([*good, precise, vague]))
    assert places(report.findings) == [(6, "M001", "/messagePattern")]
    assert precise["id"] in report.findings[0].message


def test_a_hand_written_pattern_may_accept_more(tmp_path: Path, good: list[Document]) -> None:
    """A pattern that is not the derived one is fine if it accepts the record's own message."""
    good[1]["messagePattern"] = r"cannot open (?:drawer|door) (.+?) of cabinet (.+?)"
    assert places(report_of(tmp_path, lines(good)).findings) == []


def test_places_in_other_carriers(tmp_path: Path, good: list[Document]) -> None:
    """In an array of envelopes, a finding has the record's line and a pointer from the document's root."""
    good[2]["severity"] = "fatal"
    path = tmp_path / "a.json"
    path.write_text("[\n" + ",\n".join(json.dumps({"record": d}) for d in good) + "\n]")
    assert places(validate([path]).findings) == [(4, "D002", "/2/record/severity")]


def test_findings_of_several_files_stand_together(tmp_path: Path, good: list[Document], make_document: Make) -> None:
    """Findings come file by file, in the order of the lines, and ids are compared across files."""
    first, second = tmp_path / "b.jsonl", tmp_path / "a.jsonl"
    first.write_text("\n".join([*lines(good), "{"]))
    second.write_text("\n".join(["[]", lines(good)[0]]))
    found = [(f.path.name, f.line, f.rule) for f in validate([first, second]).findings]
    assert found == [("b.jsonl", 5, "D001"), ("a.jsonl", 1, "D001"), ("a.jsonl", 2, "I001")]


def test_what_cannot_be_read_at_all_is_no_finding(tmp_path: Path) -> None:
    """A path that is no dataset raises, it is not reported as a faulty one."""
    with pytest.raises(DatasetError):
        validate([tmp_path / "missing.jsonl"])


def test_codes_and_names_of_rules_are_their_own() -> None:
    """Every rule has a code and a name of its own, and says why it is there."""
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.why.endswith(".") for rule in RULES)
    assert {code for rule in RULES for code in rule.after} <= {rule.code for rule in RULES}


def test_every_rule_has_a_seeded_fault() -> None:
    """The tables above leave out no rule."""
    elsewhere = {"broken-json", "duplicate-id", "duplicate-slug", "loses-own-message"}
    assert {name for name, _, _ in SEEDED.values()} | elsewhere == {rule.name for rule in RULES}


def test_reports_are_harmless_and_complete(tmp_path: Path) -> None:
    """A report holds no control characters from the dataset, one line a finding, and its JSON names all fields."""
    report = report_of(
        tmp_path, ['{"id": "\\u001b[31m\\n\\u202e", "severity": "\\u001b]0;x\\u0007"}', "\x1b[31m{", "{}"]
    )
    text = report_text(report)
    assert all(char == "\n" or char.isprintable() for char in text)
    assert len(text.splitlines()) == len(report.findings) + 1
    document = json.loads(report_json(report))
    assert set(document) == {"version", "valid", "records", "findings"}
    keys = {"rule", "name", "severity", "message", "path", "line", "pointer", "recordId"}
    assert {frozenset(finding) for finding in document["findings"]} == {frozenset(keys)}
    assert report_json(report).isascii()


def test_a_finding_is_a_value(tmp_path: Path) -> None:
    """Findings compare by value, so that two runs can be compared."""
    assert report_of(tmp_path, ["{"]).findings == report_of(tmp_path, ["{"]).findings
    assert isinstance(report_of(tmp_path, ["{"]).findings[0], Finding)
