"""The two halves of a record's example."""

import re

from errkb.lazy_regex import lazy

_BEFORE = "# before\n"
_HALVES = lazy(r"^#[ \t]*before\b[^\n]*\n(.*?)^#[ \t]*after\b[^\n]*\n(.*)", re.MULTILINE | re.DOTALL | re.IGNORECASE)


def example_halves(example: str | None) -> tuple[str, str] | None:
    """The `# before` and the `# after` half of an example, or None if it has not both."""
    halves = usual_halves(example or "")
    if halves is None and (match := _HALVES.search(example or "")):
        halves = match[1], match[2]
    return (halves[0].strip("\n"), halves[1].strip("\n")) if halves else None


def usual_halves(example: str) -> tuple[str, str] | None:
    """The halves, as they stand, of an example in the form that nearly all have; None for all others.

    A comment in the first half may begin with "after" as well.
    """
    if not example.startswith(_BEFORE):
        return None
    before, between, after = example.removeprefix(_BEFORE).partition("\n# after\n")
    return (before, after) if between else None
