"""What became of records in newer source."""

from collections.abc import Callable
from typing import Any

import pytest

from errkb.raise_sites.drift import DriftStatus, compare_with_source
from errkb.records.record import Record, read_record
from errkb.source_analysis.harvest import harvest_source
from errkb.source_analysis.site import Site

Make = Callable[..., dict[str, Any]]

SOURCE = """
PREFIX = "while paying: "
def f(a):
    raise ValueError(f"{a} is no number")
def g(b):
    raise KeyError("no way of paying called %s; choose another one" % b)
def h(c):
    raise TypeError(f"{PREFIX}cannot take {c}")
"""

CASES: list[tuple[str, str, int, str, DriftStatus, str | None]] = [
    ("{a} is no number", "tool/core.py", 4, "ValueError", DriftStatus.UNCHANGED, "{a} is no number"),
    ("{a} is no number", "src/tool/core.py", 4, "ValueError", DriftStatus.UNCHANGED, "{a} is no number"),
    ("%s is no number", "tool/core.py", 4, "ValueError", DriftStatus.UNCHANGED, "{a} is no number"),
    ("{a} is no number", "tool/core.py", 90, "ValueError", DriftStatus.MOVED, "{a} is no number"),
    ("{a} is no number", "tool/old.py", 4, "ValueError", DriftStatus.MOVED, "{a} is no number"),
    ("{PREFIX}cannot take {c}", "tool/core.py", 8, "TypeError", DriftStatus.UNCHANGED, "while paying: cannot take {c}"),
    (
        "no way of paying called {b}; choose one of these",
        "tool/core.py",
        6,
        "KeyError",
        DriftStatus.REWORDED,
        "no way of paying called %s; choose another one",
    ),
    ("the moon is not made of cheese", "tool/core.py", 6, "KeyError", DriftStatus.GONE, None),
    ("{a} is no number", "tool/core.c", 4, "ValueError", DriftStatus.UNCHECKED, None),
]


@pytest.mark.parametrize(("message", "path", "line", "error_class", "status", "now"), CASES)
def test_each_record_is_unchanged_moved_reworded_gone_or_unchecked(
    make_document: Make, message: str, path: str, line: int, error_class: str, status: DriftStatus, now: str | None
) -> None:
    """Recognised by its message first, then by its file and line; the source's new words are shown."""
    record = read_record(make_document(message, filePath=path, lineNumber=line, errorClass=error_class))
    (drift,) = compare_with_source([record], _sites())
    assert (drift.status, drift.site.template if drift.site else None) == (status, now)


def test_every_record_gets_its_answer_in_order(make_document: Make) -> None:
    """None is left out, none twice."""
    records: list[Record] = [read_record(make_document(message)) for message in ("one text", "another text", "a third")]
    assert [drift.record for drift in compare_with_source(records, [])] == records


def _sites() -> list[Site]:
    return harvest_source(SOURCE, "tool/core.py")
