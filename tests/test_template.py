"""Templates: placeholders of every syntax, their names, the derived pattern, filling."""

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from errkb.errors import PatternError
from errkb.patterns import Message, Pattern
from errkb.records.template import CAPTURE, Placeholder, capture_names, derive_pattern, escape, fill, parse_template

P = Placeholder

SYNTAXES = {
    "field": ("step ({self.step}) is bad", ["step (", P("self.step"), ") is bad"]),
    "empty-field": ("{} of {}", [P(""), " of ", P("")]),
    "numbered": ("{0} of {1}", [P("0"), " of ", P("1")]),
    "conversion": ("got {name!r}.", ["got ", P("name"), "."]),
    "format-spec": ("{x:>10.2f} left", [P("x"), " left"]),
    "conversion-and-spec": ("{x!s:>10}", [P("x")]),
    "nested-spec": ("{x:{width}.{precision}} end", [P("x"), " end"]),
    "self-documenting": ("now {x=}!", ["now x=", P("x"), "!"]),
    "self-documenting-blanks": ("{x = }", ["x = ", P("x")]),
    "self-documenting-conversion": ("{x=!r}", ["x=", P("x")]),
    "comparison-is-no-self-documenting": ("{a == b}", [P("a == b")]),
    "brackets": ("{d['a}b'][0]} end", [P("d['a}b'][0]"), " end"]),
    "quotes": ('{", ".join(names)} are missing', [P('", ".join(names)'), " are missing"]),
    "dict-inside": ("{f({'a': 1})} end", [P("f({'a': 1})"), " end"]),
    "lambda": ("{(lambda v: v)(x)}", [P("(lambda v: v)(x)")]),
    "slice": ("{x[1:2]}", [P("x[1:2]")]),
    "date-spec": ("at {now:%Y-%m-%d}", ["at ", P("now")]),
    "doubled-braces": ("{{literal}} {x}", ["{literal} ", P("x")]),
    "tripled-braces": ("{{{x}}}", ["{", P("x"), "}"]),
    "doubled-without-fields": ("a {{b}} c", ["a {{b}} c"]),
    "json-is-no-field": ('expected {"a": 1}', ['expected {"a": 1}']),
    "unclosed": ("open { and on", ["open { and on"]),
    "lone-close": ("a } b", ["a } b"]),
    "mismatched": ("{a(b]}", ["{a(b]}"]),
    "percent-s": ("no %s in %r", ["no ", P(""), " in ", P("")]),
    "percent-flags": ("%-10s|%+05d|%#x", [P(""), "|", P(""), "|", P("")]),
    "percent-precision": ("%.200s is %.2f", [P(""), " is ", P("")]),
    "percent-star": ("%*d %.*s", [P(""), " ", P("")]),
    "percent-names": ("%(name)s is %(value)d", [P("name"), " is ", P("value")]),
    "percent-doubled": ("%d%% of all", [P(""), "% of all"]),
    "percent-doubled-alone": ("100%% sure", ["100%% sure"]),
    "percent-and-blank": ("100% sure", ["100% sure"]),
    "c": ("%.200s %U %R %zd", [P(""), " ", P(""), " ", P(""), " ", P("")]),
    "c-sizes": ("%ld %llu %hhx %p %A", [P(""), " ", P(""), " ", P(""), " ", P(""), " ", P("")]),
    "javascript": ("no ${name} here", ["no ", P("name"), " here"]),
    "javascript-call": ("${fs.join('a', `b`)} x", [P("fs.join('a', `b`)"), " x"]),
    "dollar-alone": ("costs $5", ["costs $5"]),
    "mixed": ("{a} ${b} %s", [P("a"), " ", P("b"), " ", P("")]),
    "plain": ("division by zero", ["division by zero"]),
    "empty": ("", []),
}


@pytest.mark.parametrize(("template", "parts"), SYNTAXES.values(), ids=SYNTAXES.keys())
def test_syntaxes(template: str, parts: list[str | Placeholder]) -> None:
    """Each syntax of a template is read into literal text and named placeholders."""
    read = [Placeholder(part.name) if isinstance(part, Placeholder) else part for part in parse_template(template)]
    assert read == parts


@pytest.mark.parametrize(
    ("template", "conversions"),
    [("{a!r} {b} {c!s} {d!r:>9}", "r  r"), ("%r %s %d %(n)i %.200R %U %zd", "r ddr d")],
)
def test_what_a_placeholder_makes_of_its_value(template: str, conversions: str) -> None:
    """A repr and an integer are known by the conversion of their placeholder."""
    found = [part.conversion or " " for part in parse_template(template) if isinstance(part, Placeholder)]
    assert "".join(found) == conversions


@pytest.mark.parametrize(
    ("template", "count", "names"),
    [
        ("{a} {b}", 2, ("a", "b")),
        ("{a} {a} {b} {a}", 4, ("a", "a#2", "b", "a#3")),
        ("%s %s", 2, ("1", "2")),
        ("%s {a}", 2, ("1", "a")),
        ("{a} {b}", 3, ("1", "2", "3")),
        ("{a} {b}", 1, ("1",)),
        ("none", 0, ()),
        ("{2} %s", 2, ("2", "2#2")),
    ],
)
def test_names(template: str, count: int, names: tuple[str, ...]) -> None:
    """Captures are named by the placeholders, a name met again gets `#2`; where numbers disagree, by position."""
    assert capture_names(template, count) == names


