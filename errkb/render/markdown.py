"""An explanation as Markdown, for issues and chats; nothing in a text or dataset can forge markup in it."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
_FIRST_STEPS = 3


class Block(NamedTuple):
    """A part of the answer; the higher `spare`, the sooner it is left out where room is short, never at 0."""

    text: str
    spare: int = 0


def render_markdown(explanation: Explanation, *, most: int | None = None) -> str:
    """The explanation, ending in a line feed, in about `most` characters where that is given."""
    blocks = list(_blocks(explanation))
    while most is not None and len(_joined(blocks)) > most and any(block.spare for block in blocks):
        blocks.remove(max(reversed(blocks), key=lambda block: block.spare))
    whole = _joined(blocks)
    return whole if most is None or len(whole) <= most else _joined(_shortened(blocks, len(whole) - most))


def _joined(blocks: Iterable[Block]) -> str:
    return "\n".join(block.text for block in blocks) + "\n"


def _shortened(blocks: list[Block], over: int) -> list[Block]:
    """The blocks with the longest one, mostly a message, cut by so many characters."""
    longest = max(blocks, key=lambda block: len(block.text))
    fence, _, rest = longest.text.partition("\n")
    cut = max(200, len(rest) - over - len(fence) - 10)
    text = f"{fence}\n{rest[:cut]} …\n" + (
        f"{fence.rstrip('abcdefghijklmnopqrstuvwxyz')}\n" if fence.startswith("```") else ""
    )
    return [Block(text) if block is longest else block for block in blocks]


def _blocks(explanation: Explanation) -> Iterator[Block]:
    if explanation.match is not None:
        yield from _answer(explanation)
    else:
        yield from map(Block, _unknown(explanation))
        answer = explanation.answer
        if answer is not None:
            yield Block(f"**{escaped(role_phrase(answer))}:**\n")
            yield from _answer(answer)
    others = [one for one in explanation.elsewhere if one is not explanation.answer]
    if others:
        yield Block("\nAlso in this text:\n", spare=5)
        for number, one in enumerate(others):
            known = f" (record {code_span(one.match.record.id)})" if one.match else ""
            yield Block(f"- {code_span(class_and_message(one))}{known}", spare=5 + (number > 1))


def _answer(explanation: Explanation) -> Iterator[Block]:
    match, diagnosis = explanation.match, explanation.diagnosis
    assert match is not None  # noqa: S101  # only answers come here
    assert diagnosis is not None  # noqa: S101
    record = match.record
    yield from map(Block, _error(explanation, match.occurrence.error_class or record.error_class or ""))
    if diagnosis.do:
        yield Block(f"**Do.** {_sentence(diagnosis.do)}\n")
    if why := reason(explanation):
        yield Block(f"**Why.** {_sentence(why)}\n")
    elif diagnosis.possible:
        yield Block(f"**Why.** {UNDECIDED}\n")
        yield Block("\n".join(f"- {_sentence(f'{cause.because} {cause.do}')}" for cause in diagnosis.possible) + "\n")
    if diagnosis.cause and diagnosis.cause.check:
        yield Block(f"**Check.** {code_span(diagnosis.cause.check)}\n")
    if diagnosis.steps:
        yield Block("**Then**\n", spare=1)
        for number, one in enumerate(diagnosis.steps, 1):
            end = "\n" if number == len(diagnosis.steps) else ""
            yield Block(f"{number}. {_sentence(one)}{end}", spare=4 if number > _FIRST_STEPS else 2)
    if record.example_fix:
        lines = example_hunks(record.example_fix, _HUNK_LINES)
        yield Block(code_block("\n".join(f"{sign}{code}" for sign, code in lines), "diff"), spare=3)
    for wrong in diagnosis.do_not:
        yield Block(f"**Not.** {_sentence(f'{wrong.what} {wrong.why}')}\n", spare=2)
    parts = [escaped(certainty_phrase(match))]
    if record.example_fix and explanation.proof:
        parts.append(escaped(how_proven(explanation.proof)))
    parts.append(f"[{escaped(one_line(record.repo))} {one_line(record.id)}](<{_destination(record.github_url)}>)")
    parts += [f"[{escaped(one_line(link.title))}](<{_destination(link.url)}>)" for link in diagnosis.links]
    yield Block(" · ".join(parts))


def _error(explanation: Explanation, name: str) -> Iterator[str]:
    occurrence = explanation.occurrence
    assert occurrence is not None  # noqa: S101
    if name:
        yield f"### {escaped(one_line(name))}\n"
    yield code_block("\n".join(filter(None, (occurrence.message, *occurrence.notes))) or name)
    if line := explanation.your_line:
        place = f"{line.file}:{line.line}" if line.line else line.file
        code = f": {code_span(line.source)}" if line.source else ""
        yield f"**Your line.** {code_span(place)}{code}\n"


def _unknown(explanation: Explanation) -> Iterator[str]:
    said = nothing_known(explanation)
    if said == NO_ERROR or explanation.occurrence is None:
        yield escaped(said)
        return
    yield from _error(explanation, explanation.occurrence.error_class or "")
    if explanation.raised:
        yield from _raised(explanation.raised)
        return
    yield escaped(said) + "\n"
    if language := other_language(explanation):
        yield f"{escaped(language)}\n"
    if note := explanation.class_note:
        about = f"**About {escaped(one_line(note.error_class))} in general.**"
        yield f"{about} {_sentence(f'{note.says} {note.usually}')}\n"
        yield f"**Check.** {_sentence(note.check)}\n"
    if explanation.related:
        yield f"{SIMILAR_WORDS}\n"
        for record in explanation.related:
            yield f"- {code_span(record.error_message)} ({escaped(record.repo)} {code_span(record.id)})"


def _raised(raised: RaiseSite | Compiled) -> Iterator[str]:
    yield f"No record for this error. **{escaped(origin(raised))}.**\n"
    if isinstance(raised, Compiled):
        yield code_block(f"{raised.line}: {raised.source}", "python")
        return
    if conditions := when(raised):
        yield "When " + ", and ".join(map(code_span, conditions)) + ".\n"
    if raised.captures:
        yield "\n".join(f"- {code_span(name)} = {code_span(value)}" for name, value in raised.captures.items()) + "\n"
    if excerpt := raised.excerpt():
        yield code_block("\n".join(text for _, text in excerpt), "python")
    yield f"Place: {escaped(how_likely(raised))}."


def escaped(text: str) -> str:
    """Running text: code spans stay, all other markup is escaped, lines are one paragraph each."""
    parts = _CODE_SPAN.split(clean(text))
    safe = "".join(part if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(parts))
    return _LINE_START.sub(lambda m: f"{m[1]}{m[2][:-1]}\\{m[2][-1]}", safe)


def _sentence(text: str) -> str:
    """A sentence of the dataset, its code marked."""
    return escaped(with_backticks(text))


def _destination(url: str) -> str:
    """A link's target, with what could end it percent-encoded."""
    return _ENDS_DESTINATION.sub(lambda m: f"%{ord(m[0]):02X}", clean(url))


def code_span(text: str) -> str:
    """A code span, fenced by more backticks than the text has."""
    text = one_line(text, 500)
    fence = "`" * (_longest_run(text) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def code_block(text: str, language: str = "text") -> str:
    """A block of code, fenced by more backticks than the text has in a row."""
    text = clean(text)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
