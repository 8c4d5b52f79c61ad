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
        cause, context = _attribute(current, "__cause__"), _attribute(current, "__context__")
        if isinstance(cause, BaseException):
            todo.append((cause, Role.CAUSE))
        elif isinstance(context, BaseException) and not _attribute(current, "__suppress_context__"):
            todo.append((context, Role.CONTEXT))
        members = _attribute(current, "exceptions") if issubclass(type(current), BaseExceptionGroup) else ()
        if isinstance(members, list | tuple):
            todo += [
                (member, Role.MEMBER)
                for member in reversed(members[:_MAX_EXCEPTIONS])
                if isinstance(member, BaseException)
            ]
    return [as_occurrence(candidate, candidate.end) for candidate in ordered(candidates)]


def _read_one(exc: BaseException, role: Role, place: int) -> list[Candidate]:
    name = _class_name(type(exc))
    message = _message(exc)
    frames = _frames(_attribute(exc, "__traceback__"))
    notes = _notes(_attribute(exc, "__notes__"))
    outer = Candidate(Certainty.TRACE, message, 0, len(message), name, role, frames, notes, rank_in_chain=place)
    lines = list(split_lines(message)) if _COUNT_WORDS in message else []
    for number, line in enumerate(lines):
        if count := find_count(line.text):
            outer = replace(outer, message=text_of(without_links(lines)))
            inners, _ = read_report(lines, number)
            return [*inner_candidates(lines, inners, outer, is_whole=not number and not count.start()), outer]
    return [replace(outer, message=strip_python_additions(name, message.strip()[:LONGEST_MESSAGE]))]


def _attribute(exc: BaseException, name: str) -> object:
    """An attribute of an exception, whatever its class does when it is asked for one; None if that is no good."""
    try:
        return getattr(exc, name, None)
    except BaseException as broken:  # noqa: BLE001 - a broken exception must not break the reader of errors
        _raise_interrupt(broken)
        return None


def _raise_interrupt(broken: BaseException) -> None:
    """Let Ctrl-C pass, which is the user's wish and may strike here too."""
    if type(broken) is KeyboardInterrupt and not broken.args:
        raise broken


def _notes(notes: object) -> tuple[str, ...]:
    if not isinstance(notes, list | tuple):
        return ()
    return tuple(_plain(note) for note in notes if isinstance(note, str))


def _plain(text: str) -> str:
    """A text as an ordinary str, whose methods do what they should."""
    return str.__str__(text) if type(text) is str else str.join("", map(str, str.__iter__(text)))


def _class_name(cls: type[BaseException]) -> str:
    try:
        module, name = cls.__module__, cls.__qualname__
        return name if module in ("builtins", "__main__") else f"{module}.{name}"
    except Exception:  # noqa: BLE001 - its metaclass may do anything
        name = type.__getattribute__(cls, "__name__")
        return str(name)


def _message(exc: BaseException) -> str:
    """The message as Python prints it."""
    if issubclass(type(exc), SyntaxError) and isinstance(message := _attribute(exc, "msg"), str):
        return _plain(message)
    try:
        return _plain(str(exc))
    except BaseException as broken:  # noqa: BLE001 - a broken __str__ must not break the reader of errors
        _raise_interrupt(broken)
        return "<exception str() failed>"


def _frames(tb: object) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    while isinstance(tb, TracebackType) and len(frames) < _MAX_FRAMES:
        code = tb.tb_frame.f_code
        frames.append(Frame(code.co_filename, tb.tb_lineno, code.co_qualname))
        tb = tb.tb_next
    return tuple(frames)
