"""The beginning of a record: what can be derived is, the rest is marked as missing, so that validation refuses it."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from errkb.exception_names import last_name
from errkb.reading import occurrences
from errkb.records.record import SCHEMA_VERSION, Record, derive_id, derive_slug, write_record
from errkb.records.template import capture_names, derive_pattern, placeholders

MISSING = "TODO"
"""What stands where something is missing."""


def class_and_message(text: str) -> tuple[str | None, str]:
    """Class and message of an error text, which may be a whole traceback."""
    found = occurrences(text)
    if not found:
        return None, text.strip()
    first = found[0]
    return first.error_class and last_name(first.error_class), first.message.strip() or text.strip()


def draft_record(
    template: str,
    *,
    repo: str,
    file_path: str,
    line: int | None,
    sha: str,
    at: str,
    key: str | None = None,
    pattern: str | None = None,
    error_class: str | None = None,
    error_code: str | None = None,
    error_type: str | None = None,
    severity: str = "error",
) -> Record:
    """A record of which all that can be derived is there, and all knowledge is missing.

    `key` stands for the template in the id, `pattern` for the derived one.
    """
    return Record(
        id=derive_id(repo, error_code, key or template, file_path),
        repo=repo,
        slug=derive_slug(error_code, template),
        error_code=error_code,
        error_message=template,
        message_pattern=pattern or derive_pattern(template),
        error_type=error_type or ("error_code" if error_code else "exception"),  # type: ignore[arg-type]
        error_class=error_class,
        http_status=None,
        severity=severity,  # type: ignore[arg-type]
        file_path=file_path,
        line_number=line or 0,
        source_code=None,
        source_code_start=None,
        source_code_end=None,
        github_url=f"https://github.com/{repo}/blob/{sha}/{quote(file_path)}#L{line or MISSING}",
        documentation="",
        trigger_scenarios="",
        common_situations="",
        solutions=(),
        example_fix=None,
        handling_strategy=None,
        validation_code=None,
        type_guard=None,
        try_catch_pattern=None,
        prevention_tips=(),
        tags=(),
        analyzed_sha=sha,
        analyzed_at=at,
        schema_version=SCHEMA_VERSION,
    )


def skeleton(
    message: str,
    *,
    error_class: str | None = None,
    error_code: str | None = None,
    repo: str | None = None,
    file_path: str | None = None,
    line: int | None = None,
    sha: str | None = None,
    source: list[str] | None = None,
    first_line: int | None = None,
) -> dict[str, Any]:
    """A record about a message (its template, placeholders in braces) as a JSON object.

    `source` are the lines around `line`, of which the first has the number `first_line`.
    """
    record = draft_record(
        message,
        repo=repo or f"{MISSING}/{MISSING}",
        file_path=file_path or MISSING,
        line=line,
        sha=sha or MISSING,
        at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        error_class=error_class,
        error_code=error_code,
    )
    document = write_record(record)
    document |= {
        "documentation": f"{MISSING}: what the message means, and why the library raises it",
        "triggerScenarios": f"{MISSING}: the calls and conditions that raise it",
        "commonSituations": f"{MISSING}: how people get there, and how to tell which cause they have",
        "solutions": [f"{MISSING}: what to do, the most frequent answer first"],
        "exampleFix": f"# before\n{MISSING}\n\n# after\n{MISSING}",
    }
    if source and first_line:
        last = first_line + len(source) - 1
        document |= {"sourceCode": "\n".join(source), "sourceCodeStart": first_line, "sourceCodeEnd": last}
        document["githubUrl"] = document["githubUrl"].partition("#")[0] + f"#L{first_line}-L{last}"
    return document


def supplement_skeleton(record: Record) -> dict[str, Any]:
    """A supplement of a record as a JSON object, one cause for each of its values."""
    names = capture_names(record.error_message, len(placeholders(record.error_message)))
    unnamed = any(name.isdigit() for name in names)
    named = [f"{MISSING} {name}" if name.isdigit() else name for name in names]
    document: dict[str, Any] = {"id": record.id, "cure": f"{MISSING}: what to do, in one line"}
    if unnamed:
        document["captureNames"] = named
    document["causes"] = [
        {
            "when": {"captures": {name: {"equals": MISSING}}},
            "because": f"{MISSING}: why it happened",
            "do": f"{MISSING}: what to do about it",
            "trigger": MISSING,
        }
        for name in named
    ]
    return document
