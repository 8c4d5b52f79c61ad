"""The evidence for matches, factor by factor, as lines: for `--why`."""

from collections.abc import Iterator

from errkb.explanation import Explanation
from errkb.render.clean import one_line
from errkb.render.lines import INDENT, Line, Piece, title
from errkb.render.phrases import how_sure

_MOST = 3


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
