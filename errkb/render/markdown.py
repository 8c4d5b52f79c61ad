"""An explanation as Markdown, for issues and chats; nothing in a text or dataset can forge markup in it."""

import re
from collections.abc import Iterator

from errkb.explanation import Explanation, example_diff
from errkb.lazy_regex import lazy
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.render.clean import clean, one_line
from errkb.render.phrases import how_proven, how_sure, understood
from errkb.render.raise_site import how_likely, origin, when

_CODE_SPAN = lazy(r"(`[^`\n]+`)")
_MARKUP = lazy(r"([\\`*_\[\]<>#|~!&])")
_ENDS_DESTINATION = lazy(r"[<>\\`\s]")
_LINE_START = lazy(r"^(\s*)([-+=]|\d+[.)])", re.MULTILINE)


def render_markdown(explanation: Explanation) -> str:
    """The explanation, ending in a line feed."""
    return "\n".join(_blocks(explanation)) + "\n"


def _blocks(explanation: Explanation) -> Iterator[str]:
    match = explanation.match
    if match is None:
        yield _prose(understood(explanation)) + ("\n" if explanation.raised else "")
        if explanation.raised:
            yield from _raised(explanation.raised)
        return
    record = match.record
    name = match.occurrence.error_class or record.error_class or record.error_type
    yield f"### {_prose(one_line(name))} in {_prose(record.repo)}\n"
    yield _fenced("\n".join((match.occurrence.message, *match.occurrence.notes)))
    if match.captures:
        yield "\n".join(f"- {_span(name)} = {_span(value)}" for name, value in match.captures.items()) + "\n"
    for title, text in (
        ("What it means", record.documentation),
        ("Why here", record.trigger_scenarios),
        ("How people get there", record.common_situations),
    ):
        if text:
            yield f"**{title}.** {_prose(text)}\n"
    if record.solutions:
        yield "**What to do**\n"
        yield "\n".join(f"{number}. {_prose(one)}" for number, one in enumerate(record.solutions, 1)) + "\n"
    if record.example_fix:
        yield _fenced("\n".join(f"{sign}{code}" for sign, code in example_diff(record.example_fix)), "diff")
        if explanation.proof:
            yield f"Example: {_prose(how_proven(explanation.proof))}.\n"
    yield f"[{_prose(one_line(record.file_path))}:{record.line_number}](<{_destination(record.github_url)}>)\n"
    yield f"Match: {_prose(how_sure(match))}. Record {_span(record.id)}."
    if explanation.raised:
        yield ""
        yield from _raised(explanation.raised)


def _raised(raised: RaiseSite | Compiled) -> Iterator[str]:
    yield f"**{_prose(origin(raised))}.**\n"
    if isinstance(raised, Compiled):
        yield _fenced(f"{raised.line}: {raised.source}", "python")
        return
    if conditions := when(raised):
        yield "When " + ", and ".join(map(_span, conditions)) + ".\n"
    if raised.captures:
        yield "\n".join(f"- {_span(name)} = {_span(value)}" for name, value in raised.captures.items()) + "\n"
    if excerpt := raised.excerpt():
        yield _fenced("\n".join(text for _, text in excerpt), "python")
    yield f"Place: {_prose(how_likely(raised))}."


def _prose(text: str) -> str:
    """Running text: code spans stay, all other markup is escaped, lines are one paragraph each."""
    parts = _CODE_SPAN.split(clean(text))
    escaped = "".join(part if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(parts))
    return _LINE_START.sub(lambda m: f"{m[1]}{m[2][:-1]}\\{m[2][-1]}", escaped)


def _destination(url: str) -> str:
    """A link's target, with what could end it percent-encoded."""
    return _ENDS_DESTINATION.sub(lambda m: f"%{ord(m[0]):02X}", clean(url))


def _span(text: str) -> str:
    """A code span, fenced by more backticks than the text has."""
    text = one_line(text, 500)
    fence = "`" * (_longest_run(text) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _fenced(text: str, language: str = "text") -> str:
    text = clean(text)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
