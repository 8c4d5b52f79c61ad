"""The beginning of a record: what can be derived is, the rest is marked as missing, so that validation refuses it."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from errkb.exception_names import last_name
from errkb.reading import occurrences
from errkb.records.record import SCHEMA_VERSION, derive_id, derive_slug
from errkb.records.template import derive_pattern

MISSING = "TODO"
"""What stands where something is missing."""


def understood(text: str) -> tuple[str | None, str]:
    """Class and message of an error text, which may be a whole traceback."""
    found = occurrences(text)
    if not found:
        return None, text.strip()
    first = found[0]
    return first.error_class and last_name(first.error_class), first.message.strip() or text.strip()


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
    repo, file_path = repo or f"{MISSING}/{MISSING}", file_path or MISSING
    span = (first_line, first_line + len(source) - 1) if source and first_line else (None, None)
    lines = f"L{span[0]}-L{span[1]}" if span[0] else f"L{line or MISSING}"
    return {
        "id": derive_id(repo, error_code, message, file_path),
        "repo": repo,
        "slug": derive_slug(error_code, message),
        "errorCode": error_code,
        "errorMessage": message,
        "messagePattern": derive_pattern(message),
        "errorType": "error_code" if error_code else "exception",
        "errorClass": error_class,
        "httpStatus": None,
        "severity": "error",
        "filePath": file_path,
        "lineNumber": line or 0,
        "sourceCode": "\n".join(source) if source and first_line else None,
        "sourceCodeStart": span[0],
        "sourceCodeEnd": span[1],
        "githubUrl": f"https://github.com/{repo}/blob/{sha or MISSING}/{quote(file_path)}#{lines}",
        "documentation": f"{MISSING}: what the message means, and why the library raises it",
        "triggerScenarios": f"{MISSING}: the calls and conditions that raise it",
        "commonSituations": f"{MISSING}: how people get there, and how to tell which cause they have",
        "solutions": [f"{MISSING}: what to do, the most frequent answer first"],
        "exampleFix": f"# before\n{MISSING}\n\n# after\n{MISSING}",
        "handlingStrategy": None,
        "validationCode": None,
        "typeGuard": None,
        "tryCatchPattern": None,
        "preventionTips": [],
        "tags": [],
        "backgroundTag": None,
        "analyzedSha": sha or MISSING,
        "analyzedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "schemaVersion": SCHEMA_VERSION,
    }
