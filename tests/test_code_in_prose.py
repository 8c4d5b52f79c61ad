"""Code in the sentences of records is marked, with backticks or without."""

import re

import pytest

from errkb.render.code_in_prose import SHAPES, CodeShape, code_spans, with_backticks

SENTENCES = [
    ("Write `a b` and call f(x).", ["`a b`"]),
    (
        "Give the full path: docx.Document(str(Path(__file__).parent / 'a.docx')).",
        ["docx.Document(str(Path(__file__).parent / 'a.docx'))"],
    ),
    ("If the text came from str() or repr(): use json.dumps.", ["str()", "repr()", "json.dumps"]),
    ("Install it with --no-deps.", ["--no-deps"]),
    ("Read the file with encoding='utf-8-sig'.", ["encoding='utf-8-sig'"]),
    ("Filters: df[(df['a'] > 1)] or df['a'].between(1, 3).", ["df['a']", "df['a'].between(1, 3)"]),
    ("Set in_features to the second number.", ["in_features"]),
    ("The version (since 3.12) is e.g. numpy 1.26 and/or newer; see a/b_c.", []),
    ("Close Excel, the editor, the media player.", []),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_each_shape_finds_its_example_whole(shape: CodeShape) -> None:
    """Each row of the table of shapes has an example."""
    assert re.fullmatch(shape.pattern, shape.example)


@pytest.mark.parametrize(("sentence", "code"), SENTENCES)
def test_code_is_found(sentence: str, code: list[str]) -> None:
    """Calls, items, values given, options and names are found, and prose is not."""
    assert [sentence[start:end] for start, end in code_spans(sentence)] == code


@pytest.mark.parametrize(("sentence", "code"), SENTENCES)
def test_marking_twice_changes_nothing_and_leaves_the_words(sentence: str, code: list[str]) -> None:
    """Backticks are all that is added."""
    marked = with_backticks(sentence)
    assert with_backticks(marked) == marked
    assert marked.replace("`", "") == sentence.replace("`", "")
