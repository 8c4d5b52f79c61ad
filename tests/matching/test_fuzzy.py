"""Reworded messages are found, labelled as such, and what differs is said."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind
from errkb.matching.rewording import Wording, read_reworded
from errkb.patterns import Pattern
from errkb.records.template import derive_pattern

Know = Callable[[Iterable[dict[str, Any]]], KnowledgeBase]
MakeDocument = Callable[..., dict[str, Any]]

MERGE = "You are trying to merge on {left} and {right} columns. If you wish to proceed you should use pd.concat"
RESOURCE = "out of resource: {name}, Required: {required}, Hardware limit: {limit}. Reducing block sizes or `num_stages` may help."
PORT = "Cannot open port {port}, check whether another instance of the broker is running on this host"

REWORDED = {
    "typos": (MERGE, "Your are tryign to merge on int32 and object columns, If you wish to procede you should use pd.concat", {"left": "int32", "right": "object"}),
    "translated and back": (RESOURCE, "out of resource: shared memory, Required: 147458, Hardware limitation: 101376. reducing the block size or `num_stages` may help", {"name": "shared memory", "required": "147458"}),
    "another version": (PORT, "Could not open port 1883, please check whether another instance of the broker is already running on this host", {}),
    "read from a screenshot": (PORT, "Cannot 0pen port 1883, check whether anolher instance of the brokcr is running on this hosl", {"port": "1883"}),
}  # fmt: skip


@pytest.mark.parametrize(("message", "text", "captures"), REWORDED.values(), ids=REWORDED)
def test_reworded(know: Know, make_document: MakeDocument, message: str, text: str, captures: dict[str, str]) -> None:
    """The record is found as `fuzzy`, with the values that the alignment gives, and a sentence on what differs."""
    kb = know(
        make_document(one, filePath=f"{n}.py") for n, one in enumerate([message, "the {thing} is closed on Mondays"])
    )
    match = kb.lookup(text)
    assert match is not None
    assert (match.record.error_message, match.kind) == (message, Kind.FUZZY)
    assert captures.items() <= dict(match.captures).items()
    notes = [item.note for item in match.evidence if item.name == "changed"]
    assert notes
    assert notes[0].startswith("worded otherwise: ")


UNRELATED = {
    "half the words": (MERGE, "You are trying to reach the columns of the temple. If you wish you should use the bus"),
    "same subject": (PORT, "Cannot open port because the captain of the ship is on another planet"),
    "short": (PORT, "port open"),
    "empty": (PORT, ""),
}


@pytest.mark.parametrize(("message", "text"), UNRELATED.values(), ids=UNRELATED)
def test_unrelated(know: Know, make_document: MakeDocument, message: str, text: str) -> None:
    """A text that shares words with a record, and no more, gets no answer."""
    assert know([make_document(message)]).lookup(text) is None


def test_what_differs_is_named() -> None:
    """Words that only one side has are named."""
    rewording = read_reworded(
        Pattern(derive_pattern(PORT)),
        Wording(PORT.replace("another instance", "some other process")),
        lambda _word: 1.0,
    )
    assert rewording is not None
    assert rewording.missing == ("instance",)
    assert {"some", "process"} <= set(rewording.added)
    assert "“instance”" in rewording.difference


def test_a_fuzzy_answer_is_never_as_sure_as_an_exact_one(know: Know, make_document: MakeDocument) -> None:
    """A reworded message scores lower than the message itself."""
    kb = know([make_document(MERGE)])
    fuzzy, exact = kb.lookup(REWORDED["typos"][1]), kb.lookup(MERGE)
    assert fuzzy is not None
    assert exact is not None
    assert fuzzy.score < exact.score
