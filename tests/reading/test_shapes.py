"""The document of shapes is true."""

import re
from pathlib import Path

import pytest

from errkb.reading import occurrences
from tests.reading.test_table import fold

DOCUMENT = Path(__file__).parents[2] / "docs" / "shapes.md"


def unescaped(text: str) -> str:
    """Return an example with its escapes undone."""
    return text.replace("\\|", "|").replace("\\t", "\t").replace("\\e", "\x1b")


def code(cell: str) -> str:
    """Return what stands between the marks of inline code, of whatever number."""
    match = re.fullmatch(r"(`+) ?(.*?) ?\1", cell) if cell.startswith(("``` ", "````")) else None
    return match[2] if match else cell.removeprefix("`").removesuffix("`").replace("``", "`")


ROWS = []
for row in DOCUMENT.read_text(encoding="utf-8").splitlines():
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
    if len(cells) == 3 and "<br>" in cells[1]:
        example = "\n".join(unescaped(code(line)) for line in cells[1].split("<br>"))
        ROWS.append(pytest.param(example, unescaped(code(cells[2])), id=cells[0]))


def test_every_shape_has_an_example() -> None:
    """The document holds a good number of shapes, each with an example of two lines."""
    assert len(ROWS) >= 50


@pytest.mark.parametrize(("example", "expected"), ROWS)
def test_the_example_of_a_shape_is_read_as_the_document_says(example: str, expected: str) -> None:
    """The first occurrence of the example is the one that the document names."""
    found = occurrences(example)
    assert found, "nothing was read"
    assert fold(f"{found[0].error_class or '-'}: {found[0].message}") == fold(expected)
