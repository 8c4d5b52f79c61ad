"""Texts that are made to be hard to read: starts of known shapes, then one unit repeated, in many surroundings."""

import importlib
import pkgutil
import random
from collections.abc import Iterator
from typing import NamedTuple

import errkb.reading
from errkb.reading.shape import Shape


class HostileText(NamedTuple):
    """A text of any length."""

    around: str
    prefix: str
    unit: str
    suffix: str

    def of_length(self, length: int) -> str:
        """The text with the unit repeated to about this many characters."""
        return self.around.replace("@", self.prefix + self.unit * (length // len(self.unit)) + self.suffix)


WHITE = (" ", "\t", "\xa0", "\u3000", "\u2028", " \t")
UNITS = (
    *WHITE,
    "-",
    "=",
    "^",
    "~ ",
    "| ",
    ". ",
    ": ",
    "? ",
    "a ",
    '"',
    "('",
    "`",
    "* ",
    "│",
    "  |",
    ", ",
    "1 ",
    "[",
    ") ",
)
SUFFIXES = ("", "x", "!", " x: y", ") x", "|", " │", "'", "\nfoo bar")
SURROUNDINGS = (
    "@",
    "x\n@",
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\n@',
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: x\n@\nfoo',
    "│ a │\n@",
    "ValueError: x\n\n@",
    "E   @\nE   x",
    "```\n@\n```",
    '{"message": "@"}',
    "  | @\n  | x",
    "1 validation error for A\n@\n  Value error, x [type=a, input_value=1]",
)
WORST = (
    HostileText("x\n@", "", " ", "foo bar"),
    HostileText("x\n@", "", " ", "!"),
    HostileText("│ a │\n@", "|", " ", "x"),
    HostileText("│ a │\n@", "│ ", " ", "x"),
    HostileText("│ a │\n@", "", " ", ""),
    HostileText("  | x\n@\n  | x", "  +-", "-", "x"),
    HostileText('Traceback (most recent call last):\n  File "a.py", line 1, in f\n@', "  ", "^ ", "x"),
    HostileText("ValueError: x\n@", "Call stack:", " ", "x"),
)
"""Shapes that took quadratic or cubic time once."""


def starts() -> list[str]:
    """The examples of all shapes that the reader knows, and what they begin with."""
    shapes: set[str] = {
        "",
        "x",
        "x: y",
        "error: ",
        "│ ",
        "| ",
        "E   ",
        "How ",
        "? ",
        "-->1 ",
        "^^^",
        "ValueError('",
        "<b>",
    }
    for module in pkgutil.walk_packages(errkb.reading.__path__, "errkb.reading."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, tuple):
                shapes.update(row.example for row in value if isinstance(row, Shape))
    cut = {
        text[:at]
        for text in shapes
        for at in range(len(text) + 1)
        if at in (0, len(text)) or not (text[at - 1].isalnum() and text[at].isalnum())
    }
    return sorted(cut)


def hostile_texts(seed: int) -> Iterator[HostileText]:
    """Without end, more than half of them with white space as the unit."""
    rng = random.Random(seed)
    known = starts()
    while True:
        units = WHITE if rng.random() < 0.6 else UNITS
        yield HostileText(*(rng.choice(part) for part in (SURROUNDINGS, known, units, SUFFIXES)))
