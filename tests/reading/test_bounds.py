"""The work for a text grows with its length, and what is kept is bounded (slow: `-m 'not slow'` leaves it out)."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from errkb.reading import LONGEST_MESSAGE, occurrences
from errkb.reading.ranking import MAX_OCCURRENCES

pytestmark = pytest.mark.slow

UNITS = {
    "words": "a b ",
    "letters": "a",
    "dots": "a.",
    "class endings": "Error",
    "brackets": "[(",
    "quotes": "'\"`",
    "escaped newlines": "x\\n",
    "times": "2024-01-01 ",
    "colons": "a: ",
    "open reprs": "ValueError('",
    "frames": '  File "x", line 1, in f\n',
    "classes": "ValueError: x\n",
    "headers": "Traceback (most recent call last):\n",
    "links": "During handling of the above exception, another exception occurred:\n",
    "tree": "  | ",
    "tree lines": "  | x\n  +-+---------------- 1 ----------------\n",
    "colours": "\x1b[",
    "open records": '{"message": "',
    "envelopes": "2 validation errors for A\na\n  b [type=c, input_value=1]\n",
    "cut envelopes": "1 validation error for A\na\n  b\n",
    "blank lines": "\n",
    "short lines": "x\n",
    "padded lines": " " * 60 + "\n",
    "full lines": "word" * 20 + "\n",
    "splits": "ValueError\n:\n",
    "services": "web_1  | x ",
}


def work(text: str) -> int:
    """Return how many Python calls reading `text` takes: a measure that no busy machine disturbs."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> Callable[..., Any] | None:
        nonlocal calls
        calls += event in ("call", "c_call")
        return None

    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        occurrences(text)
    finally:
        sys.setprofile(previous)
    return calls


@pytest.mark.parametrize("unit", UNITS)
def test_doubling_a_hostile_text_about_doubles_the_work(unit: str) -> None:
    """Twice the text takes no more than about twice the work."""
    text = UNITS[unit]
    once, twice = (work(text * (size // len(text))) for size in (25_000, 50_000))
    assert twice < 2.6 * once + 2000


def test_what_is_kept_is_bounded() -> None:
    """A long log gives a limited number of occurrences, a long message is cut."""
    many = "".join(f"ValueError: number {n}\n" for n in range(5000))
    assert len(occurrences(many)) == MAX_OCCURRENCES
    long = occurrences("ValueError: " + "no " * 100_000)
    assert len(long[0].message) <= LONGEST_MESSAGE


def test_the_ends_of_a_very_long_text_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a text beyond the limits, head and tail are read, and places in the tail are right."""
    monkeypatch.setattr("errkb.reading.carriers.pipeline.MAX_TEXT", 4000)
    text = "TypeError: first\n" + "INFO nothing happens here\n" * 1000 + "OSError: last\n"
    found = occurrences(text)
    assert [item.error_class for item in found] == ["TypeError", "OSError"]
    assert text[slice(*found[1].span)] == "OSError: last"
