"""Patterns beyond literals and gaps: the same readings as `re`."""

import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errkb.errors import PatternError
from errkb.patterns import Message, Pattern, fold

SINGLE = st.sampled_from(
    ["a", "b", "1", "_", r"\.", ".", "[ab]", "[^a]", r"[a\d]", "[^1 ]", r"\d", r"\w", r"\s", r"\S", " a"]
)
BOUNDS = st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{0,2}", "{1,3}"])
LAZY = st.sampled_from(["", "?"])


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2, nullable: bool = True, captures: bool = True) -> str:
    """A random expression of the dialect; not `nullable`: it cannot match the empty text."""
    kind = draw(
        st.sampled_from(["single", "sequence", "choice", "group", "capture", "repeat"] if depth else ["single"])
    )
    inner = {"depth": depth - 1, "captures": captures and kind != "repeat"}
    match kind:
        case "sequence":
            parts = draw(st.lists(expressions(**inner, nullable=nullable), min_size=1, max_size=3))
            return "".join(f"(?:{part})" if "|" in part else part for part in parts)
        case "choice":
            return f"(?:{'|'.join(draw(st.lists(expressions(**inner, nullable=nullable), min_size=2, max_size=3)))})"
        case "group":
            return f"(?:{draw(expressions(**inner, nullable=nullable))})"
        case "capture" if captures:
            return f"({draw(expressions(**inner, nullable=nullable))})"
        case "repeat":
            body = draw(expressions(**inner, nullable=False))
            bounds = draw(BOUNDS if nullable else BOUNDS.filter(lambda b: b in ("+", "{2}", "{1,}", "{1,3}")))
            return f"(?:{body}){bounds}{draw(LAZY)}" if len(body) > 1 else body + bounds + draw(LAZY)
    return draw(SINGLE)


ALPHABET = st.sampled_from("ab1_. xz")
TEXTS = st.text(st.sampled_from("aab1_. "), max_size=14).map(fold)


def pattern_or_none(stored: str) -> Pattern | None:
    """The pattern, or None where the dialect ends."""
    try:
        return Pattern(stored)
    except PatternError:
        return None


@settings(max_examples=400)
@given(expressions(depth=3), st.data(), st.sampled_from(["", "z"]))
def test_whole_readings_agree_with_re(expression: str, data: st.DataObject, end: str) -> None:
    """A whole reading is there iff `re.fullmatch` has a match, and with its captures."""
    stored = f"x{expression}{end}"
    matching = st.from_regex(re.compile(stored, re.DOTALL | re.ASCII), fullmatch=True, alphabet=ALPHABET)
    text = fold(data.draw(st.one_of(matching, TEXTS.map(lambda tail: f"x{tail}{end}"))))
    pattern = pattern_or_none(stored)
    assume(pattern is not None)
    assert pattern is not None
    assume(pattern._automaton is not None)
    # What may be anything is as short as possible, whether the expression says so or not.
    expected = re.fullmatch(re.sub(r"\.([+*]|\{[\d,]+\})(?!\?)", r".\1?", stored), text, re.DOTALL | re.ASCII)
    reading = pattern.read(Message(text))
    assert (reading is not None and reading.whole) == (expected is not None)
    if reading and expected:
        got = [span and text[slice(*span)] for span in reading.captures]
        assert got == list(expected.groups())


@given(
    st.recursive(
        SINGLE,
        lambda inner: st.one_of(
            st.builds("(?:{})*".format, inner),
            st.builds("(?:{}|)+?".format, inner),
            st.builds("(?:{}){{2,3}}".format, inner),
            st.builds("(?:{}|{})".format, inner, inner),
            st.builds("{}{}".format, inner, inner),
        ),
        max_leaves=5,
    ),
    TEXTS,
)
def test_loops_over_nothing_match_what_re_matches(expression: str, tail: str) -> None:
    """Repeats of what may be empty end, and match the same texts as in `re`."""
    stored, text = f"x{expression}z", f"x{tail}z"
    pattern = pattern_or_none(stored)
    assume(pattern is not None)
    assert pattern is not None
    reading = pattern.read(Message(text))
    whole = reading is not None and reading.whole
    assert whole == (re.fullmatch(stored, text, re.DOTALL | re.ASCII) is not None)


@given(expressions(), TEXTS)
def test_a_reading_inside_is_found_by_re_too(expression: str, text: str) -> None:
    """The span of a reading is matched by the expression itself, and leftmost among those that keep to words."""
    stored = f"x{expression}z"
    pattern = pattern_or_none(stored)
    assume(pattern is not None)
    assert pattern is not None
    around = fold(f"{text} x{text}z, x1z {text}")
    reading = pattern.read(Message(around))
    compiled = re.compile(stored, re.DOTALL | re.ASCII)
    words = [
        n for n in range(len(around) + 1) if n in (0, len(around)) or not re.fullmatch(r"\w\w", around[n - 1 : n + 1])
    ]
    starts = [start for start in words if any(compiled.fullmatch(around, start, end) for end in words)]
    assert (reading and reading.span[0]) == (starts[0] if starts else None)
    if reading:
        assert compiled.fullmatch(around, *reading.span)
