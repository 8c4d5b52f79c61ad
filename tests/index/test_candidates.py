"""The prefilter never drops a match (C3), with all records read one by one as the oracle."""

import random
import re
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import record, templates
from hypothesis import given
from hypothesis import strategies as st

import errkb.index.words as words_module
from errkb.errors import PatternError
from errkb.index import Index, message_keys
from errkb.index.format import MOST_UNSPECIFIC, UNSPECIFIC_WEIGHT
from errkb.index.words import KnownWords, pattern_keys, word_key, words_of
from errkb.patterns import Message, Pattern
from errkb.records.template import fill

MakeIndex = Callable[..., Index]
MakeDocument = Callable[..., dict[str, Any]]

PIECES = st.sampled_from(
    [
        "the",
        "value",
        "Value",
        "of",
        "x1",
        "İstanbul",
        "naïve",
        "ß",
        "数据",
        "()",
        "-",
        "  ",
        "\n",
        " ",
        "\u2003",
        "'",
        ".",
        "_a",
        "€",
        "é",
    ]
)
PATTERNS = st.lists(st.one_of(PIECES, st.just("(.+?)")), min_size=2, max_size=9)
TEXTS = st.lists(PIECES, max_size=14).map("".join)


def is_filed(index: Index, number: int) -> bool:
    """Whether a record is filed under a key, so that it is no weak one."""
    candidate = index.candidate(number)
    if candidate.pattern is None or candidate.weight < UNSPECIFIC_WEIGHT:
        return False
    keys = pattern_keys(candidate.pattern.stored, KnownWords())
    return bool(keys.singles or keys.pairs)


def dropped(index: Index, text: str) -> list[int]:
    """Filed records that match a text and are not among its candidates."""
    message = Message(text)
    candidates = set(index.candidates(message_keys(message.folded)))
    return [
        number
        for number in range(len(index))
        if number not in candidates
        and (pattern := index.candidate(number).pattern) is not None
        and pattern.read(message) is not None
        and is_filed(index, number)
    ]


@given(st.lists(PATTERNS, min_size=1, max_size=6), TEXTS, st.lists(TEXTS, min_size=4, max_size=4))
def test_no_match_is_dropped_on_random_patterns(
    make_index: MakeIndex, make_document: MakeDocument, patterns: list[list[str]], noise: str, values: list[str]
) -> None:
    """Whatever the patterns, Unicode and white space included: every filed record that matches is a candidate."""
    documents, texts = [], [noise]
    for number, pieces in enumerate(patterns):
        pattern = "".join(piece if piece == "(.+?)" else re.sub(r"([.()$'-])", r"\\\1", piece) for piece in pieces)
        documents.append(make_document(f"m{number}", messagePattern=pattern, filePath=f"{number}.py"))
        filled, place = "", 0
        for piece in pieces:
            filled += values[place % 4] if piece == "(.+?)" else piece
            place += piece == "(.+?)"
        texts += [filled, f"{noise} {filled}", f"{filled} {noise}", filled.replace(" ", "\n  ")]
    index = make_index(documents)
    for text in texts:
        assert dropped(index, text) == []


@given(
    st.lists(st.one_of(PIECES, st.sampled_from(["(.+?)", "\\.", "\\_", "[ab]", "\\d", "(", "$", "\\ "])), max_size=9)
)
def test_keys_are_those_of_the_literals(pieces: list[str]) -> None:
    """The keys found without reading a pattern are those of its literals, and what is refused is refused."""
    stored = "".join(pieces)
    try:
        segments = Pattern(stored).segments
    except PatternError:
        with pytest.raises(PatternError):
            pattern_keys(stored, KnownWords())
        return
    words = {word_key(word) for literal, _, _ in segments for word in words_of(literal)}
    assert pattern_keys(stored, KnownWords()).words == words


@pytest.fixture(scope="module")
def library(make_index: MakeIndex) -> Index:
    """An index over the messages of some packages of the standard library."""
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    roots = [stdlib / name for name in ("asyncio", "email", "http", "multiprocessing", "xml", "concurrent", "json")]
    return make_index(record(template) for template in templates(roots))


