"""Where in a JSON text a value stands that a JSON pointer names."""

import json
import re
from typing import NamedTuple

_SPACE = re.compile(r"\s*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_OTHER = re.compile(r"[^\s\[\]{},:\"]+")


class Span(NamedTuple):
    """Where a value stands, and the name that it has in its object; offsets of characters, half open."""

    start: int
    end: int
    name_start: int
    name_end: int


def spans(text: str) -> dict[str, Span]:
    """The spans of all values in a JSON text by their pointers, "" for the whole; of a repeated name the last.

    `text` must be valid JSON. What is nested too deeply to be read has no span of its own.
    """
    found: dict[str, Span] = {}
    try:
        _value(text, _space(text, 0), "", (0, 0), found)
    except RecursionError:
        found[""] = Span(0, len(text), 0, 0)
    return found


def _value(text: str, start: int, pointer: str, name: tuple[int, int], found: dict[str, Span]) -> int:
    """Note the value at `start` and those inside it; where it ends."""
    char = text[start]
    if char == "{":
        end = _members(text, start, pointer, found)
    elif char == "[":
        end = _items(text, start, pointer, found)
    else:
        match = (_STRING if char == '"' else _OTHER).match(text, start)
        if match is None:
            raise ValueError(f"no JSON value at offset {start}")
        end = match.end()
    found[pointer] = Span(start, end, *name)
    return end


def _members(text: str, start: int, pointer: str, found: dict[str, Span]) -> int:
    position = _space(text, start + 1)
    while text[position] != "}":
        match = _STRING.match(text, position)
        if match is None:
            raise ValueError(f"no name at offset {position}")
        name = json.loads(match[0]).replace("~", "~0").replace("/", "~1")
        colon = _space(text, match.end())
        position = _value(text, _space(text, colon + 1), f"{pointer}/{name}", match.span(), found)
        position = _space(text, position)
        if text[position] == ",":
            position = _space(text, position + 1)
    return position + 1


def _items(text: str, start: int, pointer: str, found: dict[str, Span]) -> int:
    position, number = _space(text, start + 1), 0
    while text[position] != "]":
        position = _space(text, _value(text, position, f"{pointer}/{number}", (position, position), found))
        number += 1
        if text[position] == ",":
            position = _space(text, position + 1)
    return position + 1


def _space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
