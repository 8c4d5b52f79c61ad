"""All that a record holds beyond the answer, as lines: for `--full`."""

from collections.abc import Iterable, Iterator

from errkb.explanation import Explanation
from errkb.render.clean import clean, one_line
from errkb.render.lines import INDENT, Line, Piece, bulleted, prose, title, wrapped


def record_lines(explanation: Explanation, width: int) -> Iterator[Line]:
    """The rest of the record and of its supplement, each part with its heading."""
    match, diagnosis = explanation.match, explanation.diagnosis
    assert match is not None  # noqa: S101  # only answers have a record
    record = match.record
    if match.captures:
        yield from title("Values")
        for name, value in match.captures.items():
            yield from wrapped([Piece(f"{one_line(name)} = ", "dim"), Piece(one_line(value), "value")], width, INDENT)
    for heading, text in (
        ("What it means", record.documentation),
        ("When it is raised", record.trigger_scenarios),
        ("How people get there", record.common_situations),
    ):
        if text:
            yield from title(heading)
            yield from wrapped(prose(text), width, INDENT)
    for heading, code in (
        ("Check beforehand", record.validation_code),
        ("Narrow the type", record.type_guard),
        ("Handle it", record.try_catch_pattern),
    ):
        if code:
            yield from title(heading)
            yield from ((Piece(INDENT + line),) for line in clean(code).strip("\n").splitlines())
    yield from _list("Next time", record.prevention_tips, width)
    yield from title("Raised at")
    yield (Piece(INDENT), Piece(one_line(record.github_url, 400), "", record.github_url))
    for url in match.also_at:
        yield (Piece(f"{INDENT}also {one_line(url, 400)}", "dim"),)
    if place := explanation.installed:
        line = f":{place.line}" if place.line else ""
        yield (Piece(f"{INDENT}installed: ", "dim"), Piece(f"{one_line(str(place.path), 400)}{line}"))
    related = diagnosis.related if diagnosis else None
    if related:
        for heading, ids in (
            ("Similar messages with another meaning", related.instead),
            ("Errors that may follow", related.leads_to),
            ("Errors with the same cause", related.same_cause),
        ):
            yield from _list(heading, ids, width)
    if diagnosis and diagnosis.links:
        yield from title("Read")
        for link in diagnosis.links:
            yield (Piece(f"{INDENT}{one_line(link.title)}: "), Piece(one_line(link.url, 400), "", link.url))
    for other in explanation.alternatives:
        about = f"or {other.record.id} ({other.record.repo}): {other.record.error_message}"
        yield (Piece(one_line(about, width), "dim"),)


def _list(heading: str, items: Iterable[str], width: int) -> Iterator[Line]:
    items = list(items)
    if items:
        yield from title(heading)
    yield from bulleted(items, width)
