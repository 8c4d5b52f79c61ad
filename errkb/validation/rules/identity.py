"""I: ids and slugs, both derived."""

from collections.abc import Iterable

from errkb.records.record import derive_id, derive_slug, slug_after_collision
from errkb.validation.finding import Fix
from errkb.validation.rule import Context, Rule, Subject, Violation, where


def _duplicate_id(subject: Subject, context: Context) -> Iterable[Violation]:
    record = subject.record
    first = context.by_id.get(record.id)
    if first is None:
        return ()
    wanted = derive_id(record.repo, record.error_code, record.error_message, record.file_path)
    fix = Fix("id", wanted) if wanted != record.id and wanted not in context.by_id else None
    return [Violation(f"id {record.id} is already that of {where(first)}", "/id", fix)]


def _derived_id(subject: Subject, _context: Context) -> Iterable[Violation]:
    record = subject.record
    wanted = derive_id(record.repo, record.error_code, record.error_message, record.file_path)
    if record.id == wanted:
        return ()
    basis = "code" if record.error_code else "message"
    return [Violation(f"id of this repo, {basis} and path is {wanted}", "/id", Fix("id", wanted))]


def _derived_slug(subject: Subject, context: Context) -> Iterable[Violation]:
    record = subject.record
    plain = derive_slug(record.error_code, record.error_message)
    if record.slug in (plain, slug_after_collision(plain, record.id)):
        return ()
    wanted = plain if f"{record.repo}/{plain}" not in context.by_slug else slug_after_collision(plain, record.id)
    basis = "code" if record.error_code else "message"
    return [Violation(f"slug of this {basis} is {wanted!r}", "/slug", Fix("slug", wanted))]


def _duplicate_slug(subject: Subject, context: Context) -> Iterable[Violation]:
    record = subject.record
    first = context.by_slug.get(f"{record.repo}/{record.slug}")
    if first is None:
        return ()
    wanted = slug_after_collision(derive_slug(record.error_code, record.error_message), record.id)
    fix = Fix("slug", wanted) if wanted != record.slug else None
    return [Violation(f"slug of {where(first)} too, in the same repo: make it {wanted!r}", "/slug", fix)]


DUPLICATE_ID = Rule(
    code="I001",
    name="duplicate-id",
    what="Two records have the same id.",
    why="Of records with one id only the last is used.",
    bad='two lines with "id": "73154bc6b02214fb"',
    good="one of them removed, or, where it was copied and changed, its id derived again (--fix does that)",
    check=_duplicate_id,
    fixable=True,
)
DERIVED_ID = Rule(
    code="I002",
    name="id-not-derived",
    what="An id is not the first 16 hex digits of sha256 over repo, errorCode else errorMessage, and filePath, "
    "joined by U+0001.",
    why="An id is a hash, so that every producer gives a record the same.",
    bad='"id": "0000000000000001"',
    good='"id": "73154bc6b02214fb"',
    check=_derived_id,
    superseded_by=("I001",),
    fixable=True,
)
DERIVED_SLUG = Rule(
    code="I003",
    name="slug-not-derived",
    what="A slug is not made from the first 50 characters of the code, else of the message.",
    why="A slug is derived, so that links can be foreseen.",
    bad='"errorMessage": "No such table: {name}", "slug": "my-table-error"',
    good='"errorMessage": "No such table: {name}", "slug": "no-such-table-name"',
    check=_derived_slug,
    superseded_by=("I001",),
    fixable=True,
)
DUPLICATE_SLUG = Rule(
    code="I004",
    name="duplicate-slug",
    what="Two records of a repo have the same slug.",
    why="owner/repo/slug names one record; a later one with the same slug gets six digits of its id appended.",
    bad='two records of a repo with "slug": "no-such-table-name"',
    good='the later one with "slug": "no-such-table-name-73154b"',
    check=_duplicate_slug,
    superseded_by=("I001", "I003"),
    fixable=True,
)

RULES = (DUPLICATE_ID, DERIVED_ID, DERIVED_SLUG, DUPLICATE_SLUG)
