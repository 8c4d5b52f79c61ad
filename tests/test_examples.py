"""The halves of an example."""

import pytest

from errkb.records.examples import before_and_after


@pytest.mark.parametrize(
    ("example", "halves"),
    [
        ("# before\nf(0)\n\n# after\nf(1)\n", ("f(0)", "f(1)")),
        ("# before\n# after all\nf(0)\n\n# after\nf(1)", ("# after all\nf(0)", "f(1)")),
        ("# before\n\n# after\n", ("", "")),
        ("text\n#before: wrong\nf(0)\n#  After (right)\nf(1)\n", ("f(0)", "f(1)")),
        ("# before\nf(0)\n# after, right\nf(1)", ("f(0)", "f(1)")),
        ("# after\nf(1)\n# before\nf(0)", None),
        ("# before\nf(0)", None),
        ("", None),
        (None, None),
    ],
)
def test_before_and_after(example: str | None, halves: tuple[str, str] | None) -> None:
    """Two comments, before and after, in the usual form or in others, part an example; comments in the halves do not."""
    assert before_and_after(example) == halves
