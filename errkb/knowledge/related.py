"""Records that share rare words with a message, whether they match it or not."""

from collections.abc import Callable, Sequence

from errkb.index import Index, message_keys
from errkb.patterns import fold
from errkb.reading import Occurrence
from errkb.records.record import Record


def related_records(
    indexes: Sequence[Index], get: Callable[[str], Record | None], occurrence: Occurrence, limit: int
) -> list[Record]:
    """Up to `limit` records that share most; `get` gives the record with an id, the last one of several."""
    keys = message_keys(fold(f"{occurrence.error_class or ''} {occurrence.message}"))
    shared = [
        (share, place, number)
        for place, index in enumerate(indexes)
        for number, share in index.rare_terms.shared_weights(keys).items()
    ]
    found: dict[str, Record] = {}
    for _, place, number in sorted(shared, key=lambda one: (-one[0], one[1], one[2])):
        record = get(indexes[place].candidate(number).head.id)
        if record is not None:
            found.setdefault(record.id, record)
        if len(found) == limit:
            break
    return list(found.values())
