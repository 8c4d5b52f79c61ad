"""Where values stand in JSON texts."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errkb.datasets.json_spans import escape_pointer, spans, unescape_pointer
from errkb.validation import validate

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=15,
)


def resolved(value: Any, pointer: str) -> Any:
    """What a JSON pointer points at."""
    for part in pointer.split("/")[1:]:
        value = value[int(part) if isinstance(value, list) else unescape_pointer(part)]
    return value


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_a_span_holds_the_value_of_its_pointer(value: Any, indent: Any, plain: bool) -> None:
    """Every value of a JSON text, however it is laid out, is found at its span."""
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    for pointer, span in spans(text).items():
        assert json.loads(text[span.start : span.end]) == resolved(value, pointer)
        if span.name_end > span.name_start:
            assert json.loads(text[span.name_start : span.name_end]) == unescape_pointer(pointer.rpartition("/")[2])


@given(VALUES)
def test_spans_to_a_depth_are_the_first_of_all(value: Any) -> None:
    """To a depth, the spans are those of the whole that are no deeper, in the order of the text."""
    text = json.dumps(value)
    everything = spans(text)
    for depth in (0, 1, 2):
        assert list(spans(text, depth).items()) == [item for item in everything.items() if item[0].count("/") <= depth]


def test_of_a_repeated_name_the_last_counts() -> None:
    """As every JSON reader does, the last of several members of one name is taken."""
    text = '{"a": 1, "b": 2, "a": 3}'
    assert {pointer: text[span.start : span.end] for pointer, span in spans(text).items() if pointer} == {
        "/b": "2",
        "/a": "3",
    }


def test_deep_documents_have_spans() -> None:
    """A value nested thousandfold is passed over."""
    text = '{"a": ' + "[" * 5000 + "]" * 5000 + ', "b": 1}'
    assert text[spans(text)["/b"].start] == "1"


LAYOUTS = {
    "lines": ("x.jsonl", lambda ds: "".join(json.dumps(d) + "\n" for d in ds)),
    "lines with escapes": ("x.jsonl", lambda ds: "".join(json.dumps(d, ensure_ascii=True) + "\r\n" for d in ds)),
    "lines with a mark": (
        "x.jsonl",
        lambda ds: "\ufeff" + "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in ds),
    ),
    "envelopes": ("x.jsonl", lambda ds: "".join(json.dumps({"v": "é", "record": d}) + "\n" for d in ds)),
    "array": ("x.json", json.dumps),
    "array, lines": ("x.json", lambda ds: "[\n" + ",\n".join(map(json.dumps, ds)) + "\n]"),
    "pretty": ("x.json", lambda ds: json.dumps(ds, indent=2, ensure_ascii=False)),
    "pretty envelopes": ("x.json", lambda ds: json.dumps([{"record": d} for d in ds], indent="\t")),
}


@pytest.mark.parametrize(("name", "written"), LAYOUTS.values(), ids=LAYOUTS.keys())
def test_findings_stand_where_the_value_stands(
    name: str, written: Any, tmp_path: Path, good: list[dict[str, Any]]
) -> None:
    """Line and columns of a finding cut out exactly the value, in every carrier and layout, after wide characters too."""
    good[1]["documentation"] = "日本語の説明 🎉 is wide, and stands before the tags on the line of this record."
    good[1]["tags"] = ["z", "a"]
    good[2]["severity"] = "fatal"
    good[3]["solutions"][1:1] = ["TODO"]
    path = tmp_path / name
    path.write_text(written(good), encoding="utf-8", newline="")
    report = validate([path])
    text = path.read_text(encoding="utf-8-sig").split("\n")
    cut = []
    for finding in report.findings:
        end = finding.end_column - 1 if finding.end_column else None
        cut.append((finding.rule, text[finding.line - 1][finding.column - 1 : end].strip("\r")))
        assert finding.excerpt
        shown = finding.excerpt.text[finding.excerpt.start : finding.excerpt.end]
        assert cut[-1][1].startswith(shown.rstrip("…"))
    tags = "[" if name == "x.json" and written(good).count("\n") > 20 else '["z", "a"]'
    assert cut == [("G001", tags), ("D002", '"fatal"'), ("T001", '"TODO"')]


@pytest.mark.parametrize("name", ["", "a", "a/b", "~", "~1", "~0/~", "/"])
def test_escaping_is_undone(name: str) -> None:
    """A name is the same after it stood in a pointer, where it holds no slash of its own."""
    assert "/" not in escape_pointer(name)
    assert unescape_pointer(escape_pointer(name)) == name
