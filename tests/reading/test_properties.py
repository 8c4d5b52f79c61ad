"""What holds for every text: nothing raises, places lie within the text, the short way changes nothing (slow)."""

import random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from log_lines import log_lines

from errkb.exception_names import last_name
from errkb.index import message_keys
from errkb.reading import Occurrence, occurrences
from errkb.reading.fast_line import read_line
from errkb.reading.fast_path import is_one_line, keeps_words, read_clean
from errkb.reading.full_parse import read_thoroughly
from tests.reading.test_table import CASES

pytestmark = pytest.mark.slow

WORDS = (
    "Traceback (most recent call last):", '  File "a.py", line 3, in f', "    raise ValueError(", "ValueError: no", "KeyError: 'a'",
    "E   assert x", ">   f()", "  + ", "  | ", "  +-+---------------- 1 ----------------", "    +------------------------------------",
    "1 validation error for A", "  Value error, x [type=value_error, input_value=1, input_type=int]", "[rank0]: ", "(W pid=3) ",
    "2024-01-02 03:04:05,678 ERROR [a.b] ", "│ ", "╭──╮", "```", "> ", "{\"message\": \"", "\\n", "\\u001b[31m", "\x1b[31m", "\r", "\n", "\n\n",
    "The above exception was the direct cause of the following exception:", "During handling of the above exception, another exception occurred:",
    "web_1  | ", "**", "`", "'", '"', "error: ", "a.b.C: ", "SSLError(", "Exception Type: A", "Fatal Python error: x", "ray::f() (pid=1)", "\ud800", "\0",
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), max_size=24).map("".join)


def check(text: str, found: list[Occurrence]) -> None:
    """Check what must hold for occurrences of any text."""
    for item in found:
        start, end = item.span
        assert 0 <= start <= end <= len(text)
        assert item.message == item.message.strip()


@given(st.text())
def test_no_text_raises(text: str) -> None:
    """Arbitrary text, lone surrogates and control characters included, is read without an exception."""
    check(text, occurrences(text))


@settings(max_examples=400)
@given(TEXTS)
def test_no_mixture_of_grammar_raises(text: str) -> None:
    """The words of the grammars in any order are read without an exception."""
    check(text, occurrences(text))


@settings(max_examples=400, deadline=None)
@given(st.integers(0, len(CASES) - 1), st.integers(0, 2**32), st.integers(1, 6))
def test_no_mutated_case_raises(number: int, seed: int, changes: int) -> None:
    """Cases with parts deleted, doubled, cut off or put elsewhere are read without an exception."""
    text, dice = CASES[number].text, random.Random(seed)
    for _ in range(changes):
        a, b = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
        text = dice.choice(
            (
                text[:a] + text[b:],
                text[:b] + text[a:],
                text[:b],
                text[:a] + dice.choice(WORDS) + text[a:],
                text[:a] + dice.choice(CASES).text[a:b] + text[b:],
            )
        )
    check(text, occurrences(text))


def test_the_span_holds_class_and_message() -> None:
    """Where nothing was cut out of the text, the span begins at the class and ends with the message."""
    for case in CASES:
        for item in occurrences(case.text):
            start, end = item.span
            part = case.text[start:end]
            if item.error_class and item.error_class in case.text and item.location is None and "\n" not in part:
                assert part.startswith(item.error_class) or item.message in part or item.role == "log", (
                    case.title,
                    part,
                    item,
                )


@given(
    st.one_of(
        st.text(alphabet="abcXYZ ()=,.;'-_/0129<>%!?", max_size=60),
        st.builds("{}: {}".format, st.just("ValueError"), st.text(alphabet="aX1 ()'`*_[]{}<>:.,\"", max_size=30)),
        st.sampled_from([case.text for case in CASES if "\n" not in case.text]),
        st.builds("{}: {}".format, st.sampled_from(["ValueError", "a.b.SomeError", "KeyError"]), st.text(max_size=30)),
    )
)
@example("ValueError: 1`:")
def test_the_short_way_says_what_the_long_way_says(text: str) -> None:
    """A clean text gives the same first occurrence by the short way as by the whole reading."""
    assume(is_one_line(text))
    short = read_clean(text)
    if short is not None:
        assert read_thoroughly(text)[:1] == [short]


PIECES = st.sampled_from(
    [
        "2026-03-14 09:26:53,589 ", "INFO ", "ERROR: ", "WARNING ", "[core] ", "app.py:12 ", "(W pid=3) ", "web-1  | ", "npm ERR! ",
        "level=info msg=\"x y\" ", "I0314 09:26:53 12 a.cc:3] ", "kernel: [1.5] ", "- ", "1. ", "* ", "> ", "$ ", "E   ", "`", "'", "\"",
        "Downloading: ", "could not open ", "the file ", "a.b.C: ", "Status: ", "<b>", "</p>", "[00:12<00:52, ", "50%", "7/9 ", "(", ")", ".", ";",
        "x.py:3: ", "line 3, in f", "ok in 3 s", "GET / HTTP/1.1\" 200", "__A__", "**", "|", " +-", "An internal ", "failed", "fatal: ", ": ",
        "Ping('x')", "Foo(1)", "Keyboard ", "StopThing: ", "raise ", "# ", "=== ", "---- ", " ", "\t", "é", "…", "OK", "#7 ERROR ", "::error::",
    ]
)  # fmt: skip
LINES = st.one_of(
    st.lists(PIECES, min_size=1, max_size=7).map("".join),
    st.text(alphabet="abcXYZ ()=,.;'-_/0129<>%!?:|#*[]", max_size=60),
    st.sampled_from(list(log_lines(2000))),
    st.sampled_from([line for case in CASES for line in case.text.splitlines()]),
)


@settings(max_examples=2000, derandomize=True)
@given(LINES)
def test_the_middle_way_says_what_the_long_way_says(text: str) -> None:
    """One line without the mark of an exception gives the same occurrences by the middle way as by the whole reading."""
    assume(is_one_line(text))
    line = read_line(text)
    if line is not None:
        assert line == read_thoroughly(text)


@settings(max_examples=2000, derandomize=True)
@given(
    st.one_of(
        LINES,
        st.lists(st.one_of(PIECES, st.sampled_from(WORDS), st.text(max_size=6)), min_size=1, max_size=7).map("".join),
    )
)
def test_messages_of_a_plain_line_are_runs_of_its_words(text: str) -> None:
    """Where a line is said to keep its words, every message and class in it can be looked up by the line's own keys."""
    assume(keeps_words(text))
    there = message_keys(text)
    for item in occurrences(text):
        assert message_keys(item.message) <= there
        if item.error_class:
            assert message_keys(last_name(item.error_class)) <= there
