"""The short way for a clean message or ``Class: message`` on one line, which most look-ups are."""

from errkb.lazy_regex import lazy
from errkb.reading import log_levels
from errkb.reading.carriers.escapes import is_suspect
from errkb.reading.occurrence import Occurrence, Role
from errkb.reading.shapes.class_heads import looks_like_exception

_MAX_LENGTH = 600
_NAMED = lazy(r"(?P<name>(?:[a-z_]\w{0,60}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception)): (?=[A-Za-z0-9])")
_PLAIN = lazy(
    rf"(?!(?:{'|'.join(log_levels.NAMES)})\b"
    r"|E\s|raise |npm |INTERNALERROR)"
    r"[A-Za-z][^\t:\[\]&|│┃║`\"“”*{}]{8,}"
)
_MARKS = (
    "rror", "xception", "arning", "ailure", "PASSED", "SKIPPED", "XFAIL", "it/s", ".py", ", in ", "('", "ray::",
    "hread 0x", "<class", "<type", "raceback", "above ex", "During handling", "ignored in", "Process ", "Press ",
    "truncated", "@", "Usage", "usage", "Try ", " in 0", " in 1", " in 2", " in 3", " in 4", " in 5", " in 6", " in 7",
    " in 8", " in 9", "real\t", "user\t", "sys\t", "real ", "user ", "sys ", "~", "%", ". Did you ",
    "Stack trace", "Stacktrace",
)  # fmt: skip
"""What a message without a class may hold, but other kinds of line as well: these are read thoroughly."""
_SHAPES = lazy(r"validation error|raceback \(|File \"|ray::|[\[(]type=|&#|&\w{2,4};|=> \{|\w\('|\(\"")


_TRACES = (
    "rror", "xception", "arning", "ailure", "Exit", "Interrupt", "Iteration", "Fault", "Timeout", "NotFound",
    "DoesNotExist", "Group", "Refused", "Denied", "Exceeded", "Failed", "Cancelled", "Abort", "OutOfMemory", "FAILED",
    "raceback", 'File "', "ray::", "hread 0x", "type=", " at /", "<class", "<type", "\\", '{"', '": "',
    "&quot;", "&#", "&lt;", "│", "┃", "║", "above ex", "During handling", "aused by", "```",
    "panicked at", "发生异常", "producido una",
)  # fmt: skip
"""What says that a line may hold an exception, or be quoted in another format."""
_EMPHASIS = lazy(r"(?<!\w)_|_(?!\w)")


def is_one_line(text: str) -> bool:
    """Tell whether `text` is one line of the usual length without control characters and escapes."""
    return len(text) <= _MAX_LENGTH and "\n" not in text and "\r" not in text and not is_suspect(text)


def is_unmarked(text: str) -> bool:
    """Tell whether a text of one line, as logs have them, holds no trace of an exception."""
    for trace in _TRACES:  # noqa: SIM110 - a generator takes twice as long
        if trace in text:
            return False
    return True


def keeps_words(text: str) -> bool:
    """Tell whether every message in `text`, and every class, is a run of its words.

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
    """Return the one error that a text of one line is, None if it needs more of a reading."""
    end = len(text.rstrip())
    if ": " in text:
        match = _NAMED.match(text)
        if match is None:
            return None
        name, start = match["name"], match.end()
        if text[end - 1] in "`*" or "```" in text:
            return None
        if (
            name.endswith("KeyError")
            or not looks_like_exception(name)
            or ". Did you " in text
            or _SHAPES.search(text, start)
        ):
            return None
        return Occurrence(message=text[start:end], span=(0, end), error_class=name)
    for mark in _MARKS:
        if mark in text:
            return None
    return Occurrence(message=text[:end], span=(0, end), role=Role.LOG) if _PLAIN.fullmatch(text) else None
