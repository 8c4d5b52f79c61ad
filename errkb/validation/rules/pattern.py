"""P: patterns, each on its own."""

from collections.abc import Iterable

from errkb.errors import PatternError
from errkb.index.format import UNSPECIFIC_WEIGHT
from errkb.patterns import Message, Pattern
from errkb.records.record import PATTERN_LENGTH
from errkb.records.template import CAPTURE, LEAST_LITERAL, fill
from errkb.validation.finding import Fix
from errkb.validation.rule import Context, Rule, Subject, Violation
from errkb.validation.words import background_weight, literal_words

_VALUES = ("qz{}zq", "3", "'a b', (c: d)")


def _dialect(subject: Subject, context: Context) -> Iterable[Violation]:
    pattern = subject.record.message_pattern
    if pattern == subject.sample.derived and any(map(str.isalnum, pattern)):
        return ()
    try:
        Pattern(pattern, needs_text=subject.record.id not in context.class_only)
    except PatternError as error:
        return [Violation(str(error), "/messagePattern")]
    return ()


def _misses_template(subject: Subject, context: Context) -> Iterable[Violation]:
    record, sample = subject.record, subject.sample
    if record.message_pattern == sample.derived:
        return ()
    pattern = Pattern(record.message_pattern, needs_text=record.id not in context.class_only)
    for value in _VALUES:
        values = [value.format(number + 1) for number in range(sample.placeholders)]
        message = fill(record.error_message, values)
        if pattern.read(Message(message)) is None:
            break
    else:
        return ()
    return [
        Violation(
            f"does not match the record's own message {message!r}; derived from it is {sample.derived!r}",
            "/messagePattern",
            Fix("messagePattern", sample.derived),
        )
    ]


def _too_long(subject: Subject, _context: Context) -> Iterable[Violation]:
    length = len(subject.record.message_pattern)
    if length <= PATTERN_LENGTH:
        return ()
    message = f"{length} characters, {PATTERN_LENGTH} are allowed"
    return [Violation(message, "/messagePattern", Fix("messagePattern", subject.sample.derived))]


def _unspecific(subject: Subject, context: Context) -> Iterable[Violation]:
    record, sample = subject.record, subject.sample
    if record.id in context.class_only:
        return ()
    if record.message_pattern == sample.derived:
        if sample.placeholders and CAPTURE not in sample.derived:
            message = f"fewer than {LEAST_LITERAL} characters of its own: no values can be read"
            return [Violation(message, "/messagePattern")]
        weight = 0.0
        for run in subject.words:
            for word in run:
                weight += background_weight(word)
                if weight >= UNSPECIFIC_WEIGHT:
                    return ()
    weight = sum(map(background_weight, literal_words(Pattern(record.message_pattern))))
    if weight >= UNSPECIFIC_WEIGHT:
        return ()
    message = "its own text is too short or too common to find the record by: found only together with its class"
    return [Violation(message, "/messagePattern")]


def _capture_count(subject: Subject, _context: Context) -> Iterable[Violation]:
    record, sample = subject.record, subject.sample
    if record.message_pattern == sample.derived:
        return ()
    captures = Pattern(record.message_pattern, needs_text=False).capture_count
    if captures == sample.placeholders:
        return ()
    message = f"{_count(captures, 'capture')} for {_count(sample.placeholders, 'placeholder')}: values go unnamed"
    return [Violation(message, "/messagePattern")]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


DIALECT = Rule(
    code="P001",
    name="pattern-dialect",
    what="A pattern is no regular expression, is outside the dialect, or has no text of its own.",
    why="Patterns hold what Python, JavaScript and RE2 read alike, and what matches in linear time: "
    "literals, (.+?) and other gaps, classes, repeats, groups, alternation; no look-around, back-references, anchors.",
    bad=r'"messagePattern": "^cannot open (?=drawer) (.+?)$"',
    good='"messagePattern": "cannot open drawer (.+?)"',
    check=_dialect,
)
MISSES = Rule(
    code="P002",
    name="pattern-misses-template",
    what="A pattern does not match what the record's own template gives.",
    why="A hand-written pattern is fine as long as it accepts what the derived one accepts.",
    bad='"errorMessage": "cannot open drawer {n}", "messagePattern": "cannot close drawer (.+?)"',
    good='"errorMessage": "cannot open drawer {n}", "messagePattern": "cannot open (?:drawer|door) (.+?)"',
    check=_misses_template,
    superseded_by=("P001",),
    fixable=True,
)
TOO_LONG = Rule(
    code="P003",
    name="pattern-too-long",
    what=f"A pattern has more than {PATTERN_LENGTH} characters.",
    why="What is derived from a longer template ends at the last literal before; "
    "readers accept longer patterns, other tools do not.",
    bad='"messagePattern": "(a whole page of text)"',
    good='"messagePattern": "(its first sentences)"',
    check=_too_long,
    superseded_by=("P001", "P002"),
    fixable=True,
)
UNSPECIFIC = Rule(
    code="P004",
    name="pattern-unspecific",
    severity="warning",
    what="The literal text of a pattern is too short, or its words too common, to find the record by.",
    why="It would match every other line of a log, so it counts only for whole messages of the same class.",
    bad='"messagePattern": "error: (.+?)"',
    good='"messagePattern": "error: cannot open drawer (.+?)"',
    check=_unspecific,
    superseded_by=("P001", "P002"),
)
CAPTURES = Rule(
    code="P005",
    name="capture-count",
    severity="warning",
    what="A hand-written pattern has not as many captures as its template has placeholders.",
    why="Captures are named by the placeholders, in order; where the numbers differ they are called 1, 2, ….",
    bad='"errorMessage": "drawer {n} of {m}", "messagePattern": "drawer (.+?) of .+?"',
    good='"errorMessage": "drawer {n} of {m}", "messagePattern": "drawer (.+?) of (.+?)"',
    check=_capture_count,
    superseded_by=("P001", "P002", "P003"),
)

RULES = (DIALECT, MISSES, TOO_LONG, UNSPECIFIC, CAPTURES)
