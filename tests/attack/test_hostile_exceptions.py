"""`lookup` and `explain` never raise for an exception, whatever its class does."""

from collections.abc import Callable
from typing import Any, NoReturn

import pytest

import errkb
from errkb.reading.ranking import MAX_OCCURRENCES


def broken(*_: object) -> NoReturn:
    """What a broken member does."""
    raise RuntimeError("broken")


def leaving(*_: object) -> NoReturn:
    """What a member does that wants to end the program."""
    raise SystemExit(3)


class HostileText(str):
    __len__ = strip = __contains__ = __str__ = broken  # type: ignore[assignment]


def noted(notes: object) -> Exception:
    """An exception with these notes."""
    error = ValueError("x")
    error.__notes__ = notes  # type: ignore[assignment]
    return error


def of_class(base: type[BaseException], *arguments: Any, **members: object) -> BaseException:
    """An exception of a class with these members."""
    return type("Hostile", (base,), members)(*arguments)


class HostileMeta(type):
    __module__ = property(broken)  # type: ignore[assignment]


class HostileMetaError(ValueError, metaclass=HostileMeta):
    pass


MEMBERS = [ValueError("inner")]
HOSTILE: dict[str, Callable[[], BaseException]] = {
    **{f"notes {notes!r}": (lambda notes=notes: noted(notes)) for notes in (5, True, 1.5, {1}, [1], ["n", 2])},  # type: ignore[misc]
    "notes raise": lambda: of_class(ValueError, "x", __notes__=property(broken)),
    "cause is 5": lambda: of_class(ValueError, "x", __cause__=5),
    "cause raises": lambda: of_class(ValueError, "x", __cause__=property(broken)),
    "context raises": lambda: of_class(ValueError, "x", __context__=property(leaving)),
    "group of None": lambda: of_class(ExceptionGroup, "x", MEMBERS, exceptions=None),
    "group of numbers": lambda: of_class(ExceptionGroup, "x", MEMBERS, exceptions=(1, 2)),
    "group raises": lambda: of_class(ExceptionGroup, "x", MEMBERS, exceptions=property(broken)),
    "traceback is 5": lambda: of_class(ValueError, "x", __traceback__=5),
    "no attribute": lambda: of_class(ValueError, "x", __getattribute__=broken),
    "metaclass": lambda: HostileMetaError("x"),
    "str of str": lambda: of_class(ValueError, "x", __str__=lambda _self: HostileText("math domain error")),
    "str leaves": lambda: of_class(ValueError, "x", __str__=leaving),
    "str raises": lambda: of_class(ValueError, "x", __str__=broken),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_exception_is_looked_up(name: str) -> None:
    """An answer or none."""
    errkb.lookup(HOSTILE[name]())
    errkb.explain(HOSTILE[name]())


@pytest.mark.parametrize("error", [b"x", None, 5])
def test_what_is_no_error_is_refused_in_a_sentence(error: Any) -> None:
    """A TypeError that says what was expected."""
    with pytest.raises(TypeError, match="a str or an exception"):
        errkb.lookup(error)


def test_a_text_of_many_lines_gives_no_more_occurrences_than_promised() -> None:
    """The whole of it counts, too."""
    text = "\n".join(f"error: line {number} of it" for number in range(120))
    assert len(errkb.occurrences(text)) <= MAX_OCCURRENCES
    assert len(errkb.occurrences("\n".join(f"e: {number}" for number in range(400)))) <= MAX_OCCURRENCES


def test_messages_are_stripped() -> None:
    """Also where a quoted text ends in a line break."""
    assert all(one.message == one.message.strip() for one in errkb.occurrences('KeyError:"e c\n"'))
