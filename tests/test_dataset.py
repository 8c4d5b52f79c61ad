"""Datasets on disk: every carrier opens with one call, and every record and every broken part has its place."""

import gzip
import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import errkb
from errkb.datasets.dataset import check_entry, decode_entry, read_entries
from errkb.datasets.files import Entry
from errkb.errors import DatasetError

Document = dict[str, Any]
Place = tuple[int, str]

MESSAGES = ("first message of all", "second message, {x}", "third message: größer 😀")


@pytest.fixture(scope="session")
def documents(make_document: Callable[..., Document]) -> list[Document]:
    """Three records."""
    return [make_document(message) for message in MESSAGES]


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON as people write it, not escaped."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def envelope(document: Document) -> Document:
    """The record in its envelope."""
    return {"datasetVersion": "2026-01-01", "record": document, "note": "after"}


Carrier = tuple[str, Callable[[list[Document]], str], list[Place]]

CARRIERS: dict[str, Carrier] = {
    "jsonl": ("a.jsonl", lambda ds: "".join(dumps(d) + "\n" for d in ds), [(1, ""), (2, ""), (3, "")]),
    "jsonl-named-json": ("a.json", lambda ds: "".join(dumps(d) + "\n" for d in ds), [(1, ""), (2, ""), (3, "")]),
    "jsonl-blank-lines": ("a.jsonl", lambda ds: "\n\n" + " \n\n".join(map(dumps, ds)), [(3, ""), (5, ""), (7, "")]),
    "jsonl-without-last-line-feed": ("a.jsonl", lambda ds: "\n".join(map(dumps, ds)), [(1, ""), (2, ""), (3, "")]),
    "record": ("a.json", lambda ds: dumps(ds[0]), [(1, "")]),
    "record-pretty": ("a.json", lambda ds: "\n\n" + dumps(ds[0], 2) + "\n", [(3, "")]),
    "envelope": ("a.json", lambda ds: dumps(envelope(ds[0])), [(1, "/record")]),
    "envelope-pretty": ("a.json", lambda ds: dumps(envelope(ds[0]), 2), [(3, "/record")]),
    "envelope-per-line": (
        "a.jsonl",
        lambda ds: "".join(dumps(envelope(d)) + "\n" for d in ds),
        [(1, "/record"), (2, "/record"), (3, "/record")],
    ),
    "array": ("a.json", lambda ds: dumps(ds), [(1, "/0"), (1, "/1"), (1, "/2")]),
    "array-line-each": (
        "a.json",
        lambda ds: "[\n" + ",\n".join(map(dumps, ds)) + "\n]\n",
        [(2, "/0"), (3, "/1"), (4, "/2")],
    ),
    "array-of-envelopes": (
        "a.json",
        lambda ds: dumps(list(map(envelope, ds))),
        [(1, "/0/record"), (1, "/1/record"), (1, "/2/record")],
    ),
    "array-pretty": ("a.json", lambda ds: dumps(ds[:1], 2), [(2, "/0")]),
    "array-in-another-name": ("a.txt", lambda ds: dumps(ds[:1]), [(1, "/0")]),
    "mixed-lines": ("a.jsonl", lambda ds: dumps(ds[0]) + "\n" + dumps(envelope(ds[1])), [(1, ""), (2, "/record")]),
}

ENCODINGS: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "plain": ("", lambda text: text.encode()),
    "bom": ("", lambda text: text.encode("utf-8-sig")),
    "crlf": ("", lambda text: text.replace("\n", "\r\n").encode()),
    "gzip": (".gz", lambda text: gzip.compress(text.encode())),
    "gzip-unnamed": ("", lambda text: gzip.compress(text.encode())),
    "gzip-of-bom": (".gz", lambda text: gzip.compress(text.encode("utf-8-sig"))),
    "gzip-in-members": (".gz", lambda text: gzip.compress(text.encode()[:50]) + gzip.compress(text.encode()[50:])),
}


def entries_of(path: Path) -> list[Entry]:
    """The entries of a dataset without broken parts."""
    entries = list(read_entries(path))
    assert not [entry for entry in entries if isinstance(entry, DatasetError)]
    return [entry for entry in entries if isinstance(entry, Entry)]


