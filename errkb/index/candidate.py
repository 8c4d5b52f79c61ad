"""A record as matching and ranking see it; its pattern is built when it is first read."""

from collections.abc import Callable, Sequence

import msgspec

from errkb.errors import PatternError
from errkb.index.words import segments_of, words_of
from errkb.patterns import Pattern
from errkb.template import capture_names, whole_pattern

_Span = tuple[int, int]


class Head(msgspec.Struct, frozen=True, rename="camel"):
    """The fields of a record that matching and ranking look at."""

    id: str
    repo: str
    error_message: str
    message_pattern: str
    file_path: str
    line_number: int
    error_code: str | None = None
    error_class: str | None = None


class Candidate:
    """A record that may match: its head, its pattern, its literal weight."""

    __slots__ = ("_longest", "_names", "_pattern", "_segments", "_stored", "_words", "head", "number", "weight")

    def __init__(self, number: int, head: Head, weight: float) -> None:
        self.number = number
        self.head = head
        self.weight = weight
        self._stored: str | None = whole_pattern(head.error_message, head.message_pattern)
        self._pattern: Pattern | None = None
        self._names: tuple[str, ...] | None = None
        self._words: dict[str, float] | None = None
        try:
            self._segments = segments_of(self._stored)
        except PatternError:
            self._segments, self._stored = [], None
        # An escape is its backslash and what it stands for: what lies between backslashes is text as it is.
        runs = [run for text, _, _ in self._segments for run in text.split("\\")]
        self._longest = " ".join(max(runs, key=len, default="").split())

    @property
    def pattern(self) -> Pattern | None:
        """None if it was refused."""
        if self._pattern is None and self._stored is not None:
            self._pattern = Pattern(self._stored)
        return self._pattern

    def may_match(self, folded: str) -> bool:
        """Whether the longest text that stands in every match stands in a folded message."""
        return self._stored is not None and self._longest in folded

    def named(self, captures: Sequence[_Span | None]) -> dict[str, _Span]:
        """Spans of captures by the names of the template's placeholders, those that took part."""
        if self._names is None:
            self._names = capture_names(self.head.error_message, len(captures))
        return {name: span for name, span in zip(self._names, captures, strict=True) if span is not None}

    def words(self, weight: Callable[[str], float]) -> dict[str, float]:
        """The words of the literals, each with its weight."""
        if self._words is None:
            self._words = {word: weight(word) for text, _, _ in self._segments for word in words_of(text)}
        return self._words
