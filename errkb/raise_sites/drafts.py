"""Sites as draft records: all that can be derived is there, all knowledge is missing.

A draft is readable as a record and refused by `errkb validate` until somebody has filled it. What
is known of the site beyond a record's fields stands in the field `raiseSite`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from errkb.records.draft import draft_record
from errkb.records.record import SOURCE_LINES, Record, slug_after_collision, write_record
from errkb.records.template import LEAST_LITERAL, derive_pattern
from errkb.source_analysis.site import Site, SiteKind

UNKNOWN_SHA = "0" * 40
UNKNOWN_TIME = "1970-01-01T00:00:00Z"
_CONTEXT = 6


def draft(site: Site, repo: str, *, sha: str = UNKNOWN_SHA, at: str = UNKNOWN_TIME) -> Record:
    """The draft record of a site."""
    return _draft(site, site.template, derive_pattern(site.template), repo, sha, at)


def _draft(site: Site, key: str, pattern: str, repo: str, sha: str = UNKNOWN_SHA, at: str = UNKNOWN_TIME) -> Record:
    return draft_record(
        site.template,
        key=key,
        pattern=pattern,
        repo=repo,
        file_path=site.file,
        line=site.line,
        sha=sha,
        at=at,
        error_class=site.error_class,
        error_type="console" if site.kind in (SiteKind.WARNING, SiteKind.LOG, SiteKind.EXIT) else "exception",
        severity="warning" if site.kind is SiteKind.WARNING else "error",
    )


def draft_documents(
    sites: Iterable[Site], repo: str, *, sha: str = UNKNOWN_SHA, at: str = UNKNOWN_TIME, prefix: str = ""
) -> Iterator[dict[str, Any]]:
    """Drafts as JSON documents, one for each message of a file; further places of it are in `raiseSite.lines`.

    `prefix` stands before the paths of the files, for a repo that keeps its packages in a folder.
    """
    groups: dict[tuple[str, str], list[Site]] = {}
    for site in sites:
        if site.literal:
            groups.setdefault((site.file, site.template), []).append(site)
    slugs: set[str] = set()
    for first, *others in groups.values():
        record = draft(msgspec.structs.replace(first, file=prefix + first.file), repo, sha=sha, at=at)
        document = write_record(record)
        if record.slug in slugs:
            document["slug"] = slug_after_collision(record.slug, record.id)
        slugs.add(document["slug"])
        about = site_document(first)
        if others:
            about["lines"] = sorted({site.line for site in (first, *others)})
        yield {**document, "raiseSite": about}


def with_source(document: dict[str, Any], lines: Sequence[str]) -> dict[str, Any]:
    """A draft document with the lines of source around its site."""
    line, end = document["lineNumber"], document["raiseSite"].get("endLine", document["lineNumber"])
    start = max(1, line - _CONTEXT)
    end = min(len(lines), max(line, end), start + SOURCE_LINES - 1)
    return {
        **document,
        "sourceCode": "\n".join(lines[start - 1 : end]),
        "sourceCodeStart": start,
        "sourceCodeEnd": end,
    }


def site_document(site: Site) -> dict[str, Any]:
    """What a draft says in `raiseSite`."""
    document: dict[str, Any] = {
        "kind": site.kind.value,
        "function": site.function,
        "signature": site.signature,
        "doc": site.doc,
        "line": site.line,
        "endLine": site.end_line,
        "placeholders": list(site.names),
        "parameters": {name: list(origin) for name, origin in site.parameters.items()},
        "conditions": msgspec.to_builtins(site.conditions),
    }
    return {name: value for name, value in document.items() if value not in ("", [], {})}


def encode_site(site: Site, repo: str) -> bytes:
    """A line of the dataset that sites are kept in for look-ups: a draft, and the whole site in it."""
    # The pattern of the site knows what is a placeholder, and is not cut: for looking up it is the better one.
    pattern = site.pattern if site.literal >= LEAST_LITERAL else derive_pattern(site.template)
    record = _draft(site, f"{site.template}\x01{site.line}\x01{site.kind}", pattern, repo)
    return msgspec.json.encode({**write_record(record), "raiseSite": site})


def decode_site(record: Record) -> Site:
    """The site that `encode_site` has put into a record. Raises msgspec.ValidationError if it is none."""
    return msgspec.convert(record.extra.get("raiseSite"), Site)
