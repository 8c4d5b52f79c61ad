"""The published form of a dataset: a folder with manifest, index, and a file for each repo."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errkb
from errkb.datasets.dataset import read_entries
from errkb.datasets.files import Entry

Document = dict[str, Any]

MESSAGES = ("first message of all", "second message, {x}", "third message: größer 😀")


def published(folder: Path, documents: list[Document], **index: Any) -> Path:
    """A published folder of these records."""
    repos: dict[str, list[Document]] = {}
    for document in documents:
        repos.setdefault(document["repo"], []).append(document)
    for repo, members in repos.items():
        path = folder / "repos" / f"{repo}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(members), encoding="utf-8")
    errors = [{"id": d["id"], "repo": d["repo"], "slug": d["slug"], "msg": d["errorMessage"]} for d in documents]
    content = gzip.compress(json.dumps({"errors": errors}).encode())
    (folder / "index.json.gz").write_bytes(content)
    (folder / "repos.json").write_text(json.dumps([{"repo": repo, "count": len(ds)} for repo, ds in repos.items()]))
    entry = {"path": "index.json.gz", "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    manifest = {"schemaVersion": 2, "datasetVersion": "1", "counts": {}, "files": {"index": entry | index}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def in_two_repos(make_document: Callable[..., Document]) -> list[Document]:
    """Three records of two repos."""
    return [make_document(MESSAGES[0]), make_document(MESSAGES[1], repo="b/c"), make_document(MESSAGES[2], repo="b/c")]


def test_a_published_folder_opens(tmp_path: Path, in_two_repos: list[Document]) -> None:
    """manifest, index, repos.json and repos/<owner>/<name>.json: the records of the repos, and no problem."""
    folder = published(tmp_path, in_two_repos)
    places = [(e.path.name, e.line, e.pointer) for e in read_entries(folder) if isinstance(e, Entry)]
    assert places == [("tool.json", 1, "/0"), ("c.json", 1, "/0"), ("c.json", 1, "/1")]
    assert list(errkb.load(folder).problems) == []


def test_a_published_folder_may_be_compressed(tmp_path: Path, in_two_repos: list[Document]) -> None:
    """The files of repos may be gzip-compressed, with or without the name for it."""
    folder = published(tmp_path, in_two_repos)
    first, second = sorted((folder / "repos").rglob("*.json"))
    first.write_bytes(gzip.compress(first.read_bytes()))
    second.with_suffix(".json.gz").write_bytes(gzip.compress(second.read_bytes()))
    second.unlink()
    assert [type(entry) for entry in read_entries(folder)] == [Entry] * 3


def test_faults_of_a_published_folder_are_reported(tmp_path: Path, in_two_repos: list[Document]) -> None:
    """A wrong checksum, records in the index only: each is reported, what is there is in use."""
    folder = published(tmp_path, in_two_repos, sha256="0" * 64)
    (folder / "repos" / "b" / "c.json").unlink()
    kb = errkb.load(folder)
    assert len(kb) == 1
    assert [(p.path and p.path.name, p.reason) for p in kb.problems] == [
        ("index.json.gz", "its sha256 is not the one in manifest.json"),
        ("c.json", "2 of its records are in the index only"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("manifest.json", b"{", "not the form of a published dataset"),
        ("manifest.json", b"{}", "not the form of a published dataset"),
        ("index.json.gz", b"{", "not the form of a published dataset"),
        ("index.json.gz", b"\x1f\x8bjunk", "damaged gzip data"),
        ("index.json.gz", None, "cannot be read"),
        ("manifest.json", b'{"files": {"index": {"path": "../x"}}}', "lies outside the folder"),
    ],
)
def test_a_broken_index_hides_no_record(
    tmp_path: Path, in_two_repos: list[Document], name: str, content: bytes | None, said: str
) -> None:
    """Manifest and index only say what should be there: without them the records are in use all the same."""
    folder = published(tmp_path, in_two_repos)
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    kb = errkb.load(folder)
    assert len(kb) == 3
    assert [problem.reason.partition(":")[0] for problem in kb.problems if said in problem.reason]
    assert {problem.path and problem.path.parent for problem in kb.problems} == {folder}
