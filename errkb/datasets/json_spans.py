"""Where in a JSON text a value stands that a JSON pointer names."""

import json
import re
from typing import NamedTuple

_SPACE = re.compile(r"\s*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(r'[{}\[\]]|"(?:[^"\\]|\\.)*"', re.DOTALL)
_OTHER = re.compile(r"[^\s\[\]{},:\"]+")


class Span(NamedTuple):
    """Where a value stands, and the name that it has in its object; offsets of characters, half open."""

    start: int
    end: int
    name_start: int
    name_end: int


def spans(text: str, depth: int = 100) -> dict[str, Span]:
    """The spans of the values in a JSON text by their pointers, "" for the whole, down to a depth.

    They are in the order of the text; of a repeated name the last one counts. `text` must be valid JSON.
    """
    return _Reader(text, depth).found


def escape_pointer(name: str) -> str:
    """A name as a part of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def unescape_pointer(part: str) -> str:
    """The name that a part of a JSON pointer means."""
    return part.replace("~1", "/").replace("~0", "~")


class _Reader:
    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.depth = depth
        self.found: dict[str, Span] = {}
        self.value(self.space(0), "", (0, 0), 0)

    def value(self, start: int, pointer: str, name: tuple[int, int], depth: int) -> int:
        """Note the value at `start` and those inside it; where it ends."""
        if depth <= self.depth:
            self.found.pop(pointer, None)
            self.found[pointer] = Span(start, start, *name)  # in the order of the text
        char = self.text[start]
        if char in "{[" and depth < self.depth:
            end = self.members(start, pointer, depth) if char == "{" else self.items(start, pointer, depth)
        elif char in "{[":
            end = self.skipped(start)
        else:
            end = self.matched(_STRING if char == '"' else _OTHER, start).end()
        if depth <= self.depth:
            self.found[pointer] = Span(start, end, *name)
        return end

    def members(self, start: int, pointer: str, depth: int) -> int:
        position = self.space(start + 1)
        while self.text[position] != "}":
            match = self.matched(_STRING, position)
            name = escape_pointer(json.loads(match[0]))
            value = self.space(self.space(match.end()) + 1)
            position = self.space(self.value(value, f"{pointer}/{name}", match.span(), depth + 1))
            if self.text[position] == ",":
                position = self.space(position + 1)
        return position + 1

    def items(self, start: int, pointer: str, depth: int) -> int:
        position, number = self.space(start + 1), 0
        while self.text[position] != "]":
            end = self.value(position, f"{pointer}/{number}", (position, position), depth + 1)
            position, number = self.space(end), number + 1
            if self.text[position] == ",":
                position = self.space(position + 1)
        return position + 1

    def skipped(self, start: int) -> int:
        """Where an object or array ends, however deep it is."""
        open_brackets = 0
        for match in _BRACKET.finditer(self.text, start):
            if match[0] in "{[":
                open_brackets += 1
            elif match[0] in "}]":
                open_brackets -= 1
                if not open_brackets:
                    return match.end()
        raise ValueError("a bracket is not closed")

    def matched(self, expression: re.Pattern[str], position: int) -> re.Match[str]:
        match = expression.match(self.text, position)
        if match is None:
            raise ValueError(f"no JSON at offset {position}")
        return match

    def space(self, position: int) -> int:
        """Where the white space at `position` ends."""
        return self.matched(_SPACE, position).end()
