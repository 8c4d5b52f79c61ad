"""What of a message is quoting, and what the exception itself says."""

from errkb.exception_names import last_name
from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.occurrence import LONGEST_MESSAGE
from errkb.reading.shape import Shape
from errkb.reading.shapes.class_heads import CLOSING

_WITH_GUESSES = {None, "NameError", "AttributeError", "ImportError", "ModuleNotFoundError", "UnboundLocalError"}
GUESS = Shape(
    "Python's guess",
    (". Did you ",),
    r"\. Did you (?:mean: '[^'\n]{1,100}'|forget to import '[^'\n]{1,100}')\?(?: Or did you .{1,120}\?)?\s*$",
    ". Did you mean: 'seed'?",
)
_GUESS = lazy(GUESS.pattern)
_LITERAL_END = lazy(r"'(?=[})\],])")
_BOLD_END = lazy(r"(?<=\S)\*\*(?=$|[\s.,;:)?!])")
_TIGHT = "「『【《"
"""Quotes of scripts without blanks: text may stand right after the closing one."""


def without_notes(lines: list[Line]) -> tuple[list[Line], tuple[str, ...]]:
    """The lines of a message without the notes that Python (3.14) itself adds to it, and these."""
    stop = len(lines)
    while stop > 1 and lines[stop - 1].text.lstrip().startswith("when serializing "):
        stop -= 1
    return lines[:stop], tuple(line.text.strip() for line in lines[stop:])


def text_of(lines: list[Line]) -> str:
    """The message that stands in these lines (the first cut to where it begins)."""
    text = "\n".join(line.text.rstrip() if n else line.text for n, line in enumerate(lines))
    return text.strip()[:LONGEST_MESSAGE]


def strip_quoting(message: str, opening: str) -> str:
    """The message without the quoting that `opening` began, and without a glued header."""
    if "**" in opening and (bold := _BOLD_END.search(message)):
        message = message[: bold.start()]
    if not opening and message.endswith("**") and message.count("**") == 1:
        message = message[:-2].rstrip()
    if not opening and message.count("`") % 2 and (bare := message.rstrip(".,;:")).endswith("`"):
        message = bare[:-1].rstrip()  # of a quote that began above
    if opening:
        for mark in opening:
            closing = CLOSING.get(mark, mark)
            if mark == "„" and closing not in message:
                closing = "”"
            bare = message.rstrip(".,;: ")
            if mark in "([" and (end := _bracket_end(message, mark, closing)) >= 0:
                message = message[:end].rstrip()
            elif mark == "`" and message.count(mark) > 1 and (cut := _closes_at(message, mark)) >= 0:
                message = message[:cut]
            elif bare.endswith(closing):
                message = bare[: -len(closing)].rstrip()
            elif mark == "'" and (literal := _LITERAL_END.search(message)):
                message = message[: literal.start()]
            elif mark in _TIGHT and closing in message:
                message = message[: message.index(closing)]
            elif mark in '`"“‘«„‹' and (cut := _closes_at(message, closing)) >= 0:
                message = message[:cut]
    return message


def _bracket_end(message: str, opening: str, closing: str) -> int:
    """Where, in the first line, the bracket closes that stands in front of the message; -1 if nowhere."""
    depth = 0
    for column, character in enumerate(message.partition("\n")[0]):
        depth += (character == opening) - (character == closing)
        if depth < 0:
            return column
    return -1


def _closes_at(message: str, closing: str) -> int:
    """Where an opened quote closes inside a sentence that goes on."""
    at = message.find(closing)
    count = message.count(closing)
    # Of several the first closes, unless it opens something itself.
    if not count % 2 or (count > 1 and (at == 0 or message[at - 1].isspace())):
        return -1
    return at if message[at + 1 : at + 2] in ("", " ", ".", ",", ")", "\n", ":", "?", "!", ";") else -1


def strip_outer_quotes(message: str) -> str:
    """A message without quotes around the whole of it."""
    text = message.strip()
    if text[:1].isalnum():
        return text
    bare = text.rstrip(".,; ")
    for opening, closing in CLOSING.items():
        if opening != "(" and bare[:1] == opening and bare[-1:] == closing and len(bare) > 2:
            inner = bare[1:-1]
            if opening not in inner and closing not in inner:
                return inner.strip()
    for marks in ("_**", "**_", "***", "**", "__", "`", "*", "_"):
        if len(bare) > 2 * len(marks) and bare.startswith(marks) and bare.endswith(marks[::-1]):
            return bare[len(marks) : -len(marks)].strip()
    return text


def strip_python_additions(name: str | None, message: str) -> str:
    """What the exception itself says, without what Python makes of it when it prints it.

    Of a KeyError it prints the repr, which hides a sentence in quotes; after a wrong name it prints a guess.
    """
    last = last_name(name) if name else None
    if last == "KeyError" and len(message) > 2 and message[0] == message[-1] and message[0] in "\"'":
        inner = message[1:-1]
        if " " in inner.strip():
            return inner.replace("\\" + message[0], message[0])
    if message[:2] == message[-2:] == "**" and message.count("**") == 2:
        message = message[2:-2].strip()
    if ". Did you " in message and last in _WITH_GUESSES:
        return _GUESS.sub("", message)
    return message
