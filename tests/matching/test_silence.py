"""A text that holds no known error gets no answer (C5)."""

from log_lines import log_lines

from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind
from errkb.reading import Occurrence

COUNT = 20_000


def answered(kb: KnowledgeBase, count: int) -> list[tuple[str, str]]:
    """Lines that get an answer, read as texts and taken bare as messages, each with the record's message."""
    found = []
    for line in log_lines(count):
        for matches in (kb.search(line), kb.search_occurrences([Occurrence(message=line, span=(0, len(line)))])):
            known = [match for match in matches[:1] if match.kind is not Kind.CLASS]  # `KeyError: 'juniper'` is one
            found += [(line, match.record.error_message) for match in known]
    return found


def test_ordinary_log_lines_get_no_answer(bundled: KnowledgeBase) -> None:
    """Of 20,000 ordinary log lines none is taken for an error of the bundled dataset, if not by its class alone."""
    assert answered(bundled, COUNT) == []


def test_ordinary_log_lines_among_thousands_of_records(library: KnowledgeBase) -> None:
    """Nor for one of some thousand messages of the standard library and popular packages."""
    assert answered(library, COUNT // 10) == []


def test_private_errors_get_no_likely_answer(library: KnowledgeBase) -> None:
    """An error of somebody's own code is not taken for a known one at full confidence."""
    texts = [
        "AssertionError: expected 3 invoices for tenant acme-eu, got 2",
        "acme.billing.errors.InvoiceLockedError: invoice INV-2024-00117 is locked by job nightly-close",
        "ValueError: order 17 has no customer",
        "RuntimeError: sensor 4 reported 17 degrees, shutting line 3 down",
        "Exception: please ask Dana from the data team before re-running this job",
        "TypeError: Basket is full",
        "ValueError: x",
    ]
    assert [(text, match) for text in texts if (match := library.lookup(text)) and match.score >= 0.5] == []
