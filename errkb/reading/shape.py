"""A shape is a named row of what the reader knows: how a kind of text looks, with an example.

What stands in a table can be shown, counted and tested; the refusal lists of the fast ways are the hints of the rows.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from errkb.lazy_regex import lazy


class Shape(NamedTuple):
    """A kind of text that the reader knows."""

    name: str
    """What `errkb.reading.explain_reading` calls it."""
    hint: tuple[str, ...]
    """Literals of which every match holds one. They are looked for first, because that is cheap."""
    pattern: str
    """The regular expression."""
    example: str
    """A text that it matches."""
    production: str = ""
    """What reads on from here, if the shape opens an error (see `grammars.productions`)."""
    reach: int = 0
    """So many characters of a line are searched for it; 0 if it stands at the beginning of the line."""

    @property
    def begins_with_letter(self) -> bool:
        """Whether a match may begin with a letter; the example of such a row does."""
        return self.example[:1].isalpha()


def any_of(shapes: Iterable[Shape], before: str = "", flags: int = 0) -> re.Pattern[str]:
    """One expression for all rows of a table, each after `before`; the first row that fits wins."""
    return lazy(f"{before}(?:{'|'.join(shape.pattern for shape in shapes)})", flags)


def row_of(shapes: Iterable[Shape], text: str, before: str = "", flags: int = 0) -> Shape | None:
    """The row by which `any_of` the rows matches a text: for explanations, it is slow."""
    return next((shape for shape in shapes if re.match(f"{before}(?:{shape.pattern})", text, flags)), None)


def hints_of(*tables: Iterable[Shape], without: str = "") -> tuple[str, ...]:
    """The hints of tables, none that contains another one or one of the characters `without`."""
    hints = dict.fromkeys(hint for table in tables for shape in table for hint in shape.hint)
    able = [hint for hint in hints if not any(character in hint for character in without)]
    return tuple(hint for hint in able if not any(other in hint for other in able if other != hint))
