"""An explanation in a few lines, for below a traceback that is on the screen already."""

from collections.abc import Iterator

from errkb.diagnosis.your_line import is_foreign
from errkb.explanation import Explanation
from errkb.raise_sites.result import RaiseSite
from errkb.render.lines import Line, Piece, labelled, prose, shown
from errkb.render.phrases import certainty_phrase, reason, record_name
from errkb.render.raise_site import origin, when

_LINES = 6
_OF_BLOCK = 2
"""Lines of the cure, and of the cause."""


def short_text(explanation: Explanation, *, width: int = 80, colour: bool = False) -> str:
    """The cure, the cause and the record in at most six lines; the raise site where no record answers; else empty."""
    return shown(list(_lines(explanation, width))[:_LINES], colour=colour)


def _lines(explanation: Explanation, width: int) -> Iterator[Line]:
    match, diagnosis = explanation.match, explanation.diagnosis
    if match is None or diagnosis is None:
        yield from _site(explanation.raised, width)
        return
    if diagnosis.do:
        yield from _block("Do", diagnosis.do, width)
    why = reason(explanation) or next((cause.because for cause in diagnosis.possible), "")
    if why:
        yield from _block("Why" if not diagnosis.possible else "Maybe", why, width)
    yield (
        Piece(f"errkb: {certainty_phrase(match)} · errkb show {record_name(match.record).rpartition(' ')[2]}", "dim"),
    )


def _site(raised: object, width: int) -> Iterator[Line]:
    """The place in an installed package that raises the error, and when; the reader's own code is before their eyes."""
    if isinstance(raised, RaiseSite) and is_foreign(str(raised.path)):
        yield from _block("Place", origin(raised), width)
        if conditions := when(raised):
            yield from _block("When", " and ".join(f"`{one}`" for one in conditions), width)


def _block(label: str, text: str, width: int) -> list[Line]:
    lines = labelled(label, prose(text), width)
    if len(lines) > _OF_BLOCK:
        lines = [*lines[: _OF_BLOCK - 1], (*lines[_OF_BLOCK - 1], Piece(" …"))]
    return lines
