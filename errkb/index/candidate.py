"""A record as matching and ranking see it; its pattern is built when it is first read."""

from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from errkb.errors import PatternError
from errkb.index.words import plain_segments, words_of
from errkb.patterns import Pattern
from errkb.template import capture_names, derive_pattern, whole_pattern

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

    __slots__ = (
        "_longest",
        "_names",
        "_pattern",
        "_segments",
        "_stored",
        "_template_pattern",
        "_words",
        "head",
        "number",
        "weight",
    )

    def __init__(self, number: int, head: Head, weight: float) -> None:
        self.number = number
        self.head = head
        self.weight = weight
        self._stored: str | None = whole_pattern(head.error_message, head.message_pattern)
        self._pattern: Pattern | None = None
        self._template_pattern: Pattern | None = None
        self._names: tuple[str, ...] | None = None
        self._words: dict[str, float] | None = None
        segments = plain_segments(self._stored)
        if segments is None:
            try:
                self._pattern = Pattern(self._stored)
            except PatternError:
                self._stored = None
            segments = self._pattern.segments if self._pattern else []
        self._segments = segments
        # An escape is its backslash and what it stands for: what lies between backslashes is text as it is.
        runs = [run for text, _, _ in segments for run in text.split("\\")]
        self._longest = " ".join(max(runs, key=len, default="").split())

    @property
    def pattern(self) -> Pattern | None:
        """None if it was refused."""
        if self._pattern is None and self._stored is not None:
            self._pattern = Pattern(self._stored)
        return self._pattern

    @property
    def template_pattern(self) -> Pattern | None:
        """What loose readings go by: the pattern, or, of one with alternatives, that of the template.

        The latter only if it has as many captures.
        """
        if self._template_pattern is None:
            pattern = self.pattern
            if pattern is not None and not pattern.is_chain:
                with suppress(PatternError):
                    derived = Pattern(derive_pattern(self.head.error_message))
                    pattern = derived if derived.capture_count == pattern.capture_count else pattern
            self._template_pattern = pattern
        return self._template_pattern

    def may_match(self, folded: str) -> bool:
        """Whether the longest text that stands in every match stands in a folded message."""
        return self._stored is not None and self._longest in folded

    def named(self, captures: Sequence[_Span | None]) -> dict[str, _Span]:
        """Spans of captures by the names of the template's placeholders, those that took part."""
        if self._names is None:
            self._names = capture_names(self.head.error_message, len(captures))
        return {name: span for name, span in zip(self._names, captures, strict=True) if span is not None}

    def words(self, weight: Callable[[str], float]) -> dict[str, float]:
        """The words of the literals, each with its weight; of a pattern with alternatives, those of the template."""
        if self._words is None:
            segments = self._segments
            if self._pattern is not None and self.template_pattern is not None:
                segments = self.template_pattern.segments
            self._words = {word: weight(word) for text, _, _ in segments for word in words_of(text)}
        return self._words
