"""The two halves of a record's example."""

import re

from errkb.lazy_regex import lazy

_BEFORE = "# before\n"
_HALVES = lazy(r"^#[ \t]*before\b[^\n]*\n(.*?)^#[ \t]*after\b[^\n]*\n(.*)", re.MULTILINE | re.DOTALL | re.IGNORECASE)


def example_halves(example: str | None) -> tuple[str, str] | None:
    """The `# before` and the `# after` half of an example, or None if it has not both."""
    if example and example.startswith(_BEFORE):  # as nearly all do; a comment may begin with "after" too
        before, between, after = example.removeprefix(_BEFORE).partition("\n# after\n")
        if between:
            return before.strip("\n"), after.strip("\n")
    match = _HALVES.search(example or "")
    return (match[1].strip("\n"), match[2].strip("\n")) if match else None