PIECES = st.sampled_from(
    (
        *("{a}", "{a#2}", "{}", "%s", "%(a)s", "${a}", "{{", "}}", "%%", "{", "}", "$", "%", "'", '"', "(", "]", ":"),
        *("=", "!r", "text", "more text", "{x:{y}}", "\\", "(.+?)", "😀", "\x00", "\ud800", " ", "\n"),
    )
)
TEMPLATES = st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=12).map("".join)


@given(TEMPLATES, st.integers(0, 12))
def test_names_are_never_repeated(template: str, count: int) -> None:
    """There is one distinct name per capture, whatever the template."""
    names = capture_names(template, count)
    assert len(names) == len(set(names)) == count


@given(TEMPLATES)
def test_reading_a_template_never_fails_and_alternates(template: str) -> None:
    """Any text is a template, and literal parts of it are not empty and never stand side by side."""
    parts = parse_template(template)
    assert "" not in parts
    assert not any(isinstance(a, str) and isinstance(b, str) for a, b in pairwise(parts))


@given(TEMPLATES)
def test_derived_patterns_compile(template: str) -> None:
    """A derived pattern is at most 500 characters, one for `re`, and one for errkb unless it has no text."""
    pattern = derive_pattern(template)
    assert len(pattern) <= 500
    re.compile(pattern)
    if re.sub(r"\(\.\+\?\)|\s", "", pattern):
        Pattern(pattern)
    else:
        with pytest.raises(PatternError):
            Pattern(pattern)


@given(TEMPLATES)
def test_the_template_matches_its_own_pattern(template: str) -> None:
    """A template filled with plain words is covered whole by the derived pattern, if it was not cut."""
    assume(len(pattern := derive_pattern(template)) < 400)
    assume(CAPTURE in pattern)
    assume(re.sub(r"\(\.\+\?\)|\s", "", pattern))
    message = Message(fill(template, lambda n, _name: f"Q{n}Q"))
    reading = Pattern(pattern).read(message)
    assert reading is not None
    assert reading.whole


WORDS = st.text("abcdef", min_size=1, max_size=8)
VALUES = st.text("uvwxyz0123", min_size=1, max_size=12)
SYNTAX = st.sampled_from(["{{{name}}}", "${{{name}}}", "%({name})s", "{{{name}!r}}", "{{{name}:>3}}"])


@given(
    st.lists(WORDS, min_size=2, max_size=5),
    st.lists(VALUES, min_size=4, max_size=4),
    SYNTAX,
    st.sampled_from([": ", "-", " '", "\n"]),
)
def test_filling_and_reading_are_inverse(words: list[str], values: list[str], syntax: str, seam: str) -> None:
    """A template filled with values that share no character with its text gives back exactly those values."""
    names = [f"name{n}" for n in range(len(words) - 1)]
    gaps = [seam + syntax.format(name=name) + seam for name in names]
    template = "literal " + "".join(word + gap for word, gap in zip(words, [*gaps, ""], strict=True))
    text = fill(template, values)
    reading = Pattern(derive_pattern(template)).read(Message(text))
    assert reading is not None
    assert reading.whole
    assert [span and text[slice(*span)] for span in reading.captures] == values[: len(names)]
    assert capture_names(template, len(names)) == tuple(names)


@pytest.mark.parametrize(
    ("template", "pattern"),
    [
        ("division by zero", "division by zero"),
        ("No ({x}) [y] a.b?", r"No \((.+?)\) \[y\] a\.b\?"),
        ("{a}: {b} ok", r"\{a\}: \{b\} ok"),
        ("{a} abcdef", "(.+?) abcdef"),
        ("{a} abcde", r"\{a\} abcde"),
        ("a|b^c$d*e+f\\", r"a\|b\^c\$d\*e\+f\\"),
    ],
    ids=["plain", "specials", "too-few-literals", "six-literals", "five-literals", "all-specials"],
)
def test_derived_patterns(template: str, pattern: str) -> None:
    """Literals are escaped, placeholders become `(.+?)`; with fewer than six literals it is the template escaped."""
    assert derive_pattern(template) == pattern


@given(st.text())
def test_escape_is_exact(literal: str) -> None:
    """An escaped literal matches itself, as a regular expression."""
    assert re.fullmatch(escape(literal), literal)


@pytest.mark.parametrize("length", [494, 499, 500, 501, 600])
def test_a_long_pattern_ends_after_literal_text(length: int) -> None:
    """A pattern stays within its limit and ends neither in half an escape nor in a capture."""
    for template in ("x" * length + " {a} tail", "(" * length, "lead " + "{a}, " * length):
        pattern = derive_pattern(template)
        assert len(pattern) <= 500
        assert not pattern.endswith(CAPTURE)
        re.compile(pattern)
        Pattern(pattern)


@pytest.mark.parametrize("hostile", ["{", "${", "{'", "{{", "%(", "{(", "{a:", "{a!r", "}", "%0"])
def test_hostile_templates_are_read(hostile: str) -> None:
    """A long template of nothing but openings is read, and its pattern keeps to the limit."""
    template = hostile * 3000
    assert fill(template, lambda _n, name: name) != ""
    assert len(derive_pattern(template)) <= 500