def problems_of(path: Path) -> list[str]:
    """What loading reports, file names alone."""
    return [str(problem).replace(f"{path.parent}/", "") for problem in errkb.load(path).problems]


@pytest.mark.parametrize(("suffix", "encode"), ENCODINGS.values(), ids=ENCODINGS.keys())
@pytest.mark.parametrize(("name", "write", "places"), CARRIERS.values(), ids=CARRIERS.keys())
def test_carriers(
    tmp_path: Path,
    documents: list[Document],
    name: str,
    write: Callable[[list[Document]], str],
    places: list[Place],
    suffix: str,
    encode: Callable[[str], bytes],
) -> None:
    """Every carrier, however encoded, gives its records, each with file, line and JSON pointer."""
    path = tmp_path / (name + suffix)
    path.write_bytes(encode(write(documents)))
    entries = entries_of(path)
    assert [(entry.line, entry.pointer) for entry in entries] == places
    assert [decode_entry(entry).error_message for entry in entries] == list(MESSAGES[: len(places)])
    assert [check_entry(entry).id for entry in entries] == [d["id"] for d in documents[: len(places)]]
    assert {entry.path for entry in entries} == {path}
    assert len(errkb.load(path)) == len(places)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("name", CARRIERS)
def test_offsets_lead_to_the_record(tmp_path: Path, documents: list[Document], name: str, encoding: str) -> None:
    """The offset of an entry is where its JSON text stands in the file."""
    file_name, write, _ = CARRIERS[name]
    path = tmp_path / file_name
    path.write_text(write(documents), encoding=encoding, newline="")
    content = path.read_bytes()
    for entry in entries_of(path):
        assert content[entry.offset : entry.offset + len(entry.raw)] == entry.raw


def test_unknown_fields_survive_loading(tmp_path: Path, founding: Document) -> None:
    """A record of a newer producer keeps the fields that this version does not know."""
    path = tmp_path / "a.jsonl"
    path.write_text(dumps({**founding, "contentChangedAt": "2026-01-01"}))
    (record,) = errkb.load(path).records()
    assert record.extra == {"contentChangedAt": "2026-01-01"}


# what stands on line 2 of three, and what is said about it
BROKEN_LINES: dict[str, tuple[bytes, str]] = {
    "cut": (b'{"id": "0123456789abcdef", "repo": ', "2: broken JSON at column"),
    "no-json": (b"hello", "2: broken JSON at column 1: Expecting value"),
    "two-documents": (b"{} {}", "2: broken JSON at column 4: Extra data"),
    "invalid-utf-8": (b'{"id": "\xff"}', "2: not UTF-8"),
    "nul": (b"\x00\x00", "2: "),
    "utf-16": ('{"id": 1}'.encode("utf-16-le"), "2: "),
    "number": (b"5", "2: a record is a JSON object, not int"),
    "string": (b'"x"', "2: a record is a JSON object, not str"),
    "list": (b"[]", "2: a record is a JSON object, not list"),
    "null": (b"null", "2: a record is a JSON object, not NoneType"),
    "empty-object": (b"{}", "2: Object missing required field `id`"),
    "empty-record": (b'{"record": {}}', "2 at /record: Object missing required field `id`"),
    "record-of-wrong-type": (b'{"record": [1]}', "2 at /record: a record is a JSON object, not list"),
    "wrong-type-in-a-field": (b'{"id": 5}', "2 at /id: Expected `str`, got `int`"),
    "nan": (b'{"id": NaN}', "2: "),
    "deep": (b"[" * 100_000, "2: nested too deeply"),
    "deep-inside": (b'{"x": ' * 100_000, "2: nested too deeply"),
    "very-long-number": (b'{"id": ' + b"9" * 5000 + b"}", "2"),
    "half-a-surrogate-pair": (b'{"id": "\\ud800"}', "2: "),
    "an-index": (b'{"errors": []}', "2: this is the index of a published dataset"),
}


