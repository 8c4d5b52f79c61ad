"""What is said of a group of errors, alike in every report; secrets are masked, values left out if asked."""

from collections.abc import Sequence
from typing import NamedTuple

from errkb.integrations.ci.grouping import Group, Place
from errkb.integrations.redaction import without_values
from errkb.knowledge.base import KnowledgeBase
from errkb.raise_sites.result import RaiseSite
from errkb.render.clean import one_line
from errkb.render.phrases import class_and_message, reason
from errkb.render.secrets import masked

_ANSWER = 4000
_LINE = 200


class Shown(NamedTuple):
    """A group in words."""

    title: str
    """Class and message in a line."""
    times: str
    """How often it happened: `3 times`, `once, behind 2 others`."""
    advice: str
    """What to do and why, in a line; empty where nothing is known."""
    rule: str
    """The id of the record, or the raise site, or the class: stays the same from run to run."""
    link: str | None
    place: Place | None
    names: tuple[str, ...]
    markdown: str
    text: str


def shown(groups: Sequence[Group], kb: KnowledgeBase, *, values: bool = True) -> list[Shown]:
    """The groups in words; without `values`, no value of a message is repeated."""
    return [_shown(group, kb, values) for group in groups]


def _shown(group: Group, kb: KnowledgeBase, values: bool) -> Shown:
    from errkb.render.markdown import render_markdown

    explanation = group.explanation if values else without_values(group.explanation, kb)
    diagnosis, match, raised = explanation.diagnosis, explanation.match, explanation.raised
    advice = " ".join(filter(None, (diagnosis.do if diagnosis else "", reason(explanation))))
    rule = (explanation.occurrence.error_class if explanation.occurrence else None) or "error"
    if match is not None:
        rule = match.record.id
    elif isinstance(raised, RaiseSite):
        rule = f"{raised.distribution}:{raised.site.file}:{raised.site.line}"
    return Shown(
        title=masked(class_and_message(explanation, _LINE)),
        times=_times(group),
        advice=masked(one_line(advice, 600)),
        rule=rule,
        link=match.record.github_url if match else None,
        place=group.place,
        names=tuple(masked(one_line(name, _LINE)) for name in group.names),
        markdown=masked(render_markdown(explanation, most=_ANSWER)),
        text=masked(explanation.text(width=100)),
    )


def _times(group: Group) -> str:
    happened = "once" if group.count == 1 else f"{group.count} times"
    if not group.count:
        return f"behind {group.behind} {'other' if group.behind == 1 else 'others'}"
    return f"{happened}, behind {group.behind} more" if group.behind else happened


def headline(groups: Sequence[Group]) -> str:
    """How many errors there are, of how many kinds."""
    total = sum(group.count for group in groups)
    if not groups:
        return "errkb: no error found"
    errors = f"{total} error{'' if total == 1 else 's'}"
    return f"errkb: {errors} of {len(groups)} kind{'' if len(groups) == 1 else 's'}"
