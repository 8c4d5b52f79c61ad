"""What single stages of the reader make of a line or a text, so that a red case says where it broke."""

import re
from pathlib import Path

import pytest

from errkb.reading import explain_reading
from errkb.reading.carriers.pipeline import read_streams
from errkb.reading.carriers.prefixes import without_prefix
from errkb.reading.line import Line

FOLDER = Path(__file__).parent / "stages"


def rows(name: str) -> list[tuple[str, str]]:
    """The rows ``line => result`` of a table."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    parts = (line.rpartition(" => ") for line in lines if line and not line.startswith("# "))
    return [(line, result) for line, _, result in parts]


def texts(name: str) -> list[tuple[str, str, str]]:
    """The cases ``##### title``, text, ``=>``, lines of a table."""
    blocks = re.split(r"(?m)^##### ", (FOLDER / name).read_text(encoding="utf-8"))[1:]
    cases = []
    for block in blocks:
        title, _, rest = block.partition("\n")
        text, _, result = rest.partition("\n=>\n")
        cases.append((title, text, result.removesuffix("\n")))
    return cases


@pytest.mark.parametrize(("text", "expected"), rows("prefixes.txt"))
def test_a_prefix_gives_process_level_and_rest(text: str, expected: str) -> None:
    """The prefix of a line is cut away, and says who wrote it and how loud it is."""
    line = without_prefix(Line(text, ((0, 0),)))
    assert [line.process, line.level, line.text] == [part.strip() for part in expected.split("|", 2)]


@pytest.mark.parametrize(("text", "expected"), rows("kinds.txt"))
def test_a_line_has_a_kind(text: str, expected: str) -> None:
    """What a line is by itself."""
    assert Line(text, ((0, 0),)).kind.value == expected


@pytest.mark.parametrize(("title", "text", "expected"), texts("joins.txt"))
def test_carriers_are_undone(title: str, text: str, expected: str) -> None:
    """The lines of a text without what carried them, joined where a console broke them."""
    assert "\n".join(line.text.rstrip() for stream in read_streams(text) for line in stream) == expected, title


def test_what_each_line_was_read_as_can_be_asked() -> None:
    """A reading can be explained: the row for each line, and why a message ended."""
    text = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: no\nmore\n$ ls\n'
    lines = explain_reading(text)
    assert [(line.number, line.shape) for line in lines[:6]] == [
        (1, "header of a traceback"),
        (2, "Python's frame"),
        (3, "source"),
        (4, "class and message"),
        (5, ""),
        (6, "shell's prompt"),
    ]
    assert [line.ends for line in lines[:6]] == ["", "", "", "", "", "part of a traceback or report"]
