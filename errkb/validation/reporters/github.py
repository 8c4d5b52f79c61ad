"""For GitHub Actions: workflow commands, which become annotations of a change."""

from errkb.folders import relative_name
from errkb.render.clean import clean
from errkb.validation.finding import Finding
from errkb.validation.report import Report
from errkb.validation.reporters.naming import flat


def render(report: Report) -> str:
    """One command a line."""
    return "".join(_command(finding) + "\n" for finding in report.findings)


def _command(finding: Finding) -> str:
    properties = {"file": clean(relative_name(finding.path)), "line": str(finding.line), "endLine": str(finding.line)}
    if finding.column:
        properties["col"] = str(finding.column)
        if finding.end_column:
            properties["endColumn"] = str(finding.end_column)
    properties["title"] = f"{finding.rule} {finding.name}"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    record = f" (record {finding.record_id})" if finding.record_id else ""
    level = "error" if finding.severity == "error" else "warning"
    return f"::{level} {listed}::{_data(flat(f'{finding.message}{record}'))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
