"""The two halves of a record's example."""

import re

from errkb.lazy_regex import lazy

_HALVES = lazy(r"^#[ \t]*before\b[^\n]*\n(.*?)^#[ \t]*after\b[^\n]*\n(.*)", re.MULTILINE | re.DOTALL | re.IGNORECASE)


def example_halves(example: str | None) -> tuple[str, str] | None:
    """The `# before` and the `# after` half of an example, or None if it has not both."""
    match = _HALVES.search(example or "")
    return (match[1].strip("\n"), match[2].strip("\n")) if match else None
