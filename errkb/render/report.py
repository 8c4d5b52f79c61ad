"""Findings of validation, for people and for programs."""

import json
from pathlib import Path

from errkb.render.clean import clean
from errkb.validation import Report

VERSION = 1


def report_text(report: Report) -> str:
    """A line per finding, and a count."""
    lines = []
    for finding in report.findings:
        place = f"{_relative(finding.path)}:{finding.line}"
        pointer = f" {finding.pointer}" if finding.pointer else ""
        record = f" (record {finding.record_id})" if finding.record_id else ""
        lines.append(f"{place}:{pointer} {finding.rule} {finding.name}: {finding.message}{record}")
    records = f"{report.records} record{'s' * (report.records != 1)}"
    count = len(report.findings)
    lines.append(f"{count} finding{'s' * (count != 1)} in {records}." if count else f"{records}, nothing found.")
    return "".join(" ".join(clean(line).split("\n")) + "\n" for line in lines)


def report_json(report: Report) -> str:
    """One JSON document: version, valid, records, findings."""
    findings = [
        {
            "rule": finding.rule,
            "name": finding.name,
            "severity": finding.severity,
            "message": finding.message,
            "path": _relative(finding.path).as_posix(),
            "line": finding.line,
            "pointer": finding.pointer,
            "recordId": finding.record_id,
        }
        for finding in report.findings
    ]
    document = {"version": VERSION, "valid": report.valid, "records": report.records, "findings": findings}
    return json.dumps(document, indent=2) + "\n"


def _relative(path: Path) -> Path:
    try:
        return path.resolve().relative_to(Path.cwd())
    except ValueError:
        return path
