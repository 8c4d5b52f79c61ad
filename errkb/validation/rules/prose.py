"""T: the texts for readers."""

import re
from collections.abc import Iterable, Iterator

from errkb.records.record import Record
from errkb.validation.rule import Context, Rule, Subject, Violation

_MARKS = ("TODO", "TBD", "FIXME", "XXX")
_PHRASES = ("orem ipsum", "you properly")
_PLACEHOLDER = re.compile(r"\b(?:TODO|TBD|FIXME|XXX|[Ll]orem ipsum|[Ee]nsure (?:that )?you properly)\b")
_NOTHING = frozenset({"", "-", "--", "–", "—", ".", "..", "...", "…", "?", "n/a", "na", "none", "null", "nil", "tba"})
_LONGEST_NOTHING = max(map(len, _NOTHING))
_LEAST_CHARACTERS = 25
_LEAST_WORDS = 4
_STOCK = (
    "this the a an error errors exception message is was were are be been being raised raises thrown throws occurs "
    "occurred happens happened appears shown reported returned emitted triggered when whenever if because that which "
    "says say means mean indicates it its there of in by to for on with and or has have had as at s"
)
_FORMULA = frozenset(_STOCK.split())
"""Words of stock phrases: "this error occurs when"."""
_NO_ACTIONS = ("Do not ", "Don't ", "Never ", "Ensure ", "Make sure ", "Be sure ")
_WORD = re.compile(r"[A-Za-z0-9]+")
_CAMEL = re.compile(r"[A-Z][a-z0-9]*|[a-z0-9]+")


def _fields(record: Record) -> Iterator[tuple[str, str]]:
    """Pointer and text of the prose of a record."""
    yield "/documentation", record.documentation
    yield "/triggerScenarios", record.trigger_scenarios
    yield "/commonSituations", record.common_situations
    for number, text in enumerate(record.solutions):
        yield f"/solutions/{number}", text
    for number, text in enumerate(record.prevention_tips):
        yield f"/preventionTips/{number}", text


def _placeholder(subject: Subject, _context: Context) -> Iterable[Violation]:
    record, capitals, texts = subject.record, subject.capitals_and_at, subject.texts
    fields = (record.documentation, record.trigger_scenarios, record.common_situations)
    if min(map(len, (*fields, *record.solutions, *record.prevention_tips))) > _LONGEST_NOTHING and not (
        any(mark in capitals for mark in _MARKS) or any(phrase in texts for phrase in _PHRASES)
    ):
        return ()
    return list(_placeholders(record))


def _placeholders(record: Record) -> Iterator[Violation]:
    for pointer, text in _fields(record):
        if text.strip().lower() in _NOTHING:
            yield Violation(f"{text!r} says nothing" if text.strip() else "is empty", pointer)
            continue
        if match := _PLACEHOLDER.search(text):
            yield Violation(f"placeholder text: {match[0]!r}", pointer)


def _thin(subject: Subject, _context: Context) -> Iterable[Violation]:
    record = subject.record
    found = []
    for pointer, text in (("/documentation", record.documentation), ("/triggerScenarios", record.trigger_scenarios)):
        if len(text) < _LEAST_CHARACTERS or text.count(" ") < _LEAST_WORDS - 1:
            found.append(Violation(f"thin: {len(text.split())} words", pointer))
    if not record.solutions:
        found.append(Violation("no solution: what should a reader do?", "/solutions"))
    return found


def _restates(subject: Subject, _context: Context) -> Iterable[Violation]:
    record = subject.record
    known: set[str] | None = None
    message = record.error_message.lower()
    for match in _WORD.finditer(record.documentation):
        word = match[0].lower()
        if word not in _FORMULA:
            if word not in message and word not in f"{record.error_class} {record.error_code}".lower():
                return ()
            if known is None:
                known = _said(record)
            if word not in known:
                return ()
    return [Violation("says what the message says, and nothing more", "/documentation")]


def _no_action(subject: Subject, _context: Context) -> Iterable[Violation]:
    return [
        Violation(f"no action: {' '.join(text.split()[:3])} …", f"/solutions/{number}")
        for number, text in enumerate(subject.record.solutions)
        if text.startswith(_NO_ACTIONS)
    ]


def _said(record: Record) -> set[str]:
    """The words of the message, the class and the code."""
    said = set(_WORD.findall(record.error_message.lower()))
    for name in (record.error_class or "", record.error_code or ""):
        said.update(part.lower() for part in (name, *_CAMEL.findall(name)))
    return said


PLACEHOLDER = Rule(
    code="T001",
    name="placeholder-prose",
    what="A text is empty, a dash, or a placeholder: TODO, TBD, FIXME, XXX, lorem ipsum, 'ensure that you properly …'.",
    why="A reader in trouble would rather have no answer than one that says nothing.",
    bad='"documentation": "TODO: describe"',
    good='"documentation": "The table does not exist in the schema that the connection uses. …"',
    check=_placeholder,
)
THIN = Rule(
    code="T002",
    name="thin-prose",
    severity="warning",
    what="documentation or triggerScenarios has only a few words, or there is no solution.",
    why="What the message means, what raises it and what to do is what a record is for.",
    bad='"documentation": "Bad table.", "solutions": []',
    good='"documentation": "The table does not exist in the schema …", "solutions": ["Create it: …"]',
    check=_thin,
    superseded_by=("T001",),
)
RESTATES = Rule(
    code="T003",
    name="prose-restates-message",
    severity="warning",
    what="documentation has no word that the message, the class and stock phrases have not.",
    why="The reader has the message already, and asks what it means.",
    bad='"errorMessage": "No such table: {name}", "documentation": "This error occurs when there is no such table."',
    good='"documentation": "SQLite opened, or created, another file than the one with your tables. …"',
    check=_restates,
    superseded_by=("T001", "T002"),
)

NO_ACTION = Rule(
    code="T004",
    name="solution-is-no-action",
    severity="warning",
    what="A solution begins with what not to do, or with vague care: Do not, Don't, Never, Ensure, Make sure, Be sure.",
    why="A reader in trouble needs the step to take; what to avoid belongs to preventionTips.",
    bad='"solutions": ["Never close the loop twice."]',
    good='"solutions": ["Move the close() after the last await."]',
    check=_no_action,
    superseded_by=("T001",),
)
RULES = (PLACEHOLDER, THIN, RESTATES, NO_ACTION)
