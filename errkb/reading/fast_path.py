"""The short way for a clean message or ``Class: message`` on one line, which most look-ups are.

It reads only what the thorough reading would read alike. A text that holds a hint of any other shape is
refused, and the hints are those of the tables (see `refusals`): a new row is refused here without further work.
"""

import re

from errkb.lazy_regex import lazy
from errkb.reading.carriers.control_characters import is_suspect
from errkb.reading.hints import EXCEPTIONS, GUESSES, OTHER_SHAPES
from errkb.reading.occurrence import Occurrence, Role
from errkb.reading.shapes.class_heads import looks_like_exception

_MAX_LENGTH = 600
_NAMED = lazy(r"(?P<name>(?:[a-z_]\w{0,60}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception)): (?=[A-Za-z0-9])")
NEVER_PLAIN = '\t:[]&|│┃║`"“”*{}'
"""Characters that a plain message does not hold."""
_PLAIN = lazy(rf"(?!E\s|raise )[A-Za-z][^{re.escape(NEVER_PLAIN)}]{{8,}}")
_SMALL = tuple(hint for hint in OTHER_SHAPES if hint == hint.lower())
_CAPITALIZED = tuple(hint for hint in OTHER_SHAPES if hint[1:] == hint[1:].lower() and hint not in _SMALL)
"""Those that may stand in a text with a capital at its beginning only, within it and at its beginning."""
_SHAPES = lazy(
    r"validation error|raceback \(|File \"|ray::|[\[(]type=|&#|&\w{2,4};|=> \{|\w\('|\(\"|(?:Error|Exception): "
)
(_GUESS,) = GUESSES
_BEHIND_QUOTE = ".,;:"
"""What may stand behind the mark that ends a quote."""
_EMPHASIS = lazy(r"(?<!\w)_|_(?!\w)")


def is_one_line(text: str) -> bool:
    """Whether `text` is one line of the usual length without control characters and escapes."""
    return len(text) <= _MAX_LENGTH and "\n" not in text and "\r" not in text and not is_suspect(text)


def is_unmarked(text: str) -> bool:
    """Whether a text of one line, as logs have them, holds no trace of an exception."""
    for hint in EXCEPTIONS:  # noqa: SIM110 - a generator takes twice as long
        if hint in text:
            return False
    return True


def keeps_words(text: str) -> bool:
    """Whether every message in `text`, and every class, is a run of its words.

    That is so of one unmarked line if no underscores are taken from a word's edge as emphasis, and
    no lines of several services stand in it, whose prefixes are cut out.
    """
    return (
        is_unmarked(text)
        and is_one_line(text)
        and not ("_" in text and _EMPHASIS.search(text))
        and max(text.count("  | "), text.count(" pid="), text.count("[rank")) <= 1
    )


def read_clean(text: str) -> Occurrence | None:
    """The one error that a text of one line is, None if it needs more of a reading."""
    end = len(text.rstrip())
    if ": " in text:
        match = _NAMED.match(text)
        if match is None:
            return None
        name, start = match["name"], match.end()
        if text[:end].rstrip(_BEHIND_QUOTE)[-1:] in "`*" or "```" in text:
            return None
        if name.endswith("KeyError") or not looks_like_exception(name) or _SHAPES.search(text, start):
            return None
        if _GUESS in text:
            return None
        return Occurrence(message=text[start:end], span=(0, end), error_class=name)
    if _PLAIN.fullmatch(text) is None:
        return None
    has_capitals = not text[1:].islower()
    for hint in OTHER_SHAPES if has_capitals else _SMALL:
        if hint in text:
            return None
    if not has_capitals and text.startswith(_CAPITALIZED):
        return None
    return Occurrence(message=text[:end], span=(0, end), role=Role.LOG)
