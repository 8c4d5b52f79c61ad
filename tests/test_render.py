"""What is printed: harmless whatever the text or record holds (C6), complete, and fit for a screen."""

import html
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from errkb.datasets.defaults import bundled_dataset
from errkb.diagnosis.causes import Diagnosis
from errkb.diagnosis.class_notes import ClassNote
from errkb.diagnosis.your_line import YourLine
from errkb.environment.installed import InstalledPlace
from errkb.explanation import Explanation, explain_found
from errkb.knowledge.base import open_datasets
from errkb.matching.match import Evidence, Kind, Match
from errkb.reading import Frame, Occurrence, Role, occurrences
from errkb.records.example_diff import example_diff
from errkb.records.examples import before_and_after
from errkb.records.record import read_record
from errkb.records.sample import sample
from errkb.records.supplement import Cause, DoNot, Link
from errkb.render.clean import clean, one_line
from errkb.render.html import render_html
from errkb.render.json import document, render_json
from errkb.render.markdown import render_markdown
from errkb.render.phrases import listed
from errkb.render.text import SCREEN, render_text

Document = dict[str, Any]

HOSTILE = (
    "\n```\n# forged\n[x](https://evil.example) <b>x</b>\n", "\n~~~\n# forged\n", "`<b>`` <i>", "``<b>` <i>", "`\n<b>\n`",
    "\x1b[31mred", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x9b31m",
    "\x00", "\b\b\b", "\r", "\r\n", "\v", "\f", "\x1c", "\x7f", "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\u200f",
    "\ufeff", "\ud800", "\udfff\ud800", "\U000e0041", "[red]x[/red]", "[link=https://evil.example]x[/]", ":smile:", "[/]",
    "<script>alert(1)</script>", "<b", "<!--", "&lt;", "&#60;b&#62;", "<https://evil.example>", "[x](https://evil.example)",
    "![x](x.png)", "[x]: https://evil.example", "[x]", "# heading", "\n# heading\n", "\n===\n", "\n---\n", "\n\n- item\n",
    "\n1. one\n", "\n> quote\n", "`", "``", "```", "\n```\n", "~~~", "\n~~~\n", "\\", "\\`", "*b*", "_e_", "|a|b|\n|-|-|\n",
    "\n    code\n", "\t", "\n", " ", "a", "word", "ä", "日本", "😀", "%", ")", ">", "<", "https://github.com/a<b>",
)  # fmt: skip

TEXTS = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec=None), max_size=4)), max_size=8).map(
    "".join
)
FREE_TEXT = (
    "errorMessage", "errorClass", "errorCode", "filePath", "documentation", "triggerScenarios", "commonSituations",
    "exampleFix", "validationCode", "typeGuard", "tryCatchPattern", "sourceCode",
)  # fmt: skip


