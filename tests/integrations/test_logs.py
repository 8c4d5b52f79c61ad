"""The id of the record on what is logged, with the real libraries."""

import io
import json
import logging
import logging.handlers
import queue
from collections.abc import Iterator
from typing import Any

import pytest

from errkb.integrations import record_ids
from errkb.integrations.logs import ErrkbFilter, add_errkb, patcher
from errkb.integrations.record_ids import RecordIds

NUMBER = "2aa14af794a3a468"
"""The record of `int('2.5')`."""


@pytest.fixture(autouse=True)
def plenty_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking up is not limited, whatever else the machine does."""
    monkeypatch.setattr(record_ids, "_BUDGET", 1e9)


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """A logger without handlers."""
    found = logging.getLogger("tests.errkb")
    found.propagate = False
    found.setLevel(logging.DEBUG)
    yield found
    found.handlers.clear()


def fail(text: str = "2.5") -> None:
    """Raise what a record is about."""
    int(text)


def test_logging(logger: logging.Logger) -> None:
    """Every record has the fields, so that a format may name them."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("%(levelname)s %(errkb_id)s|%(errkb_record)s"))
    handler.addFilter(ErrkbFilter())
    logger.addHandler(handler)
    logger.info("fine")
    try:
        fail()
    except ValueError:
        logger.warning("too low", exc_info=True)
        logger.exception("failed")
    lines = [line for line in out.getvalue().splitlines() if "|" in line]
    assert lines[0] == "INFO |"
    assert lines[1] == "WARNING |"
    assert lines[2].startswith(f"ERROR {NUMBER}|python/cpython/invalid-literal-for-int")


def test_a_queue(logger: logging.Logger) -> None:
    """On the handler that still has the exception."""
    waiting: queue.Queue[Any] = queue.Queue()
    handler = logging.handlers.QueueHandler(waiting)
    handler.addFilter(ErrkbFilter())
    logger.addHandler(handler)
    try:
        fail()
    except ValueError:
        logger.exception("failed")
    assert waiting.get_nowait().errkb_id == NUMBER


def test_structlog() -> None:
    """Before the processor that turns the exception into text; `exc_info` in each of its forms."""
    structlog = pytest.importorskip("structlog")
    out = io.StringIO()
    structlog.configure(
        processors=[add_errkb, structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(out),
    )
    try:
        log = structlog.get_logger()
        log.info("fine")
        try:
            fail()
        except ValueError as error:
            log.exception("failed")
            log.error("failed", exc_info=error)
            log.error("failed", exc_info=(type(error), error, error.__traceback__))
        log.error("no exception here", exc_info=True)
    finally:
        structlog.reset_defaults()
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event.get("errkb_id") for event in events] == [None, NUMBER, NUMBER, NUMBER, None]


def test_loguru() -> None:
    """In `extra`; a patcher that was there is called first."""
    loguru = pytest.importorskip("loguru")
    out = io.StringIO()
    loguru.logger.remove()
    loguru.logger.add(out, serialize=True)
    loguru.logger.configure(patcher=patcher(lambda record: record["extra"].update(mine=1)))
    try:
        loguru.logger.info("fine")
        try:
            fail()
        except ValueError:
            loguru.logger.exception("failed")
    finally:
        loguru.logger.remove()
        loguru.logger.configure(patcher=lambda _record: None)
    first, second = (json.loads(line)["record"]["extra"] for line in out.getvalue().splitlines())
    assert first == {"mine": 1}
    assert second["errkb_id"] == NUMBER
    assert second["mine"] == 1


@pytest.mark.parametrize("fingerprint", [False, True])
def test_sentry(fingerprint: bool) -> None:
    """Tags and a context on the event that is sent; the fingerprint only if that is asked for."""
    sentry_sdk = pytest.importorskip("sentry_sdk")
    from sentry_sdk.transport import Transport

    from errkb.integrations.sentry import ErrkbIntegration

    sent: list[Any] = []

    class Recording(Transport):
        def capture_envelope(self, envelope: Any) -> None:
            sent.extend(item.payload.json for item in envelope.items if item.type == "event")

    sentry_sdk.init(
        dsn="http://key@127.0.0.1/1",
        transport=Recording,
        integrations=[ErrkbIntegration(fingerprint=fingerprint)],
        default_integrations=False,
    )
    try:
        for text in ("2.5", "3.75"):
            try:
                fail(text)
            except ValueError as error:
                sentry_sdk.capture_exception(error)
        sentry_sdk.capture_message("fine")
        sentry_sdk.flush()
    finally:
        sentry_sdk.init()
    tags = [(event.get("tags") or {}).get("errkb.id") for event in sent]
    assert tags == [NUMBER, NUMBER, None]
    assert sent[0]["contexts"]["errkb"]["do"]
    assert sent[0].get("fingerprint") == ([NUMBER] if fingerprint else None)


def raised(error: BaseException) -> BaseException:
    """An exception with a traceback of one and the same line."""
    try:
        raise error
    except BaseException as caught:  # noqa: BLE001
        return caught


def test_equal_failures_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By class, line and masked message; one line that raises different messages gives each its record."""
    ids, asked = RecordIds(), []
    look_up = ids._look_up
    monkeypatch.setattr(ids, "_look_up", lambda error: asked.append(str(error)) or look_up(error))
    for number in range(500):
        assert (found := ids.of(raised(ValueError(f"invalid literal for int() with base 10: '{number}.5'"))))
        assert found.id == NUMBER
    assert len(asked) == 1
    assert (other := ids.of(raised(ValueError("not enough values to unpack (expected 3, got 2)"))))
    assert other.id != NUMBER
    assert ids.of(raised(ValueError("nobody knows this one"))) is None
    assert ids.of(raised(ValueError("nobody knows this one"))) is None
    assert len(asked) == 3


def test_a_budget_bounds_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is spent, only what is remembered is answered; a minute later there is a new one."""
    ids, now = RecordIds(), [1000.0]
    monkeypatch.setattr(record_ids, "_BUDGET", 1e-9)
    first = raised(ValueError("invalid literal for int() with base 10: '2.5'"))
    assert ids.of(first) is not None
    assert ids.of(raised(KeyError("name"))) is None
    assert ids.of(first) is not None
    monkeypatch.setattr(record_ids.time, "monotonic", lambda: now[0] + 1e9)
    assert ids.of(raised(KeyError("name"))) is not None


class HostileError(Exception):
    """An exception that cannot be read."""

    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("error", [None, HostileError(), ValueError("x" * 10_000_000), ValueError("\ud800\x00")])
def test_nothing_is_raised(error: BaseException | None) -> None:
    """Logging goes on, whatever is logged."""
    assert RecordIds().of(error) is None


def test_a_broken_dataset_is_no_reason_not_to_log(monkeypatch: pytest.MonkeyPatch, logger: logging.Logger) -> None:
    """The fields are empty."""
    monkeypatch.setattr(record_ids, "default", lambda: 1 / 0)
    monkeypatch.setattr(record_ids, "RECORD_IDS", RecordIds())
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("%(message)s [%(errkb_id)s]"))
    handler.addFilter(ErrkbFilter())
    logger.addHandler(handler)
    try:
        fail()
    except ValueError:
        logger.exception("failed")
    assert out.getvalue().startswith("failed []")
