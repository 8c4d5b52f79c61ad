"""L: where and when an error was found."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from urllib.parse import unquote

from errkb.records.record import SOURCE_LINES
from errkb.validation.finding import Fix
from errkb.validation.rule import Context, Rule, Subject, Violation

_PERMALINK = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/([^/]+)/([^#?]+)(\?[^#]*)?(?:#(.*))?")
_LINES = re.compile(r"L([0-9]+)(?:-L([0-9]+))?")


def _permalink(subject: Subject, _context: Context) -> Iterable[Violation]:
    record = subject.record
    base = f"https://github.com/{record.repo}/blob/{record.analyzed_sha}/{record.file_path}#L"
    url = record.github_url
    start, end = record.source_code_start, record.source_code_end
    if url == f"{base}{start}-L{end}" or url == f"{base}{record.line_number}":
        return ()
    match = _PERMALINK.fullmatch(url)
    if match is None:
        return [Violation("no permalink: https://github.com/owner/name/blob/sha/path#L1-L2 is wanted", "/githubUrl")]
    repo, sha, path, _, lines = match.groups()
    wrong = [
        f"{name} {found} in it, {wanted} in the record"
        for name, found, wanted in (
            ("repo", repo, record.repo),
            ("sha", sha, record.analyzed_sha),
            ("path", unquote(path), record.file_path),
        )
        if found != wanted
    ]
    if lines is None and not wrong and match[4] is None:
        span = f"L{start}-L{end}" if start and end else f"L{record.line_number}"
        return [Violation(f"no lines in it: #{span} is wanted", "/githubUrl", Fix("githubUrl", f"{url}#{span}"))]
    wrong += _wrong_lines(lines or "", start, end, record.line_number)
    return [Violation("; ".join(wrong), "/githubUrl")] if wrong else ()


def _wrong_lines(lines: str, start: int | None, end: int | None, line: int) -> Iterator[str]:
    match = _LINES.fullmatch(lines)
    if match is None:
        yield f"#{lines} in it is no line or span of lines"
        return
    first, last = int(match[1]), int(match[2] or match[1])
    if (first, last) == (line, line) or (first, last) == (start, end):
        return
    if start is None and first <= line <= last:
        return
    yield f"lines {lines} in it, L{start}-L{end} in the record" if start else f"lines {lines} in it, {line} is outside"


def _span(subject: Subject, _context: Context) -> Iterable[Violation]:
    record = subject.record
    start, end, code = record.source_code_start, record.source_code_end, record.source_code
    if start is None or end is None:
        if start is not end:
            name = "sourceCodeEnd" if end is None else "sourceCodeStart"
            return [Violation(f"{name} is missing: a span has a start and an end", f"/{name}")]
        return [Violation("source code without its span", "/sourceCodeStart")] if code else ()
    if start > end:
        return [Violation(f"the span ends at line {end}, before it starts at {start}", "/sourceCodeEnd")]
    if not start <= record.line_number <= end:
        return [Violation(f"line {record.line_number} lies outside the span {start}-{end}", "/lineNumber")]
    if end - start >= SOURCE_LINES:
        return [Violation(f"a span of {end - start + 1} lines, {SOURCE_LINES} are allowed", "/sourceCodeEnd")]
    if code is not None:
        count = code.count("\n") + (not code.endswith("\n"))
        if count != end - start + 1:
            message = f"{count} lines of source code for the {end - start + 1} lines of {start}-{end}"
            return [Violation(message, "/sourceCode")]
    return ()


def _time(subject: Subject, context: Context) -> Iterable[Violation]:
    written = subject.record.analyzed_at
    if not _is_time(written):
        return [Violation(f"there is no such time as {written}", "/analyzedAt")]
    if written[:19] > context.now[:19]:
        return [Violation(f"{written} is in the future", "/analyzedAt")]
    return ()


@lru_cache(4096)
def _is_time(written: str) -> bool:
    try:
        datetime.fromisoformat(written[:19])
    except ValueError:
        return False
    return True


SPAN = Rule(
    code="L002",
    name="source-span",
    what=f"The span of the source is incoherent: start ≤ lineNumber ≤ end, at most {SOURCE_LINES} lines, "
    "as many as sourceCode has.",
    why="Readers are shown these lines, numbered, with the one that raises marked.",
    bad='"lineNumber": 8, "sourceCodeStart": 10, "sourceCodeEnd": 12',
    good='"lineNumber": 11, "sourceCodeStart": 10, "sourceCodeEnd": 12',
    check=_span,
)
PERMALINK = Rule(
    code="L001",
    name="permalink",
    what="githubUrl does not agree with repo, analyzedSha, filePath and the lines.",
    why="The link always shows the lines that the record is about; what a branch shows there changes.",
    bad='"githubUrl": "https://github.com/acme/tool/blob/main/core.py#L9"',
    good='"githubUrl": "https://github.com/acme/tool/blob/(analyzedSha)/core.py#L9"',
    check=_permalink,
    superseded_by=("L002",),
    fixable=True,
)
TIME = Rule(
    code="L003",
    name="time-in-future",
    what="analyzedAt is in the future, or no time at all.",
    why="Of two datasets the newer record is believed: a wrong time keeps newer knowledge out.",
    bad='"analyzedAt": "2062-01-01T00:00:00Z"',
    good='"analyzedAt": "2026-01-01T00:00:00Z"',
    check=_time,
)

RULES = (SPAN, PERMALINK, TIME)
