"""A raise site: a place in source code that raises or reports an error with a message."""

from enum import StrEnum

import msgspec


class SiteKind(StrEnum):
    """How the place reports its error."""

    RAISE = "raise"
    ASSERT = "assert"
    WARNING = "warning"
    LOG = "log"
    EXIT = "exit"
    """`sys.exit("…")`, `parser.error("…")`."""
    CLASS = "class"
    """An exception class that makes the message itself."""
    MADE = "made"
    """An exception that is made and returned, for others to raise."""


class Condition(msgspec.Struct, frozen=True):
    """What must hold for the place to be reached, as source text."""

    text: str
    kind: str = "if"
    """`if`, `while`, `except`, `case`, or `else` of a loop."""
    early: bool = False
    """Whether it holds only since the function would have been left before."""


class Site(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One place and one message of it; a place with several messages is several sites."""

    file: str
    """From the folder that holds the package: `pandas/core/frame.py`."""
    line: int
    end_line: int
    kind: SiteKind
    error_class: str | None
    template: str
    """The message as the source writes it; without literal text if it is made elsewhere."""
    pattern: str
    """What matches the message; "" if the template has no text of its own."""
    names: tuple[str, ...] = ()
    """The expressions of the placeholders, in order."""
    parameters: dict[str, tuple[str, ...]] = {}
    """Expression → the parameters of the function that its value comes from."""
    function: str = ""
    """Qualified name, "" at module level."""
    signature: str = ""
    doc: str = ""
    """The first line of the function's docstring."""
    conditions: tuple[Condition, ...] = ()
    """From the start of the function (or module) to the place, in order."""
    literal: int = 0
    """Characters of literal text, white space aside."""
