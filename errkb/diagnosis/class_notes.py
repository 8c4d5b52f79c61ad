"""What an exception class means in general: a note for errors that no record answers."""

from functools import cache
from pathlib import Path

import msgspec

from errkb.datasets.defaults import bundled_dataset
from errkb.exception_names import last_name

FILE_NAME = "class_notes.jsonl"


class ClassNote(msgspec.Struct, frozen=True, kw_only=True, rename={"error_class": "class"}):
    """Three sentences about a class, not about one message of it."""

    error_class: str
    """Its name as it is printed, with its module where it is no built-in (`sqlalchemy.exc.IntegrityError`)."""
    says: str
    """What an exception of this class says."""
    usually: str
    """Where its cause usually lies."""
    check: str
    """The first thing to check."""


def class_note(error_class: str | None) -> ClassNote | None:
    """The note on a class as it is written in a text, or None."""
    if not error_class:
        return None
    notes = _notes(bundled_dataset().with_name(FILE_NAME))
    last = last_name(error_class)
    fitting = [note for note in notes if last_name(note.error_class) == last]
    package = error_class.partition(".")[0]
    exact = [note for note in fitting if note.error_class == error_class]
    near = [note for note in fitting if "." in error_class and note.error_class.partition(".")[0] == package]
    loose = [note for note in fitting if "." not in error_class or "." not in note.error_class]
    return next(iter((*exact, *near, *loose)), None)


@cache
def _notes(path: Path) -> list[ClassNote]:
    try:
        return msgspec.json.Decoder(ClassNote).decode_lines(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return []
