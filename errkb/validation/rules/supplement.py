"""U: supplements, and what they say about their records."""

from collections.abc import Callable, Iterable, Iterator

from errkb.datasets.json_spans import escape_pointer
from errkb.diagnosis.conditions import condition_patterns
from errkb.errors import PatternError, did_you_mean
from errkb.patterns import Pattern
from errkb.patterns.dialect import parse
from errkb.records.draft import MISSING
from errkb.records.examples import is_about_syntax, syntax_error
from errkb.records.supplement import CURE_LENGTH, FIELDS, names_in
from errkb.records.template import placeholders
from errkb.validation.rule import Rule, Violation
from errkb.validation.supplement_subject import SupplementSubject

SupplementCheck = Callable[[SupplementSubject], Iterable[Violation]]


def _unknown_record(subject: SupplementSubject) -> Iterator[Violation]:
    if subject.record is None:
        yield Violation(f"no dataset has a record {subject.supplement.id}", "/id")


def _unknown_fields(subject: SupplementSubject) -> Iterator[Violation]:
    for name in subject.fields:
        if name not in FIELDS:
            hint = did_you_mean(name, FIELDS)
            yield Violation(f"unknown field {name!r}{f'; {hint}' if hint else ''}", f"/{escape_pointer(name)}")


def _cure(subject: SupplementSubject) -> Iterator[Violation]:
    cure = subject.supplement.cure
    length = len((cure or "").replace("`", ""))
    if cure and (length > CURE_LENGTH or "\n" in cure):
        yield Violation(f"{length} characters, the first line of an answer has room for {CURE_LENGTH}", "/cure")


def _capture_names(subject: SupplementSubject) -> Iterator[Violation]:
    given, count = subject.supplement.capture_names, subject.capture_count
    if given is None or count is None:
        return
    if len(given) != count:
        yield Violation(f"{len(given)} names for the {count} captures of the record's pattern", "/captureNames")
    named = [name for name in given if name]
    if len(set(named)) != len(named):
        yield Violation("a name is there twice", "/captureNames")


def _nameless(subject: SupplementSubject) -> Iterator[Violation]:
    if subject.record is None or subject.supplement.capture_names is not None:
        return
    if any(not one.name for one in placeholders(subject.record.error_message)) and subject.capture_count:
        yield Violation("the record's template has placeholders without a name: give captureNames", "")


def _conditions(subject: SupplementSubject) -> Iterator[Violation]:
    names = subject.names
    for number, cause in enumerate(subject.supplement.causes):
        when, pointer = cause.when, f"/causes/{number}/when"
        if when is None:
            continue
        if not (when.captures or when.error_class or when.text or when.frame or when.path):
            yield Violation("no condition in it: leave `when` out, or say when this is the cause", pointer)
        for name, test in when.captures.items():
            if names is not None and name not in names:
                yield Violation(f"the record has no capture {name!r}, but {', '.join(map(repr, names))}", pointer)
            given = [test.equals is not None, test.one_of is not None, bool(test.matches), bool(test.looks_like)]
            if sum(given) != 1:
                yield Violation(f"capture {name!r} needs exactly one of equals, oneOf, matches, looksLike", pointer)
        for name, expression in condition_patterns(when):
            try:
                parse(expression)
            except PatternError as error:
                yield Violation(f"capture {name!r}: {error}", pointer)


def _unknown_values(subject: SupplementSubject) -> Iterator[Violation]:
    names = subject.names
    if names is None:
        return
    wordings = [one.name for wording in subject.supplement.wordings for one in placeholders(wording.error_message)]
    for number, cause in enumerate(subject.supplement.causes):
        for field, text in (("because", cause.because), ("do", cause.do)):
            close = [name for name in names_in(text) if name not in names and name in wordings]
            for name in close:
                yield Violation(f"the record itself has no value {name!r}", f"/causes/{number}/{field}")


def _wording_patterns(subject: SupplementSubject) -> Iterator[Violation]:
    for number, wording in enumerate(subject.supplement.wordings):
        try:
            Pattern(wording.pattern)
        except PatternError as error:
            yield Violation(str(error), f"/wordings/{number}")


def _related(subject: SupplementSubject) -> Iterator[Violation]:
    related = subject.supplement.related
    if related is None:
        return
    for field, ids in (("instead", related.instead), ("leadsTo", related.leads_to), ("sameCause", related.same_cause)):
        for record_id in ids:
            if not subject.is_known(record_id):
                yield Violation(f"no dataset has a record {record_id}", f"/related/{field}")


def _triggers(subject: SupplementSubject) -> Iterator[Violation]:
    if subject.record and is_about_syntax(subject.record):
        return
    for number, cause in enumerate(subject.supplement.causes):
        if cause.trigger and (problem := syntax_error(cause.trigger)):
            yield Violation(f"does not parse as Python: {problem}", f"/causes/{number}/trigger")


def _placeholders(subject: SupplementSubject) -> Iterator[Violation]:
    supplement = subject.supplement
    texts = [("/cure", supplement.cure or ""), ("/captureNames", " ".join(supplement.capture_names or ()))]
    for number, cause in enumerate(supplement.causes):
        for field, text in (("because", cause.because), ("do", cause.do), ("trigger", cause.trigger or "")):
            texts.append((f"/causes/{number}/{field}", text))
    for pointer, text in texts:
        if MISSING in text:
            yield Violation(f"{MISSING} stands where something is missing", pointer)


