"""The whole reading of a text: its streams, their tracebacks, the single lines that are left."""

from errkb.reading.candidate import Finding, Kind, as_occurrence
from errkb.reading.carriers.pipeline import read_streams
from errkb.reading.grammars.raise_statements import read_sources
from errkb.reading.grammars.single_lines import read_singles
from errkb.reading.grammars.traceback import TracebackReader
from errkb.reading.occurrence import Occurrence
from errkb.reading.ranking import ordered


def read_thoroughly(text: str) -> list[Occurrence]:
    """Return the errors that stand in `text`, best first, whatever carries them."""
    findings = ordered(read_findings(text), len(text.rstrip()))
    return [as_occurrence(finding, len(text)) for finding in findings]


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
