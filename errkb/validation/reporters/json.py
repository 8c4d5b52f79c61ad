"""For programs: one JSON document."""

import json

from errkb.folders import relative_name
from errkb.validation.report import Report

VERSION = 1


def render(report: Report) -> str:
    """One JSON document: version, valid, records, findings."""
    findings = [
        {
            "rule": finding.rule,
            "name": finding.name,
            "severity": finding.severity,
            "message": finding.message,
            "path": relative_name(finding.path),
            "line": finding.line,
            "column": finding.column,
            "endColumn": finding.end_column,
            "pointer": finding.pointer,
            "recordId": finding.record_id,
            "fix": {"field": finding.fix.field, "value": finding.fix.value} if finding.fix else None,
        }
        for finding in report.findings
    ]
    document = {"version": VERSION, "valid": report.valid, "records": report.records, "findings": findings}
    return json.dumps(document, indent=2) + "\n"
