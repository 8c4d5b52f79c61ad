"""For people: a line for each finding, the piece of the file that it is about, and a count."""

import unicodedata

from errkb.validation.finding import Excerpt, Finding
from errkb.validation.report import Report
from errkb.validation.reporters.naming import flat, masked, relative


def render(report: Report) -> str:
    """The report as text."""
    return "".join(_finding(finding) for finding in report.findings) + _count(report)


def statistics(report: Report) -> str:
    """How often each rule was broken, the most frequent first."""
    counts: dict[tuple[str, str, str, bool], int] = {}
    for finding in report.findings:
        key = (finding.rule, finding.name, finding.severity, finding.fix is not None)
        counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    lines = [
        f"{count:>7}  {rule}  {'[*]' if fixable else '   '}  {severity:<7}  {name}\n"
        for (rule, name, severity, fixable), count in ordered
    ]
    return "".join(lines) + _count(report)


def _finding(finding: Finding) -> str:
    place = f"{relative(finding.path)}:{finding.line}" + (f":{finding.column}" if finding.column else "")
    record = f" (record {finding.record_id})" if finding.record_id else ""
    pointer = f" at {finding.pointer}" if finding.pointer else ""
    severity = "" if finding.severity == "error" else f" {finding.severity}:"
    mark = " [*]" if finding.fix else ""
    line = flat(f"{place}: {finding.rule} {finding.name}{mark}:{severity} {finding.message}{pointer}{record}") + "\n"
    return line + (_shown(finding.excerpt) if finding.excerpt and finding.excerpt.text.strip() else "")


def _shown(excerpt: Excerpt) -> str:
    text = masked(excerpt.text)
    before, meant = text[: excerpt.start], text[excerpt.start : excerpt.end]
    return f"    | {text}\n    | {' ' * _width(before)}{'^' * max(1, _width(meant))}\n"


def _width(text: str) -> int:
    """Columns that a terminal gives to a text."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _count(report: Report) -> str:
    records = f"{report.records} record{'s' * (report.records != 1)}"
    count = len(report.findings)
    if not count:
        return f"{records}, nothing found.\n"
    warnings = sum(finding.severity == "warning" for finding in report.findings)
    fixable = sum(finding.fix is not None for finding in report.findings)
    parts = [f"{count} finding{'s' * (count != 1)} in {records}"]
    if warnings:
        parts.append(f"{warnings} of them warning{'s' * (warnings != 1)}")
    return ", ".join(parts) + "." + (f" [*] {fixable} can be fixed with --fix." if fixable else "") + "\n"
