"""What is passed over unread would have had no answer."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_lines import log_lines

import errkb.matching.similar_records as similar_records
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.matcher import may_match
from errkb.reading import occurrences
from errkb.reading.fast_path import keeps_words
from errkb.records.template import fill

Know = Callable[[Iterable[dict[str, Any]]], KnowledgeBase]
MakeDocument = Callable[..., dict[str, Any]]

PREFIXES = (
    "",
    "2026-03-14 09:26:53,589 INFO ",
    "web-1  | ",
    "[core] ",
    "kernel: [1.5] ",
    "acme.Sync: ",
    "- ",
    "__",
    "E   ",
)
CLASSES = ("", "ValueError: ", "acme.errors.SyncLost: ", "RuntimeError: ")
VALUES = ("qz1", "17", "the value of it", "Foo(1)", "")


def some_text(kb: KnowledgeBase, rng: random.Random) -> str:
    """A line of a prefix, perhaps a class, and the message of a record: as it is, cut, reworded, or a few words of it."""
    (index,) = kb._indexes
    message = index.candidate(rng.randrange(len(index))).head.error_message
    words = fill(message, lambda _number, _name: rng.choice(VALUES)).split(" ")
    start, end = rng.choice(((0, len(words)), sorted(rng.choices(range(len(words) + 1), k=2))))
    words = words[start:end]
    for _ in range(rng.choice((0, 0, 1, 2))):
        words.insert(rng.randrange(len(words) + 1), rng.choice(("zzyzzyx", "not", "the")))
    return rng.choice(PREFIXES) + rng.choice(CLASSES) + " ".join(words)


def read_whole(kb: KnowledgeBase, text: str) -> list[tuple[str, float]]:
    """The answers to a text whose occurrences are all read and looked up."""
    return [(match.record.id, match.score) for match in kb.search_occurrences(occurrences(text))]


@settings(max_examples=600)
@given(st.integers(0, 2**32))
def test_a_line_that_is_passed_over_has_no_answer(library: KnowledgeBase, bundled: KnowledgeBase, seed: int) -> None:
    """A line is answered as if it had been read, whether or not its words alone tell that no record can match."""
    rng = random.Random(seed)
    for kb in (library, bundled):
        text = some_text(kb, rng)
        assert [(match.record.id, match.score) for match in kb.search(text)] == read_whole(kb, text)


def test_a_log_line_that_is_passed_over_has_no_answer(library: KnowledgeBase) -> None:
    """Lines of logs, most of which need no reading, get the same answers as well."""
    (index,) = library._indexes
    passed_over = [line for line in log_lines(3000) if keeps_words(line) and not may_match(index, line)]
    assert len(passed_over) > 1500
    assert [line for line in passed_over if read_whole(library, line)] == []


def test_a_line_with_the_class_of_a_weak_record_is_read(know: Know, make_document: MakeDocument) -> None:
    """A record with next to no text of its own is found by its class, though no word of it stands in the line."""
    weak = make_document("{job}: {state}", messagePattern="(.+?): (.+?)", errorClass="acme.jobs.JobLost")
    match = know([weak]).lookup("acme.jobs.JobLost: nightly: gone")
    assert match is not None
    assert dict(match.captures) == {"job": "nightly", "state": "gone"}


@settings(max_examples=600)
@given(st.integers(0, 2**32))
def test_a_record_that_is_left_out_could_not_have_been_given(library: KnowledgeBase, seed: int) -> None:
    """Records whose class leaves too little of the score are not read, and no answer is lost by that."""
    text = some_text(library, random.Random(seed))
    found = read_whole(library, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similar_records, "THRESHOLD", 0.0)
        assert read_whole(library, text) == found
