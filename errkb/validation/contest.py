"""Records compared with each other: who wins a record's own message, and which two are one.

The bulk of a large dataset is settled without a look-up. A record can be answered in the place
of another only if its pattern reads that one's message. Every pattern is filed under one pair of
neighbouring words (or one word) that stands in all it matches; so the words of a message lead to
all patterns that may read it, mostly its own alone. What is read by another pattern that is not
clearly weaker, and messages of an odd shape, are put to a real knowledge base of just the records
concerned.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from errkb.class_names import last_name
from errkb.carriers import Entry
from errkb.errors import DatasetError
from errkb.knowledge import KnowledgeBase, from_entries
from errkb.match import Kind
from errkb.patterns import Message, Pattern, fold
from errkb.ranking import class_agreement, coverage, literal_weight
from errkb.validation.rule import Head, Trouble, place_of
from errkb.validation.sample import sample
from errkb.validation.words import background_weight, literal_words, whole_words
from errkb.validation.words import words as words_of

Entries = Callable[[], Iterable[Entry | DatasetError]]

_PLAIN = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,400}")
_ODD = re.compile(r"""^File ["']|\btype=|[Cc]aused by""")
"""What the reader of texts may take for something else than one message."""
_AMPLE = 0.8
"""The weight of own text at which a lone record is surely found."""
_SKETCH = 1 << 20
"""Counters for pairs of words; pairs that share one look more common than they are, which does no harm."""
_CLEARLY = 0.98
"""Another record whose score is below this share of the own one cannot win."""


def told_apart(heads: Iterable[Head]) -> Iterator[tuple[Head, Trouble]]:
    """The later of every two records that match the same messages and nothing tells apart."""
    seen: dict[tuple[object, ...], Head] = {}
    for head in heads:
        key = (
            head.repo,
            tuple(head.file_path.rsplit("/", 2)[-2:]),
            head.error_class and last_name(head.error_class),
            head.error_code,
            fold(head.message) if head.derived else head.pattern,
        )
        first = seen.setdefault(key, head)
        if first is not head:
            message = f"matches what {first.id} ({place_of(first)}) matches, with the same class and file"
            yield head, Trouble(message, "/messagePattern")


def losers(heads: Sequence[Head], entries: Entries) -> Iterator[tuple[Head, Trouble]]:
    """The records that do not win their own message, each with a sentence about who does."""
    contested: dict[int, set[int]] = {}
    rivals = _Rivals(heads)
    for number, head in enumerate(heads):
        found = rivals.of(number)
        if found is not None:
            contested[number] = found
    if not contested:
        return
    concerned = {heads[number].id for number in contested}
    concerned.update(heads[rival].id for found in contested.values() for rival in found)
    knowledge = _knowledge(heads, concerned, entries)
    for number in contested:
        if trouble := _lost(heads[number], knowledge):
            yield heads[number], trouble


class _Rivals:
    """Which other patterns read a record's message."""

    def __init__(self, heads: Sequence[Head]) -> None:
        self.heads = heads
        self.filed: dict[int, list[int]] = {}
        self.keys = [array("q", _keys(_runs(head))) for head in heads]
        counts = array("I", bytes(4 * _SKETCH))
        for keys in self.keys:
            for key in keys:
                counts[key % _SKETCH] += 1
        for number, keys in enumerate(self.keys):
            if keys:
                rarest = min(keys, key=lambda key: counts[key % _SKETCH])
                self.filed.setdefault(rarest, []).append(number)

    def of(self, number: int) -> set[int] | None:
        """The records that may win the message of `number`; None if it surely is answered with that one."""
        head, filed = self.heads[number], self.filed
        # The words of a derived pattern that stand whole are those of the message, but for the values.
        keys = self.keys[number] if head.derived else _keys([words_of(fold(head.message).lower())])
        known = set(keys)
        candidates = {
            other
            for key in keys
            if key in filed
            for other in filed[key]
            if known.issuperset(self.keys[other]) and self.heads[other].message != head.message
        }
        if not head.derived or not _PLAIN.fullmatch(head.message) or _ODD.search(head.message):
            return candidates
        if candidates:
            message = Message(head.message)
            own = self._score(number, message, head) * _CLEARLY
            candidates = {other for other in candidates if self._score(other, message, head) >= own}
            if candidates:
                return candidates
        weight = 0.0
        for word in words_of(head.message):
            if "zq" not in word:
                weight += background_weight(word.lower())
                if weight >= _AMPLE:
                    return None
        return candidates

    def _score(self, number: int, message: Message, asked: Head) -> float:
        head = self.heads[number]
        pattern = Pattern(head.pattern)
        reading = pattern.read(message)
        if reading is None:
            return 0.0
        kind = Kind.PATTERN if reading.whole else Kind.INSIDE
        weight = sum(map(background_weight, literal_words(pattern)))
        share = (reading.span[1] - reading.span[0]) / max(1, len(message.text))
        return (
            literal_weight(weight, kind).factor
            * coverage(kind, share).factor
            * class_agreement(asked.error_class, head.error_class).factor
        )


def _runs(head: Head) -> list[list[str]]:
    """The words that stand whole, side by side, in all that a pattern matches."""
    if not head.derived:
        return whole_words(Pattern(head.pattern))
    if "zq" not in head.message:
        return [words_of(fold(head.message).lower())]
    runs: list[list[str]] = [[]]
    for word in words_of(fold(head.message).lower()):
        if "zq" in word:
            runs.append([])
        else:
            runs[-1].append(word)
    return runs


def _keys(runs: Iterable[list[str]]) -> list[int]:
    """Keys of the neighbouring pairs of words and, since a pattern may have none, of single ones."""
    keys = []
    for run in runs:
        keys += map(hash, run)
        keys += map(hash, pairwise(run))
    return keys


def _knowledge(heads: Sequence[Head], concerned: set[str], entries: Entries) -> KnowledgeBase:
    places = {(head.path, head.line, head.pointer) for head in heads if head.id in concerned}
    return from_entries(
        entry
        for entry in entries()
        if isinstance(entry, Entry) and (entry.path, entry.line, entry.pointer) in places
    )


def _lost(head: Head, knowledge: KnowledgeBase) -> Trouble | None:
    text = f"{head.error_class}: {head.message}" if head.error_class else head.message
    matches = knowledge.search(text, limit=20)
    if not matches:
        return Trouble("its own message gets no answer", "/messagePattern")
    first = matches[0]
    if first.record.id == head.id:
        return None
    same_template = sample(first.record.error_message).message == head.message
    if same_template and (first.tied or first.record.repo == head.repo):
        return None  # a tie, or one message of several files of a repo, which is given once
    return Trouble(
        f"its own message is answered with {first.record.id} ({first.record.repo}/{first.record.slug})",
        "/messagePattern",
    )
