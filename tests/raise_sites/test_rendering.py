"""What is shown of a raise site, whatever stands in the source and the message."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from errkb.explanation import Explanation
from errkb.matching.match import Evidence, Kind
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.reading import Occurrence
from errkb.render.clean import clean
from errkb.render.json import render_json
from errkb.render.markdown import render_markdown
from errkb.render.text import render_text
from errkb.source_analysis.site import Condition, Site, SiteKind

_TEXT = st.text(st.sampled_from("ab \n`*[]<>|#\\\x1b\x07\x00\x9b\u202e\ud800é"), max_size=20)


@st.composite
def _raised(draw: st.DrawFn) -> RaiseSite | Compiled:
    text = lambda: draw(_TEXT)  # noqa: E731
    if draw(st.booleans()):
        return Compiled(
            distribution=text(), version=text(), path=Path("x"), file=text(), line=1, function=text(), source=text()
        )
    kinds = st.sampled_from(["if", "except", "case"])
    site = Site(
        file=text(), line=2, end_line=3, kind=draw(st.sampled_from(SiteKind)), error_class=text(), template=text(),
        pattern="x", function=text(), signature=text(), doc=text(),
        conditions=(Condition(text(), draw(kinds)), Condition(text(), draw(kinds), early=True)),
    )  # fmt: skip
    return RaiseSite(
        distribution=text(), version=text(), path=Path("nothing"), site=site, score=draw(st.floats(0.3, 1)),
        kind=draw(st.sampled_from(Kind)), captures={"a": text(), text(): text()}, spans={},
        evidence=(Evidence("frame", 1.0, text()),), also_at=(text(),), url=text(),
    )  # fmt: skip


@given(_raised(), _TEXT)
def test_no_source_and_no_message_can_forge_the_output(raised: RaiseSite | Compiled, message: str) -> None:
    """No control characters in text and Markdown, and nothing but ASCII in JSON."""
    if isinstance(raised, RaiseSite):
        raised = RaiseSite(**{**_fields(raised), "spans": dict.fromkeys(raised.captures, (0, 0))})
    explanation = Explanation(occurrence=Occurrence(message=message, span=(0, 0)), raised=raised)
    for output in (render_text(explanation), render_text(explanation, full=True), render_markdown(explanation)):
        assert clean(output) == output
    document = render_json(explanation)
    assert document.isascii()
    assert json.loads(document)["raiseSite"]["kind"]


def _fields(raised: RaiseSite) -> dict[str, object]:
    return {name: getattr(raised, name) for name in raised.__struct_fields__}


def test_an_unlikely_place_is_said_to_be_a_perhaps() -> None:
    """The degree of confidence is the first thing that is read."""
    site = Site(file="a.py", line=1, end_line=1, kind=SiteKind.RAISE, error_class=None, template="x", pattern="x")
    raised = RaiseSite(
        distribution="a", version="1", path=Path("a.py"), site=site, score=0.4, kind=Kind.PATTERN,
        captures={}, spans={}, evidence=(),
    )  # fmt: skip
    output = render_text(Explanation(occurrence=Occurrence(message="x", span=(0, 1)), raised=raised))
    assert "It may be raised by a 1, a.py:1" in output
    assert "possible (0.40)" in output
