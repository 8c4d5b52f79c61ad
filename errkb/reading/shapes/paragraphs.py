"""Whose words a paragraph holds: a message's explanation, a person's talk, a list of versions."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.shapes.says_its_own import BEGINS_ANOTHER
from errkb.reading.shapes.voices import (
    IS_BELOW,
    IS_ORDER,
    IS_PERSONS,
    IS_PLEA,
    IS_PROGRAMS,
    IS_RIGHT_BELOW,
    LETTER_OF_OTHER_SCRIPT,
)

_ENVIRONMENT = lazy(
    r"\s*(?:[A-Z]\w*(?: \w+)? [vV]ersion|Operating [sS]ystem|OS|Platform|Environment|GPU|CPU|System)[^:]{0,20}: "
    r"|Python \d"
)
_PROSE = lazy(r"\s*(?:[A-Z][a-z']+|A|If|To|In|On|\*|-|\d+[.)])\s+\S+\s+\S+")
_SQL_DETAILS = ("[SQL: ", "[parameters: ", "(Background on this error at: ")
_OF_SERVERS = ("You can now", "Local URL")
_LONGEST_ANNOUNCEMENT = 100
_SHORTEST = 30
_MANY_WORDS = 7


def is_sql_detail(text: str) -> bool:
    """Whether a line is what SQLAlchemy adds to the message of a driver."""
    return text.startswith(_SQL_DETAILS)


def is_human_prose(text: str) -> bool:
    """Whether a line is a person's, who writes about an error, or an announcement of what follows."""
    return IS_PERSONS.match(text) is not None or (text.rstrip().endswith(":") and len(text) < _LONGEST_ANNOUNCEMENT)


def is_persons(message: str, text: str, *, is_right_below: bool = True) -> bool:
    """Whether a line below a message is a person's: talk, a question, another script than the message's."""
    if text.lstrip()[:1] in "[({\"'":
        return False  # a value
    if IS_PERSONS.match(text) or IS_BELOW.match(text) or (is_right_below and IS_RIGHT_BELOW.match(text)):
        return True
    return LETTER_OF_OTHER_SCRIPT.search(text) is not None and LETTER_OF_OTHER_SCRIPT.search(message) is None


def paragraph_continues(lines: list[Line], at: int, number: int, indent: int) -> bool:
    """Whether the paragraph at `number`, after a blank line, explains the message that begins at `at`."""
    if number >= len(lines):
        return False
    first, line = lines[at], lines[number]
    text = line.text
    if line.record_id != first.record_id or line.region != first.region or line.is_structure or line.class_head:
        return False
    if BEGINS_ANOTHER.match(text):
        return False
    if is_sql_detail(text):
        return True
    if line.indent > indent:
        return not text.lstrip().startswith(_OF_SERVERS)
    if first.page == "outside" or (not first.page and (IS_PLEA.match(text) or not IS_PROGRAMS.match(text))):
        return False  # what follows a message is a person's, unless it sounds like a program
    if not first.page and at == 0 and IS_ORDER.match(text):
        return False  # below a title
    return not _ENVIRONMENT.match(text) and _is_explanation(text, is_last=number == len(lines) - 1)


def _is_explanation(text: str, *, is_last: bool) -> bool:
    """Whether a line is a whole sentence that no person says of themselves."""
    is_whole = is_last or text.rstrip()[-1:] in ".!?:)" or len(text.split()) > _MANY_WORDS
    return is_whole and len(text) > _SHORTEST and bool(_PROSE.match(text)) and not IS_PERSONS.match(text)
