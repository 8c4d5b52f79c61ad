"""For people: a line for each finding, the piece of the file that it is about, and a count."""

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import accumulate, takewhile

from errkb.folders import relative_name
from errkb.render.lines import Line, Piece, prose, shown, wrapped
from errkb.validation.finding import Excerpt, Finding
from errkb.validation.report import Report
from errkb.validation.reporters.naming import flat, masked

_GUTTER = "    | "
_EXCERPT = 126
"""Columns of a piece of the source where the report goes to no terminal."""


def render(report: Report, *, width: int | None = None, colour: bool = False) -> str:
    """The report as text: a finding's first line in one piece, or wrapped at words to `width` columns."""
    return shown(_lines(report, width), colour=colour)


def statistics(report: Report) -> str:
    """How often each rule was broken, the most frequent first."""
    counts: dict[tuple[str, str, str, bool], int] = {}
    for finding in report.findings:
        key = (finding.rule, finding.name, finding.severity, finding.fix is not None)
        counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    lines = [
        f"{count:>7}  {rule}  {'[*]' if fixable else '   '}  {severity:<7}  {name}\n"
        for (rule, name, severity, fixable), count in ordered
    ]
    return "".join(lines) + _count(report)


def _lines(report: Report, width: int | None) -> Iterator[Line]:
    for finding in report.findings:
        yield from wrapped(_head(finding), width)
        if finding.excerpt and finding.excerpt.text.strip():
            yield from _marked(finding.excerpt, width or _EXCERPT)
    yield (Piece(_count(report).rstrip("\n")),)


def _head(finding: Finding) -> Iterator[Piece]:
    place = f"{relative_name(finding.path)}:{finding.line}" + (f":{finding.column}" if finding.column else "")
    warning = finding.severity != "error"
    yield Piece(f"{flat(place)}: ")
    yield Piece(f"{finding.rule} {finding.name}", "value" if warning else "error")
    yield Piece((" [*]" if finding.fix else "") + ":" + (f" {finding.severity}:" if warning else "") + " ")
    yield from prose(flat(finding.message))
    if finding.pointer:
        yield Piece(flat(f" at {finding.pointer}"))
    if finding.record_id:
        yield Piece(flat(f" (record {finding.record_id})"), "dim")


def _marked(excerpt: Excerpt, width: int) -> Iterator[Line]:
    """A piece of the source in at most `width` columns, with carets under what is meant."""
    room = width - len(_GUTTER)
    text, start, end = masked(excerpt.text), excerpt.start, excerpt.end
    if text[start:end].startswith("{"):  # something is missing in an object: where that begins says enough
        end = start + 1
    cut = start - _fitting(reversed(text[:start]), room // 2)
    if cut > 0 and _width(text) > room:
        text, start, end = "…" + text[cut:], start - cut + 1, end - cut + 1
    if (seen := _fitting(text, room - 1)) < len(text):
        text, end = text[:seen] + "…", min(end, seen + 1)
    yield (Piece(_GUTTER, "dim"), Piece(text))
    yield (Piece(_GUTTER, "dim"), Piece(" " * _width(text[:start]) + "^" * max(1, _width(text[start:end])), "title"))


def _fitting(text: Iterable[str], room: int) -> int:
    """How many of the first characters fit into so many columns."""
    return sum(1 for _ in takewhile(lambda columns: columns <= room, accumulate(map(_width, text))))


def _width(text: str) -> int:
    """Columns that a terminal gives to a text."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _count(report: Report) -> str:
    records = f"{report.records} record{'s' * (report.records != 1)}"
    count = len(report.findings)
    if not count:
        return f"{records}, nothing found.\n"
    warnings = sum(finding.severity == "warning" for finding in report.findings)
    fixable = sum(finding.fix is not None for finding in report.findings)
    parts = [f"{count} finding{'s' * (count != 1)} in {records}"]
    if warnings:
        parts.append(f"{warnings} of them warning{'s' * (warnings != 1)}")
    return ", ".join(parts) + "." + (f" [*] {fixable} can be fixed with --fix." if fixable else "") + "\n"
