"""What is said about a match in words, alike in every form."""

from collections.abc import Iterable, Sequence

from errkb.explanation import Explanation
from errkb.matching.evidence import CONFIDENT
from errkb.matching.match import Kind, Match
from errkb.proof.results import Proof, Run
from errkb.render.clean import one_line

_KINDS = {
    Kind.PATTERN: "the whole message fits",
    Kind.INSIDE: "its text stands in the message, with other text around it",
    Kind.CODE: "its code stands in the message",
    Kind.PARTIAL: "what is there of the cut message fits",
    Kind.FUZZY: "the message is worded a little otherwise",
}


def value_name(name: str) -> str:
    """What a captured value is called: the expression it comes from, or its place where the source names none."""
    return f"value {name}" if name.isdigit() else one_line(name)


def how_sure(match: Match) -> str:
    """How sure errkb is, and why, in a sentence."""
    degree = "likely" if match.score >= CONFIDENT else "possible"
    changes = [item.note for item in match.evidence if item.name == "changed"]
    what = changes[0] if changes else _KINDS[match.kind]
    tied = "; another record fits as well" if match.tied else ""
    return f"{degree} ({match.score:.2f}): {one_line(what)}{tied}"


def how_proven(proof: Proof) -> str:
    """Whether the example was run and what with, in a phrase."""
    if proof.status == "unprovable":
        return f"before/after not run: {one_line(proof.reason or 'no reason given')}"
    if proof.status == "missing":
        return "before/after not run"
    later = ", changed since" if proof.status == "stale" else ""
    return f"before/after run with {ran_with(proof.runs)}{later}"


def ran_with(runs: Iterable[Run]) -> str:
    """What examples were run with: `pandas 2.3.3, Python 3.12`."""
    pythons: dict[str, list[str]] = {}
    for run in runs:
        package = f"{one_line(run.package)} {one_line(run.version)}, " if run.package and run.version else ""
        pythons.setdefault(package, []).append(".".join(one_line(run.python or "?").split(".")[:2]))
    return "; ".join(f"{package}Python {listed(versions)}" for package, versions in pythons.items())


def listed(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def understood(explanation: Explanation) -> str:
    """What was read from a text that is not known, in a line."""
    occurrence = explanation.occurrence
    if occurrence is None:
        return "No error found in the text."
    message = one_line(occurrence.message)
    if occurrence.error_class:
        message = f"{one_line(occurrence.error_class)}: {message}".rstrip(": ")
    return message if explanation.raised else f"Nothing known about: {message}"
