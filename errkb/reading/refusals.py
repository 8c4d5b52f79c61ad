"""What the fast ways refuse, computed from the hints of the tables.

`scripts/write_hints.py` writes the result to `errkb/reading/hints.py`, so that a short text is read without
opening the tables; a test holds the file to what is computed here.
"""

from errkb.reading.carriers.prefix_pieces import PIECES
from errkb.reading.carriers.signs import BOX, CLASS_OBJECT, ENTITIES, FENCE, RECORDS
from errkb.reading.fast_path import NEVER_PLAIN
from errkb.reading.grammars.openings import OPENINGS
from errkb.reading.shape import hints_of
from errkb.reading.shapes.class_heads import NAMES_ALONE, NAMES_BEFORE_COLON
from errkb.reading.shapes.exception_reprs import QUOTED_REPR
from errkb.reading.shapes.frames import FRAMES, PLACE, PYTHON
from errkb.reading.shapes.message_text import GUESS
from errkb.reading.shapes.progress import PROGRESS, SUMMARY
from errkb.reading.shapes.stops import STOPS

OTHER_SHAPES = hints_of(
    NAMES_ALONE,
    PROGRESS,
    (SUMMARY, PLACE, QUOTED_REPR, CLASS_OBJECT, GUESS),
    FRAMES,
    OPENINGS,
    (shape for shape in (*STOPS, *PIECES) if shape.begins_with_letter),
    without=NEVER_PLAIN,
)
"""What other kinds of line hold that begin with a letter."""
EXCEPTIONS = hints_of(
    NAMES_BEFORE_COLON,
    OPENINGS,
    (SUMMARY, CLASS_OBJECT, PYTHON),
    (ENTITIES, BOX, FENCE, *RECORDS),
)
"""What a line holds that may hold an exception, or is quoted in another format."""


def module_text() -> str:
    """The text of `errkb/reading/hints.py`."""
    parts = ['"""Hints of the tables, written by scripts/write_hints.py: do not edit."""\n']
    for name, hints in (("OTHER_SHAPES", OTHER_SHAPES), ("EXCEPTIONS", EXCEPTIONS), ("GUESSES", GUESS.hint)):
        lines = "".join(f"    {_quoted(hint)},\n" for hint in hints)
        short = f"{name} = ({_quoted(hints[0])},)\n"
        parts.append(f"{name} = (\n{lines})\n" if len(hints) > 1 else short)
    return "\n".join(parts)


def _quoted(text: str) -> str:
    """A literal as the formatter of this project writes it."""
    literal = repr(text)
    if literal[0] == "'" and '"' not in text:
        return f'"{literal[1:-1]}"'.replace("\\'", "'")
    return literal