@pytest.mark.parametrize(("line", "said"), BROKEN_LINES.values(), ids=BROKEN_LINES.keys())
def test_a_broken_line_is_reported_and_hides_nothing(
    tmp_path: Path, documents: list[Document], line: bytes, said: str
) -> None:
    """A broken line is reported with its number; the lines around it are in use."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(dumps(documents[0]).encode() + b"\n" + line + b"\n" + dumps(documents[1]).encode() + b"\n")
    kb = errkb.load(path)
    assert [record.error_message for record in kb.records()] == list(MESSAGES[:2])
    (problem,) = problems_of(path)
    assert problem.startswith(f"a.jsonl:{said}")
    assert problem.isprintable()


@pytest.mark.parametrize("first", [b"{", b"hello", b"5", b"\xff"], ids=["cut", "no-json", "number", "no-utf-8"])
def test_a_broken_first_line_hides_nothing(tmp_path: Path, documents: list[Document], first: bytes) -> None:
    """The same where the very first line of JSON Lines is broken."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(first + b"\n" + dumps(documents[0]).encode())
    assert len(errkb.load(path)) == 1
    assert [problem.split(":")[1] for problem in problems_of(path)] == ["1"]


def test_a_broken_member_of_an_array_hides_nothing(tmp_path: Path, documents: list[Document]) -> None:
    """A member of an array that is no record is reported with line and pointer, the others are in use."""
    path = tmp_path / "a.json"
    broken = {**documents[1], "severity": "fatal"}
    path.write_text(f"[\n{dumps(documents[0])},\n{dumps(broken)},\n7,\n{dumps(documents[2])}]")
    assert len(errkb.load(path)) == 2
    assert problems_of(path) == [
        "a.json:3 at /1/severity: Invalid enum value 'fatal'",
        "a.json:4 at /2: a record is a JSON object, not int",
    ]


# name, content, and the sentence that refuses it
UNREADABLE: dict[str, tuple[str, bytes | None, str]] = {
    "missing": ("none.jsonl", None, "none.jsonl: cannot be read: No such file or directory"),
    "empty": ("a.json", b"", "a.json: is empty"),
    "blank": ("a.json", b" \n\n", "a.json: is empty"),
    "text": ("a.md", b"# Title\n", "a.md: holds no JSON"),
    "cut-array": ("a.json", b'[\n{"id": ', "a.json:2: broken JSON at column"),
    "deep-array": ("a.json", b"[" * 100_000, "a.json:1: nested too deeply"),
    "not-gzip": ("a.jsonl.gz", b"\x1f\x8bjunk", "a.jsonl.gz: damaged gzip data"),
}


