"""What is said where no record answers, as lines: never a dead end."""

from collections.abc import Iterator

from errkb.explanation import Explanation
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.render.clean import clean, one_line
from errkb.render.lines import INDENT, Line, Piece, labelled, prose, title, wrapped
from errkb.render.phrases import NO_ERROR, SIMILAR_WORDS, class_and_message, nothing_known, other_language, record_name
from errkb.render.raise_site import how_likely, origin, when

_LONGEST_VALUE = 200


def unknown_lines(explanation: Explanation, width: int, full: bool) -> Iterator[Line]:
    """What was read, the reader's line, where it is raised, what its class means, what to try next."""
    said = nothing_known(explanation)
    if said == NO_ERROR:
        yield (Piece(said),)
        yield from _language(explanation, width)
        return
    yield from wrapped([Piece(class_and_message(explanation, 400), "error")], width)
    yield from your_line_lines(explanation, width)
    yield ()
    if explanation.raised:
        yield from raised_lines(explanation.raised, width, full)
        return
    yield (Piece(said, "title"),)
    yield from _language(explanation, width)
    if note := explanation.class_note:
        yield ()
        yield (Piece(f"About {one_line(note.error_class)} in general:", "title"),)
        yield from labelled("", prose(f"{note.says} {note.usually}"), width)
        yield from labelled("Check", prose(note.check), width)
    if explanation.related:
        yield ()
        yield (Piece(SIMILAR_WORDS, "title"),)
        for record in explanation.related:
            label = f"  {record_name(record)}"
            yield (Piece(INDENT + one_line(record.error_message, max(20, width - 2 - len(label)))), Piece(label, "dim"))
    if explanation.answer is None:
        yield ()
        hint = "Try `--deep` to search the packages that are installed, or add a record: `errkb new`."
        yield from wrapped(prose(hint, "dim"), width)


def your_line_lines(explanation: Explanation, width: int) -> Iterator[Line]:
    """The reader's own line, if the text has one."""
    line = explanation.your_line
    if line is None:
        return
    place = one_line(line.file, 300) + (f":{line.line}" if line.line else "")
    function = f", in {one_line(line.function)}" if line.function and line.function != "<module>" else ""
    pieces = [Piece("Your line   ", "title"), Piece(f"{place}{function}")]
    code = one_line(line.source or "", 200)
    if code and len(place) + len(function) + len(code) + 15 <= width:
        yield (*pieces, Piece(":  "), Piece(code, "code"))
        return
    yield tuple(pieces)
    if code:
        yield (Piece(f"{' ' * 12}"), Piece(one_line(code, max(20, width - 12)), "code"))


def _language(explanation: Explanation, width: int) -> Iterator[Line]:
    if language := other_language(explanation):
        yield from wrapped([Piece(language)], width)


def raised_lines(raised: RaiseSite | Compiled, width: int, full: bool) -> Iterator[Line]:
    """Where an error without a record is raised, when, and with which values."""
    yield from wrapped((Piece(f"No record for this error. {origin(raised)}.", "title"),), width, "")
    if isinstance(raised, Compiled):
        yield (Piece(f"{INDENT}{raised.line} "), Piece(one_line(raised.source), "dim"))
        return
    for number, condition in enumerate(when(raised)):
        word = "when" if number == 0 else " and"
        yield from wrapped((Piece(f"{word} ", "dim"), Piece(condition)), width, INDENT)
    for name, value in raised.captures.items():
        pieces = (Piece("here ", "dim"), Piece(f"{one_line(name)} = "), Piece(one_line(value, _LONGEST_VALUE), "value"))
        yield from wrapped(pieces, width, INDENT)
    if excerpt := raised.excerpt():
        yield from title(one_line(str(raised.path), 400))
        for number, text in excerpt:
            inside = raised.site.line <= number <= raised.site.end_line
            yield (Piece(f"{'>' if inside else ' '} {number:5} ", "dim"), Piece(clean(text), "error" if inside else ""))
    if raised.site.signature:
        yield from title("Function")
        yield from wrapped((Piece(raised.site.signature),), width, INDENT)
        yield from wrapped((Piece(raised.site.doc, "dim"),), width, INDENT)
    yield ()
    yield from wrapped((Piece(f"{how_likely(raised)}.", "dim"),), width)
    for other in raised.also_at if full else raised.also_at[:3]:
        yield (Piece(f"{INDENT}or {one_line(other)}", "dim"),)
    if raised.url:
        yield (Piece(one_line(raised.url, 400), "dim", raised.url),)
