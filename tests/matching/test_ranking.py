"""Each kind of evidence on its own, and the choices that they lead to together."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errkb.exception_names import Agreement, compare_classes
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.evidence import (
    CONFIDENT,
    class_agreement,
    coverage,
    frame_agreement,
    literal_weight,
    place_in_text,
    score,
)
from errkb.matching.match import Evidence, Kind
from errkb.reading import Frame, Occurrence

Know = Callable[[Iterable[dict[str, Any]]], KnowledgeBase]
MakeDocument = Callable[..., dict[str, Any]]


@given(st.lists(st.floats(0.01, 1.0), max_size=6))
def test_score_is_the_product(factors: list[float]) -> None:
    """The score is the product of the factors, so it is in (0, 1] and no factor can raise it."""
    evidence = [Evidence("x", factor, "") for factor in factors]
    assert 0 < score(evidence) <= 1
    assert all(score(evidence) <= factor for factor in factors)


@given(st.floats(0, 50), st.floats(0, 50), st.sampled_from(Kind))
def test_more_rare_text_is_more_convincing(first: float, second: float, kind: Kind) -> None:
    """The factor of the literal text grows with its weight and stays below 1."""
    low, high = sorted((first, second))
    assert literal_weight(low, kind).factor <= literal_weight(high, kind).factor < 1


@given(st.floats(0, 1))
def test_the_whole_message_beats_a_part(share: float) -> None:
    """Covering the whole message counts more than standing inside it, whatever the share."""
    assert coverage(Kind.INSIDE, share).factor < coverage(Kind.PATTERN, 1.0).factor


CLASSES = {
    "same": ("ValueError", "ValueError", Agreement.SAME),
    "module path": ("torch.cuda.OutOfMemoryError", "OutOfMemoryError", Agreement.SAME),
    "alias": ("IOError", "OSError", Agreement.SAME),
    "alias with module": ("socket.error", "OSError", Agreement.SAME),
    "socket.timeout": ("socket.timeout", "TimeoutError", Agreement.SAME),
    "select.error": ("select.error", "OSError", Agreement.SAME),
    "base": ("OSError", "FileNotFoundError", Agreement.RELATED),
    "derived": ("ModuleNotFoundError", "ImportError", Agreement.RELATED),
    "known library class": ("json.decoder.JSONDecodeError", "ValueError", Agreement.RELATED),
    "two steps": ("numpy._UFuncOutputCastingError", "TypeError", Agreement.RELATED),
    "none in the text": (None, "ValueError", Agreement.UNKNOWN),
    "none in the record": ("ValueError", None, Agreement.UNKNOWN),
    "wrapper": ("pydantic_core._pydantic_core.ValidationError", "ValueError", Agreement.WRAPPED),
    "different": ("KeyError", "ValueError", Agreement.DIFFERENT),
    "siblings": ("IndexError", "KeyError", Agreement.DIFFERENT),
    "Exception says nothing": ("Exception", "ValueError", Agreement.UNKNOWN),
    "nor does a bare error": ("error", "OSError", Agreement.UNKNOWN),
}


@pytest.mark.parametrize(("written", "recorded", "agreement"), CLASSES.values(), ids=CLASSES)
def test_class_agreement(written: str | None, recorded: str | None, agreement: Agreement) -> None:
    """Classes agree by last name, by Python's own aliases, and less by inheritance."""
    assert compare_classes(written, recorded) is agreement


def test_class_factors_are_ordered() -> None:
    """The same class counts most, then a related one, then none, then a wrapper; a contradiction least."""
    factors = [class_agreement(written, recorded).factor for written, recorded, _ in (
        CLASSES[name] for name in ("same", "base", "none in the text", "wrapper", "different")
    )]  # fmt: skip
    assert factors == sorted(factors, reverse=True)
    assert len(set(factors)) == 5


FRAMES = {
    "near the line": ([Frame("/x/site-packages/acme/core.py", 95)], 5),
    "same file": ([Frame("/x/site-packages/acme/core.py", 900)], 4),
    "same file, Windows": ([Frame(r"C:\x\site-packages\acme\core.py")], 4),
    "same package": ([Frame("/x/site-packages/acme/other.py", 3)], 3),
    "elsewhere": ([Frame("/x/site-packages/other/main.py", 95)], 2),
    "no frames": ([], 2),
}


def test_frames_are_a_preference() -> None:
    """A frame near the recorded line is best, then one in its file, then one in its package; none costs little."""
    factors = {
        name: frame_agreement(frames, "acme-org/acme", "src/acme/core.py", 90).factor
        for name, (frames, _) in FRAMES.items()
    }
    ordered = sorted(FRAMES, key=lambda name: FRAMES[name][1])
    assert [factors[name] for name in ordered] == sorted(factors.values())
    assert len(set(factors.values())) == len({rank for _, rank in FRAMES.values()})
    assert min(factors.values()) > 0.95


def test_what_stands_first_in_a_text_is_preferred() -> None:
    """Each later occurrence of a text counts a little less."""
    factors = [place_in_text(place, 0.8, 0.0).factor for place in range(3)]
    assert factors == sorted(factors, reverse=True)
    assert factors[0] == 1


def test_a_likely_match_stays_before_those_of_later_occurrences(know: Know, make_document: MakeDocument) -> None:
    """A raised exception that is known comes before its cause, though the cause's record be more specific."""
    outer, inner = "Not enough segments", "not enough values to unpack from the header of the token (expected {n})"
    kb = know(make_document(message, filePath=f"{n}.py") for n, message in enumerate((outer, inner)))
    text = (
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\n'
        "ValueError: not enough values to unpack from the header of the token (expected 2)\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "a.py", line 3, in g\n    y\nValueError: Not enough segments\n'
    )
    assert [match.record.error_message for match in kb.search(text)] == [outer, inner]


