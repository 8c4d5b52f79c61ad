"""The id of the record on what is logged: a filter for `logging`, a processor for structlog, a patcher for loguru.

Each writes `errkb_id` and `errkb_record` (`owner/repo/slug`), and only where a record answers for sure or likely.
"""

import logging
import sys
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errkb.integrations.record_ids import Known

ID, NAME = "errkb_id", "errkb_record"


class ErrkbFilter(logging.Filter):
    """Puts `errkb_id` and `errkb_record` on every record of a handler; both are empty where nothing is known.

    Only records of `level` and above with an exception are looked up. It lets every record through. Add it to a
    handler, since filters of a logger do not see what its children log; with a `QueueHandler`, to that one, since it
    drops the exception.
    """

    def __init__(self, level: int = logging.ERROR) -> None:
        super().__init__()
        self._level = level

    def filter(self, record: logging.LogRecord) -> bool:
        """Mark the record; always True."""
        record.errkb_id = record.errkb_record = ""
        if record.exc_info and record.levelno >= self._level:
            known = _known(record.exc_info[1])
            if known is not None:
                record.errkb_id, record.errkb_record = known.id, known.name
        return True


def add_errkb(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor for structlog; it stands before those that turn `exc_info` into text."""
    given = event.get("exc_info")
    if given:
        known = _known(_exception_of(given))
        if known is not None:
            event[ID], event[NAME] = known.id, known.name
    return event


def patcher(previous: Callable[[Any], None] | None = None) -> Callable[[Any], None]:
    """A patcher for loguru's `logger.configure(patcher=…)`, which has room for one; `previous` is called first."""

    def patch(record: Any) -> None:
        if previous is not None:
            previous(record)
        raised = record["exception"]
        if raised is not None:
            known = _known(raised.value)
            if known is not None:
                record["extra"][ID], record["extra"][NAME] = known.id, known.name

    return patch


def _exception_of(given: Any) -> BaseException | None:
    """The exception that `exc_info` means: itself, a triple, or the one that is handled."""
    if isinstance(given, BaseException):
        return given
    found = given[1] if isinstance(given, tuple) and len(given) > 1 else sys.exc_info()[1]
    return found if isinstance(found, BaseException) else None


def _known(error: BaseException | None) -> "Known | None":
    try:
        from errkb.integrations.record_ids import RECORD_IDS
    except Exception:  # noqa: BLE001  # a broken installation is no reason not to log
        return None
    return RECORD_IDS.of(error)
