"""Where the last value of a message ends: before the parts that drivers and wrappers add to it."""

import pytest

from errkb.matching.value_checks import without_next_parts

MESSAGE = "permission denied for schema public"
START = MESSAGE.index("public")


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "\nLINE 1: CREATE TABLE x (id int)\n        ^",
        "\nDETAIL:  Key (id)=(1) already exists.",
        "\nHINT:  Ask the owner.",
        "\n\n[SQL: CREATE TABLE x]\n(Background on this error at: https://sqlalche.me/e/20/f405)",
        "\n[SQL: CREATE TABLE x]",
    ],
)
def test_the_last_value_ends_before_the_next_part(rest: str) -> None:
    """Labels of PostgreSQL and SQLAlchemy end the value, with a blank line before them or without."""
    text = MESSAGE + rest
    ((start, end),) = without_next_parts(text, [(START, len(text))])  # type: ignore[misc]
    assert text[start:end] == "public"


@pytest.mark.parametrize(
    "value", ["a list\n  of lines", "403 Client Error.\n\nCannot access it.", "DETAIL: at the start", "x LINE 1: y"]
)
def test_other_values_stay_whole(value: str) -> None:
    """A line break alone, or a label in the middle of a line, ends nothing; earlier values are not looked at."""
    assert list(without_next_parts(value, [(0, len(value))])) == [(0, len(value))]
    assert list(without_next_parts("a\nHINT: b", [(0, 9), None])) == [(0, 9), None]
    assert list(without_next_parts("a", [])) == []
