"""The id of the record on events of Sentry: a tag to search by, a context with what to do.

Needs `sentry_sdk`. `sentry_sdk.init(integrations=[ErrkbIntegration()])`.
"""

from typing import Any

import sentry_sdk
from sentry_sdk.integrations import Integration
from sentry_sdk.scope import add_global_event_processor

from errkb.integrations.record_ids import RECORD_IDS


class ErrkbIntegration(Integration):
    """Tags `errkb.id` and `errkb.record`, and a context `errkb`, on events with an exception that a record answers.

    With `fingerprint`, all events of one record are one issue, whatever their values and places.
    """

    identifier = "errkb"

    def __init__(self, *, fingerprint: bool = False) -> None:
        self.fingerprint = fingerprint

    @staticmethod
    def setup_once() -> None:
        """Register what marks events; the SDK calls it."""
        add_global_event_processor(_mark)


def _mark(event: Any, hint: Any) -> Any:
    ours = sentry_sdk.get_client().get_integration(ErrkbIntegration)
    raised = (hint or {}).get("exc_info")
    known = RECORD_IDS.of(raised[1]) if ours is not None and raised else None
    if ours is None or known is None:
        return event
    event.setdefault("tags", {}).update({"errkb.id": known.id, "errkb.record": known.name})
    event.setdefault("contexts", {})["errkb"] = {"id": known.id, "record": known.name, "do": known.advice}
    if ours.fingerprint:
        event["fingerprint"] = [known.id]
    return event
