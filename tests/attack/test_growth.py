"""C4: reading is linear in the text, also in what happens inside regular expressions."""

import itertools

import pytest
from growth import growth, seconds
from hostile_texts import WORST, HostileText, hostile_texts

from errkb.reading import occurrences


@pytest.mark.parametrize("text", WORST, ids=repr)
def test_shapes_that_were_slow_once_are_read_in_linear_time(text: HostileText) -> None:
    """Sixteen times the text takes about sixteen times as long."""
    found = growth(occurrences, text.of_length)
    assert found.is_linear, found


def test_texts_with_long_runs_are_read_in_linear_time() -> None:
    """A sample of shape × unit × surroundings; scripts/attack.py tries them for as long as you like."""
    for text in itertools.islice(hostile_texts(seed=1), 150):
        found = growth(occurrences, text.of_length)
        assert found.is_linear, (text, found)


@pytest.mark.slow
def test_many_indented_lines_take_as_long_as_their_characters() -> None:
    """Five times a long stair takes about five times as long; a short one is read in fewer steps a line."""
    stair = "".join(" " * width + "X(\n" for width in range(700)) * 2
    once = min(seconds(occurrences, stair) for _ in range(2))
    assert seconds(occurrences, stair * 5) <= max(20 * once, 1)
