"""What is said about a raise site where no record is known, alike in every form."""

from collections.abc import Sequence
from typing import Any

from errkb.matching.evidence import is_likely, shown_score
from errkb.matching.match import Kind
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.records.template import without_number
from errkb.render.clean import one_line
from errkb.source_analysis.site import Condition, Site, SiteKind

_VERBS = {
    SiteKind.WARNING: "Warned",
    SiteKind.LOG: "Logged",
    SiteKind.EXIT: "Reported",
    SiteKind.CLASS: "Worded",
    SiteKind.MADE: "Made",
}
_LONGEST_CONDITION = 160


def origin(raised: RaiseSite | Compiled) -> str:
    """Where an error comes from, in a sentence."""
    owner = one_line(f"{raised.distribution} {raised.version}").strip()
    if isinstance(raised, Compiled):
        function = f", in {one_line(raised.function)}" if raised.function else ""
        return f"Raised by compiled code, which {owner} calls at {one_line(raised.file)}:{raised.line}{function}"
    site = raised.site
    verb = _VERBS.get(site.kind, "Raised")
    place = f"{one_line(site.file)}:{site.line}"
    function = f", in {one_line(site.function)}" if site.function else ""
    if not is_likely(raised.score):
        return f"It may be {verb.lower()} by {owner}, {place}{function}"
    return f"{verb} by {owner}, {place}{function}"


def when(raised: RaiseSite) -> list[str]:
    """The conditions under which the place is reached, the outermost first."""
    return [condition_text(condition) for condition in raised.conditions]


def condition_text(condition: Condition) -> str:
    """A condition on one line; of a handler, what it handles."""
    text = one_line(condition.text, _LONGEST_CONDITION)
    return f"handling {text.removeprefix('except').strip() or 'any exception'}" if condition.kind == "except" else text


def how_likely(raised: RaiseSite) -> str:
    """How sure errkb is of the place, and why."""
    degree = "likely" if is_likely(raised.score) else "possible"
    notes = "; ".join(one_line(item.note) for item in raised.evidence if item.name in ("frame", "literals", "tied"))
    kind = "; the wording is similar" if raised.kind is Kind.FUZZY else ""
    return f"{degree} ({shown_score(raised.score)}): {notes}{kind}"


def raised_document(raised: RaiseSite | Compiled) -> dict[str, Any]:
    """For JSON, see docs/json.md."""
    document: dict[str, Any] = {
        "distribution": raised.distribution,
        "version": raised.version,
        "path": str(raised.path),
    }
    if isinstance(raised, Compiled):
        return {
            "kind": "compiled",
            **document,
            "file": raised.file,
            "line": raised.line,
            "function": raised.function,
            "source": raised.source,
        }
    site = raised.site
    return {
        "kind": site.kind.value,
        **document,
        "file": site.file,
        "line": site.line,
        "endLine": site.end_line,
        "function": site.function,
        "signature": site.signature,
        "doc": site.doc,
        "class": site.error_class,
        "template": site.template,
        "conditions": [
            {"text": condition.text, "kind": condition.kind, "early": condition.early} for condition in site.conditions
        ],
        "captures": [
            {
                "name": name,
                "value": value,
                "span": list(raised.spans[name]),
                "parameters": list(site.parameters.get(without_number(name), ())),
                "inConditions": name in raised.condition_values,
            }
            for name, value in raised.captures.items()
        ],
        "score": round(raised.score, 4),
        "evidence": [
            {"name": item.name, "factor": round(item.factor, 4), "note": item.note} for item in raised.evidence
        ],
        "alsoAt": list(raised.also_at),
        "excerpt": [{"line": number, "text": text} for number, text in raised.excerpt()],
        "url": raised.url,
    }


def site_table(sites: Sequence[Site], width: int) -> str:
    """Sites as lines: place, class, message; below it the function and the conditions."""
    lines = []
    for site in sites:
        lines.append(one_line(f"{site.file}:{site.line} {site.kind.value} {site.error_class or ''}", 1000))
        lines.append(f"    {one_line(site.template, max(width - 4, 60))}")
        conditions = [condition_text(condition) for condition in site.conditions]
        if site.function or conditions:
            reached = f" when {'; '.join(conditions)}" if conditions else ""
            lines.append(f"    {one_line(f'in {site.function}{reached}' if site.function else reached.strip(), 1000)}")
    return "".join(f"{line}\n" for line in lines)
