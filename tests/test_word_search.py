"""Search by words, with all records read one by one as the oracle."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errkb
from errkb.knowledge.word_search import WordHit
from errkb.records.record import write_record

MakeDocument = Callable[..., dict[str, Any]]
FIELDS = ("errorMessage", "errorClass", "errorCode", "repo", "tags", "backgroundTag", "documentation")
QUERIES = [
    "cuda memory",
    "dtype",
    "certificate verify",
    "import module name",
    "JSON",
    "tensor shape",
    "port",
    "attribute",
]


@pytest.fixture(scope="module")
def bundled(root: Path) -> errkb.KnowledgeBase:
    """The records of the repository."""
    return errkb.load(root / "data" / "records.jsonl")


def ids(hits: list[WordHit]) -> list[str]:
    """What was found, in order."""
    return [hit.record.id for hit in hits]


def words_of(text: str) -> set[str]:
    """Words, singular and plural as one."""
    return {re.sub("(?<=..)s$", "", word) for word in re.findall(r"[^\W_]+", text.lower())}


@pytest.mark.parametrize("query", QUERIES)
def test_all_records_with_all_words_are_found(bundled: errkb.KnowledgeBase, query: str) -> None:
    """What has all the words, in whichever of the fields, is found, and nothing else."""
    expected = set()
    for record in bundled.records():
        document = write_record(record)
        if words_of(query) <= words_of(" ".join(str(document[field]) for field in FIELDS)):
            expected.add(record.id)
    assert set(ids(bundled.search_words(query, limit=1000))) == expected != set()


@pytest.fixture
def load(tmp_path: Path, make_document: MakeDocument) -> Callable[..., errkb.KnowledgeBase]:
    """A knowledge base of datasets, each a list of (message, other fields)."""

    def make(*datasets: list[tuple[str, dict[str, Any]]]) -> errkb.KnowledgeBase:
        paths = []
        for number, documents in enumerate(datasets):
            paths.append(tmp_path / f"{number}.jsonl")
            lines = (json.dumps(make_document(message, **fields)) for message, fields in documents)
            paths[-1].write_text("\n".join(lines))
        return errkb.load(*paths)

    return make


def test_order(load: Callable[..., errkb.KnowledgeBase]) -> None:
    """The head counts more than prose, a short head more than a long one; limits and other fields hold."""
    kb = load(
        [
            ("a wheel is bent", {"documentation": "The lantern went out."}),
            ("the lantern of the second wheel of the third cart is bent", {}),
            ("lantern bent", {"repo": "other/place"}),
            ("nothing of it", {"tags": ["lanterns"]}),
        ]
    )
    found = [hit.record.error_message for hit in kb.search_words("LANTERN")]
    assert found[0] == "lantern bent"
    assert found[-1] == "a wheel is bent"
    assert len(found) == 4
    assert [hit.record.error_message for hit in kb.search_words("lantern", limit=1)] == found[:1]
    assert [hit.record.repo for hit in kb.search_words("lantern", repo="other/place")] == ["other/place"]


def test_words_that_are_missing_are_told(load: Callable[..., errkb.KnowledgeBase]) -> None:
    """Where no record has all the words, those with most of them are found, and what they lack is told."""
    kb = load([("the lantern of the wheel went out", {}), ("the wheel is bent", {})])
    (best, *others) = kb.search_words("lantern wheel zebra")
    assert (best.record.error_message, best.missing) == ("the lantern of the wheel went out", ("zebra",))
    assert all(len(hit.missing) >= 2 for hit in others)
    assert kb.search_words("zebra") == []
    assert kb.search_words("the of") == []
    assert kb.search_words("") == []


def test_replaced_records_are_not_found(load: Callable[..., errkb.KnowledgeBase]) -> None:
    """Of records with one id the last is searched, within a dataset and across datasets."""
    first = [("one", {"documentation": "lantern"}), ("two", {"documentation": "zebra"})]
    again = [("one", {"documentation": "giraffe"}), ("three", {"documentation": "zebra lantern"})]
    for kb in (load(first, again), load(first + again)):
        assert [hit.record.error_message for hit in kb.search_words("lantern")] == ["three"]
        assert [hit.record.error_message for hit in kb.search_words("giraffe")] == ["one"]
        assert sorted(hit.record.error_message for hit in kb.search_words("zebra")) == ["three", "two"]
