"""--fix and fmt: what follows from other fields, and order; never a byte more."""

import gzip
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errkb.datasets.canonical_form import canonical, format_file
from errkb.errors import DatasetError
from errkb.records.record import FIELDS, derive_id
from errkb.validation import validate

Document = dict[str, Any]
Make = Callable[..., Document]


def written(path: Path, documents: list[Document]) -> Path:
    """A file of documents, one a line."""
    path.write_text("".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents))
    return path


FIXABLE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "id": ({"id": "0" * 16}, {"id": derive_id("acme/tool", None, "cannot open drawer {number} of cabinet {cabinet}", "tool/core.py")}),
    "slug": ({"slug": "another"}, {"slug": "cannot-open-drawer-number-of-cabinet-cabinet"}),
    "pattern": ({"messagePattern": "shut"}, {"messagePattern": "cannot open drawer (.+?) of cabinet (.+?)"}),
    "tags": ({"tags": ["c", "a", "c", "b"]}, {"tags": ["a", "b", "c"]}),
    "two together": ({"tags": ["b", "a"], "slug": "x"}, {"tags": ["a", "b"], "slug": "cannot-open-drawer-number-of-cabinet-cabinet"}),
}  # fmt: skip


@pytest.mark.parametrize(("fault", "fixed"), FIXABLE.values(), ids=FIXABLE.keys())
def test_fix_changes_the_field_and_nothing_else(
    fault: Document, fixed: Document, tmp_path: Path, good: list[Document], errkb: Callable[..., Any]
) -> None:
    """The field gets its derived value; every other byte of the file stays, unknown fields included."""
    good[1] |= {"newer": {"b": 1.50, "a": "\u00e9"}}
    good[1].update(fixed)
    wanted = written(tmp_path / "x.jsonl", good).read_bytes()
    good[1].update(fault)
    path = written(tmp_path / "x.jsonl", good)
    result = errkb("validate", "--fix", "x.jsonl", cwd=tmp_path)
    assert path.read_bytes() == wanted
    assert b"fixed" in result.stderr
    assert result.returncode == 0
    assert [finding.rule for finding in validate([path]).findings] == ["D003"]


def test_fix_follows_what_follows(tmp_path: Path, make_document: Make, errkb: Callable[..., Any]) -> None:
    """A copied record with another message gets its own id, and then the slug with that id's digits."""
    start = "this is the one long message that covers everything: "
    first, second = make_document(start + "{a}"), make_document(start + "all of it")
    wanted = {**second, "slug": f"{second['slug']}-{second['id'][:6]}"}
    path = written(tmp_path / "x.jsonl", [first, {**second, "id": first["id"]}])
    assert errkb("validate", "--fix", "x.jsonl", cwd=tmp_path).returncode == 0
    assert [json.loads(line) for line in path.read_text().splitlines()] == [first, wanted]


def test_fix_never_invents(tmp_path: Path, good: list[Document], errkb: Callable[..., Any]) -> None:
    """What a person must decide stays as it is: a look-ahead, a wrong link, a placeholder, broken lines."""
    good[0]["messagePattern"] = "the (?=quick) widget"
    good[1]["githubUrl"] = good[1]["githubUrl"].replace("acme", "other")
    good[2]["documentation"] = "TODO"
    good[3]["severity"] = "fatal"
    path = written(tmp_path / "x.jsonl", good)
    path.write_text(path.read_text() + "{broken\n")
    before, status = path.read_bytes(), path.stat()
    assert errkb("validate", "--fix", "x.jsonl", cwd=tmp_path).returncode == 1
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == status.st_mtime_ns