@st.composite
def hostile_explanations(draw: st.DrawFn, founding: Document) -> Explanation:
    """An explanation, every text in it hostile."""
    changes: Document = {field: draw(TEXTS) or "x" for field in FREE_TEXT}
    if draw(st.booleans()):
        changes["exampleFix"] = f"# before\n{draw(TEXTS)}\n# after\n{draw(TEXTS)}\n"
    changes["solutions"] = [draw(TEXTS) or "x", draw(TEXTS) or "x"]
    changes["preventionTips"] = [draw(TEXTS) or "x"]
    changes["githubUrl"] = "https://github.com/a" + re.sub(r"[\x00-\x20\x7f]", "", draw(TEXTS))
    record = read_record({**founding, **changes})
    message = draw(TEXTS)
    start, end = sorted((draw(st.integers(0, len(message))), draw(st.integers(0, len(message)))))
    name = draw(TEXTS)
    occurrence = Occurrence(
        message=message,
        span=(0, len(message)),
        error_class=draw(st.none() | TEXTS),
        frames=(Frame(draw(TEXTS), 1, draw(TEXTS)),),
        notes=(draw(TEXTS),),
        role=draw(st.sampled_from(list(Role))),
        location=draw(st.none() | TEXTS),
    )
    match = Match(
        record=record,
        captures={name: message[start:end]},
        spans={name: (start, end)},
        kind=draw(st.sampled_from(list(Kind))),
        score=0.5,
        occurrence=occurrence,
        evidence=(Evidence("literals", 0.5, draw(TEXTS)),),
        tied=draw(st.booleans()),
    )
    text = TEXTS.map(lambda value: value or "x")
    cause = Cause(because=draw(text), do=draw(text), check=draw(st.none() | text))
    diagnosis = Diagnosis(
        do=draw(st.none() | text),
        cause=draw(st.sampled_from([cause, None])),
        possible=draw(st.sampled_from([(), (cause,), (cause, cause)])),
        steps=(draw(text), draw(text)),
        do_not=(DoNot(what=draw(text), why=draw(text)),),
        links=(Link(title=draw(text), url="https://docs.example/" + re.sub(r"[\x00-\x20\x7f]", "", draw(text))),),
    )
    answer = Explanation(occurrence=occurrence, match=match, diagnosis=diagnosis)
    found = draw(st.booleans())
    return Explanation(
        occurrence=occurrence,
        match=match if found else None,
        diagnosis=diagnosis if found else None,
        your_line=YourLine(file=draw(text), line=3, function=draw(text), source=draw(st.none() | text)),
        alternatives=(match,),
        elsewhere=(answer, Explanation(occurrence=occurrence)),
        installed=InstalledPlace(draw(TEXTS), draw(st.none() | st.just(3))),  # type: ignore[arg-type]
        class_note=ClassNote(error_class=draw(text), says=draw(text), usually=draw(text), check=draw(text)),
        related=(record,),
        language=draw(st.none() | text),
    )


FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
SGR = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")


@settings(max_examples=100)
@given(data=st.data(), full=st.booleans(), width=st.integers(1, 120))
def test_text_holds_no_control_characters(
    founding_document: Document, data: st.DataObject, full: bool, width: int
) -> None:
    """C6: plain text holds no control character but line feed and tab, whatever the text and the record hold."""
    text = render_text(data.draw(hostile_explanations(founding_document)), full=full, width=width)
    assert FORBIDDEN.search(text) is None
    assert text.endswith("\n")
    text.encode()


@settings(max_examples=100)
@given(data=st.data(), full=st.booleans())
def test_coloured_text_holds_only_our_colours(founding_document: Document, data: st.DataObject, full: bool) -> None:
    """C6: with colour, once colour is taken out, the text is the plain one: nothing in it is read as markup."""
    explanation = data.draw(hostile_explanations(founding_document))
    raw = render_text(explanation, full=full, colour=True)
    assert not any(FORBIDDEN.search(target) for target in re.findall(r"\x1b\]8;([^\x1b]*)\x1b\\", raw))
    coloured = SGR.sub("", raw)
    assert FORBIDDEN.search(coloured) is None
    plain = render_text(explanation, full=full)
    assert "".join(coloured.split()) == "".join(plain.split())


@settings(max_examples=80)
@given(data=st.data())
def test_json_is_ascii_and_gives_the_texts_back(founding_document: Document, data: st.DataObject) -> None:
    """C6: JSON output is pure ASCII without control characters but line feeds, and loses nothing."""
    explanation = data.draw(hostile_explanations(founding_document))
    text = render_json(explanation)
    assert re.fullmatch(r"[\n\x20-\x7e]*", text)
    decoded = json.loads(text)
    assert explanation.occurrence is not None
    assert decoded["elsewhere"][0]["match"]["id"] == founding_document["id"]
    if not re.search("[\ud800-\udbff][\udc00-\udfff]", explanation.occurrence.message):
        assert decoded["occurrence"]["message"] == explanation.occurrence.message


def all_tokens(tokens: list[Token]) -> Iterator[Token]:
    """Tokens and those inside them."""
    for token in tokens:
        yield token
        yield from all_tokens(token.children or [])


