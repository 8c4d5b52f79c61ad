"""From text to occurrences: the short way for clean texts, the whole reading for all others."""

from errkb.reading.fast_path import is_one_line, read_clean
from errkb.reading.occurrence import Occurrence, Role

_LONGEST_PARAGRAPHS = 3000


def occurrences(text: str) -> list[Occurrence]:
    """The errors that stand in `text`, best first.

    Any str will do, lone surrogates and control characters included; a text that holds nothing like a
    message gives an empty list. See `ranking.ordered` for what comes first and why.

    The time is linear in the text, and the memory bounded: of more than 12 million characters or 200,000
    lines, the first quarter and the last three quarters of that many are read, of a line the first 40,000
    characters; at most 200 occurrences are returned, with at most 20,000 characters of message each.
    """
    if is_one_line(text):
        clean = read_clean(text)
        if clean is not None:
            return [clean]
        # imported here: its patterns take longer to compile than a clean text takes to be looked up
        from errkb.reading.fast_line import read_line

        line = read_line(text)
        if line is not None:
            return line
    from errkb.reading.full_parse import read_thoroughly

    found = read_thoroughly(text)
    if not any(one.error_class or one.frames for one in found):
        from errkb.reading.ranking import MAX_OCCURRENCES

        found = (found + _whole(text, found))[:MAX_OCCURRENCES]
    return found


def _whole(text: str, found: list[Occurrence]) -> list[Occurrence]:
    """A short text of several lines may be one message, though nothing in it says so."""
    message = text.strip()
    if "\n" not in message or len(message) > _LONGEST_PARAGRAPHS or any(one.message == message for one in found):
        return []
    start = text.index(message)
    return [Occurrence(message=message, span=(start, start + len(message)), role=Role.LOG)]


def from_exception(exc: BaseException) -> list[Occurrence]:
    """The errors of a live exception, best first: itself, causes, contexts, group members.

    The span of each is the place of its message in its own ``str()``, for there is no other text.
    Never raises, whatever the exception does when it is printed.
    """
    from errkb.reading.live import read_exception

    return read_exception(exc)
