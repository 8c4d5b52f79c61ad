"""How patterns read messages: captures, edges, white space, and agreement with `re`."""

import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from errkb.patterns import Message, Pattern, _plain_chain, fold
from errkb.patterns.chain import is_boundary
from errkb.patterns.dialect import parse
from errkb.patterns.from_dialect import _chain
from errkb.records.template import CAPTURE, escape

# pattern, message, whether it is covered whole, captured texts; None: no reading
READINGS: dict[str, tuple[str, str, tuple[bool, list[str | None]] | None]] = {
    "whole": ("no (.+?) here", "no luck here", (True, ["luck"])),
    "end-reaches-to-the-edge": (r"status code (.+?)", "Request: status code 503", (False, ["503"])),
    "start-reaches-to-the-edge": (r"(.+?) not found", "file a not found!", (False, ["file a"])),
    "surprising": (
        r"invalid literal for int\(\) with base (.+?): (.+?)",
        "invalid literal for int() with base 10: 'a: b'",
        (True, ["10", "'a: b'"]),
    ),
    "surprising-inside": (
        r"invalid literal for int\(\) with base (.+?): (.+?)",
        "oh: invalid literal for int() with base 10: 'a: b'",
        (False, ["10", "'a: b'"]),
    ),
    "covering-wins-over-shortest": ("'(.+?)' is bad", "'it' is bad' is bad", (True, ["it' is bad"])),
    "shortest-inside": ("'(.+?)' is bad", "'it' is bad' is bad.", (False, ["it"])),
    "text-around": ("division by zero", "oh no: division by zero (again)", (False, [])),
    "not-within-a-word": ("in file", "within files", None),
    "begins-within-a-word": ("in (.+?) now", "within x now", None),
    "ends-within-a-word": ("no (.+?) in", "no x index", None),
    "later-place-outside-a-word": ("no (.+?) in", "no x index in y", (False, ["x index"])),
    "later-start-outside-a-word": ("in (.+?)!", "within in x! y", (False, ["x"])),
    "capture-needs-a-character": ("a(.+?)b", "ab", None),
    "capture-may-be-empty": ("a(.*?)b", "ab", (True, [""])),
    "empty-capture-at-the-end": ("value: ?(.*)", "value:", (True, [""])),
    "two-captures-side-by-side": ("no (.+?)(.+?)", "no abc", (True, ["a", "bc"])),
    "gap-without-capture": ("a .* b (.+?)", "a x b c", (True, ["c"])),
    "doubled-blanks": ("no luck here", "no  luck\there", (True, [])),
    "wrapped": ("no luck (.+?) here", "no luck\n   at all\n here", (True, ["at all"])),
    "value-keeps-its-white-space": ("no (.+?) here", "no such\n  luck here", (True, ["such\n  luck"])),
    "value-ends-in-white-space": ("a(.+?)b", "ax \n b", (True, ["x \n "])),
    "value-begins-with-white-space": ("a(.+?)b", "a \n xb", (True, [" \n x"])),
    "pattern-with-line-break": ("no luck\n  here", "no luck here", (True, [])),
    "outer-white-space": ("no (.+?)", "\n no luck \n", (True, ["luck"])),
    "unicode-white-space": ("no luck", "no\u00a0\u2003luck", (True, [])),
    "white-space-is-needed": ("no luck", "noluck", None),
    "white-space-only": ("no luck", " \n ", None),
    "empty-message": ("no luck", "", None),
    "case-matters": ("No luck", "no luck", None),
    "dot-matches-line-breaks": ("a (.+?) b", "a x\ny b", (True, ["x\ny"])),
    "classes": (r"code ([0-9]+) at (\w+)", "code 12 at a_b", (True, ["12", "a_b"])),
    "class-inside": (r"code ([0-9]+)", "my code 123!", (False, ["123"])),
    "shortest-inside-automaton": ("'(.+?)' is (?:bad|ill)", "'it' is bad' is bad.", (False, ["it"])),
    "greedy-inside-automaton": ("'([a-z ']+)' is (?:bad|ill)", "'it' is bad' is bad.", (False, ["it' is bad"])),
    "lazy-before-greedy": (r"x ([a-z]+?)([a-z]*)(\d)", "x abc1", (True, ["a", "bc", "1"])),
    "greedy-before-lazy": (r"x ([a-z]+)([a-z]*?)(\d)", "x abc1", (True, ["abc", "", "1"])),
    "lazy-at-the-end-takes-all": (r"code ([0-9]+?)", "my code 123!", (False, ["123"])),
    "ascii-digits-only": (r"code (\d+)", "code ١٢", None),
    "ascii-words-only": (r"name (\w+)", "name é", None),
    "automaton-white-space": (r"code (\d+) is\n not", "code  1\nis not", (True, ["1"])),
    "automaton-edge": (r"(.+?) has code (\d)", "this thing has code 1", (True, ["this thing", "1"])),
    "alternatives": ("no (file|folder) (?:named|called) (.+?)", "no folder called a b", (True, ["folder", "a b"])),
    "first-alternative-wins": ("x (a|ab)(.*)", "x abc", (True, ["a", "bc"])),
    "group-without-part": (r"no file(?: '(.+?)')? there", "no file there", (True, [None])),
    "group-with-part": (r"no file(?: '(.+?)')? there", "no file 'x' there", (True, ["x"])),
    "astral": ("no (.+?) here", "no 😀 here", (True, ["😀"])),
    "surrogate": ("no (.+?) here", "no \ud800 here", (True, ["\ud800"])),
    "nul": ("no (.+?) here", "no \x00 here", (True, ["\x00"])),
}


