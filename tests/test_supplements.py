"""Supplements: the Struct and its schema, files beside the records, and what they add to an answer."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import errkb
from errkb.errors import DatasetError
from errkb.records.supplement import decode_supplement, json_schema, merged, write_supplement

Document = dict[str, Any]
Run = Callable[..., Any]
VALIDATOR = Draft202012Validator(json_schema())
FULL: Document = {
    "id": "0123456789abcdef",
    "cure": "Use two names.",
    "wordings": [{"errorMessage": "need more than {got} values", "errorClass": "ValueError", "versions": "python<3"}],
    "classes": ["acme.UnpackError"],
    "captureNames": ["expected", "got"],
    "classOnly": True,
    "causes": [
        {
            "when": {
                "captures": {"got": {"oneOf": ["1", "2"]}, "expected": {"looksLike": "int"}},
                "class": "ValueError",
                "text": ["items"],
                "frame": {"package": "acme", "innermost": True},
                "path": "posix",
            },
            "because": "It has {got}.",
            "do": "Use {got} names.",
            "trigger": "a, b, c = 1, 2",
            "check": "print(len(x))",
        }
    ],
    "doNot": [{"what": "Catch it.", "why": "Rows are lost."}],
    "related": {"instead": ["fedcba9876543210"], "leadsTo": [], "sameCause": []},
    "links": [{"title": "Unpacking", "url": "https://docs.example/unpacking"}],
}
VALUES = st.one_of(
    st.sampled_from((None, True, False, 0, 1, 1.0, "", "x", [], ["x"], [""], [1], {}, {"a": 1}, {"equals": "x"})),
    st.sampled_from(("int", "windows", "https://a.example", "http://a", "a" * 16, "A" * 16, "a" * 16 + "\n")),
    st.text(st.characters(codec="utf-8"), max_size=8),
)


def paths(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values of a document, that of itself aside."""
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    return [found for key, value in inner for found in ((*path, key), *paths(value, (*path, key)))]


def accepts(document: Document) -> bool:
    """Whether errkb reads the document."""
    try:
        decode_supplement(json.dumps(document).encode())
    except DatasetError:
        return False
    return True


def test_a_full_supplement_is_valid() -> None:
    """Every field is accepted by schema and Struct, and written back as it stood except for what is empty."""
    VALIDATOR.validate(FULL)
    written = write_supplement(decode_supplement(json.dumps(FULL).encode()))
    assert json.loads(json.dumps(written)) == {**FULL, "related": {"instead": ["fedcba9876543210"]}}


def test_schema_file_is_what_the_code_generates(root: Path) -> None:
    """schema/supplement.schema.json is what scripts/write_schema.py writes."""
    stored = (root / "schema" / "supplement.schema.json").read_text(encoding="utf-8")
    assert stored == json.dumps(json_schema(), indent=2) + "\n"


@settings(max_examples=300)
@given(path=st.sampled_from(paths(FULL)), value=VALUES, drop=st.booleans())
def test_struct_and_schema_agree(path: tuple[Any, ...], value: Any, drop: bool) -> None:
    """C1: the Struct and the JSON Schema accept and reject the same documents, one value changed or gone."""
    document = copy.deepcopy(FULL)
    holder: Any = document
    for key in path[:-1]:
        holder = holder[key]
    if drop:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    assert accepts(document) == VALIDATOR.is_valid(document)


def test_merging() -> None:
    """Of two supplements the later one comes first in lists and wins single values; what both say is there once."""
    earlier = decode_supplement(json.dumps(FULL).encode())
    later = decode_supplement(
        json.dumps(
            {"id": FULL["id"], "cure": "Ours.", "links": [{"title": "Wiki", "url": "https://wiki.example"}]}
        ).encode()
    )
    both = merged(later, earlier)
    assert both.cure == "Ours."
    assert [link.title for link in both.links] == ["Wiki", "Unpacking"]
    assert both.causes == earlier.causes
    assert both.capture_names == ("expected", "got")
    assert merged(earlier, earlier) == earlier


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """A folder of a team that has only a supplement to a bundled record, in three lines."""
    folder = tmp_path / "errors"
    folder.mkdir()
    (folder / "supplements.json").write_text(
        '{"id": "dae1af19fbba29ae",\n "cure": "Ask the stock team.",\n'
        ' "links": [{"title": "Wiki", "url": "https://wiki.example/stock"}]}\n',
        encoding="utf-8",
    )
    return folder


def test_a_team_supplements_a_bundled_record(errkb: Run, team: Path) -> None:
    """Three lines of JSON add a cure and a link to a bundled record, for the command and for `load`."""
    (team.parent / "errkb.toml").write_text('datasets = ["errors"]\n', encoding="utf-8")
    result = errkb("explain", "IndexError: list index out of range", cwd=team.parent)
    assert result.returncode == 0
    lines = result.stdout.decode().splitlines()
    assert "docs https://wiki.example/stock" in lines
    kb = _load(team)
    supplement = kb.supplement("dae1af19fbba29ae")
    assert supplement is not None
    assert supplement.cure == "Ask the stock team."
    assert kb.problems == []


def _load(*datasets: Path) -> errkb.KnowledgeBase:
    return errkb.load(*datasets, bundled=True)


