"""What is said about a match in words, alike in every form."""

from errkb.explanation import Explanation
from errkb.match import Kind, Match
from errkb.render.clean import one_line

_KINDS = {
    Kind.PATTERN: "the whole message fits",
    Kind.INSIDE: "its text stands in the message, with other text around it",
    Kind.CODE: "its code stands in the message",
    Kind.PARTIAL: "what is there of the cut message fits",
    Kind.FUZZY: "the message is worded a little otherwise",
}


def how_sure(match: Match) -> str:
    """How sure errkb is, and why, in a sentence."""
    degree = "likely" if match.score >= 0.5 else "possible"
    tied = "; another record fits as well" if match.tied else ""
    return f"{degree} ({match.score:.2f}): {_KINDS[match.kind]}{tied}"


def understood(explanation: Explanation) -> str:
    """What was read from a text that is not known, in a line."""
    occurrence = explanation.occurrence
    if occurrence is None:
        return "No error found in the text."
    message = one_line(occurrence.message)
    if occurrence.error_class:
        message = f"{one_line(occurrence.error_class)}: {message}".rstrip(": ")
    return f"Nothing known about: {message}"
