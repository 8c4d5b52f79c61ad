"""What is said about a match in words, alike in every form."""

from collections.abc import Iterable, Sequence

from errkb.exception_names import with_class
from errkb.explanation import Explanation
from errkb.lazy_regex import lazy
from errkb.matching.evidence import Certainty, certainty, shown_score
from errkb.matching.match import Kind, Match
from errkb.proof.results import Proof, Run
from errkb.reading import Role
from errkb.records.record import Record
from errkb.render.clean import one_line

NO_ERROR = "No error found in this text."
NO_RECORD = "No record for this error."
UNDECIDED = "The text does not say which of these it is:"
SIMILAR_WORDS = "Records with similar words, which may have nothing to do with it:"
CODE = lazy(r"`([^`\n]{1,400})`")
"""Code in prose."""
_NONE_AT_ALL = lazy(
    r"(?i)\b(?:no|zero|0|without(?: any)?|free of) (?:errors?|failures?|exceptions?|problems?|issues?)"
    r"(?=\s*(?:$|[.,;!)]|found|detected|reported|were|was|so far|in ))"
)
"""A text that says that there was no error."""
_LONGEST_DENIAL = 200
_KINDS = {
    Kind.PATTERN: "the whole message fits",
    Kind.INSIDE: "its text stands in the message, with other text around it",
    Kind.CODE: "its code stands in the message",
    Kind.PARTIAL: "the message is cut, and what is there fits",
    Kind.FUZZY: "the wording is similar",
    Kind.CLASS: "the class fits; its messages have no text of their own",
}
_ROLES = {
    Role.CAUSE: "It was caused by",
    Role.CONTEXT: "It was raised while this error was handled",
    Role.WRAPPED: "Its message holds",
    Role.MEMBER: "One of its errors",
}
_ERROR_WORDS = (
    "error",
    "exception",
    "fail",
    "cannot",
    "can't",
    "could not",
    "invalid",
    "not found",
    "denied",
    "refused",
)


def how_sure(match: Match) -> str:
    """How sure errkb is, and why, with the score: for `--why`."""
    changes = [item.note for item in match.evidence if item.name == "changed"]
    what = changes[0] if changes else _KINDS[match.kind]
    tied = "; another record fits as well" if match.tied else ""
    return f"{certainty(match)} ({shown_score(match.score)}): {one_line(what)}{tied}"


def certainty_phrase(match: Match) -> str:
    """How sure errkb is, in a word, and where that is not certain in half a sentence why."""
    sure = certainty(match)
    if sure is Certainty.CERTAIN:
        return sure.value
    changes = [one_line(item.note, 100) for item in match.evidence if item.name == "changed"]
    reasons = changes or ([] if match.kind in (Kind.PATTERN, Kind.CLASS) else [_KINDS[match.kind]])
    if match.tied:
        reasons.append("another record fits as well")
    return f"{sure.value}: {'; '.join(reasons)}" if reasons else sure.value


def how_proven(proof: Proof) -> str:
    """Whether the example was run and what with, in a phrase."""
    if proof.status == "unprovable":
        return f"example not tested ({one_line((proof.reason or 'no reason given').partition(':')[0])})"
    if proof.status == "missing":
        return "example not tested"
    later = ", and changed since" if proof.status == "stale" else ""
    return f"example tested with {ran_with(proof.runs)}{later}"


def ran_with(runs: Iterable[Run]) -> str:
    """What examples were run with: `pandas 2.3.3, Python 3.12`."""
    pythons: dict[str, list[str]] = {}
    for run in runs:
        package = f"{one_line(run.package)} {one_line(run.version)}, " if run.package and run.version else ""
        pythons.setdefault(package, []).append(".".join(one_line(run.python or "?").split(".")[:2]))
    return "; ".join(f"{package}Python {_range(versions)}" for package, versions in pythons.items())


def _range(versions: Sequence[str]) -> str:
    """`3.11 to 3.14` for three and more minor versions without a gap, else the list of them."""
    minors = [version.rpartition(".")[2] for version in versions]
    if len(versions) > 2 and all(minor.isdigit() for minor in minors):
        numbers = sorted(map(int, minors))
        if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return f"3.{numbers[0]} to 3.{numbers[-1]}"
    return listed(versions)


def listed(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def class_and_message(explanation: Explanation, most: int = 200) -> str:
    """The error as one line: `Class: message`."""
    occurrence = explanation.occurrence
    if occurrence is None:
        return ""
    return one_line(with_class(occurrence.error_class, occurrence.message), most).removesuffix(":")


def role_phrase(explanation: Explanation) -> str:
    """How another error of a text stands to the first one."""
    assert explanation.occurrence is not None  # noqa: S101  # others are made from occurrences
    return _ROLES.get(explanation.occurrence.role, "Also in this text")


def nothing_known(explanation: Explanation) -> str:
    """What is said where no record answers: that there is none, or that the text holds no error at all."""
    occurrence = explanation.occurrence
    if occurrence is None:
        return NO_ERROR
    marked = occurrence.error_class or occurrence.frames or occurrence.role is not Role.LOG
    if not marked and _NONE_AT_ALL.search(occurrence.message[:_LONGEST_DENIAL]):
        return NO_ERROR
    if marked or any(word in occurrence.message.lower() for word in _ERROR_WORDS):
        return NO_RECORD
    return NO_ERROR


def other_language(explanation: Explanation) -> str | None:
    """What is said of a text of another language or tool; None for all others."""
    if explanation.language is None:
        return None
    return f"It looks like an error of {one_line(explanation.language)}. errkb knows errors of Python programs."


def reason(explanation: Explanation) -> str:
    """Why the error happened, as far as the values decide it; else what the message means, in short."""
    match, diagnosis = explanation.match, explanation.diagnosis
    if match is None or diagnosis is None:
        return ""
    if diagnosis.cause:
        return diagnosis.cause.because
    if len(diagnosis.possible) == 1:
        return diagnosis.possible[0].because
    return "" if diagnosis.possible else first_sentences(match.record.documentation)


def first_sentences(text: str, most: int = 240) -> str:
    """The first sentences of a text, as many as `most` characters hold; at least one, cut if it must be."""
    text = one_line(text, 4000)
    end = 0
    while (stop := text.find(". ", end)) >= 0 and stop < most:
        end = stop + 2
    return text if len(text) <= most else text[:end].rstrip() or one_line(text, most)


def record_name(record: Record) -> str:
    """Project and id of a record, as `errkb show` takes them."""
    return f"{one_line(record.repo)} {one_line(record.id)}"