@pytest.fixture
def drawers(tmp_path: Path, make_document: Callable[..., Document]) -> Callable[..., errkb.KnowledgeBase]:
    """A dataset of one record about drawers, with the supplement that is given."""

    def make(message: str = "no drawer %d in cabinet %s", **supplement: Any) -> errkb.KnowledgeBase:
        record = make_document(message, errorClass="DrawerError")
        if "pattern" in supplement:
            record["messagePattern"] = supplement.pop("pattern")
        (tmp_path / "drawers.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
        (tmp_path / "drawers.supplements.jsonl").write_text(json.dumps({"id": record["id"], **supplement}) + "\n")
        return errkb.load(tmp_path / "drawers.jsonl")

    return make


def test_names_of_values(drawers: Callable[..., errkb.KnowledgeBase]) -> None:
    """CaptureNames name the values of a message; an empty name hides one."""
    match = drawers(captureNames=["number", ""]).lookup("DrawerError: no drawer 7 in cabinet oak")
    assert match is not None
    assert dict(match.captures) == {"number": "7"}


def test_wordings(drawers: Callable[..., errkb.KnowledgeBase]) -> None:
    """Another wording leads to the record, once, with its own values, and the match says which wording it was."""
    kb = drawers(wordings=[{"errorMessage": "drawer {number} is missing from {cabinet}"}])
    matches = kb.search("DrawerError: drawer 7 is missing from oak")
    assert [(one.wording, dict(one.captures)) for one in matches] == [
        ("drawer {number} is missing from {cabinet}", {"number": "7", "cabinet": "oak"})
    ]
    own = kb.lookup("DrawerError: no drawer 7 in cabinet oak")
    assert own is not None
    assert own.wording is None
    assert len(kb) == len(list(kb)) == 1


def test_the_text_with_least_in_values_is_read(drawers: Callable[..., errkb.KnowledgeBase]) -> None:
    """Where a record's own text and a longer wording are both the whole message, the wording gives the values."""
    kb = drawers(wordings=[{"errorMessage": "no drawer {number} in cabinet {name} of room {room}"}])
    match = kb.lookup("DrawerError: no drawer 7 in cabinet oak of room 3")
    assert match is not None
    assert dict(match.captures) == {"number": "7", "name": "oak", "room": "3"}


def test_further_classes_agree_fully(drawers: Callable[..., errkb.KnowledgeBase]) -> None:
    """A class that the supplement names counts as the record's own, any other one does not."""
    kb = drawers(classes=["acme.errors.CabinetError"])
    factors = {}
    for name in ("DrawerError", "acme.errors.CabinetError", "CabinetError", "WindowError"):
        match = kb.lookup(f"{name}: no drawer 7 in cabinet oak")
        assert match is not None
        factors[name] = next(item.factor for item in match.evidence if item.name == "class")
    assert factors["DrawerError"] == factors["acme.errors.CabinetError"] == factors["CabinetError"] == 1.0
    assert factors["WindowError"] < 1.0


def test_class_only(drawers: Callable[..., errkb.KnowledgeBase]) -> None:
    """A record that says so answers its class, with the message or without; not another class, not a plain line."""
    kb = drawers("%R", pattern="(.+?)", classOnly=True, captureNames=["key"])
    for text, captures in (
        ("DrawerError: 'oak'", {"key": "'oak'"}),
        ("DrawerError", {}),
        ('Traceback (most recent call last):\n  File "a.py", line 3, in f\nacme.DrawerError: 7', {"key": "7"}),
    ):
        match = kb.lookup(text)
        assert match is not None, text
        assert (match.kind, dict(match.captures)) == (errkb.Kind.CLASS, captures)
    assert kb.lookup("CabinetError: 'oak'") is None
    assert kb.lookup("the drawers are full") is None


def test_broken_supplements_are_reported_and_the_rest_is_used(
    tmp_path: Path, make_document: Callable[..., Document]
) -> None:
    """A broken line of supplements is a problem with its place; records and other supplements answer."""
    record = make_document("no drawer {number} in cabinet {name}")
    (tmp_path / "records.jsonl").write_text(json.dumps(record) + "\n")
    lines = ["{", json.dumps({"id": record["id"], "cure": 3}), json.dumps({"id": record["id"], "cure": "Look."})]
    (tmp_path / "supplements.jsonl").write_text("\n".join(lines) + "\n")
    kb = errkb.load(tmp_path / "records.jsonl")
    assert [(problem.line, problem.pointer) for problem in kb.problems] == [(1, None), (2, "/cure")]
    supplement = kb.supplement(record["id"])
    assert supplement is not None
    assert supplement.cure == "Look."


def test_a_change_of_a_supplement_is_seen(drawers: Callable[..., errkb.KnowledgeBase]) -> None:
    """The index is built again when the supplements change, come or go."""
    record_id = next(iter(drawers(cure="One."))).id
    for cure in ("Two.", "Three, and longer."):
        supplement = drawers(cure=cure).supplement(record_id)
        assert supplement is not None
        assert supplement.cure == cure


def test_unknown_errors_one_after_the_other() -> None:
    """Several unknown errors in one process are each answered, whatever was imported for the one before."""
    text = 'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in f\nacme.FooError: quite unknown thing {}'
    assert [errkb.explain(text.format(number)) for number in range(3)] == [None] * 3
