"""Conditions of causes: what holds for which text."""

import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errkb.diagnosis.conditions import LONGEST_VALUE, LOOKS, Situation, Verdict, verdict
from errkb.reading import Frame, Occurrence
from errkb.records.supplement import When

FRAMES = (
    Frame("/usr/lib/python3.12/multiprocessing/spawn.py", 122, "spawn_main"),
    Frame("C:\\shop\\venv\\Lib\\site-packages\\pandas\\core\\frame.py", 5, "pivot"),
    Frame("/srv/shop/stock.py", 7, "load"),
)
CASES: dict[str, tuple[dict[str, Any], Verdict]] = {
    "equals": ({"captures": {"got": {"equals": "2"}}}, Verdict.HOLDS),
    "equals, not": ({"captures": {"got": {"equals": "3"}}}, Verdict.FAILS),
    "one of": ({"captures": {"got": {"oneOf": ["1", "2"]}}}, Verdict.HOLDS),
    "matches the whole value": ({"captures": {"text": {"matches": "'(.*?)\\.(.*?)'"}}}, Verdict.HOLDS),
    "matches a part only": ({"captures": {"text": {"matches": "\\."}}}, Verdict.FAILS),
    "alternatives": ({"captures": {"got": {"matches": "(?:1|2)"}}}, Verdict.HOLDS),
    "a pattern outside the dialect": ({"captures": {"got": {"matches": "(?=2)2"}}}, Verdict.FAILS),
    "looks like": ({"captures": {"got": {"looksLike": "int"}, "text": {"looksLike": "str"}}}, Verdict.HOLDS),
    "a value that is cut off": ({"captures": {"lost": {"equals": "2"}}}, Verdict.UNKNOWN),
    "cut off, and another fails": (
        {"captures": {"lost": {"equals": "2"}, "got": {"equals": "3"}}},
        Verdict.FAILS,
    ),
    "class by its last name": ({"class": "ValueError"}, Verdict.HOLDS),
    "another class": ({"class": "KeyError"}, Verdict.FAILS),
    "all words": ({"text": ["stock.csv", "line 7"]}, Verdict.HOLDS),
    "not all words": ({"text": ["stock.csv", "line 8"]}, Verdict.FAILS),
    "a package": ({"frame": {"package": "pandas"}}, Verdict.HOLDS),
    "a module": ({"frame": {"module": "multiprocessing/spawn"}}, Verdict.HOLDS),
    "a function": ({"frame": {"function": "load"}}, Verdict.HOLDS),
    "package and function of different frames": ({"frame": {"package": "pandas", "function": "load"}}, Verdict.FAILS),
    "not the innermost": ({"frame": {"package": "pandas", "innermost": True}}, Verdict.FAILS),
    "the innermost": ({"frame": {"module": "shop/stock", "innermost": True}}, Verdict.HOLDS),
    "paths of Windows": ({"path": "windows"}, Verdict.HOLDS),
    "no paths of POSIX": ({"path": "posix"}, Verdict.FAILS),
    "nothing asked": ({}, Verdict.HOLDS),
}


@pytest.fixture
def situation() -> Situation:
    """A text with values, frames and a path of each kind of condition."""
    occurrence = Occurrence(
        message="could not read '2.5', got 2", span=(0, 3), error_class="a.ValueError", frames=FRAMES
    )
    return Situation(occurrence, {"got": "2", "text": "'2.5'"}, "reading stock.csv, line 7")


@pytest.mark.parametrize(("when", "wanted"), CASES.values(), ids=CASES.keys())
def test_conditions(situation: Situation, when: dict[str, Any], wanted: Verdict) -> None:
    """Every kind of condition holds, fails, or is unknown where its value is not there."""
    assert verdict(msgspec.convert(when, When), situation) is wanted


LOOK_CASES = {
    "str": ({"'x'", '"x y"', "''"}, {"x", "'", "'x\"", ""}),
    "int": ({"0", "-12", "+3"}, {"1.0", "", "x", "1_0", "'1'"}),
    "float": ({"1.5", "-.5", "1e-3", "nan", "2."}, {"1", "", "1.5.2", "e5"}),
    "number": ({"1", "1.5", "-3"}, {"", "one", "'1'"}),
    "None": ({"None"}, {"none", "'None'"}),
    "bool": ({"True", "False"}, {"true", "1"}),
    "list": ({"[]", "[1, 2]"}, {"[1", "(1, 2)"}),
    "dict": ({"{}", "{'a': 1}"}, {"{", "[]"}),
    "tuple": ({"()", "(1,)"}, {"(", "[1]"}),
    "path": ({"/srv/x", "'C:\\x'", "a/b"}, {"https://a/b", "x", "a\nb/c"}),
    "url": ({"https://a.example/b", "'s3://bucket/key'"}, {"a/b", "://x", "C:\\x"}),
    "empty": ({"", "''", '""'}, {" x", "None"}),
}


@pytest.mark.parametrize("look", LOOKS)
def test_looks(look: str) -> None:
    """Each kind of value takes what Python writes so, and nothing else."""
    yes, no = LOOK_CASES[look]
    assert {value for value in yes if not LOOKS[look](value)} == set()
    assert {value for value in no if LOOKS[look](value)} == set()


@given(st.text(max_size=40), st.sampled_from(sorted(LOOKS)))
def test_no_value_is_too_odd(value: str, look: str) -> None:
    """A test of any value ends in yes or no."""
    assert LOOKS[look](value.strip()) in (True, False)


def test_conditions_take_linear_time(situation: Situation) -> None:
    """A hostile pattern on a hostile value costs steps in proportion to the value, and a very long value none."""
    when = msgspec.convert({"captures": {"text": {"matches": "(?:a?){30}a{30}(.*?)b(.*?)c"}}}, When)
    steps = []
    for length in (200, 400, 800, LONGEST_VALUE + 1):
        count = 0

        def profile(_frame: object, event: str, _argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        hostile = situation._replace(captures={"text": "a" * length})
        sys.setprofile(profile)
        try:
            assert verdict(when, hostile) is Verdict.FAILS
        finally:
            sys.setprofile(None)
        steps.append(count)
    assert steps[2] < 3 * steps[1] < 9 * steps[0]
    assert steps[3] < steps[0]
