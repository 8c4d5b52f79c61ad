"""Records compared with each other: which record its own message is answered with, and which two are one.

The bulk of a large dataset is settled without a look-up. A record can be answered in the place
of another only if its pattern reads that one's message. Every pattern is filed under one pair of
neighbouring words (or one word) that stands in all it matches; so the words of a message lead to
all patterns that may read it, mostly its own alone. What is read by another pattern that is not
clearly weaker, and messages of an odd shape, are asked of a real knowledge base of just the records
concerned.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from errkb.datasets.entry_access import reread
from errkb.exception_names import last_name, with_class
from errkb.index.words import words_of
from errkb.knowledge.in_memory import from_entries
from errkb.matching.evidence import class_agreement, exact_score, literal_weight
from errkb.matching.match import Kind, Match
from errkb.patterns import Message, Pattern, fold
from errkb.records.sample import sample
from errkb.validation.rule import ComparedRecord, Violation, where
from errkb.validation.words import background_weight, keys, literal_words, whole_words

_PLAIN = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,400}")
_ODD = ("File ", "type=", "aused by")
"""What the reader of texts may take for something else than one message."""
_AMPLE = 0.8
"""The weight of own text at which a lone record is surely found."""
_SKETCH = 1 << 20
"""Size of the counting sketch. Collisions overcount, which only makes a rarer key win."""
_FEW = 2000
"""Records of which the knowledge base simply holds all: words weigh there what they weigh for readers."""
_REMEMBERED = 256
"""Answers to messages of records that are remembered: those of one template stand together, mostly."""
_CLEARLY = 0.98
"""Another record whose score is below this share of the own one cannot win."""


def indistinguishable(heads: Iterable[ComparedRecord]) -> Iterator[tuple[ComparedRecord, Violation]]:
    """The later of every two records that match the same messages with the same class, code and file."""
    seen: dict[tuple[object, ...], ComparedRecord] = {}
    for head in heads:
        key = (
            head.repo,
            tuple(head.file_path.rsplit("/", 2)[-2:]),
            head.error_class and last_name(head.error_class),
            head.error_code,
            fold(head.message) if head.pattern_is_derived else head.pattern,
        )
        first = seen.setdefault(key, head)
        if first is not head:
            message = f"matches what {first.id} ({where(first)}) matches, with the same class and file"
            yield head, Violation(message, "/messagePattern")


def not_answered_by_themselves(heads: Sequence[ComparedRecord]) -> Iterator[tuple[ComparedRecord, Violation]]:
    """The records that their own message is not answered with, each with a sentence about the one that it is."""
    doubtful: dict[int, set[int]] = {}
    rivals = _Rivals(heads)
    for number in range(len(heads)):
        found = rivals.of(number)
        if found is not None:
            doubtful[number] = found
    if not doubtful:
        return
    concerned = set(range(len(heads))) if len(heads) <= _FEW else set(doubtful).union(*doubtful.values())
    knowledge = from_entries(reread(heads[number].place for number in sorted(concerned)))
    search = lru_cache(_REMEMBERED)(partial(knowledge.search, limit=20))  # equal messages are looked up once
    for number in doubtful:
        if violation := answered_by_other(heads[number], search):
            yield heads[number], violation


class _Rivals:
    """Which other patterns read a record's message."""

    def __init__(self, heads: Sequence[ComparedRecord]) -> None:
        self.heads = heads
        self.filed: dict[int, list[int]] = {}
        self.keys = [
            head.words if head.pattern_is_derived else keys(whole_words(Pattern(head.pattern))) for head in heads
        ]
        """Keys of what stands in all that the pattern of a record matches."""
        counts = array("I", bytes(4 * _SKETCH))
        for found in self.keys:
            for key in found:
                counts[key % _SKETCH] += 1
        for number, found in enumerate(self.keys):
            if found:
                rarest = min(found, key=lambda key: counts[key % _SKETCH])
                self.filed.setdefault(rarest, []).append(number)

    def of(self, number: int) -> set[int] | None:
        """The records that may win the message of `number`; None if it surely is answered with that one."""
        head, filed = self.heads[number], self.filed
        known = set(head.words if head.pattern_is_derived else keys([words_of(head.message)]))
        candidates = {
            other
            for key in known & filed.keys()
            for other in filed[key]
            if other != number and known.issuperset(self.keys[other]) and not _same(self.heads[other], head)
        }
        if (
            not head.pattern_is_derived
            or not _PLAIN.fullmatch(head.message)
            or any(odd in head.message for odd in _ODD)
        ):
            return candidates
        own_words = {word for word in words_of(head.message) if "zq" not in word}
        weight = sum(map(background_weight, own_words))
        if candidates:
            message = Message(head.message)
            own = literal_weight(weight, Kind.PATTERN).factor * _class_factor(head.error_class, head.error_class)
            own *= _CLEARLY
            candidates = {other for other in candidates if self._score(other, message, head) >= own}
            if candidates:
                return candidates
        return None if weight >= _AMPLE else candidates

    def _score(self, number: int, message: Message, asked: ComparedRecord) -> float:
        head = self.heads[number]
        pattern, weight = _weighed(head.pattern)
        reading = pattern.read(message)
        if reading is None:
            return 0.0
        return exact_score(reading, weight, len(message.text), _class_factor(asked.error_class, head.error_class))


@lru_cache(8192)
def _class_factor(written: str | None, recorded: str | None) -> float:
    return class_agreement(written, recorded).factor


@lru_cache(8192)
def _weighed(stored: str) -> tuple[Pattern, float]:
    """A pattern and the weight of its words."""
    pattern = Pattern(stored)
    return pattern, sum(map(background_weight, literal_words(pattern)))


def _same(one: ComparedRecord, other: ComparedRecord) -> bool:
    """Whether two records have one template and its derived pattern: at most a tie."""
    return one.message == other.message and one.pattern_is_derived and other.pattern_is_derived


def answered_by_other(head: ComparedRecord, search: Callable[[str], list[Match]]) -> Violation | None:
    """The record that a record's own message is answered with, if it is another one; `search` gives the best first."""
    matches = search(with_class(head.error_class, head.message))
    if not matches:
        return Violation("its own message gets no answer", "/messagePattern")
    first = matches[0]
    if first.record.id == head.id:
        return None
    same_template = sample(first.record.error_message).message == head.message
    if same_template and (first.tied or first.record.repo == head.repo):
        return None  # a tie, or one message of several files of a repo, which is given once
    return Violation(
        f"its own message is answered with {first.record.id} ({first.record.repo}/{first.record.slug})",
        "/messagePattern",
    )
