"""A record as matching and ranking see it; its pattern is built when it is first read."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

import msgspec

from errkb.errors import PatternError
from errkb.index.values import is_value
from errkb.index.words import plain_segments, words_of
from errkb.patterns import Message, Pattern, Reading
from errkb.records.template import Span, capture_names, derive_pattern, spans_by_name, whole_pattern


class RecordHead(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The fields of a record that matching and ranking look at; a wording has its own text and class there."""

    id: str
    repo: str
    error_message: str
    message_pattern: str
    file_path: str
    line_number: int
    error_code: str | None = None
    error_class: str | None = None
    is_wording: bool = False
    """Whether this is another wording of the record, from a supplement."""


class _Outline(NamedTuple):
    """What is known of a stored pattern before it is built."""

    refused: bool
    is_plain: bool
    segments: Sequence[tuple[str, bool, bool]]
    longest: str
    """The longest text that stands in every folded message that matches."""


class Weights(NamedTuple):
    """The weights of a record's literal text as evidence, in units of one rare word."""

    words: dict[str, float]
    total: float
    """The sum over all words, with repetition; `words` has each once."""


# Many records have the same few words for a message, so that one pattern serves them all.
_pattern = lru_cache(4096)(Pattern)


@lru_cache(4096)
def _outline(stored: str) -> _Outline:
    plain = segments = plain_segments(stored)
    if segments is None:
        try:
            segments = _pattern(stored).segments
        except PatternError:
            return _Outline(True, False, (), "")
    # An escape is its backslash and what it stands for: what lies between backslashes is text as it is.
    runs = [run for text, _, _ in segments for run in text.split("\\")]
    return _Outline(False, plain is not None, segments, " ".join(max(runs, key=len, default="").split()))


class Candidate:
    """A record that may match: its head, its pattern, its literal weight."""

    __slots__ = (
        "_derived_pattern",
        "_longest",
        "_names",
        "_outline",
        "_pattern",
        "_stored",
        "_weights",
        "head",
        "number",
        "weight",
    )

    def __init__(self, number: int, head: RecordHead, weight: float) -> None:
        self.number = number
        self.head = head
        self.weight = weight
        self._stored = whole_pattern(head.error_message, head.message_pattern)
        self._outline = _outline(self._stored)
        self._longest = self._outline.longest
        self._pattern: Pattern | None = None
        self._derived_pattern: Pattern | None = None
        self._names: tuple[str, ...] | None = None
        self._weights: Weights | None = None

    @property
    def pattern(self) -> Pattern | None:
        """None if it was refused."""
        if self._pattern is None and not self._outline.refused:
            self._pattern = _pattern(self._stored)
        return self._pattern

    @property
    def derived_pattern(self) -> Pattern | None:
        """The pattern for loose readings: the record's, or, of one with alternatives, that of the template.

        The latter only if it has as many captures.
        """
        if self._derived_pattern is None:
            pattern = self.pattern
            if pattern is not None and not pattern.is_chain:
                with suppress(PatternError):
                    derived = _pattern(derive_pattern(self.head.error_message))
                    pattern = derived if derived.capture_count == pattern.capture_count else pattern
            self._derived_pattern = pattern
        return self._derived_pattern

    def read(self, message: Message) -> Reading | None:
        """The best reading of a message by the pattern, or None."""
        if self._longest not in message.folded:
            return None
        pattern = self._pattern or self.pattern
        return None if pattern is None else pattern.read(message)

    def read_class_only(self, message: Message) -> Sequence[Span | None] | None:
        """The captures of a whole message, of a record that answers its class; of an empty message none at all."""
        if not message.folded:
            return ()
        if not is_value(message.text):
            return None
        try:
            reading = Pattern(self._stored, needs_text=False).read(message)
        except PatternError:
            return None
        return reading.captures if reading and reading.whole else None

    def is_first_line(self, message: Message) -> bool:
        """Whether a message is the first of several lines that the record's has: logs and summaries show no more."""
        line, line_break, _ = self.head.error_message.strip().partition("\n")
        if not line_break or "\n" in message.text.strip():
            return False
        try:
            reading = _pattern(derive_pattern(line.rstrip(". "))).read(message)
        except PatternError:
            return False
        return reading is not None and not (message.text[: reading.span[0]] + message.text[reading.span[1] :]).strip(
            ". "
        )

    def named_spans(self, captures: Sequence[Span | None], names: Sequence[str] | None = None) -> dict[str, Span]:
        """Spans of captures, those that took part, by `names`, else by the names of the template's placeholders.

        A capture with an empty name is left out.
        """
        if names is None or len(names) != len(captures):
            if self._names is None:
                self._names = capture_names(self.head.error_message, len(captures))
            names = self._names
        return spans_by_name(names, captures)

    def weights(self, weight: Callable[[str], float]) -> Weights:
        """The weights of the words of the literals; of a pattern with alternatives, those of the template."""
        if self._weights is None:
            segments = self._outline.segments
            if not self._outline.is_plain and self.derived_pattern is not None:
                segments = self.derived_pattern.segments
            words = [word for text, _, _ in segments for word in words_of(text)]
            self._weights = Weights({word: weight(word) for word in words}, sum(map(weight, words)))
        return self._weights
