"""The dialect of patterns: what is accepted, what is refused and why."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errkb.errors import PatternError
from errkb.patterns import Message, Pattern

ACCEPTED = {
    "text": ("division by zero", "division by zero"),
    "escapes": (r"a\.b\*c\\d\{e\}", r"a.b*c\d{e}"),
    "escaped-slash-and-dash": (r"a\/b\-c", "a/b-c"),
    "control-escapes": (r"a\tb", "a\tb"),
    "hex-escape": (r"\x41BC", "ABC"),
    "lone-braces": (r"a{b}c", "a{b}c"),
    "lone-bracket": (r"a]b", "a]b"),
    "capture": ("no (.+?) here", "no luck here"),
    "greedy-capture": ("no (.+) here", "no luck here"),
    "star-capture": ("no (.*?)here", "no here"),
    "bounded-capture": ("no (.{2,4}) here", "no luck here"),
    "counted": ("a{3}b", "aaab"),
    "at-least": ("a{2,}b", "aaab"),
    "between": ("a{2,3}b", "aab"),
    "optional": ("files?", "file"),
    "lazy": ("a+?b", "aab"),
    "classes": (r"code [a-fA-F0-9]+", "code 0Fe"),
    "negated-class": ("'[^']+' missing", "'x y' missing"),
    "dash-last-in-class": ("x[a-]y", "x-y"),
    "caret-in-class": ("x[a^]y", "x^y"),
    "escaped-in-class": (r"x[\]\-\\]y", "x]y"),
    "digits": (r"code \d+", "code 12"),
    "word": (r"name \w+", "name a_1"),
    "space": (r"a\sb", "a\nb"),
    "not-digits": (r"x\D+y", "x--y"),
    "not-words": (r"x\W+y", "x--y"),
    "not-space": (r"x\S+y", "xüy"),
    "class-with-escapes": (r"x[\d\s]+y", "x1 2y"),
    "group": ("a(?:bc)+d", "abcbcd"),
    "alternation": ("no (?:file|folder) there", "no folder there"),
    "captured-alternation": ("no (file|folder) there", "no file there"),
    "empty-alternative": ("a(?:|b)c", "ac"),
    "optional-capture": (r"no file(?: '(.+?)')? there", "no file there"),
    "dot": ("a.c", "a\nc"),
}

REFUSED = {
    "look-ahead": ("foo(?=bar)", "look-ahead", 3),
    "negative-look-ahead": ("foo(?!bar)", "look-ahead", 3),
    "look-behind": ("(?<=foo)bar", "look-behind", 0),
    "negative-look-behind": ("(?<!foo)bar", "look-behind", 0),
    "named-group": ("(?P<name>.+?) bar", "group", 0),
    "javascript-named-group": ("(?<name>.+?) bar", "group", 0),
    "flags": ("(?i)foo", "group", 0),
    "atomic": ("(?>foo)", "group", 0),
    "comment": ("(?#foo)bar", "group", 0),
    "conditional": ("(a)?(?(1)b|c)", "group", 4),
    "back-reference": (r"(.+?) foo \1", "back-reference", 10),
    "named-back-reference": (r"foo \k<n>", "escape", 4),
    "nul-escape": (r"foo\0", "back-reference", 3),
    "start-anchor": ("^foo", "anchor", 0),
    "end-anchor": ("foo$", "anchor", 3),
    "word-boundary": (r"\bfoo", "escape", 0),
    "text-anchors": (r"\Afoo\Z", "escape", 0),
    "unicode-class": (r"\p{L}oo", "escape", 0),
    "unicode-escape": (r"\u0041bc", "escape", 0),
    "half-hex-escape": (r"foo\x4", "escape", 3),
    "non-ascii-escape": ("foo\\é", "escape", 3),
    "non-ascii-escape-beside-capture": ("foo\\é (.+?)", "escape", 3),
    "non-ascii-digit-escape": ("foo\\²", "escape", 3),
    "trailing-backslash": ("foo\\", "backslash", 3),
    "nothing-to-repeat": ("*foo", "nothing to repeat", 0),
    "nothing-to-repeat-in-group": ("foo(?:+a)", "nothing to repeat", 6),
    "counted-nothing": ("{2}foo", "nothing to repeat", 0),
    "possessive": ("a++b", "repeat of a repeat", 2),
    "repeat-of-repeat": ("a{2}{3}b", "repeat of a repeat", 4),
    "repeat-without-least": ("ba{,3}", "repeat", 2),
    "repeat-out-of-range": ("a{1001}b", "out of range", 1),
    "repeat-of-many-digits": ("a{1234567}b", "out of range", 1),
    "repeat-of-very-many-digits": ("a{99999999999999999999}b", "out of range", 1),
    "repeat-backwards": ("a{3,2}b", "out of range", 1),
    "capture-in-repeat": ("foo(?:(.+?),)+", "capture inside a repeat", 13),
    "open-group": ("foo(bar", "unbalanced '('", 3),
    "closed-group": ("foo)bar", "unbalanced ')'", 3),
    "open-class": ("foo[bar", "unbalanced '['", 3),
    "empty-class": ("foo[]", "']' first", 4),
    "bracket-first-in-class": ("foo[]a]", "']' first", 4),
    "bracket-first-in-negated-class": ("foo[^]a]", "']' first", 5),
    "bracket-in-class": ("foo[[a]", "must be escaped", 4),
    "backward-range": ("foo[z-a]", "bad range", None),
    "class-as-range-end": (r"foo[a-\d]", "bad range", None),
    "class-as-range-start": (r"foo[\d-z]", None, None),
    "negated-escape-in-class": (r"foo[\D]", "negated escape", None),
    "set-difference": ("foo[a--b]", None, None),
    "set-difference-later": ("foo[+--]", "engines", None),
    "set-intersection": ("foo[a&&b]", "engines", None),
    "set-union": ("foo[a||b]", "engines", None),
    "set-symmetric": ("foo[a~~b]", "engines", None),
    "no-text": ("(.+?)", "without any text", None),
    "no-text-but-blanks": (r"(.+?) (.+?)", "without any text", None),
    "no-text-in-class": (r"\d+", "without any text", None),
    "empty": ("", "without any text", None),
    "deep": ("(?:" * 60 + "foo" + ")" * 60, "too deeply", None),
    "too-large": ("(?:a{1000}){1000}b", "too large", None),
    "too-large-and-empty": ("(?:(?:(?:(?:){1000}){1000}){1000}){1000}b", "too large", None),
    "too-large-and-empty-choice": ("(?:(?:(?:(?:|){1000}){1000}){1000}){1000}b", "too large", None),
}


@pytest.mark.parametrize(("pattern", "text"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(pattern: str, text: str) -> None:
    """What the dialect holds is accepted and covers its example whole, as it does in `re`."""
    reading = Pattern(pattern).read(Message(text))
    assert reading is not None
    assert reading.whole
    assert re.fullmatch(pattern, text, re.DOTALL)


@pytest.mark.parametrize(("pattern", "reason", "position"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(pattern: str, reason: str | None, position: int | None) -> None:
    """What lies outside the dialect is refused, with the reason and the place."""
    with pytest.raises(PatternError) as caught:
        Pattern(pattern)
    if reason is not None:
        assert reason in caught.value.reason
    if position is not None:
        assert caught.value.position == position


PIECES = ["(", "(?:", ")", "[", "[^", "]", "|", "*", "+", "?", "{", "}", "{2}", "{,2}", "{1,}", "\\", "\\d", "\\x4"]
PIECES += [".", "(.+?)", "a", "b", " ", "-", "^", "$", "(?=", "é", "²", "&&", "~~", "--", "\n", "\x00", "\ud800", "1"]


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_any_text_is_a_pattern_or_refused(stored: str) -> None:
    """Nothing but PatternError comes out of a broken pattern, and what is accepted is a pattern for `re` too."""
    try:
        pattern = Pattern(stored)
    except PatternError:
        return
    assert re.compile(stored).groups == pattern.capture_count
    pattern.read(Message("a b\naab 1 é"))
