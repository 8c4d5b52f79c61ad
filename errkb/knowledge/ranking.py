"""The matches of a question in order: the best first, each record once, equals marked."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from errkb.matching.match import Kind, Match
from errkb.matching.matcher import Scored, Supplements
from errkb.records.record import Record

RecordOf = Callable[[Scored], Record]


def is_better(new: Scored, old: Scored) -> bool:
    """Whether `new` is the better of two readings by one record.

    Of two of its texts that are the whole message, the one with less of it in values is better; else
    its own text, if it is the whole message, before another wording; else the higher score.
    """
    if _is_whole(new) and _is_whole(old) and new.occurrence is old.occurrence:
        return (-_length_of_values(new), _is_own(new)) > (-_length_of_values(old), _is_own(old))
    return (_is_own(new) and _is_whole(new), new.score) > (_is_own(old) and _is_whole(old), old.score)


def _is_own(scored: Scored) -> bool:
    return not scored.candidate.head.is_wording


def _is_whole(scored: Scored) -> bool:
    return scored.kind is Kind.PATTERN and all(item.name != "values" for item in scored.evidence)


def _length_of_values(scored: Scored) -> int:
    return sum(end - start for start, end in filter(None, scored.captures))


def ranked_matches(found: Iterable[Scored], limit: int, record_of: RecordOf, supplement_of: Supplements) -> list[Match]:
    """The best matches; one message of several files of a repo once, equals marked and in the order of ids."""
    groups: dict[tuple[str, str, int], list[Scored]] = {}
    for scored in sorted(found, key=lambda scored: (_merit(scored), scored.candidate.head.id)):
        head = scored.candidate.head
        groups.setdefault((head.repo, head.error_message, scored.occurrence.span[0]), []).append(scored)
    merits = Counter(_merit(group[0]) for group in groups.values())
    return [
        _match(first, others, record_of, supplement_of, tied=merits[_merit(first)] > 1)
        for first, *others in list(groups.values())[:limit]
    ]


def _merit(scored: Scored) -> tuple[float, int]:
    """What matches are ordered by: the score, and of equals how much of the message is text and not a value.

    So `[Errno 1] …` comes before `[Errno %S] …`, though a number weighs nothing as a word.
    """
    return -round(scored.score, 9), _length_of_values(scored) if scored.kind is Kind.PATTERN else 0


def _match(
    scored: Scored, others: Sequence[Scored], record_of: RecordOf, supplement_of: Supplements, *, tied: bool
) -> Match:
    message, head, record = scored.occurrence.message, scored.candidate.head, record_of(scored)
    supplement = supplement_of(head.id)
    own_text = not head.is_wording or head.error_message == record.error_message
    names = supplement.capture_names if supplement and own_text else None
    spans = scored.candidate.named_spans(scored.captures, names)
    return Match(
        record=record,
        captures={name: message[start:end] for name, (start, end) in spans.items()},
        spans=spans,
        kind=scored.kind,
        score=scored.score,
        occurrence=scored.occurrence,
        evidence=scored.evidence,
        tied=tied,
        wording=None if own_text else head.error_message,
        also_at=tuple(record_of(other).github_url for other in others),
    )
