"""An explanation as Markdown, for issues and chats; nothing in a text or dataset can forge markup in it."""

import re
from collections.abc import Iterator

from errkb.explanation import Explanation
from errkb.lazy_regex import lazy
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.records.example_diff import example_hunks
from errkb.render.clean import clean, one_line
from errkb.render.code_in_prose import with_backticks
from errkb.render.phrases import (
    NO_ERROR,
    SIMILAR_WORDS,
    UNDECIDED,
    certainty_phrase,
    class_and_message,
    how_proven,
    nothing_known,
    other_language,
    reason,
    role_phrase,
)
from errkb.render.raise_site import how_likely, origin, when

_CODE_SPAN = lazy(r"(`[^`\n]+`)")
_MARKUP = lazy(r"([\\`*_\[\]<>#|~!&])")
_ENDS_DESTINATION = lazy(r"[<>\\`\s]")
_LINE_START = lazy(r"^(\s*)([-+=]|\d+[.)])", re.MULTILINE)
_HUNK_LINES = 20


def render_markdown(explanation: Explanation) -> str:
    """The explanation, ending in a line feed."""
    return "\n".join(_blocks(explanation)) + "\n"


def _blocks(explanation: Explanation) -> Iterator[str]:
    if explanation.match is not None:
        yield from _answer(explanation)
    else:
        yield from _unknown(explanation)
        answer = explanation.answer
        if answer is not None:
            yield f"**{_prose(role_phrase(answer))}:**\n"
            yield from _answer(answer)
    others = [one for one in explanation.elsewhere if one is not explanation.answer]
    if others:
        yield "\nAlso in this text:\n"
        for one in others:
            known = f" (record {_span(one.match.record.id)})" if one.match else ""
            yield f"- {_span(class_and_message(one))}{known}"


def _answer(explanation: Explanation) -> Iterator[str]:
    match, diagnosis = explanation.match, explanation.diagnosis
    assert match is not None  # noqa: S101  # only answers come here
    assert diagnosis is not None  # noqa: S101
    record = match.record
    yield from _error(explanation, match.occurrence.error_class or record.error_class or "")
    if diagnosis.do:
        yield f"**Do.** {_sentence(diagnosis.do)}\n"
    if why := reason(explanation):
        yield f"**Why.** {_sentence(why)}\n"
    elif diagnosis.possible:
        yield f"**Why.** {UNDECIDED}\n"
        yield "\n".join(f"- {_sentence(f'{cause.because} {cause.do}')}" for cause in diagnosis.possible) + "\n"
    if diagnosis.cause and diagnosis.cause.check:
        yield f"**Check.** {_span(diagnosis.cause.check)}\n"
    if diagnosis.steps:
        yield "**Then**\n"
        yield "\n".join(f"{number}. {_sentence(one)}" for number, one in enumerate(diagnosis.steps, 1)) + "\n"
    if record.example_fix:
        lines = example_hunks(record.example_fix, _HUNK_LINES)
        yield _fenced("\n".join(f"{sign}{code}" for sign, code in lines), "diff")
    for wrong in diagnosis.do_not:
        yield f"**Not.** {_sentence(f'{wrong.what} {wrong.why}')}\n"
    parts = [_prose(certainty_phrase(match))]
    if record.example_fix and explanation.proof:
        parts.append(_prose(how_proven(explanation.proof)))
    parts.append(f"[{_prose(one_line(record.repo))} {one_line(record.id)}](<{_destination(record.github_url)}>)")
    parts += [f"[{_prose(one_line(link.title))}](<{_destination(link.url)}>)" for link in diagnosis.links]
    yield " · ".join(parts)


def _error(explanation: Explanation, name: str) -> Iterator[str]:
    occurrence = explanation.occurrence
    assert occurrence is not None  # noqa: S101
    if name:
        yield f"### {_prose(one_line(name))}\n"
    yield _fenced("\n".join(filter(None, (occurrence.message, *occurrence.notes))) or name)
    if line := explanation.your_line:
        place = f"{line.file}:{line.line}" if line.line else line.file
        code = f": {_span(line.source)}" if line.source else ""
        yield f"**Your line.** {_span(place)}{code}\n"


def _unknown(explanation: Explanation) -> Iterator[str]:
    said = nothing_known(explanation)
    if said == NO_ERROR or explanation.occurrence is None:
        yield _prose(said)
        return
    yield from _error(explanation, explanation.occurrence.error_class or "")
    if explanation.raised:
        yield from _raised(explanation.raised)
        return
    yield _prose(said) + "\n"
    if language := other_language(explanation):
        yield f"{_prose(language)}\n"
    if note := explanation.class_note:
        yield f"**About {_prose(one_line(note.error_class))} in general.** {_sentence(f'{note.says} {note.usually}')}\n"
        yield f"**Check.** {_sentence(note.check)}\n"
    if explanation.related:
        yield f"{SIMILAR_WORDS}\n"
        for record in explanation.related:
            yield f"- {_span(record.error_message)} ({_prose(record.repo)} {_span(record.id)})"


def _raised(raised: RaiseSite | Compiled) -> Iterator[str]:
    yield f"No record for this error. **{_prose(origin(raised))}.**\n"
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


def _sentence(text: str) -> str:
    """A sentence of the dataset, its code marked."""
    return _prose(with_backticks(text))


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
