"""Which key each record is filed under, and which records are unspecific."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from errkb.exception_names import last_name
from errkb.index.format import MOST_UNSPECIFIC, UNSPECIFIC_WEIGHT
from errkb.index.rows import NotedRecords
from errkb.index.table import write_table
from errkb.index.words import NO_KEY, pair_keys, word_key


class Filing:
    """Which key each record is filed under, and which records are unspecific."""

    def __init__(self) -> None:
        self.keys: list[tuple[int, int]] = []
        """Key and number of each record that has a tier of its own."""
        self.checks = array("I")
        """Of each record another key that must stand in its messages as well."""
        self.unspecific: list[tuple[float, int, int, int]] = []
        """Weight (negative), number, key of the class and key of a word."""
        self.classes = set[int]()
        self.words = set[int]()

    def add(self, number: int, pairs: list[tuple[int, int]], singles: list[tuple[int, int]]) -> None:
        """File a record under the rarest of its keys; each comes with its count, `pairs` in order."""
        rarest = min(singles, default=None)
        if rarest is None or (pairs and pairs[0] <= rarest):
            key, others = pairs[0][1], pairs[1:2] or singles[:1]
        else:
            key, others = rarest[1], pairs[:1] or [single for single in singles if single != rarest]
        self.keys.append((key, number))
        self.checks.append(others[0][1] if others else NO_KEY)

    def add_unspecific(self, number: int, weight: float, error_class: str | None, rarest_word: int) -> None:
        """File a record that matches too much by class and word; one without a class not at all."""
        self.checks.append(NO_KEY)
        if error_class:
            name = last_name(error_class)
            self.unspecific.append((-weight, number, word_key(name), rarest_word))
            self.classes.add(word_key(name.lower()))
            self.words.add(rarest_word)

    def sections(self) -> dict[str, bytes]:
        """The sections of the index that say where records are filed."""
        return {
            "checks": self.checks.tobytes(),
            "filed": write_table(self.keys),
            "weak": write_table(_heaviest(self.unspecific)),
            "weakClasses": array("I", sorted(self.classes)).tobytes(),
            "weakWords": array("I", sorted(self.words)).tobytes(),
        }


def filed(
    records: NotedRecords,
    alive: list[int],
    totals: Sequence[float],
    single_counts: Counter[int],
    pair_counts: Counter[int],
) -> Filing:
    """All records filed; `totals` are the weights of their literal texts."""
    filing = Filing()
    for number, old in enumerate(alive):
        pairs = sorted(zip(map(pair_counts.__getitem__, records.pairs[old]), records.pairs[old], strict=True))
        singles = list(zip(map(single_counts.__getitem__, records.singles[old]), records.singles[old], strict=True))
        if totals[number] < UNSPECIFIC_WEIGHT or not (pairs or singles):
            rarest_word = min(singles)[1] if singles else NO_KEY
            filing.add_unspecific(number, totals[number], records.classes[old], rarest_word)
        else:
            filing.add(number, pairs, singles)
    return filing


def _heaviest(unspecific: list[tuple[float, int, int, int]]) -> Iterator[tuple[int, int]]:
    """Key and number of the unspecific records that are kept, the heaviest of each class."""
    kept = Counter[int]()
    for _, number, error_class, word in sorted(unspecific):
        if kept[error_class] < MOST_UNSPECIFIC:
            kept[error_class] += 1
            yield pair_keys([(error_class, word)])[0], number
