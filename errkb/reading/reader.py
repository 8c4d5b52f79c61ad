"""From text to occurrences: the steps in order."""

from errkb.reading.clean import read_clean
from errkb.reading.findings import Finding, Kind
from errkb.reading.occurrence import Occurrence
from errkb.reading.order import ordered
from errkb.reading.single import read_singles
from errkb.reading.sources import read_sources
from errkb.reading.streams import read_streams
from errkb.reading.tracebacks import TracebackReader


def occurrences(text: str) -> list[Occurrence]:
    """Return the errors that stand in `text`, best first.

    Any str will do, lone surrogates and control characters included; a text that holds nothing like a
    message gives an empty list. See `order.ordered` for what comes first and why.

    The time is linear in the text, and the memory bounded: of more than 12 million characters or 200,000
    lines, the first quarter and the last three quarters of that many are read, of a line the first 40,000
    characters; at most 200 occurrences are returned, with at most 20,000 characters of message each.
    """
    clean = read_clean(text)
    if clean is not None:
        return [clean]
    return read_thoroughly(text)


def read_thoroughly(text: str) -> list[Occurrence]:
    """Return what `occurrences` does, without the short way for clean texts."""
    findings = read_findings(text)
    return [as_occurrence(finding, len(text)) for finding in ordered(findings, len(text.rstrip()))]


def read_findings(text: str) -> list[Finding]:
    """Return all that the readers find in `text`, in no order."""
    readers = []
    findings: list[Finding] = []
    for lines in read_streams(text):
        reader = TracebackReader(lines)
        findings += reader.read()
        readers.append(reader)
    quiet = any(finding.kind <= Kind.CLASS and finding.message for finding in findings)
    for reader in readers:
        findings += read_singles(reader.lines, reader.used, reader.cut, quiet=quiet)
    if not any(finding.kind <= Kind.LOG for finding in findings):
        for reader in readers:
            findings += read_sources(reader.lines, reader.source)
    return findings


def as_occurrence(finding: Finding, length: int) -> Occurrence:
    """Return a finding as what the rest of errkb knows."""
    start = min(max(finding.start, 0), length)
    return Occurrence(
        message=finding.message,
        span=(start, min(max(finding.end, start), length)),
        error_class=finding.error_class,
        frames=finding.frames,
        notes=finding.notes,
        role=finding.role,
        location=finding.location,
    )
