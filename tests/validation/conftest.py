"""Datasets without fault, to seed faults into, and what validation says about files of them."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from errkb.validation import Report, Settings, validate

Document = dict[str, Any]

MESSAGES = (
    "the quick widget {name} has no handle",
    "cannot open drawer {number} of cabinet {cabinet}",
    "unexpected gadget in slot {slot}",
    "spindle {x} overheated at {y} degrees",
)
EXAMPLE = "# before\nimport tool\n\ntool.open(0)\n\n# after\nimport tool\n\ntool.open(1)\n"


@pytest.fixture
def good(make_document: Callable[..., Document]) -> list[Document]:
    """Four records without fault; the examples are Python."""
    return [make_document(message, exampleFix=EXAMPLE) for message in MESSAGES]


@pytest.fixture(scope="session")
def lines() -> Callable[[Iterable[Document]], list[str]]:
    """One JSON text a document."""
    return lambda documents: [json.dumps(document, ensure_ascii=False) for document in documents]


@pytest.fixture
def report_of(tmp_path: Path) -> Callable[..., Report]:
    """What validation says about a file of these lines."""

    def report(texts: Iterable[str], settings: Settings | None = None) -> Report:
        path = tmp_path / "faulty.jsonl"
        path.write_text("\n".join(texts) + "\n", encoding="utf-8", errors="surrogateescape")
        return validate([path], settings)

    return report


@pytest.fixture(scope="session")
def places() -> Callable[[Report], list[tuple[int, str, str | None]]]:
    """Line, name of the rule and pointer of the findings of a report."""
    return lambda report: [(finding.line, finding.name, finding.pointer) for finding in report.findings]