def test_diff_shows_and_changes_nothing(tmp_path: Path, good: list[Document], errkb: Callable[..., Any]) -> None:
    """--diff alone shows a unified diff, exits 1 and leaves the file; with --fix it shows and fixes."""
    good[1]["tags"] = ["b", "a"]
    path = written(tmp_path / "x.jsonl", good)
    before = path.read_bytes()
    result = errkb("validate", "--diff", "x.jsonl", cwd=tmp_path)
    lines = result.stdout.decode().splitlines()
    assert (result.returncode, path.read_bytes()) == (1, before)
    assert lines[:3] == ["--- a/x.jsonl", "+++ b/x.jsonl", "@@ -2 +2 @@"]
    assert [line[0] for line in lines[3:]] == ["-", "+"]
    assert '"tags": ["a", "b"]' in lines[4]
    assert errkb("validate", "--diff", "--fix", "x.jsonl", cwd=tmp_path).returncode == 0
    assert path.read_bytes() != before
    again = errkb("validate", "--diff", "x.jsonl", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, b"")


def test_fix_heeds_what_is_ignored(tmp_path: Path, good: list[Document], errkb: Callable[..., Any]) -> None:
    """What is not reported is not fixed either."""
    good[1] |= {"tags": ["b", "a"], "slug": "x"}
    path = written(tmp_path / "x.jsonl", good)
    errkb("validate", "--fix", "--ignore", "G", "x.jsonl", cwd=tmp_path)
    record = json.loads(path.read_text().splitlines()[1])
    assert (record["tags"], record["slug"]) == (["b", "a"], "cannot-open-drawer-number-of-cabinet-cabinet")


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_fix_keeps_the_layout_of_a_document(
    indent: Any, tmp_path: Path, good: list[Document], errkb: Callable[..., Any]
) -> None:
    """In an array of envelopes, pretty-printed or not, compressed too, only the value changes."""
    wanted = json.dumps([{"v": 1, "record": document} for document in good], indent=indent)
    good[2]["slug"] = "x"
    path = tmp_path / "x.json.gz"
    path.write_bytes(gzip.compress(json.dumps([{"v": 1, "record": d} for d in good], indent=indent).encode()))
    assert errkb("validate", "--fix", "x.json.gz", cwd=tmp_path).returncode == 0
    assert gzip.decompress(path.read_bytes()).decode() == wanted


def test_files_are_replaced_whole(tmp_path: Path, good: list[Document], errkb: Callable[..., Any]) -> None:
    """A file keeps its mode, a link stays a link, nothing is left beside it, and no reader sees half of it."""
    good[1]["tags"] = ["b", "a"]
    (tmp_path / "real").mkdir()
    path = written(tmp_path / "real" / "x.jsonl", good)
    path.chmod(0o640)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with path.open("rb") as reader:
        errkb("validate", "--fix", "link.jsonl", cwd=tmp_path)
        assert b'["b", "a"]' in reader.read()
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(path.parent.iterdir()) == [path]
    assert b'["a", "b"]' in path.read_bytes()


def test_the_bundled_dataset_is_canonical(root: Path) -> None:
    """data/records.jsonl is in the form that `errkb fmt` gives."""
    assert not format_file(root / "data" / "records.jsonl").changed


def test_fmt_gives_one_form(tmp_path: Path, good: list[Document], errkb: Callable[..., Any]) -> None:
    """Keys in the order of the schema and unknown ones after, compact, sorted by repo and slug; twice is once."""
    other = {"zz": 1, **dict(reversed(good[0].items())), "repo": "acme/a-tool", "documentation": "café \u2028 ok"}
    text = "\ufeff" + "".join(json.dumps(d, indent=None) + "\r\n\r\n" for d in (*good, other))
    path = tmp_path / "x.jsonl"
    path.write_text(text, encoding="utf-8", newline="")
    assert errkb("fmt", "--check", "x.jsonl", cwd=tmp_path).returncode == 1
    assert path.read_bytes() == text.encode()
    assert errkb("fmt", "x.jsonl", cwd=tmp_path).stdout == b"formatted: x.jsonl\n"
    lines = path.read_text(encoding="utf-8").split("\n")
    records = [json.loads(line) for line in lines[:-1]]
    assert lines[-1] == ""
    assert [record["slug"] for record in records[1:]] == sorted(document["slug"] for document in good)
    assert records[0] == other
    assert list(records[0]) == [*(name for name in FIELDS if name in other), "zz"]
    assert all(line == canonical(line) and line.startswith('{"id":"') for line in lines[:-1])
    assert "café" in lines[0]
    assert errkb("fmt", "--check", "x.jsonl", cwd=tmp_path).returncode == 0
    assert errkb("fmt", "x.jsonl", cwd=tmp_path).stdout == b""