@pytest.mark.parametrize(("name", "content", "said"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_unreadable_files_are_refused_in_a_sentence(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    """A file that cannot be read at all raises DatasetError, which names it."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DatasetError) as caught:
        errkb.load(path)
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(said)
    assert caught.value.path == path


@pytest.mark.parametrize("cut", [3, 12, 100, -9, -1])
@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.json.gz"])
def test_a_truncated_gzip_file_is_reported(tmp_path: Path, documents: list[Document], name: str, cut: int) -> None:
    """Compressed data that breaks off is reported as damaged, wherever it breaks off and whether lines came before."""
    path = tmp_path / name
    text = dumps(documents) if ".json." in name else "".join(dumps(d) + "\n" for d in documents)
    path.write_bytes(gzip.compress(text.encode())[:cut])
    try:
        problems = errkb.load(path).problems
    except DatasetError as error:
        problems = [error]
    assert "damaged gzip data" in problems[-1].reason


def test_lines_before_the_damage_are_in_use(tmp_path: Path, documents: list[Document]) -> None:
    """Of JSON Lines whose compressed data breaks off, what came before is used, and the line of the damage named."""
    noise = "".join(hashlib.sha256(bytes([n % 256, n // 256])).hexdigest() for n in range(20_000))
    content = gzip.compress("".join(dumps(d) + "\n" for d in documents).encode() + noise.encode())
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(content[: len(content) - 1000])
    kb = errkb.load(path)
    assert len(kb) == 3
    assert [(p.line, p.reason.partition(":")[0]) for p in kb.problems] == [(4, "damaged gzip data")]


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_bytes_raise_nothing_but_dataset_error(
    tmp_path: Path, documents: list[Document], data: st.DataObject
) -> None:
    """Whatever bytes stand in a file, reading it gives records, problems or DatasetError."""
    name, write, _ = data.draw(st.sampled_from(list(CARRIERS.values())))
    _, encode = data.draw(st.sampled_from(list(ENCODINGS.values())))
    content = bytearray(encode(write(documents)))
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=5)):
        content[place] = data.draw(st.integers(0, 255))
    path = tmp_path / name
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    with suppress(DatasetError):
        errkb.load(path)


def test_later_datasets_lie_over_earlier_ones(tmp_path: Path, documents: list[Document]) -> None:
    """Of records with one id the later one is used, within a file and between files."""
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text("\n".join(map(dumps, documents)))
    later = [{**documents[1], "documentation": text} for text in ("second", "third")]
    second.write_text("\n".join(map(dumps, later)))
    kb = errkb.load(first, second)
    assert len(kb) == 3
    record, other_way_round = kb.get(documents[1]["id"]), errkb.load(second, first).get(documents[1]["id"])
    assert record is not None
    assert record.documentation == "third"
    assert other_way_round is not None
    assert other_way_round.documentation == documents[1]["documentation"]


def test_records_are_found_by_id_and_by_name(tmp_path: Path, documents: list[Document]) -> None:
    """`get` takes an id or owner/repo/slug, and gives None for anything else."""
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(dumps, documents)))
    kb = errkb.load(path)
    assert kb.get(documents[0]["id"]) == kb.get("acme/tool/first-message-of-all") == next(kb.records())
    assert [kb.get(name) for name in ("", "x", "acme/tool", "acme/tool/", "first-message-of-all", "a/b/c/d")] == [
        None
    ] * 6


def test_a_folder_opens_with_all_its_files(tmp_path: Path, documents: list[Document]) -> None:
    """All .json and .jsonl files of a folder and those below it, in order of their names, others aside."""
    (tmp_path / "b").mkdir()
    (tmp_path / "a.jsonl").write_text(dumps(documents[0]))
    (tmp_path / "b" / "z.json").write_text(dumps([documents[1]]))
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(dumps(documents[2]).encode()))
    (tmp_path / "README.md").write_text("# no dataset")
    (tmp_path / "proofs.jsonl").write_text('{"proof": 1}')
    assert [entry.path.name for entry in entries_of(tmp_path)] == ["a.jsonl", "z.json", "c.jsonl.gz"]


@pytest.mark.parametrize(
    "content", [b"", b"[1, ", b"junk", b"\x1f\x8bjunk", b"[" * 100_000], ids=["empty", "cut", "junk", "gzip", "deep"]
)
def test_an_unreadable_file_of_a_folder_hides_no_other(
    tmp_path: Path, documents: list[Document], content: bytes
) -> None:
    """A file that cannot be read at all is reported, the other files of its folder are in use."""
    (tmp_path / "1.json").write_text(dumps(documents[0]))
    (tmp_path / "2.json").write_bytes(content)
    (tmp_path / "3.json").write_text(dumps(documents[1]))
    kb = errkb.load(tmp_path)
    assert len(kb) == 2
    assert [problem.path and problem.path.name for problem in kb.problems] == ["2.json"]


def test_a_folder_without_dataset_is_refused(tmp_path: Path) -> None:
    """A folder in which no file is a dataset is refused in a sentence."""
    (tmp_path / "README.md").write_text("# no dataset")
    with pytest.raises(DatasetError, match="holds no dataset"):
        errkb.load(tmp_path)


def test_a_broken_member_of_an_array_leaves_those_before_it(tmp_path: Path) -> None:
    """What stands in an array before the place where it is broken is used, and the place is told."""
    path = tmp_path / "a.json"
    path.write_bytes(b'[\n{"id": "1"},\n{"id": "2"},\n{"id": oops},\n{"id": "4"}]')
    first, second, trouble = read_entries(path)
    assert isinstance(first, Entry)
    assert isinstance(second, Entry)
    assert [first.line, second.line] == [2, 3]
    assert isinstance(trouble, DatasetError)
    assert trouble.line == 4


def test_lines_in_a_file_named_json_with_a_broken_first_line(tmp_path: Path) -> None:
    """A broken first line does not hide the lines after it, whatever the file is called."""
    path = tmp_path / "a.json"
    path.write_bytes(b'{"id": \n{"id": "2"}\n{"id": "3"}\n')
    _, *others = read_entries(path)
    assert [entry.line for entry in others if isinstance(entry, Entry)] == [2, 3]
