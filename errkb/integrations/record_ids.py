"""Which record answers an exception that a program logs: looked up once for each place that raises it."""

import re
import time
from types import CodeType
from typing import NamedTuple

from errkb.knowledge.base import default
from errkb.matching.evidence import Certainty, certainty

_MOST = 4096
"""Places that are remembered."""
_MESSAGES = 8
"""Different messages of one place that are remembered."""
_BUDGET = 0.05
"""Seconds of a minute that are spent on look-ups; after that only what is remembered is answered."""
_MINUTE = 60.0
_MASKED = re.compile(r"\d+|'[^'\n]{0,100}'|\"[^\"\n]{0,100}\"")
_LONGEST = 300


class Known(NamedTuple):
    """A record that answers an exception for sure or likely."""

    id: str
    name: str
    """`owner/repo/slug`."""
    advice: str
    """What to do, in a line."""


class RecordIds:
    """The records of exceptions, remembered by class, line and masked message. Never raises."""

    def __init__(self) -> None:
        self._known: dict[tuple[type, CodeType | None, int], dict[str, Known | None]] = {}
        self._spent = 0.0
        self._since = 0.0

    def of(self, error: BaseException | None) -> Known | None:
        """The record that answers an exception; None if none does, or if there is no time to find out."""
        try:
            return self._of(error) if error is not None else None
        except Exception:  # noqa: BLE001  # logging goes on, whatever an exception does when it is read
            return None

    def _of(self, error: BaseException) -> Known | None:
        messages = self._known.get(place := _place(error))
        masked = _MASKED.sub("*", str(error)[:_LONGEST])
        if messages is not None and masked in messages:
            return messages[masked]
        if not self._has_time():
            return None
        known = self._look_up(error)
        if messages is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            messages = self._known.setdefault(place, {})
        if len(messages) < _MESSAGES:
            messages[masked] = known
        return known

    def _has_time(self) -> bool:
        now = time.monotonic()
        if now - self._since > _MINUTE:
            self._since, self._spent = now, 0.0
        return self._spent < _BUDGET

    def _look_up(self, error: BaseException) -> Known | None:
        kb = default()  # opening it is not counted
        start = time.monotonic()
        match = kb.lookup(error)
        self._spent += time.monotonic() - start
        if match is None or certainty(match) is Certainty.POSSIBLE:
            return None
        record = match.record
        supplement = kb.supplement(record.id)
        advice = (supplement.cure if supplement else None) or next(iter(record.solutions), "")
        return Known(record.id, f"{record.repo}/{record.slug}", advice)


def _place(error: BaseException) -> tuple[type, CodeType | None, int]:
    """The class of an exception and the line that raised it."""
    traceback = error.__traceback__
    if traceback is None:
        return type(error), None, 0
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return type(error), traceback.tb_frame.f_code, traceback.tb_lineno


RECORD_IDS = RecordIds()
"""What the integrations of a process share."""
