"""An explanation as a fragment of HTML, for notebooks and pages: classes, no styles, everything escaped."""

from collections.abc import Iterator
from html import escape

from errkb.explanation import Explanation
from errkb.matching.match import Match
from errkb.raise_sites.result import Compiled
from errkb.records.example_diff import example_hunks
from errkb.render.clean import clean, one_line
from errkb.render.code_in_prose import with_backticks
from errkb.render.phrases import (
    CODE,
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
from errkb.render.raise_site import origin, when

_HUNK_LINES = 20
_SIGNS = {"-": "del", "+": "ins"}


def render_html(explanation: Explanation) -> str:
    """The explanation as one `<div class="errkb">`, ending in a line feed."""
    return '<div class="errkb">\n' + "\n".join(_blocks(explanation)) + "\n</div>\n"


def _blocks(explanation: Explanation) -> Iterator[str]:
    if explanation.match is not None:
        yield from _answer(explanation)
    else:
        yield from _unknown(explanation)
        answer = explanation.answer
        if answer is not None:
            yield f"<h4>{_text(role_phrase(answer))}</h4>"
            yield from _answer(answer)
    others = [one for one in explanation.elsewhere if one is not explanation.answer]
    if others:
        items = "".join(f"<li><code>{_text(class_and_message(one))}</code></li>" for one in others)
        yield f"<p>Also in this text</p>\n<ul>{items}</ul>"


def _answer(explanation: Explanation) -> Iterator[str]:
    match, diagnosis = explanation.match, explanation.diagnosis
    assert match is not None  # noqa: S101  # only answers come here
    assert diagnosis is not None  # noqa: S101
    record = match.record
    name = one_line(match.occurrence.error_class or record.error_class or "")
    notes = "".join(f"\n{_text(note)}" for note in match.occurrence.notes)
    yield f'<pre class="errkb-error"><strong>{_text(name)}</strong>{": " if name else ""}{_marked(match)}{notes}</pre>'
    yield from _your_line(explanation)
    rows = [("Do", _prose(diagnosis.do))] if diagnosis.do else []
    if why := reason(explanation):
        rows.append(("Why", _prose(why)))
    elif diagnosis.possible:
        items = "".join(f"<li>{_prose(f'{cause.because} {cause.do}')}</li>" for cause in diagnosis.possible)
        rows.append(("Why", f"{UNDECIDED}<ul>{items}</ul>"))
    if diagnosis.cause and diagnosis.cause.check:
        rows.append(("Check", f"<code>{_text(diagnosis.cause.check)}</code>"))
    if diagnosis.steps:
        rows.append(("Then", "<ol>" + "".join(f"<li>{_prose(step)}</li>" for step in diagnosis.steps) + "</ol>"))
    rows += [("Not", _prose(f"{wrong.what} {wrong.why}")) for wrong in diagnosis.do_not]
    yield "<dl>\n" + "\n".join(f"<dt>{label}</dt><dd>{body}</dd>" for label, body in rows) + "\n</dl>"
    if record.example_fix:
        lines = (_hunk_line(sign, line) for sign, line in example_hunks(clean(record.example_fix), _HUNK_LINES))
        yield '<pre class="errkb-example">' + "\n".join(lines) + "</pre>"
    parts = [_text(certainty_phrase(match))]
    if record.example_fix and explanation.proof:
        parts.append(_text(how_proven(explanation.proof)))
    parts.append(_link(record.github_url, f"{record.repo} {record.id}"))
    parts += [_link(link.url, link.title) for link in diagnosis.links]
    yield f"<p><small>{' · '.join(parts)}</small></p>"


def _unknown(explanation: Explanation) -> Iterator[str]:
    said = nothing_known(explanation)
    if said == NO_ERROR:
        yield f"<p>{_text(said)}</p>"
        return
    yield f'<pre class="errkb-error">{_text(class_and_message(explanation, 600))}</pre>'
    yield from _your_line(explanation)
    raised = explanation.raised
    yield f"<p>{_text(said)}{f' {_text(origin(raised))}.' if raised else ''}</p>"
    if raised is not None and not isinstance(raised, Compiled) and (conditions := when(raised)):
        yield "<p>When " + ", and ".join(f"<code>{_text(one)}</code>" for one in conditions) + ".</p>"
    if language := other_language(explanation):
        yield f"<p>{_text(language)}</p>"
    if note := explanation.class_note:
        about = f"<strong>About {_text(note.error_class)} in general.</strong>"
        yield f"<p>{about} {_prose(f'{note.says} {note.usually}')}</p>"
        yield f"<p><strong>Check.</strong> {_prose(note.check)}</p>"
    if explanation.related:
        items = "".join(
            f"<li><code>{_text(one_line(record.error_message))}</code></li>" for record in explanation.related
        )
        yield f"<p>{SIMILAR_WORDS}</p>\n<ul>{items}</ul>"


def _your_line(explanation: Explanation) -> Iterator[str]:
    if line := explanation.your_line:
        place = f"{line.file}:{line.line}" if line.line else line.file
        code = f": <code>{_text(one_line(line.source))}</code>" if line.source else ""
        yield f"<p><strong>Your line</strong> <code>{_text(one_line(place))}</code>{code}</p>"


def _marked(match: Match) -> str:
    message, position, parts = match.occurrence.message, 0, list[str]()
    for start, end in sorted(match.spans.values()):
        if max(start, position) < end:
            parts.append(_text(message[position : max(start, position)]))
            parts.append(f"<mark>{_text(message[max(start, position) : end])}</mark>")
            position = end
    return "".join((*parts, _text(message[position:])))


def _hunk_line(sign: str, line: str) -> str:
    text = _text(f"{sign} {line}")
    return f"<{_SIGNS[sign]}>{text}</{_SIGNS[sign]}>" if sign in _SIGNS else text


def _link(url: str, title: str) -> str:
    return f'<a href="{_text(one_line(url, 600))}" rel="noopener">{_text(one_line(title))}</a>'


def _prose(text: str) -> str:
    return CODE.sub(r"<code>\1</code>", _text(with_backticks(text)))


def _text(text: str) -> str:
    return escape(clean(text))
