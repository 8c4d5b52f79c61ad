"""The evidence for matches, factor by factor, as lines: for `--why`."""

from collections.abc import Iterator, Sequence

from errkb.explanation import Explanation
from errkb.reading.line_reasons import ReadLine
from errkb.render.clean import one_line
from errkb.render.lines import INDENT, Line, Piece, title
from errkb.render.phrases import how_sure

_MOST = 3
_MOST_LINES = 200


def reading_lines(read: Sequence[ReadLine], width: int) -> Iterator[Line]:
    """What each line of a text was read as: its number, its kind and the row of the tables, its beginning."""
    yield from title("How the text was read")
    for line in read[:_MOST_LINES]:
        about = " · ".join(filter(None, (line.kind, line.shape, line.ends and f"ends a message: {line.ends}")))
        yield (
            Piece(f"{INDENT}{line.number:4}  "),
            Piece(about),
            Piece(f"  {one_line(line.text, max(20, width - 40))}", "dim"),
        )
    if len(read) > _MOST_LINES:
        yield (Piece(f"{INDENT}and {len(read) - _MOST_LINES} more lines", "dim"),)


def evidence_lines(explanation: Explanation) -> Iterator[Line]:
    """The evidence for the first three records, a line for each factor of the score."""
    answer = explanation.answer
    if answer is None or answer.match is None:
        return
    for match in [answer.match, *answer.alternatives][:_MOST]:
        yield from title(f"Why {match.record.id}, score {match.score:.3f}")
        yield (Piece(f"{INDENT}{one_line(match.wording or match.record.error_message, 100)}", "dim"),)
        yield (Piece(f"{INDENT}{how_sure(match)}", "dim"),)
        for item in match.evidence:
            yield (Piece(f"{INDENT}{item.factor:5.3f}  {item.name:9} {one_line(item.note, 160)}"),)
