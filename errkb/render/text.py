"""An explanation as text for people: what to do first, on one screen."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from errkb.explanation import Explanation
from errkb.matching.evidence import Certainty, certainty
from errkb.matching.match import Match
from errkb.records.example_diff import example_diff, example_hunks, narrowed
from errkb.render.clean import clean, one_line
from errkb.render.lines import INDENT, LABEL, Line, Piece, labelled, prose, shown, wrapped
from errkb.render.phrases import (
    UNDECIDED,
    certainty_phrase,
    class_and_message,
    how_proven,
    reason,
    record_name,
    role_phrase,
)
from errkb.render.record_text import record_lines
from errkb.render.unknown_text import unknown_lines, your_line_lines

if TYPE_CHECKING:
    from errkb.reading.line_reasons import ReadLine

SCREEN = 24
"""Lines that an answer fits into unless more is asked for."""
_MESSAGE_LINES = 4
_HUNK_LINES = 6
_LONGEST_STEP = 3
_LONGEST_MESSAGE = 1200
_OTHERS = 3
_SIGNS = {"-": "old", "+": "new", " ": "dim"}


def render_text(
    explanation: Explanation,
    *,
    width: int = 80,
    full: bool = False,
    why: bool = False,
    read: "Sequence[ReadLine]" = (),
    colour: bool = False,
) -> str:
    """The explanation in lines of at most `width` columns (long words and code aside), ending in a line feed.

    It fits a screen of 24 lines; `full` adds all that the record holds, `why` the evidence for it. `read` says
    what each line of the text was read as; it is shown below.
    """
    lines = list(_lines(explanation, max(width, 30), full))
    if why:
        from errkb.render.evidence_text import evidence_lines

        lines += evidence_lines(explanation)
    if read:
        from errkb.render.evidence_text import reading_lines

        lines += reading_lines(read, width)
    return shown(lines, colour=colour)


def _lines(explanation: Explanation, width: int, full: bool) -> Iterator[Line]:
    if explanation.match is not None:
        yield from _answer(explanation, width, full, SCREEN)
        return
    unknown = list(unknown_lines(explanation, width, full))
    yield from unknown
    answer = explanation.answer
    if answer is not None:
        yield ()
        yield (Piece(f"{role_phrase(answer)}:", "title"),)
        yield from _answer(answer, width, full, SCREEN - len(unknown) - 2)
        yield from _also(explanation, width, full, leave_out=answer)


def _answer(explanation: Explanation, width: int, full: bool, room: int) -> Iterator[Line]:
    """The blocks of an answer: those that must be there, and of the others what the room allows, in order."""
    head = [*_headline(explanation, width, full), (), *_cure(explanation, width, full)]
    foot = [(), *_footer(explanation, width)]
    also = list(_also(explanation, width, full))
    if full:
        yield from (
            *head,
            *_steps(explanation, width, None),
            *_example(explanation, None, width),
            *_do_not(explanation, width),
        )
        yield from (*record_lines(explanation, width), *foot, *also)
        return
    room -= len(head) + len(foot) + len(also)
    wrong = _do_not(explanation, width)[:4]
    example = _example(explanation, _HUNK_LINES, width)
    steps = _steps(explanation, width, max(0, room - len(example) - len(wrong)))
    if not steps:
        steps = _steps(explanation, width, max(0, room - len(example)))
    for block in (steps, example, wrong):
        if len(block) <= room:
            head += block
            room -= len(block)
    yield from (*head, *foot, *also)


def _headline(explanation: Explanation, width: int, full: bool) -> Iterator[Line]:
    match = explanation.match
    assert match is not None  # noqa: S101  # only answers have a headline
    occurrence = match.occurrence
    name = one_line(occurrence.error_class or match.record.error_class or "")
    pieces = [Piece(f"{name}: " if occurrence.message else name, "error")] if name else []
    lines = list(wrapped([*pieces, *_marked(match)], width))
    yield from lines if full else lines[:_MESSAGE_LINES]
    if not full and len(lines) > _MESSAGE_LINES:
        yield (Piece(f"{INDENT}… and {len(lines) - _MESSAGE_LINES} more lines", "dim"),)
    if occurrence.location:
        yield (Piece("at ", "dim"), Piece(one_line(occurrence.location), "value"))
    for note in occurrence.notes[: None if full else 2]:
        yield (Piece(f"{INDENT}{one_line(note, width - len(INDENT))}"),)
    yield from your_line_lines(explanation, width)


def _marked(match: Match) -> Iterator[Piece]:
    """The message with its captured values in a style of their own."""
    message, position = match.occurrence.message, 0
    end_of_all = min(len(message), _LONGEST_MESSAGE)
    for start, end in sorted(match.spans.values()):
        start, end = max(start, position), min(end, end_of_all)
        if start < end:
            yield Piece(message[position:start])
            yield Piece(message[start:end], "value")
            position = end
    yield Piece(message[position:end_of_all])
    if end_of_all < len(message):
        yield Piece(" …", "dim")


def _cure(explanation: Explanation, width: int, full: bool) -> Iterator[Line]:
    diagnosis = explanation.diagnosis
    assert diagnosis is not None  # noqa: S101  # every match has one
    if diagnosis.do:
        yield from labelled("Do", prose(diagnosis.do), width)
    if why := reason(explanation):
        yield from labelled("Why", prose(why), width)
    elif diagnosis.possible:
        yield from labelled("Why", [Piece(UNDECIDED)], width)
        for cause in diagnosis.possible[: None if full else 3]:
            tell = f" Check: `{cause.check}`" if cause.check else ""
            text = f"- {cause.because} {cause.do}{tell}"
            lines = list(wrapped(prose(text), width - LABEL - 2))
            for number, line in enumerate(lines if full else lines[:4]):
                yield (Piece(" " * LABEL + ("" if number == 0 else "  ")), *line)
    sure = diagnosis.cause or (diagnosis.possible[0] if len(diagnosis.possible) == 1 else None)
    if sure and sure.check:
        yield from labelled("Check", prose(f"`{sure.check}`"), width)


def _steps(explanation: Explanation, width: int, room: int | None) -> list[Line]:
    """Further solutions, numbered; as many as `room` lines hold, all for None."""
    diagnosis = explanation.diagnosis
    steps: Sequence[str] = diagnosis.steps if diagnosis else ()
    word = "Else" if diagnosis and diagnosis.cause else "Then"
    result: list[Line] = [()]
    for number, step in enumerate(steps, 1):
        bullet = f"{number}. "
        lines = list(wrapped(prose(step), width - LABEL - len(bullet)))
        if room is not None and (len(result) + len(lines) > room or len(lines) > _LONGEST_STEP + 1):
            break
        for position, line in enumerate(lines):
            label = word if number == 1 and position == 0 else ""
            indent = bullet if position == 0 else " " * len(bullet)
            result.append((Piece(label.ljust(LABEL), "title"), Piece(indent), *line))
    return result if len(result) > 1 else []


def _example(explanation: Explanation, most: int | None, width: int) -> list[Line]:
    match = explanation.match
    if match is None or not match.record.example_fix:
        return []
    code = clean(match.record.example_fix)
    lines = example_diff(code) if most is None else narrowed(example_hunks(code, most), width - LABEL - 2)
    return [(), *((Piece(" " * LABEL), Piece(f"{sign} {line}".rstrip(), _SIGNS[sign])) for sign, line in lines)]


def _do_not(explanation: Explanation, width: int) -> list[Line]:
    diagnosis = explanation.diagnosis
    if diagnosis is None or not diagnosis.do_not:
        return []
    result: list[Line] = [()]
    for wrong in diagnosis.do_not:
        result += labelled("Not", prose(f"{wrong.what} {wrong.why}"), width)
    return result


def _footer(explanation: Explanation, width: int) -> Iterator[Line]:
    """How sure, whether the example was run, which record, the official page: on one line if they fit."""
    match, diagnosis = explanation.match, explanation.diagnosis
    assert match is not None  # noqa: S101
    parts = [Piece(certainty_phrase(match), "dim")]
    if match.record.example_fix and explanation.proof:
        parts.append(Piece(how_proven(explanation.proof), "dim"))
    parts.append(Piece(record_name(match.record), "dim", match.record.github_url))
    line: list[Piece] = []
    for part in parts:
        length = sum(len(piece.text) for piece in line)
        if line and length + 3 + len(part.text) > width:
            yield from wrapped(line, width)
            line = []
        line += [Piece(" · ", "dim"), part] if line else [part]
    yield from wrapped(line, width)
    for link in diagnosis.links[:1] if diagnosis else ():
        yield (Piece("docs ", "dim"), Piece(one_line(link.url, 400), "dim", link.url))
    if match.tied or certainty(match) is not Certainty.CERTAIN:
        for other in explanation.alternatives[:1]:
            about = f"or {record_name(other.record)}: {other.record.error_message}"
            yield (Piece(one_line(about, width), "dim"),)


def _also(explanation: Explanation, width: int, full: bool, leave_out: Explanation | None = None) -> Iterator[Line]:
    """The other errors of the text, one line each: class and message first, then the record."""
    others = [one for one in explanation.elsewhere if one is not leave_out]
    if not others:
        return
    yield ()
    yield (Piece("Also in this text", "title"), Piece("  (--all explains each)", "dim"))
    shown = others if full else others[:_OTHERS]
    for other in shown:
        label = f"  {other.match.record.id}" if other.match else "  no record"
        room = max(20, width - len(INDENT) - len(label))
        yield (Piece(INDENT + class_and_message(other, room)), Piece(label, "dim"))
    if len(shown) < len(others):
        yield (Piece(f"{INDENT}and {len(others) - len(shown)} more", "dim"),)