def first(kb: KnowledgeBase, text: str) -> str | None:
    """The message of the best record."""
    match = kb.lookup(text)
    return match and match.record.error_message


CHOICES = {
    "specific over generic": (
        ["{a} is not {b}", "the tokenizer {a} is not registered for {b}"],
        "ValueError: the tokenizer BPE is not registered for rust",
        1,
    ),
    "whole over part": (
        ["could not load {path}", "could not load {path} because the schema {name} is missing"],
        "ValueError: could not load x.json because the schema v2 is missing",
        1,
    ),
    "class over none": (
        ["{a} has no attribute {b} (frozen)", "{a} has no attribute {b} (sealed)"],
        "ValueError: Foo has no attribute bar (sealed)",
        1,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("messages", "text", "right"), CHOICES.values(), ids=CHOICES)
def test_choices(know: Know, make_document: MakeDocument, messages: list[str], text: str, right: int) -> None:
    """The more specific record comes first, and the one that explains the whole message."""
    kb = know(make_document(message, filePath=f"{n}.py") for n, message in enumerate(messages))
    assert first(kb, text) == messages[right]


def test_the_class_decides_between_equal_messages(know: Know, make_document: MakeDocument) -> None:
    """Of two records with one message, that with the class of the text comes first."""
    message = "the shard {name} is out of range for {index}"
    kb = know([
        make_document(message, errorClass="KeyError", filePath="a.py"),
        make_document(message, errorClass="IndexError", filePath="b.py"),
    ])  # fmt: skip
    match = kb.lookup("IndexError: the shard x is out of range for y")
    assert match is not None
    assert match.record.error_class == "IndexError"
    assert not match.tied


def test_the_traceback_decides_between_equal_messages(know: Know, make_document: MakeDocument) -> None:
    """Of two records with one message and class, that whose file stands in the traceback comes first."""
    message = "the shard {name} is out of range for {index}"
    kb = know(make_document(message, repo=f"acme/{name}", filePath=f"{name}/core.py") for name in ("one", "two"))
    for name in ("one", "two"):
        frame = Frame(f"/usr/lib/python3/site-packages/{name}/core.py", 9)
        occurrence = Occurrence(
            message="the shard x is out of range for y", span=(0, 9), error_class="ValueError", frames=(frame,)
        )
        match, *_ = kb.search_occurrences([occurrence])
        assert match.record.repo == f"acme/{name}"
        assert not match.tied


def test_what_python_ignored_is_no_likely_answer_behind_an_error(know: Know, make_document: MakeDocument) -> None:
    """An exception that Python ignored is known for sure by itself, and only possibly what matters behind an error."""
    message = "the ledger was closed before its last page was written to the archive"
    kb = know([make_document(message, errorClass="LedgerError")])
    ignored = f"Exception ignored in: <function Ledger.__del__ at 0x7f>\nLedgerError: {message}"
    alone, behind = kb.lookup(ignored), kb.lookup(f"RuntimeError: no room\n\n{ignored}")
    assert alone is not None
    assert behind is not None
    assert alone.score >= CONFIDENT > behind.score


def test_ties_are_marked_and_ordered_by_id(know: Know, make_document: MakeDocument) -> None:
    """Records that nothing tells apart are all returned, marked as tied, in the order of their ids."""
    message = "the shard {name} is out of range for {index}"
    kb = know(make_document(message, repo=f"acme/{name}") for name in ("one", "two", "three"))
    matches = kb.search("ValueError: the shard x is out of range for y")
    assert [match.tied for match in matches] == [True, True, True]
    assert [match.record.id for match in matches] == sorted(match.record.id for match in matches)


def test_one_message_in_several_files_of_a_repo_is_one_answer(know: Know, make_document: MakeDocument) -> None:
    """Duplicates within a repo are shown once, with the links of the others, and are no tie."""
    message = "the shard {name} is out of range for {index}"
    documents = [make_document(message, filePath=f"tool/{name}.py") for name in ("a", "b", "c")]
    matches = know(documents).search("ValueError: the shard x is out of range for y")
    assert len(matches) == 1
    assert not matches[0].tied
    urls = {document["githubUrl"] for document in documents}
    assert {matches[0].record.github_url, *matches[0].also_at} == urls


def test_generic_messages_need_class_and_whole_message(know: Know, make_document: MakeDocument) -> None:
    """A template with next to no text of its own answers only if class and whole message agree, and as a possibility."""
    kb = know(
        [make_document("{a} is not {b} or {c}", errorClass="WidgetError", messagePattern="(.+?) is not (.+?) or (.+?)")]
    )
    match = kb.lookup("WidgetError: 3 is not 4 or 5")
    assert match is not None
    assert match.score < 0.5
    assert kb.lookup("ValueError: 3 is not 4 or 5") is None
    assert kb.lookup("3 is not 4 or 5") is None


def test_an_error_code_is_found(know: Know, make_document: MakeDocument) -> None:
    """A record's code standing in the message as a token is evidence, as a part of a longer word it is none."""
    kb = know([make_document("something {x} went bad", errorCode="WGT-4711")])
    match = kb.lookup("RuntimeError: failed with WGT-4711, giving up")
    assert match is not None
    assert match.kind is Kind.CODE
    assert kb.lookup("RuntimeError: failed with WGT-47110, giving up") is None