@settings(max_examples=150)
@given(data=st.data())
def test_markdown_cannot_be_forged(founding_document: Document, data: st.DataObject) -> None:
    """C6: Markdown read by a parser holds our headings and links only, no HTML, image, table or quote."""
    explanation = data.draw(hostile_explanations(founding_document))
    text = render_markdown(explanation)
    assert FORBIDDEN.search(text) is None
    tokens = list(all_tokens(MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)))
    kinds = [token.type for token in tokens]
    forged = {"html_block", "html_inline", "image", "table_open", "blockquote_open", "hr", "em_open", "s_open"}
    assert forged.isdisjoint(kinds)
    assert kinds.count("heading_open") <= 2
    links = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    assert [link.startswith(("https://github.com/a", "https://docs.example/")) for link in links] == [True, True]


class _Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@settings(max_examples=80)
@given(data=st.data())
def test_html_cannot_be_forged(founding_document: Document, data: st.DataObject) -> None:
    """C6: HTML holds the tags and attributes that we write, and no other, whatever the text and the record hold."""
    text = render_html(data.draw(hostile_explanations(founding_document)))
    assert FORBIDDEN.search(text) is None
    page = _Tags()
    page.feed(text)
    assert page.tags <= {
        "div", "pre", "strong", "mark", "p", "code", "dl", "dt", "dd", "ul", "ol", "li", "del", "ins", "small", "a", "h4",
    }  # fmt: skip
    assert page.attributes <= {"class", "href", "rel"}


@given(TEXTS)
def test_a_cleaned_line_is_one_line(text: str) -> None:
    """`one_line` gives one printable line of bounded length; cleaning twice changes nothing."""
    line = one_line(text, 30)
    assert len(line) <= 30
    assert "\n" not in line
    assert FORBIDDEN.search(line) is None
    assert clean(clean(text)) == clean(text)


def founding_explanation(founding: Document) -> Explanation:
    """The founding record with the value -3."""
    message = founding["errorMessage"].replace("{self.prefetch.offload_prefetch_step}", "-3")
    occurrence = Occurrence(message=message, span=(0, len(message)), error_class="ValueError")
    start = message.index("-3")
    match = Match(
        record=read_record(founding),
        captures={"self.prefetch.offload_prefetch_step": "-3"},
        spans={"self.prefetch.offload_prefetch_step": (start, start + 2)},
        kind=Kind.PATTERN,
        score=0.9,
        occurrence=occurrence,
        evidence=(Evidence("literals", 0.9, "literal text"), Evidence("class", 1.0, "class ValueError in both")),
    )
    record = match.record
    diagnosis = Diagnosis(do=record.solutions[0], steps=record.solutions[1:])
    return Explanation(occurrence=occurrence, match=match, diagnosis=diagnosis)


