"""An explanation as text for people: wrapped lines of styled pieces, plain or in colour."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errkb.explanation import Explanation, example_diff
from errkb.matching.match import Match
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.render.clean import clean, one_line
from errkb.render.phrases import how_proven, how_sure, understood, value_name
from errkb.render.raise_site import how_likely, origin, when

_LONGEST_MESSAGE = 600
_LONGEST_VALUE = 200
_SCREEN_NOTES = 5
_SCREEN_SOLUTIONS = 4
_MOST_EVIDENT = 3
_INDENT = "  "


class Piece(NamedTuple):
    """A run of text in one style; styles are names that `STYLES` gives colours to."""

    text: str
    style: str = ""


Line = tuple[Piece, ...]

STYLES = {
    "error": "bold red",
    "value": "bold yellow",
    "title": "bold cyan",
    "old": "red",
    "new": "green",
    "dim": "dim",
    "": "",
}


def render_text(
    explanation: Explanation, *, width: int = 80, full: bool = False, why: bool = False, colour: bool = False
) -> str:
    """The explanation in lines of at most `width` columns (long words and code aside), ending in a line feed.

    The short form fits a screen; `full` adds all else that the record holds, `why` the evidence
    for it and for the next best records.
    """
    lines = list(_lines(explanation, max(width, 30), full))
    if why:
        lines += _evidence(explanation)
    return (
        _coloured(lines) if colour else "".join("".join(piece.text for piece in line).rstrip() + "\n" for line in lines)
    )


def _lines(explanation: Explanation, width: int, full: bool) -> Iterator[Line]:
    match = explanation.match
    if match is None:
        yield (Piece(understood(explanation)),)
        if explanation.raised:
            yield from raised_lines(explanation.raised, width, full)
        return
    record = match.record
    yield from _headline(match, width, full)
    yield from _section("What it means", record.documentation, width)
    yield from _section("Why here", record.trigger_scenarios, width, values=match)
    if full:
        yield from _section("How people get there", record.common_situations, width)
    yield from _solutions(record.solutions, width, full)
    if record.example_fix:
        yield from _title("Example")
        styles = {"-": "old", "+": "new", " ": ""}
        for sign, code in example_diff(clean(record.example_fix)):
            yield (Piece(_INDENT), Piece(f"{sign} {code}", styles[sign]))
        if explanation.proof:
            yield (Piece(_INDENT + how_proven(explanation.proof), "dim"),)
    if full:
        yield from _code("Check beforehand", record.validation_code)
        yield from _code("Narrow the type", record.type_guard)
        yield from _code("Handle it", record.try_catch_pattern)
        yield from _solutions(record.prevention_tips, width, full, title="Next time", numbered=False)
    yield from _footer(explanation, match, width, full)
    if explanation.raised:
        yield from raised_lines(explanation.raised, width, full)


def _headline(match: Match, width: int, full: bool) -> Iterator[Line]:
    occurrence, record = match.occurrence, match.record
    name = one_line(occurrence.error_class or record.error_class or record.error_type)
    yield (Piece(name, "error"), Piece(" in ", "dim"), Piece(record.repo, "title"))
    most = None if full else _LONGEST_MESSAGE
    yield from _wrapped(_marked(match, most), width, _INDENT)
    if occurrence.location:
        yield (Piece(f"{_INDENT}at ", "dim"), Piece(one_line(occurrence.location), "value"))
    for note in occurrence.notes[: None if full else _SCREEN_NOTES]:
        yield (Piece(f"{_INDENT}{one_line(note, width - len(_INDENT))}"),)


def _marked(match: Match, most: int | None) -> Iterator[Piece]:
    """The message with its captured values in a style of their own."""
    message, position = match.occurrence.message, 0
    end_of_all = len(message) if most is None else min(len(message), most)
    for start, end in sorted(match.spans.values()):
        start, end = max(start, position), min(end, end_of_all)
        if start < end:
            yield Piece(message[position:start])
            yield Piece(message[start:end], "value")
            position = end
    yield Piece(message[position:end_of_all])
    if end_of_all < len(message):
        yield Piece(" …", "dim")


def _section(title: str, text: str, width: int, values: Match | None = None) -> Iterator[Line]:
    if not text and not (values and values.captures):
        return
    yield from _title(title)
    for name, value in (values.captures if values else {}).items():
        pieces = (Piece(value_name(name)), Piece(" = ", "dim"), Piece(one_line(value, _LONGEST_VALUE), "value"))
        yield from _wrapped(pieces, width, _INDENT)
    yield from _wrapped((Piece(text),), width, _INDENT)


def _solutions(
    actions: Iterable[str], width: int, full: bool, title: str = "What to do", numbered: bool = True
) -> Iterator[Line]:
    actions = list(actions)
    if not actions:
        return
    yield from _title(title)
    shown = actions if full else actions[:_SCREEN_SOLUTIONS]
    for number, action in enumerate(shown, 1):
        bullet = f"{number}. " if numbered else "- "
        for position, line in enumerate(_wrapped((Piece(action),), width - len(_INDENT + bullet), "")):
            yield (Piece(_INDENT + (bullet if position == 0 else " " * len(bullet))), *line)
    if len(shown) < len(actions):
        yield (Piece(f"{_INDENT}and {len(actions) - len(shown)} more: --full", "dim"),)


def _code(title: str, code: str | None) -> Iterator[Line]:
    if code:
        yield from _title(title)
        for line in clean(code).strip("\n").splitlines():
            yield (Piece(_INDENT + line),)


def _footer(explanation: Explanation, match: Match, width: int, full: bool) -> Iterator[Line]:
    record, place = match.record, explanation.installed
    yield from _title("Raised at")
    yield (Piece(f"{_INDENT}{one_line(record.github_url, 400)}"),)
    for url in match.also_at[: None if full else 2]:
        yield (Piece(f"{_INDENT}also {one_line(url, 400)}", "dim"),)
    if not full and len(match.also_at) > 2:
        yield (Piece(f"{_INDENT}and at {len(match.also_at) - 2} more places: --full", "dim"),)
    if place is not None:
        line = f":{place.line}" if place.line else ""
        yield (Piece(f"{_INDENT}yours: ", "dim"), Piece(f"{one_line(str(place.path), 400)}{line}"))
    yield from _title("Match")
    yield from _wrapped((Piece(f"{how_sure(match)}."),), width, _INDENT)
    yield (Piece(f"{_INDENT}record {record.id}" + ("" if full else ", all of it: --full"), "dim"),)
    for other in explanation.alternatives:
        about = f"or {other.record.id} ({other.record.repo}, {other.score:.2f}): {other.record.error_message}"
        yield (Piece(_INDENT + one_line(about, width - 2), "dim"),)
    if explanation.elsewhere:
        yield from _title("Also in this text (--all explains each)")
        for also in explanation.elsewhere:
            yield (Piece(_INDENT + _short(also, width - 2), "dim"),)


def _evidence(explanation: Explanation) -> Iterator[Line]:
    """The evidence for the first three records, a line for each factor of the score."""
    candidates = [explanation.match] if explanation.match else []
    for match in [*candidates, *explanation.alternatives][:_MOST_EVIDENT]:
        yield from _title(f"Why {match.record.id}, score {match.score:.3f}")
        yield (Piece(_INDENT + one_line(match.record.error_message, 100), "dim"),)
        for item in match.evidence:
            yield (Piece(f"{_INDENT}{item.factor:5.3f}  {item.name:9} {one_line(item.note, 160)}"),)


def _short(other: Explanation, width: int) -> str:
    occurrence = other.occurrence
    assert occurrence is not None  # noqa: S101  # others are made from occurrences
    label = other.match.record.id if other.match else "unknown"
    name = f"{occurrence.error_class}: " if occurrence.error_class else ""
    return one_line(f"{label}: {name}{occurrence.message}", width)


def raised_lines(raised: RaiseSite | Compiled, width: int, full: bool) -> Iterator[Line]:
    """Where an error without a record is raised, when, and with which values."""
    yield ()
    yield from _wrapped((Piece(f"No record. {origin(raised)}", "title"),), width, "")
    if isinstance(raised, Compiled):
        yield (Piece(f"{_INDENT}{raised.line} "), Piece(one_line(raised.source), "dim"))
        return
    for number, condition in enumerate(when(raised)):
        word = "when" if number == 0 else " and"
        yield from _wrapped((Piece(f"{word} ", "dim"), Piece(condition)), width, _INDENT)
    for name, value in raised.captures.items():
        pieces = (Piece("here ", "dim"), Piece(f"{one_line(name)} = "), Piece(one_line(value, _LONGEST_VALUE), "value"))
        yield from _wrapped(pieces, width, _INDENT)
    if excerpt := raised.excerpt():
        yield from _title(one_line(str(raised.path), 400))
        for number, text in excerpt:
            inside = raised.site.line <= number <= raised.site.end_line
            yield (Piece(f"{'>' if inside else ' '} {number:5} ", "dim"), Piece(clean(text), "error" if inside else ""))
    if raised.site.signature:
        yield from _title("Function")
        yield from _wrapped((Piece(raised.site.signature),), width, _INDENT)
        yield from _wrapped((Piece(raised.site.doc, "dim"),), width, _INDENT)
    yield from _title("Place")
    yield from _wrapped((Piece(f"{how_likely(raised)}."),), width, _INDENT)
    for other in raised.also_at if full else raised.also_at[:3]:
        yield (Piece(f"{_INDENT}or {one_line(other)}", "dim"),)
    if raised.url:
        yield (Piece(f"{_INDENT}{one_line(raised.url, 400)}", "dim"),)


def _title(title: str) -> Iterator[Line]:
    yield ()
    yield (Piece(title, "title"),)


def _wrapped(pieces: Iterable[Piece], width: int, indent: str) -> Iterator[Line]:
    """The pieces broken into lines at blanks; line feeds in them stay."""
    line: list[Piece] = []
    room = width - len(indent)
    for piece in pieces:
        for part in re.findall(r"\n|[^\S\n]+|\S+", clean(piece.text)):
            length = sum(len(earlier.text) for earlier in line)
            if part == "\n" or (length + len(part) > room and line and not part.isspace()):
                yield _indented(line, indent)
                line = []
            if part != "\n" and (line or not part.isspace()):
                line.append(Piece(part, piece.style))
    if line:
        yield _indented(line, indent)


def _indented(line: list[Piece], indent: str) -> Line:
    while line and line[-1].text.isspace():
        line.pop()
    return (Piece(indent), *line) if line else ()


def _coloured(lines: list[Line]) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.text import Text

    buffer = StringIO()
    console = Console(file=buffer, force_terminal=True, color_system="standard", width=10_000, no_color=False)
    for line in lines:
        console.print(Text.assemble(*((piece.text, STYLES[piece.style]) for piece in line)), soft_wrap=True)
    return buffer.getvalue()
