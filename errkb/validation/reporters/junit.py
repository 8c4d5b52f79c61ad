"""JUnit XML, which most CI services show: a case for each finding, and one for each file without any."""

import xml.etree.ElementTree as ElementTree

from errkb.folders import relative_name
from errkb.validation.finding import Finding
from errkb.validation.report import Report
from errkb.validation.reporters.naming import flat, xml_safe


def render(report: Report) -> str:
    """One suite a file. Warnings are cases that pass and say something."""
    by_file: dict[str, list[Finding]] = {relative_name(path): [] for path in report.paths}
    for finding in report.findings:
        by_file.setdefault(relative_name(finding.path), []).append(finding)
    root = ElementTree.Element("testsuites", name="errkb")
    for name, findings in by_file.items():
        suite = ElementTree.SubElement(root, "testsuite", name=xml_safe(name))
        for finding in findings:
            _case(suite, name, finding)
        if not findings:
            ElementTree.SubElement(suite, "testcase", classname=xml_safe(name), name="valid")
        _count(suite, suite)
    _count(root, root)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, name: str, finding: Finding) -> None:
    place = f"line {finding.line}" + (f", column {finding.column}" if finding.column else "")
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=xml_safe(name),
        name=f"{finding.rule} {finding.name} ({place})",
        file=xml_safe(name),
        line=str(finding.line),
    )
    message = xml_safe(flat(finding.message))
    where = " ".join(filter(None, (finding.pointer, finding.record_id and f"record {finding.record_id}")))
    text = xml_safe(f"{name}:{finding.line}: {message} {where}".strip())
    if finding.severity == "error":
        ElementTree.SubElement(case, "failure", message=message, type=finding.rule).text = text
    else:
        ElementTree.SubElement(case, "system-out").text = f"warning: {text}"


def _count(element: ElementTree.Element, counted: ElementTree.Element) -> None:
    element.set("tests", str(len(list(counted.iter("testcase")))))
    element.set("failures", str(len(list(counted.iter("failure")))))
    element.set("errors", "0")
