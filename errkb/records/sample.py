"""A template's derived pattern and a message made from it, both in one go and fast for ordinary templates."""

import re
from typing import NamedTuple

from errkb.records.record import PATTERN_LENGTH
from errkb.records.template import CAPTURE, LEAST_LITERAL, Placeholder, derive_pattern, escape, fill, placeholders

_INNER = r"""[^{}'"()\[\]=!]"""
_SIMPLE = re.compile(
    rf"\{{(?:{_INNER}|\({_INNER}{{0,40}}\)|\[{_INNER}{{0,40}}\]){{0,40}}\}}|%(?:\(\w{{1,40}}\))?[sdifx]", re.ASCII
)
_SYNTAX = re.compile(r"[{}%$\0]")


class Sample(NamedTuple):
    """What follows from a template."""

    derived: str
    """The derived pattern."""
    message: str
    """The message with neutral values."""
    placeholders: int


def neutral(number: int, placeholder: Placeholder | None = None) -> str:
    """A value that no pattern's literals hold; in quotes where the source prints a repr."""
    value = f"qz{number + 1}zq"
    return repr(value) if placeholder and placeholder.conversion == "r" else value


def sample(template: str) -> Sample:
    """The sample of a template. Ordinary ones, whose fields are plain names, are read without a parser."""
    pieces = _SIMPLE.split(template)
    literal = "".join(pieces)
    if not _SYNTAX.search(literal) and len(literal.strip()) >= LEAST_LITERAL:
        derived = escape("\0".join(pieces)).replace("\0", CAPTURE)
        if len(derived) <= PATTERN_LENGTH:
            message = pieces[0]
            for number, piece in enumerate(pieces[1:]):
                message += f"qz{number + 1}zq{piece}"
            return Sample(derived, message, len(pieces) - 1)
    return Sample(derive_pattern(template), fill(template, neutral), len(placeholders(template)))
