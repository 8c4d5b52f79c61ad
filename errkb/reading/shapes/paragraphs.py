"""Whose words a paragraph holds: a message's explanation, a person's talk, a list of versions."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.shapes.says_its_own import BEGINS_ANOTHER

_PERSON = lazy(
    r"(?:^|[,.] )i\b|\b(?:I|I'm|I've|my|anyone|thanks|Thanks)\b|\?\s*$"
    r"|(?:How|What|Why|Any|Here|Then|After|Before|Expected|Steps|However|But|Not sure|Only|Strangely)\b"
    r"|\b(?:happens (?:with|on|only|in|for|every|also)|works? (?:fine|well|with|on|as|for|without|just)|behaves?"
    r"|doesn't seem|the above error|the same (?:script|code|error|thing|problem)|help me|no idea|last (?:week|month))\b"
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
    return _PERSON.search(text) is not None or (text.rstrip().endswith(":") and len(text) < _LONGEST_ANNOUNCEMENT)


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
    return not _ENVIRONMENT.match(text) and _is_explanation(text, is_last=number == len(lines) - 1)


def _is_explanation(text: str, *, is_last: bool) -> bool:
    """Whether a line is a whole sentence that no person says of themselves."""
    is_whole = is_last or text.rstrip()[-1:] in ".!?:)" or len(text.split()) > _MANY_WORDS
    return is_whole and len(text) > _SHORTEST and bool(_PROSE.match(text)) and not _PERSON.search(text)