def test_no_match_is_dropped_on_real_messages(library: Index) -> None:
    """Messages of the standard library, filled with words of one another, glued, wrapped and surrounded."""
    rng = random.Random(5)
    messages = [library.candidate(number).head.error_message for number in range(len(library))]
    words = [word for message in messages for word in message.split()]
    for message in rng.sample(messages, 150):
        filled = fill(message, lambda _number, _name: " ".join(rng.choices(words, k=rng.randrange(1, 4))))
        for text in (filled, f"{rng.choice(words)} {filled} {rng.choice(words)}", filled.replace(" ", " \n\t")):
            assert dropped(library, text) == []


def test_few_candidates(library: Index) -> None:
    """A message has few candidates: each record is filed under the rarest text it has."""
    counts = []
    for number in range(len(library)):
        text = fill(library.candidate(number).head.error_message, lambda _number, _name: "qz")
        counts.append(len(library.candidates(message_keys(Message(text).folded))))
    assert sum(counts) / len(counts) < 4


def test_weak_records_are_bounded(make_index: MakeIndex, make_document: MakeDocument) -> None:
    """Records without text of their own are reached by their class only, and at most 64 of them."""
    documents = [
        make_document(
            f"{{a}}: {{b}}, {number}",
            messagePattern="(.+?): (.+?), (.+?)",
            errorClass="ValueError",
            filePath=f"{number}.py",
        )
        for number in range(MOST_UNSPECIFIC + 30)
    ]
    index = make_index(documents)
    assert index.candidates(message_keys("a: b, 7")) == []
    keys = message_keys("a: b, 7")
    assert len(index.unspecific_candidates("ValueError", keys)) == MOST_UNSPECIFIC
    assert index.unspecific_candidates("KeyError", keys) == []


def test_weak_records_go_by_the_last_name_of_their_class(make_index: MakeIndex, make_document: MakeDocument) -> None:
    """A class that a record gives with its module is known by its last name, as texts give it."""
    index = make_index([make_document("{a}: {b}", messagePattern="(.+?): (.+?)", errorClass="acme.errors.SyncLost")])
    assert index.unspecific_candidates("SyncLost", message_keys("a: b")) == [0]
    assert index.may_be_unspecific(message_keys("acme.errors.SyncLost: a: b"))
    assert not index.may_be_unspecific(message_keys("acme.errors: a: b"))


WEAK = ["the (.+?)", "(.+?) is (.+?)", "(.+?)a (.+?)", "(.+?) of the (.+?)", "(.+?)!", "is(.+?)", "(.+?) İs (.+?)"]


@given(st.lists(st.sampled_from(["the", "is", "of", "a", "x", "!", "İs", "-", " ", "this"]), max_size=8))
def test_no_weak_record_is_dropped(make_index: MakeIndex, make_document: MakeDocument, pieces: list[str]) -> None:
    """Every weak record that reads a message of its class is reached by it."""
    documents = [
        make_document(f"{{a}} {number}", messagePattern=pattern, errorClass="ValueError", filePath=f"{number}.py")
        for number, pattern in enumerate(WEAK)
    ]
    index = make_index(documents)
    message = Message(" ".join(pieces))
    keys = message_keys(message.folded)
    reached = {*index.candidates(keys), *index.unspecific_candidates("ValueError", keys)}
    for number in range(len(index)):
        if index.candidate(number).read(message) is not None:
            assert number in reached


def test_a_cut_pattern_is_read_whole(make_index: MakeIndex, make_document: MakeDocument) -> None:
    """A record whose pattern had to be cut for its length is found, and read, by its whole message."""
    message = "the first {name} of it all " + "word after word " * 40 + "and the last {place} of it"
    index = make_index([make_document(message)])
    text = fill(message, ["one", "two"])
    (number,) = index.candidates(message_keys(text))
    pattern = index.candidate(number).pattern
    assert pattern is not None
    reading = pattern.read(Message(text))
    assert reading is not None
    assert reading.whole
    assert [text[slice(*span)] for span in reading.captures if span] == ["one", "two"]


def test_what_is_remembered_of_messages_is_bounded(make_index: MakeIndex, make_document: MakeDocument) -> None:
    """However many words, and however long, the messages of a log have: little of them stays in memory."""
    index = make_index([make_document("the value of x1")])
    for number in range(3):
        for word in (f"{number}" * 20_000, *(f"w{number}x{other}" for other in range(40_000))):
            message_keys(word)
            index.rare_terms.weight(word)
    remembered = [*words_module._known, *index.rare_terms._remembered]
    assert len(remembered) < 80_000
    assert max(map(len, remembered)) <= words_module.LONGEST_KNOWN