def test_fmt_leaves_a_broken_file(tmp_path: Path, good: list[Document], errkb: Callable[..., Any]) -> None:
    """A file with a line that is no record is reported, with the line, and not touched: nothing could be lost."""
    path = written(tmp_path / "x.jsonl", list(reversed(good)))
    path.write_text(path.read_text() + "{broken\n")
    before = path.read_bytes()
    result = errkb("fmt", "x.jsonl", cwd=tmp_path)
    assert (result.returncode, path.read_bytes()) == (2, before)
    assert b"x.jsonl:5" in result.stderr


FORMS: dict[str, tuple[str, Callable[[list[str]], str]]] = {
    "lines": ("x.jsonl", lambda lines: "\n".join(lines) + "\n"),
    "array": ("x.json", lambda lines: "[\n" + ",\n".join(lines) + "\n]\n"),
}


@pytest.mark.parametrize(("name", "form"), FORMS.values(), ids=FORMS.keys())
def test_fmt_keeps_the_carrier(name: str, form: Any, tmp_path: Path, good: list[Document]) -> None:
    """An array stays an array, envelopes stay envelopes, and compressed files compressed."""
    path = tmp_path / f"{name}.gz"
    envelopes = [{"datasetVersion": "1", "record": document} for document in good]
    texts = [json.dumps(one, indent=None) for one in envelopes]
    path.write_bytes(gzip.compress(form(texts).encode()))
    formatted = format_file(path)
    formatted.write()
    content = gzip.decompress(path.read_bytes()).decode()
    ordered = sorted(envelopes, key=lambda envelope: str(envelope["record"]["slug"]))
    assert content == form([json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in ordered])
    assert not format_file(path).changed


def test_fmt_of_one_document_and_of_a_folder(tmp_path: Path, good: list[Document], errkb: Callable[..., Any]) -> None:
    """A document of one record becomes one line; of a folder every file is formatted."""
    (tmp_path / "d").mkdir()
    for number, document in enumerate(good):
        (tmp_path / "d" / f"{number}.json").write_text(json.dumps(document, indent=4))
    assert errkb("fmt", "--diff", "d", cwd=tmp_path).stdout.count(b"+++ b/d/") == 4
    assert errkb("fmt", "d", cwd=tmp_path).returncode == 0
    for number, document in enumerate(good):
        text = (tmp_path / "d" / f"{number}.json").read_text()
        assert (text.count("\n"), json.loads(text)) == (1, document)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=5), st.booleans(), st.sampled_from([None, 3]))
def test_canonical_means_the_same(members: dict[str, Any], plain: bool, indent: int | None) -> None:
    """The canonical text holds the same values, is its own canonical text, and needs no layout."""
    text = json.dumps(members, ensure_ascii=plain, indent=indent)
    once = canonical(text)
    assert json.loads(once) == members
    assert canonical(once) == once
    assert "\n" not in once


def test_numbers_keep_their_spelling() -> None:
    """What JSON leaves open is left as it is written."""
    assert (
        canonical('{ "x" : [1.50, 1e5, -0, 10000000000000000000001] }') == '{"x":[1.50,1e5,-0,10000000000000000000001]}'
    )
    assert canonical('{"a":"\\ud800 \\u00e9 \\n \\/"}') == '{"a":"\\ud800 é \\n /"}'


def test_broken_nesting_is_told(tmp_path: Path) -> None:
    """A record nested beyond reason is refused, not formatted by half."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    with pytest.raises(DatasetError):
        format_file(path)
