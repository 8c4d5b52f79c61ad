"""A whole record as Markdown, with what its supplement adds: for agents and pages."""

from collections.abc import Iterator

from errkb.records.record import Record
from errkb.records.supplement import Supplement
from errkb.render.clean import clean, one_line
from errkb.render.code_in_prose import with_backticks
from errkb.render.markdown import code_block, code_span, escaped

_TITLE = 80


def record_markdown(record: Record, supplement: Supplement | None = None) -> str:
    """The record: title, project, message, class, severity, then a section for each field that says something."""
    return "\n".join(_lines(record, supplement)) + "\n"


def _lines(record: Record, supplement: Supplement | None) -> Iterator[str]:
    yield f"# {escaped(one_line(record.error_code or record.error_message, _TITLE))}\n"
    yield f"**Repo:** {escaped(record.repo)}"
    yield f"**Message:** {code_span(record.error_message)}"
    if record.error_class:
        yield f"**Class:** {escaped(one_line(record.error_class))}"
    yield f"**Severity:** {record.severity}"
    if supplement and supplement.cure:
        yield f"**Cure:** {_sentence(supplement.cure)}"
    yield ""
    yield from _section("What it means", record.documentation)
    yield from _section("When it happens", record.trigger_scenarios)
    yield from _section("How people get there", record.common_situations)
    yield from _causes(supplement)
    if record.solutions:
        yield "## Solutions\n"
        yield from (f"{number}. {_sentence(one)}" for number, one in enumerate(record.solutions, 1))
        yield ""
    if record.example_fix:
        yield f"## Example fix\n\n{code_block(record.example_fix, 'python')}"
    yield from _defence(record)
    yield from (
        (f"See {escaped(one_line(link.title))}: <{clean(link.url)}>" for link in supplement.links or ())
        if supplement
        else ()
    )
    yield f"Source: {clean(record.github_url)}"
    yield f"Analyzed: {escaped(record.repo)}@{record.analyzed_sha[:10]} on {record.analyzed_at[:10]}"


def _section(title: str, text: str) -> Iterator[str]:
    if text.strip():
        yield f"## {title}\n\n{_sentence(text)}\n"


def _causes(supplement: Supplement | None) -> Iterator[str]:
    if supplement is None or not supplement.causes:
        return
    yield "## Causes\n"
    for cause in supplement.causes:
        check = f" Check: {code_span(cause.check)}" if cause.check else ""
        yield f"- {_sentence(cause.because)} {_sentence(cause.do)}{check}"
    yield ""


def _defence(record: Record) -> Iterator[str]:
    if not (record.handling_strategy or record.try_catch_pattern or record.prevention_tips):
        return
    yield "## Defensive pattern\n"
    if record.handling_strategy:
        yield f"Strategy: {record.handling_strategy}"
    if record.try_catch_pattern:
        yield code_block(record.try_catch_pattern, "python")
    if record.prevention_tips:
        yield "Prevention: " + "; ".join(map(_sentence, record.prevention_tips))
    yield ""


def _sentence(text: str) -> str:
    return escaped(with_backticks(text))