def read(pattern: str, text: str) -> tuple[bool, list[str | None]] | None:
    """Whether the reading is whole, and what it captures."""
    reading = Pattern(pattern).read(Message(text))
    if reading is None:
        return None
    return reading.whole, [span and text[slice(*span)] for span in reading.captures]


@pytest.mark.parametrize(("pattern", "text", "expected"), READINGS.values(), ids=READINGS.keys())
def test_readings(pattern: str, text: str, expected: tuple[bool, list[str | None]] | None) -> None:
    """A pattern reads a message as described: whole before inside, edges to the edge, else as short as possible."""
    assert read(pattern, text) == expected


def test_the_span_of_a_reading_is_its_place_in_the_message() -> None:
    """The span counts characters of the message as it stood, white space included."""
    text = "  oh:  no \n luck  here !"
    reading = Pattern("no luck (.+?) !").read(Message(text))
    assert reading is not None
    assert text[slice(*reading.span)] == "no \n luck  here !"


@given(st.text(st.sampled_from("ab \n\t\u00a0\x1c\x85"), max_size=20))
def test_folded_spans_lead_back_to_the_text(text: str) -> None:
    """Every span of the folded text leads to a span of the text that folds to the same."""
    message = Message(text)
    assert message.folded == fold(text) == re.sub(r"\s+", " ", text).strip()
    for start in range(len(message.folded)):
        for end in range(start + 1, len(message.folded) + 1):
            original_start, original_end = message.original(start, end)
            assert re.sub(r"\s+", " ", text[original_start:original_end]) == message.folded[start:end]


def folded_text(alphabet: str, longest: int) -> st.SearchStrategy[str]:
    """Texts without outer and doubled white space."""
    return st.text(st.sampled_from(alphabet), min_size=1, max_size=longest).map(fold).filter(bool)


def value_spans(match: re.Match[str]) -> list[tuple[int, int]]:
    """The spans of a match's groups; a final full stop after the last is the sentence's, not the value's."""
    spans = [match.span(number) for number in range(1, match.re.groups + 1)]
    text = match.string
    if spans and spans[-1][1] == len(text) and text.endswith(".") and not text.endswith(".."):
        start, end = spans[-1]
        spans[-1] = (start, max(start + 1, end - 1))
    return spans


GAP = st.sampled_from([CAPTURE, "(.*?)", "(.{2,}?)", ".+?", ".*?"])


@st.composite
def gap_patterns(draw: st.DrawFn, gap: st.SearchStrategy[str] = GAP) -> str:
    """Literal text with gaps, without white space at the ends."""
    literals = draw(st.lists(folded_text("aab .(", 4), min_size=1, max_size=5))
    stored = draw(st.sampled_from(["", draw(gap)]))
    for literal in literals[:-1]:
        blanks = draw(st.tuples(*[st.sampled_from(["", " "])] * 2)) if stored else ("", "")
        stored += blanks[0] + escape(literal) + blanks[1] + draw(gap)
    last = draw(st.sampled_from(["", escape(literals[-1])])) if len(literals) > 1 else escape(literals[-1])
    return stored + last


@settings(max_examples=500)
@given(gap_patterns(), folded_text("aab .(", 25))
@example("a(.+?)a(.+?)a", "aaaaa")
def test_literals_and_gaps_agree_with_re(stored: str, text: str) -> None:
    """Where white space plays no part, a whole reading is that of `re.fullmatch`, captures and all."""
    expected = re.fullmatch(stored, text, re.DOTALL)
    got = read(stored, text)
    assert (got is not None and got[0]) == (expected is not None)
    if expected and got:
        assert got[1] == [expected[0][slice(*span)] for span in value_spans(expected)]


@settings(max_examples=500)
@given(gap_patterns(), folded_text("aab .(", 20))
def test_readings_inside_agree_with_trying_all(stored: str, text: str) -> None:
    """A reading inside is the leftmost, then shortest, of all that keep to words; edges reach to the edge."""
    assume(not re.fullmatch(stored, text, re.DOTALL))
    gap_first, gap_last = (re.search(place, stored) for place in (r"\A\(?\.[+*{]", r"(?<!\\)\.[^.()]*\?\)?\Z"))
    starts = [0] if gap_first else [n for n in range(len(text)) if is_boundary(text, n)]
    ends = [len(text)] if gap_last else [n for n in range(len(text) + 1) if is_boundary(text, n)]
    pattern = re.compile(stored, re.DOTALL)
    found = next((m for start in starts for end in ends if (m := pattern.fullmatch(text, start, end))), None)
    reading = Pattern(stored).read(Message(text))
    assert (reading and (reading.whole, reading.span)) == (found and (False, found.span()))
    if reading and found:
        assert list(reading.captures) == value_spans(found)


@given(gap_patterns(st.just(CAPTURE)))
def test_the_fast_path_reads_patterns_as_the_parser_does(stored: str) -> None:
    """The usual patterns, read without parsing, give the same chain as the full parser."""
    fast, full = _plain_chain(stored), _chain(parse(stored))
    assert fast is not None
    assert full is not None
    assert (fast.literals, fast.gaps) == (full.literals, full.gaps)


@given(st.lists(st.sampled_from([CAPTURE, "a", r"\.", r"\ ", r"\é", "\n", "(", ")", "\\", "{", "?", "[", "]"])))
def test_the_fast_path_takes_nothing_that_the_parser_refuses(pieces: list[str]) -> None:
    """What the fast path accepts, the full parser accepts, and in the same sense."""
    stored = "".join(pieces)
    if (fast := _plain_chain(stored)) is not None:
        full = _chain(parse(stored))
        assert full is not None
        assert (fast.literals, fast.gaps) == (full.literals, full.gaps)
