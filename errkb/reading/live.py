"""From a live exception to occurrences, with the same meaning as from its printed form."""

from types import TracebackType

from msgspec.structs import replace

from errkb.reading.candidate import Candidate, Certainty, as_occurrence
from errkb.reading.grammars.pydantic import find_count, inner_candidates, read_report, without_links
from errkb.reading.line import split_lines
from errkb.reading.occurrence import LONGEST_MESSAGE, Frame, Occurrence, Role
from errkb.reading.ranking import ordered
from errkb.reading.shapes.message_text import strip_python_additions, text_of

_MAX_EXCEPTIONS = 200
_MAX_FRAMES = 1200
_COUNT_WORDS = " validation error"


def read_exception(exc: BaseException) -> list[Occurrence]:
    """The errors of a live exception, best first: itself, causes, contexts, group members.

    The span of each is the place of its message in its own ``str()``, for there is no other text.
    """
    candidates: list[Candidate] = []
    seen: set[int] = set()
    todo: list[tuple[BaseException, Role]] = [(exc, Role.RAISED)]
    while todo and len(seen) < _MAX_EXCEPTIONS:
        current, role = todo.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        candidates += _read_one(current, role, len(seen))
        if current.__cause__ is not None:
            todo.append((current.__cause__, Role.CAUSE))
        elif current.__context__ is not None and not current.__suppress_context__:
            todo.append((current.__context__, Role.CONTEXT))
        if isinstance(current, BaseExceptionGroup):
            todo += [(member, Role.MEMBER) for member in reversed(current.exceptions)]
    return [as_occurrence(candidate, candidate.end) for candidate in ordered(candidates)]


def _read_one(exc: BaseException, role: Role, place: int) -> list[Candidate]:
    name = _class_name(type(exc))
    message = _message(exc)
    frames = _frames(exc.__traceback__)
    notes = tuple(note for note in getattr(exc, "__notes__", None) or () if isinstance(note, str))
    outer = Candidate(Certainty.TRACE, message, 0, len(message), name, role, frames, notes, rank_in_chain=place)
    lines = list(split_lines(message)) if _COUNT_WORDS in message else []
    for number, line in enumerate(lines):
        if count := find_count(line.text):
            outer = replace(outer, message=text_of(without_links(lines)))
            inners, _ = read_report(lines, number)
            return [*inner_candidates(lines, inners, outer, is_whole=not number and not count.start()), outer]
    return [replace(outer, message=strip_python_additions(name, message.strip()[:LONGEST_MESSAGE]))]


def _class_name(cls: type[BaseException]) -> str:
    module = cls.__module__
    return cls.__qualname__ if module in ("builtins", "__main__") else f"{module}.{cls.__qualname__}"


def _message(exc: BaseException) -> str:
    """The message as Python prints it."""
    if isinstance(exc, SyntaxError) and isinstance(exc.msg, str):
        return exc.msg
    try:
        return str(exc)
    except Exception:  # noqa: BLE001 - a broken __str__ must not break the reader of errors
        return "<exception str() failed>"


def _frames(tb: TracebackType | None) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    while tb is not None and len(frames) < _MAX_FRAMES:
        code = tb.tb_frame.f_code
        frames.append(Frame(code.co_filename, tb.tb_lineno, code.co_qualname))
        tb = tb.tb_next
    return tuple(frames)
