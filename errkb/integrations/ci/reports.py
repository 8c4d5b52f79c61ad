"""The reports of a job's errors, one function a service; each gives what goes to stdout and what goes to a file."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from errkb.integrations.ci.words import Shown
from errkb.render.clean import clean
from errkb.version import __version__

MOST_GROUPS = 20
LARGEST_SUMMARY = 900 * 1024
"""Bytes of a summary; a service drops one of more than 1 MiB as a whole."""
_ANNOTATIONS = 5
_SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


class Output(NamedTuple):
    """What a report prints, and what it writes to its file; None for no file."""

    printed: str
    written: str | None = None


Report = Callable[[str, Sequence[Shown]], Output]


def text(headline: str, groups: Sequence[Shown]) -> Output:
    """For people and for services without a form of their own."""
    parts = [f"{headline}\n"]
    for group in groups[:MOST_GROUPS]:
        place = f" · {group.place.file}:{group.place.line}" if group.place else ""
        parts.append(f"\n== {group.times}{place} ==\n{group.text}")
    return Output("".join(parts) + _left_out(groups))


def markdown(headline: str, groups: Sequence[Shown]) -> Output:
    """A page of Markdown."""
    return Output(summary(headline, groups))


def summary(headline: str, groups: Sequence[Shown], room: int = LARGEST_SUMMARY) -> str:
    """The groups as Markdown, as many whole ones as `room` bytes hold."""
    parts = [f"## {headline}\n\n"]
    used = len(parts[0])
    for number, group in enumerate(groups[:MOST_GROUPS]):
        names = "".join(f"- {_code(name)}\n" for name in group.names)
        part = f"**{group.times}**{_in_words(group)}\n\n{group.markdown}\n{names}\n---\n\n"
        if used + len(part.encode("utf-8", "replace")) > room:
            parts.append(f"{len(groups) - number} more kinds are left out: the summary would be too long.\n")
            break
        parts.append(part)
        used += len(part.encode("utf-8", "replace"))
    else:
        parts.append(_left_out(groups))
    return "".join(parts)


def github(headline: str, groups: Sequence[Shown]) -> Output:
    """Annotations and folded answers in the log, Markdown for the summary of the job."""
    lines = []
    for number, group in enumerate(groups[:MOST_GROUPS]):
        if number < _ANNOTATIONS:
            properties = {"title": group.title}
            if group.place:
                properties = {"file": group.place.file, "line": str(group.place.line), **properties}
            listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
            level = "error" if group.place else "notice"
            lines.append(f"::{level} {listed}::{_data(f'{group.advice or group.title} ({group.times})')}\n")
        lines.append(f"::group::{_one(f'{group.times}: {group.title}')}\n{_harmless(group.text)}::endgroup::\n")
    return Output(f"{headline}\n{''.join(lines)}{_left_out(groups)}", summary(headline, groups))


def gitlab(headline: str, groups: Sequence[Shown]) -> Output:
    """A folded section in the log, Code Quality issues for the merge request."""
    issues = [
        {
            "description": f"{group.title}: {group.advice}" if group.advice else group.title,
            "check_name": group.rule,
            "fingerprint": _fingerprint(group),
            "severity": "major",
            "location": {"path": group.place.file, "lines": {"begin": group.place.line}},
        }
        for group in groups
        if group.place
    ]
    opened = "\x1b[0Ksection_start:0:errkb[collapsed=true]\r\x1b[0K"
    closed = "\x1b[0Ksection_end:0:errkb\r\x1b[0K"
    inside = text(headline, groups).printed.partition("\n")[2]
    return Output(f"{opened}{headline}\n{inside}{closed}\n", json.dumps(issues, indent=2) + "\n")


def azure(headline: str, groups: Sequence[Shown]) -> Output:
    """Issues of the task in the log, Markdown for the summary of the run."""
    lines = []
    for group in groups[:_ANNOTATIONS]:
        place = f"sourcepath={_azure(group.place.file)};linenumber={group.place.line};" if group.place else ""
        said = _azure_data(f"{group.title}: {group.advice} ({group.times})")
        lines.append(f"##vso[task.logissue type=error;{place}]{said}\n")
    answers = _harmless(text(headline, groups).printed)
    return Output("".join(lines) + answers, summary(headline, groups))


def sarif(_headline: str, groups: Sequence[Shown]) -> Output:
    """SARIF 2.1.0, for code scanning and reviewdog."""
    rules = {group.rule: {"id": group.rule, "shortDescription": {"text": group.title}} for group in groups}
    results = [_sarif_result(group) for group in groups]
    tool = {"driver": {"name": "errkb", "version": __version__, "rules": list(rules.values())}}
    return Output(
        json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [{"tool": tool, "results": results}]}, indent=2)
        + "\n"
    )


def _sarif_result(group: Shown) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": group.rule,
        "level": "error",
        "message": {"text": f"{group.title}: {group.advice} ({group.times})"},
        "partialFingerprints": {"errkb/v1": _fingerprint(group)},
    }
    if group.place:
        region = {"artifactLocation": {"uri": group.place.file}, "region": {"startLine": group.place.line}}
        result["locations"] = [{"physicalLocation": region}]
    return result


def as_json(headline: str, groups: Sequence[Shown]) -> Output:
    """For programs: docs/json.md."""
    document = {
        "version": 1,
        "headline": headline,
        "groups": [
            {
                "title": group.title,
                "times": group.times,
                "advice": group.advice,
                "rule": group.rule,
                "url": group.link,
                "place": {"file": group.place.file, "line": group.place.line} if group.place else None,
                "from": list(group.names),
            }
            for group in groups
        ],
    }
    return Output(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


REPORTS: Mapping[str, Report] = {
    "text": text,
    "markdown": markdown,
    "github": github,
    "gitlab": gitlab,
    "azure": azure,
    "jenkins": text,
    "sarif": sarif,
    "json": as_json,
}
SERVICES = {"GITHUB_ACTIONS": "github", "GITLAB_CI": "gitlab", "TF_BUILD": "azure", "JENKINS_URL": "jenkins"}
"""The variable that a service sets, and the report for it."""


def report_of(environment: Mapping[str, str]) -> str:
    """The report for the service that runs this job."""
    return next((report for name, report in SERVICES.items() if environment.get(name)), "text")


def _left_out(groups: Sequence[Shown]) -> str:
    more = len(groups) - MOST_GROUPS
    return f"\n{more} more kinds are left out.\n" if more > 0 else ""


def _in_words(group: Shown) -> str:
    return f" at {_code(f'{group.place.file}:{group.place.line}')}" if group.place else ""


def _code(name: str) -> str:
    return "`" + name.replace("`", "'") + "`"


def _fingerprint(group: Shown) -> str:
    place = group.place.file if group.place else ""
    return hashlib.sha256(
        f"{group.rule}\0{place}\0{group.title if group.link is None else ''}".encode("utf-8", "replace")
    ).hexdigest()[:32]


def _one(line: str) -> str:
    return " ".join(clean(line).split())


def _harmless(lines: str) -> str:
    """Lines that no service takes for a command of its own."""
    return "".join(
        f" {line}" if line.lstrip().startswith(("::", "##[", "##vso[")) else line
        for line in clean(lines).splitlines(keepends=True)
    )


def _data(said: str) -> str:
    return clean(said).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(said: str) -> str:
    return _data(said).replace(":", "%3A").replace(",", "%2C")


def _azure_data(said: str) -> str:
    return clean(said).replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _azure(said: str) -> str:
    return _azure_data(said).replace(";", "%3B").replace("]", "%5D")
