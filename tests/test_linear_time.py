"""C4: matching is linear in the text. Work is counted, not timed."""

import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from errkb.patterns import Message, Pattern
from errkb.patterns.chain import Chain, Gap

SAFETY_NET = 120
"""Seconds after which a test that hangs is ended; nothing depends on how fast it is below that."""


@pytest.fixture(autouse=True)
def safety_net() -> Iterator[None]:
    """Ends a test that hangs."""

    def hung(*_: Any) -> None:
        raise AssertionError("the match did not end")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(SAFETY_NET)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


class CountingText(str):
    """A text that counts how many of its characters searches pass over."""

    scanned: int = 0

    def find(self, wanted: str, start: int = 0) -> int:  # type: ignore[override]
        found = super().find(wanted, start)
        self.scanned += (found if found >= 0 else len(self)) - start + len(wanted)
        return found


HOSTILE_CHAINS: dict[str, tuple[list[str], str]] = {
    "words": (["", " a ", " b ", " c ", " d ", " e"], " a b c d"),
    "one-letter": (["", "a", "a", "a", "a", "b"], "a"),
    "literal-of-one-letter": (["a" * 20, "a" * 20, "b"], "a"),
    "never-at-a-boundary": (["aa", "aa", "aab"], "aaab"),
    "ends-never-at-a-boundary": (["x", "a"], "xa"),
    "starts-never-at-a-boundary": (["ab", "!"], "zab"),
    "no-gap-never-at-a-boundary": (["ab"], "zab"),
    "no-gap-ends-within-words": (["-ab"], "-abz"),
}


@pytest.mark.parametrize(("literals", "unit"), HOSTILE_CHAINS.values(), ids=HOSTILE_CHAINS.keys())
def test_chains_pass_over_each_character_a_bounded_number_of_times(literals: list[str], unit: str) -> None:
    """However long the text, a chain's searches pass over no more than (pattern × text) characters."""
    chain = Chain(literals, [Gap(1, captured=True)] * (len(literals) - 1))
    bound = 3 * (sum(map(len, literals)) + len(literals))
    for size in (100, 1000, 10_000):
        text = CountingText(unit * size)
        chain.whole(text)
        chain.inside(text)
        assert text.scanned <= bound * len(text)


def work_of(call: Callable[[], object]) -> int:
    """How many functions, Python's and C's, a call runs."""
    count = 0

    def profiler(_frame: Any, _event: str, _argument: Any) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(profiler)
    try:
        call()
    finally:
        sys.setprofile(before)
    return count


HOSTILE_PATTERNS = {
    "nested-repeats": ("x(?:a+)+y", "x", "a", ""),
    "alternatives": ("x(?:a|a|aa)*y", "x", "a", ""),
    "optional-run": ("x" + "a?" * 20 + "a" * 20 + "y", "x", "a", ""),
    "overlapping-gaps": (r"(.*)x(.*)\d(.*)\d(.*)y", "", "x1", ""),
    "counted": (r"x(?:a{1,9}){1,9}\d", "x", "a", ""),
    "white-space": (r"x(?: +)+( *)\d", "x", " ", "!"),
    "starts-everywhere": (r"a[ab ]*c\d", "", "a b ", ""),
}


@pytest.mark.parametrize(("stored", "start", "unit", "end"), HOSTILE_PATTERNS.values(), ids=HOSTILE_PATTERNS.keys())
def test_the_automaton_does_linear_work(stored: str, start: str, unit: str, end: str) -> None:
    """Ten times the text is at most about ten times the work, for patterns that make backtracking explode."""
    pattern = Pattern(stored)
    # The last literal is supplied out of place, so that the quick check for it does not end the match.
    small, large = (Message(f"{literal_salad(pattern)} {start}{unit * size}{end}") for size in (50, 500))
    work = work_of(lambda: pattern.read(small))
    assert work > 50
    assert work_of(lambda: pattern.read(large)) <= 12 * work


def literal_salad(pattern: Pattern) -> str:
    """All texts that the pattern needs, where they do not help it."""
    return ", ".join(reversed(pattern.literals))


@pytest.mark.parametrize(
    "stored",
    ["(.+?) a (.+?) b (.+?) c (.+?) d (.+?) e", "(.+?) a (.+?) b (.+?) c (.+?) d (.+?)", "a (.+?) a b c d a (.+?) e"],
)
def test_a_hundred_thousand_repetitions_are_answered(stored: str) -> None:
    """Five gaps against a long text of their own literals: an answer, where a backtracking engine gives none."""
    reading = Pattern(stored).read(Message(" a b c d" * 100_000))
    assert (reading is not None) == stored.endswith("(.+?)")


def test_a_long_run_of_white_space_is_folded_once() -> None:
    """White space, however much, costs no more than other text."""
    reading = Pattern("no (.+?) here").read(Message("no" + " \n\t" * 300_000 + "luck here"))
    assert reading is not None
    assert reading.whole
