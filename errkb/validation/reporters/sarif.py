"""SARIF 2.1.0, the format that code scanning services and editors read."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from errkb.folders import relative_name
from errkb.validation.finding import Finding
from errkb.validation.report import Report
from errkb.validation.reporters.naming import flat, masked
from errkb.validation.rule import Rule
from errkb.validation.rules import RULES
from errkb.version import __version__

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
"""The checkout, as its readers know it."""
_NUMBERS = {rule.code: number for number, rule in enumerate(RULES)}


def render(report: Report) -> str:
    """One log with one run."""
    run = {
        "tool": {"driver": {"name": "errkb", "version": __version__, "rules": [_rule(rule) for rule in RULES]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}"},
        "help": {"text": f"{rule.why}\n\nBad: {rule.bad}\nGood: {rule.good}"},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": finding.line}
    if finding.column:
        region["startColumn"] = finding.column
        if finding.end_column:
            region |= {"endLine": finding.line, "endColumn": finding.end_column}
        if finding.excerpt:
            region["snippet"] = {"text": masked(finding.excerpt.text)}
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(finding.path), "region": region}}
    if finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": flat(finding.pointer), "kind": "member"}]
    properties = {"recordId": finding.record_id, "pointer": finding.pointer, "fixable": finding.fix is not None}
    return {
        "ruleId": finding.rule,
        "ruleIndex": _NUMBERS[finding.rule],
        "level": finding.severity,
        "message": {"text": flat(finding.message)},
        "locations": [location],
        "partialFingerprints": {"errkb/v1": _fingerprint(finding)},
        "properties": {name: flat(value) if isinstance(value, str) else value for name, value in properties.items()},
    }


def _artifact(path: Path) -> dict[str, str]:
    name = relative_name(path)
    if Path(name).is_absolute():
        return {"uri": Path(name).as_uri()}
    return {"uri": quote(os.fsencode(name)), "uriBaseId": _ROOT}


def _fingerprint(finding: Finding) -> str:
    """A key of a finding that stays the same when lines are added before it."""
    place = finding.record_id or str(finding.line)
    key = "\0".join((finding.rule, relative_name(finding.path), place, finding.pointer or ""))
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
