"""Lines of an example that are cut still show what changed in them."""

import pytest

from errkb.records.example_diff import narrowed

LONG = "print(client.create(model='m', messages=[{'role': 'user', 'content': "
CASES = {
    "a short line stays": ([("-", "a = 1"), ("+", "a = 2")], [("-", "a = 1"), ("+", "a = 2")]),
    "a change behind the cut": (
        [("-", f"    {LONG}one}}]))"), ("+", f"    {LONG}two}}]))")],
        [
            ("-", "    …messages=[{'role': 'user', 'content': one}]))"),
            ("+", "    …messages=[{'role': 'user', 'content': two}]))"),
        ],
    ),
    "a line that only came": ([("+", LONG)], [("+", LONG[:49] + "…")]),
    "two lines for two": (
        [("-", "a"), ("-", f"{LONG}one"), ("+", "b"), ("+", f"{LONG}two")],
        [
            ("-", "a"),
            ("-", "…el='m', messages=[{'role': 'user', 'content': one"),
            ("+", "b"),
            ("+", "…el='m', messages=[{'role': 'user', 'content': two"),
        ],
    ),
}


@pytest.mark.parametrize(("lines", "shown"), CASES.values(), ids=CASES)
def test_what_changed_stays_visible(lines: list[tuple[str, str]], shown: list[tuple[str, str]]) -> None:
    """The cut is made where both lines are equal."""
    result = narrowed(lines, 50)
    assert all(len(line) <= 50 for _, line in result)
    assert result == shown