SCHEMA = Rule(
    code="U001",
    name="supplement-schema",
    what="A supplement breaks schema/supplement.schema.json.",
    why="Readers skip supplements that are not valid.",
    bad='{"id": "73154bc6b02214fb", "cure": ["Set it to 1."]}',
    good='{"id": "73154bc6b02214fb", "cure": "Set it to 1."}',
)
UNKNOWN_RECORD = Rule(
    code="U002",
    name="supplement-of-nothing",
    what="No dataset has the record that a supplement is about: neither those under check nor errkb's own.",
    why="It would never be shown. Often the record was renamed, and has a new id.",
    bad='{"id": "0000000000000000", "cure": "Set it to 1."}',
    good='{"id": "73154bc6b02214fb", "cure": "Set it to 1."}',
)
TWICE = Rule(
    code="U003",
    name="supplement-twice",
    what="A file has two supplements of one record.",
    why="The lists of both are shown one after the other, and nobody sees in one place what is said.",
    bad='two lines with "id": "73154bc6b02214fb"',
    good="one line with the fields of both",
)
UNKNOWN_FIELD = Rule(
    code="U004",
    name="supplement-unknown-field",
    severity="warning",
    what="A supplement has a field that this version of the schema does not know.",
    why="Such a field has no effect: often a misspelt name.",
    bad='"cures": "Set it to 1."',
    good='"cure": "Set it to 1."',
)
CURE = Rule(
    code="U005",
    name="long-cure",
    what=f"A cure has more than {CURE_LENGTH} characters or more than one line.",
    why="It is the first line of the answer.",
    bad='"cure": "There are many possible reasons for this error, of which the first is …"',
    good='"cure": "Set offload_prefetch_step to at least 1."',
)
CAPTURE_NAMES = Rule(
    code="U006",
    name="capture-names",
    what="captureNames does not name each capture of the record's pattern once.",
    why="A value would be shown under the name of another one.",
    bad='"captureNames": ["count"] for a pattern with two captures',
    good='"captureNames": ["count", "type"]',
)
NAMELESS = Rule(
    code="U007",
    name="nameless-captures",
    severity="warning",
    what="A record whose template has placeholders without a name (%s, {}) has a supplement without captureNames.",
    why="Conditions and sentences need a name for the value, and so do readers.",
    bad='a template "expected %d, got %d" and no captureNames',
    good='"captureNames": ["expected", "got"]',
)
CONDITION = Rule(
    code="U008",
    name="condition",
    what="The `when` of a cause is empty, asks for a capture that is not there, has not exactly one test for a "
    "capture, or a pattern outside the dialect.",
    why="Such a cause is never chosen.",
    bad='"when": {"captures": {"vlaue": {"equals": "0"}}}',
    good='"when": {"captures": {"value": {"equals": "0"}}}',
)
VALUE = Rule(
    code="U009",
    name="unknown-value",
    what="A sentence of a cause names a value that only another wording has.",
    why="With the record's own wording the name would be shown as it stands.",
    bad='"because": "`{old_name}` was removed." where the record\'s template has {name}',
    good='"because": "`{name}` was removed."',
)
WORDING = Rule(
    code="U010",
    name="wording-pattern",
    what="The pattern of a wording is outside the dialect or has no text of its own.",
    why="It would never match.",
    bad='"messagePattern": "(?=x)(.+?)"',
    good='"errorMessage": "can\'t pickle {type} objects"',
)
WORDING_LOSES = Rule(
    code="U011",
    name="wording-not-found",
    what="The message of a wording is answered with another record than its own, or not at all.",
    why="Readers of that message get another record's cure.",
    bad='"errorMessage": "{message}"',
    good='"errorMessage": "local variable {name!r} referenced before assignment"',
    superseded_by=("U002", "U010"),
)
RELATED = Rule(
    code="U012",
    name="related-to-nothing",
    what="No dataset has a record that `related` names.",
    why="The reader would be sent to a record that is not there.",
    bad='"related": {"instead": ["0000000000000000"]}',
    good='"related": {"instead": ["73154bc6b02214fb"]}',
)
TRIGGER = Rule(
    code="U013",
    name="trigger-syntax",
    what="The trigger of a cause does not parse as Python.",
    why="`errkb prove` runs triggers, and it would end in another error.",
    bad='"trigger": "int(\'2.5\'"',
    good='"trigger": "int(\'2.5\')"',
)
PLACEHOLDER = Rule(
    code="U014",
    name="supplement-placeholder",
    what="A text of a supplement is still marked TODO.",
    why="`errkb new` marks what is missing; readers would be shown the mark.",
    bad='"cure": "TODO: what to do, in one line"',
    good='"cure": "Set offload_prefetch_step to at least 1."',
)
CHECKS: tuple[tuple[Rule, SupplementCheck], ...] = (
    (UNKNOWN_RECORD, _unknown_record),
    (UNKNOWN_FIELD, _unknown_fields),
    (CURE, _cure),
    (CAPTURE_NAMES, _capture_names),
    (NAMELESS, _nameless),
    (CONDITION, _conditions),
    (VALUE, _unknown_values),
    (WORDING, _wording_patterns),
    (RELATED, _related),
    (TRIGGER, _triggers),
    (PLACEHOLDER, _placeholders),
)
"""The rules that look at one supplement, with their checks."""
RULES = (
    SCHEMA, UNKNOWN_RECORD, TWICE, UNKNOWN_FIELD, CURE, CAPTURE_NAMES, NAMELESS, CONDITION, VALUE, WORDING,
    WORDING_LOSES, RELATED, TRIGGER, PLACEHOLDER,
)  # fmt: skip
