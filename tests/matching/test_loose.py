"""Messages that were changed on their way are still known, and count less."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind
from errkb.patterns import Pattern
from errkb.patterns.damaged_text import Squeezed

Know = Callable[[Iterable[dict[str, Any]]], KnowledgeBase]
MakeDocument = Callable[..., dict[str, Any]]

CONFIG = (
    "The checkpoint `{path}` has model type `{kind}` but this release does not recognize the architecture. "
    "Update the package or install it from source. See {url} for the supported ones."
)
ARGUMENTS = "{function}() missing {count} required positional argument{plural}: {names}"
CALL = "A request failed ({code}) when calling the {operation} operation{retries}: {reason}"
CUT = "To serve one request with the max length ({n}), {gib} GiB of cache is needed, which is larger than the available {free} GiB."

CHANGED = {
    "quotes eaten": (
        CONFIG,
        "The checkpoint llama/7b has model type newvl but this release does not recognize the architecture. Update "
        "the package or install it from source. See http://x for the supported ones.",
        Kind.PATTERN,
        {"path": "llama/7b", "kind": "newvl", "url": "http://x"},
    ),
    "other quotes": (CONFIG.split(".")[0], "The checkpoint ‘a’ has model type ‘b’ but this release does not recognize the architecture", Kind.PATTERN, {"path": "a", "kind": "b"}),
    "final full stop away": (CUT, CUT.format(n=9, gib=2, free=1).removesuffix("."), Kind.PATTERN, {"n": "9", "gib": "2", "free": "1"}),
    "full-width punctuation": (CUT, "To serve one request with the max length （9），2 GiB of cache is needed， which is larger than the available 1 GiB。", Kind.PATTERN, {"n": "9", "gib": "2", "free": "1"}),
    "other case": ("No such option: {name}", "no such option: -x", Kind.PATTERN, {"name": "-x"}),
    "wrapped inside a word": (CUT, "To serve one request with the max length (9), 2 GiB of cac\nhe is needed, which is larger than the availa\nble 1 GiB.", Kind.PATTERN, {"n": "9", "gib": "2", "free": "1"}),
    "empty plural": (ARGUMENTS, "f() missing 1 required positional argument: 'x'", Kind.PATTERN, {"function": "f", "count": "1", "plural": "", "names": "'x'"}),
    "empty suffix": (CALL, "A request failed (Denied) when calling the Put operation: no rights", Kind.PATTERN, {"code": "Denied", "operation": "Put", "retries": "", "reason": "no rights"}),
    "end cut in a literal": (CONFIG, "The checkpoint `llama` has model type `newvl` but this release does not recog", Kind.PARTIAL, {"path": "llama", "kind": "newvl"}),
    "last sentences away": (CONFIG, "The checkpoint `llama` has model type `newvl` but this release does not recognize the architecture.", Kind.PARTIAL, {"path": "llama", "kind": "newvl"}),
    "end cut in a value": (CUT, "To serve one request with the max length (9), 2 GiB of cache is needed, which is larger than the available 1", Kind.PARTIAL, {"n": "9", "gib": "2", "free": "1"}),
    "beginning cut": (CONFIG, "release does not recognize the architecture. Update the package or install it from source. See http://x for the supported ones.", Kind.PARTIAL, {"url": "http://x"}),
    "ellipsis in the middle": (CONFIG, "The checkpoint `llama` has model type `newvl` but this ... install it from source. See http://x for the supported ones.", Kind.PARTIAL, {"path": "llama", "kind": "newvl", "url": "http://x"}),
}  # fmt: skip


@pytest.mark.parametrize(("message", "text", "kind", "captures"), CHANGED.values(), ids=CHANGED)
def test_changed_messages(
    know: Know, make_document: MakeDocument, message: str, text: str, kind: Kind, captures: dict[str, str]
) -> None:
    """The record is found, labelled with its kind, with the values that are there."""
    decoys = ["the weather is fine today", "No such file: {name}", "{a} missing {b} in the sheet"]
    kb = know(make_document(one, filePath=f"{n}.py") for n, one in enumerate([message, *decoys]))
    match = kb.lookup(text)
    assert match is not None
    assert (match.record.error_message, match.kind) == (message, kind)
    assert dict(match.captures) == captures


@pytest.mark.parametrize("name", ["quotes eaten", "final full stop away", "empty plural", "last sentences away"])
def test_changed_messages_count_less(know: Know, make_document: MakeDocument, name: str) -> None:
    """What is not as the record has it scores lower than what is."""
    message, text, _, _ = CHANGED[name]
    kb = know([make_document(message)])
    whole = message.replace("{plural}", "s").replace("{retries}", " (reached 4)")
    changed, unchanged = kb.lookup(text), kb.lookup(whole)
    assert changed is not None
    assert unchanged is not None
    assert changed.score < unchanged.score


def test_the_first_line_of_a_longer_message(know: Know, make_document: MakeDocument) -> None:
    """A first line alone, as logs show it, goes to the record that begins with it, not to one that fits any such line."""
    removed = (
        "module 'gridlib' has no attribute '{name}'.\n`gridlib.{name}` was an alias of the builtin `{name}`. "
        "To silence this, use `{name}` by itself."
    )
    any_module = "module '{module}' has no attribute '{name}'"
    kb = know(
        make_document(one, filePath=f"{n}.py", errorClass="AttributeError")
        for n, one in enumerate([any_module, removed])
    )
    match = kb.lookup("AttributeError: module 'gridlib' has no attribute 'cell'.")
    assert match is not None
    assert (match.record.error_message, match.kind) == (removed, Kind.PATTERN)
    assert match.captures["name"] == "cell"
    assert any(item.note.startswith("the first line of the record") for item in match.evidence)


REFUSED = {
    "a literal inside a word": ("status {} on {}", "Status: downloaded newer image for falcon"),
    "too little is there": (CONFIG, "The checkpoint"),
    "only common words": (CUT, "with the max length"),
    "the other way round": ("cannot open {path} for writing", "for writing a book one cannot open a beer"),
}


@pytest.mark.parametrize(("message", "text"), REFUSED.values(), ids=REFUSED)
def test_refused(know: Know, make_document: MakeDocument, message: str, text: str) -> None:
    """What merely resembles a message gets no answer."""
    assert know([make_document(message)]).lookup(text) is None


@given(st.text(max_size=60), st.sampled_from([message for message, *_ in CHANGED.values()]))
def test_spans_lie_in_the_message(text: str, message: str) -> None:
    """Whatever the text, a loose reading never fails, and its spans lie within the text."""
    from errkb.records.template import derive_pattern

    for candidate in (text, message[:20] + text, text + message[20:], message.replace("e", text[:3])):
        reading = Pattern(derive_pattern(message)).read_loosely(Squeezed(candidate))
        if reading is not None:
            for start, end in (reading.span, *filter(None, reading.captures)):
                assert 0 <= start <= end <= len(candidate)