def test_the_answer_fits_a_screen(founding: Document) -> None:
    """The founding record's answer has at most 24 lines of 80 columns, the cure in the first eight, no numbered value."""
    text = render_text(founding_explanation(founding))
    lines = text.splitlines()
    assert len(lines) <= SCREEN
    assert [line for line in lines if len(line) > 80] == []
    assert any(line.startswith("Do    Set offload_prefetch_step to at least 1") for line in lines[:8])
    assert lines[0].startswith("ValueError: offload_prefetch_step (-3) must be >= 1")
    for wanted in (
        "- vllm serve model --offload-backend prefetch --offload-prefetch-step 0",
        "+ vllm serve model --offload-backend prefetch --offload-prefetch-step 1",
        "vllm-project/vllm 73154bc6b02214fb",
        "certain",
    ):
        assert wanted in text
    assert "value 1" not in text


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_every_bundled_answer_fits_a_screen(width: int) -> None:
    """Of all bundled records, the answer to the record's own message has at most 24 lines, the prose within the width."""
    kb = open_datasets([bundled_dataset()])
    for record in list(kb.records())[:: 1 if width == 80 else 9]:
        message = f"{record.error_class}: {sample(record.error_message).message}"
        explanation = explain_found(kb, occurrences(message)[:1], text=message)
        if explanation.match is None:
            continue
        lines = render_text(explanation, width=width).splitlines()
        assert len(lines) <= max(SCREEN, SCREEN * 80 // width), record.id
        wide = [
            line for line in lines if len(line) > width and len(line.split()) > 2 and line[6:8] not in EXAMPLE_LINES
        ]
        assert wide == [], record.id


EXAMPLE_LINES = ("- ", "+ ", "  ")
"""How the lines of an example begin: they are code and are not wrapped."""


@pytest.mark.parametrize("width", [30, 50, 80, 120])
def test_prose_keeps_to_the_width(founding: Document, width: int) -> None:
    """Prose is wrapped to the width that is asked for; only single long words and code go beyond it."""
    text = render_text(founding_explanation(founding), width=width)
    wide = [line for line in text.splitlines() if len(line) > width and len(line.split()) > 2]
    assert [line for line in wide if line[6:8] not in EXAMPLE_LINES] == []


def test_the_full_form_holds_the_rest(founding: Document) -> None:
    """--full adds the fields that the short form leaves out."""
    text = render_text(founding_explanation(founding), full=True)
    joined = " ".join(text.split())
    for field in ("commonSituations", "documentation", "triggerScenarios"):
        assert " ".join(founding[field].split()) in joined
    assert "def check_prefetch_step" in text
    assert "Never use 0 to 'disable' prefetching" in joined


def test_json_contract(founding: Document) -> None:
    """JSON output has exactly the documented keys, at every level."""
    explanation = founding_explanation(founding)
    assert explanation.match is not None
    assert explanation.occurrence is not None
    occurrence = Occurrence(message="x", span=(0, 1), frames=(Frame("a.py", 1, "f"),))
    full = document(
        Explanation(
            occurrence=explanation.occurrence,
            match=explanation.match,
            diagnosis=Diagnosis(do="x", cause=Cause(because="b", do="d"), links=(Link(title="t", url="https://a/b"),)),
            your_line=YourLine(file="a.py", line=3, function="f", source="g()"),
            alternatives=(explanation.match,),
            elsewhere=(Explanation(occurrence=occurrence, match=explanation.match), Explanation(occurrence=occurrence)),
            installed=InstalledPlace(founding["filePath"], 3),
        )
    )
    match_keys = {"kind", "score", "certainty", "wording", "tied", "captures", "evidence", "alsoAt"}
    named_keys = match_keys | {"id", "repo", "slug", "errorMessage"}
    assert set(full) == {
        "version", "found", "occurrence", "match", "record", "installed", "proof", "raiseSite", "alternatives",
        "elsewhere", "diagnosis", "yourLine", "classNote", "related", "language",
    }  # fmt: skip
    assert full["version"] == 1
    assert full["found"] is True
    assert set(full["match"]) == match_keys
    assert set(full["alternatives"][0]) == named_keys
    assert set(full["match"]["captures"][0]) == {"name", "value", "span"}
    assert set(full["match"]["evidence"][0]) == {"name", "factor", "note"}
    assert set(full["installed"]) == {"path", "line"}
    assert full["record"] == founding
    assert [set(other) for other in full["elsewhere"]] == [{"occurrence", "match", "diagnosis"}] * 2
    assert set(full["diagnosis"]) == {"do", "cause", "possible", "steps", "doNot", "related", "links"}
    assert full["diagnosis"]["cause"] == {"because": "b", "do": "d", "check": None}
    assert set(full["diagnosis"]["related"]) == {"instead", "leadsTo", "sameCause"}
    assert full["yourLine"] == {"file": "a.py", "line": 3, "function": "f", "source": "g()"}
    assert full["elsewhere"][1]["match"] is None
    about = full["elsewhere"][0]["occurrence"]
    assert set(about) == {"class", "message", "role", "location", "span", "notes", "frames"}
    assert about["frames"] == [{"file": "a.py", "line": 1, "function": "f"}]


def test_json_of_nothing() -> None:
    """Where nothing was found, the same keys stand with null and empty lists."""
    assert document(Explanation(occurrence=None)) == {
        "version": 1,
        "found": False,
        "occurrence": None,
        "match": None,
        "record": None,
        "installed": None,
        "proof": None,
        "raiseSite": None,
        "alternatives": [],
        "elsewhere": [],
        "diagnosis": None,
        "yourLine": None,
        "classNote": None,
        "related": [],
        "language": None,
    }


NOTE = ClassNote(error_class="a.B", says="It says b.", usually="Mostly c.", check="Look at `d`.")
UNKNOWN: dict[str, tuple[Explanation, list[str]]] = {
    "no error": (Explanation(occurrence=None), ["No error found in this text."]),
    "no error, of another language": (
        Explanation(occurrence=None, language="Go"),
        ["No error found in this text.", "It looks like an error of Go. errkb knows errors of Python programs."],
    ),
    "a line without any sign of an error": (
        Explanation(occurrence=Occurrence(message="hello", span=(0, 5), role=Role.LOG)),
        ["No error found in this text."],
    ),
    "an unknown error": (
        Explanation(occurrence=Occurrence(message="no\nsuch thing", span=(0, 1), error_class="a.B"), class_note=NOTE),
        ["a.B: no such thing", "No record for this error.", "About a.B in general:", "      It says b. Mostly c.",
         "Check Look at `d`.", "Try `--deep`"],
    ),
    "a class alone": (
        Explanation(occurrence=Occurrence(message="", span=(0, 1), error_class="B")),
        ["B", "No record for this error.", "Try `--deep`"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("explanation", "wanted"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_nothing_known_is_no_dead_end(explanation: Explanation, wanted: list[str]) -> None:
    """Where no record answers, the text says what was read and what is known besides, in this order."""
    lines = [line for line in render_text(explanation).splitlines() if line]
    assert [line[: len(start)] for line, start in zip(lines, wanted, strict=False)] == wanted


EXAMPLES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "changed-line": ("# before\na\nb\n# after\na\nc\n", [(" ", "a"), ("-", "b"), ("+", "c")]),
    "blank-between": ("# before\na\n\n# after\nb\n", [("-", "a"), ("+", "b")]),
    "words-after-the-title": ("# before: bad\na\n# After, good\nb", [("-", "a"), ("+", "b")]),
    "similar-lines": ("# before\nf(0)\n# after\nf(1)\n", [("-", "f(0)"), ("+", "f(1)")]),
    "question-mark-lines": ("# before\n? a\n# after\n? b\n", [("-", "? a"), ("+", "? b")]),
    "indented": ("# before\n  a\n# after\n  a\n  b\n", [(" ", "  a"), ("+", "  b")]),
    "only-after": ("# after\nb\n", [(" ", "# after"), (" ", "b")]),
    "no-halves": ("a\nb\n", [(" ", "a"), (" ", "b")]),
    "other-order": ("# after\nb\n# before\na\n", [(" ", "# after"), (" ", "b"), (" ", "# before"), (" ", "a")]),
}


@pytest.mark.parametrize(("example", "lines"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_example_diff(example: str, lines: list[tuple[str, str]]) -> None:
    """An example with both halves is shown as a diff of them, any other one as it stands."""
    assert example_diff(example) == lines


@given(st.lists(st.sampled_from(["a", "b", "? c", "", "  d"]), max_size=8), st.lists(st.sampled_from(["a", "b", "e"])))
def test_a_diff_gives_both_halves_back(before: list[str], after: list[str]) -> None:
    """The lines of a diff without `+` are the first half, those without `-` the second."""
    example = "\n".join(["# before", *before, "# after", *after, ""])
    halves = before_and_after(example)
    assert halves is not None
    lines = example_diff(example)
    assert [line for sign, line in lines if sign != "+"] == halves[0].splitlines()
    assert [line for sign, line in lines if sign != "-"] == halves[1].splitlines()


@pytest.mark.parametrize(
    ("items", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c", "d"], "a, b, c and d")],
)
def test_lists_read_as_people_write_them(items: list[str], text: str) -> None:
    """Commas, and an and before the last."""
    assert listed(items) == text


def test_notes_are_shown_below_the_message() -> None:
    """What Python noted at an error stands below its message, in text and in Markdown."""
    note = "when serializing dict item 'price'"
    found = occurrences(f"TypeError: Object of type Decimal is not JSON serializable\n{note}")
    explanation = explain_found(open_datasets([bundled_dataset()]), found)
    for shown in (render_text(explanation, width=80), render_markdown(explanation)):
        assert f"is not JSON serializable\n{note}" in re.sub(r"(?m)^ +", "", shown)
    assert html.escape(note) in explanation.html()
