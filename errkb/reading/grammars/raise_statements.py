"""Messages in quoted source code: a last resort, where nothing else tells what was raised."""

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.unnamed_messages import line_candidate
from errkb.reading.line import Line
from errkb.reading.shapes.class_heads import may_be_exception

_STRING = lazy(r"""[rfbu]{0,2}(?P<quote>"{3}|'{3}|"|')(?P<text>.+?)(?:(?P=quote)|$)""")
_GUTTER = lazy(r"^[\s\d│┃|❱>]*")
_RAISE = lazy(r"\braise (?P<name>[\w.]{1,200})(?:\((?P<rest>.*)$|(?= from |\s*$))")
_EMPTY = lazy(r"\)\s*(?:from \w.{0,100})?$")
"""After the class: no message."""
_REACH = 3


def read_sources(lines: list[Line], source: list[int]) -> list[Candidate]:
    """What the ``raise`` statements in the lines `source` would raise, placeholders as they are."""
    found: list[Candidate] = []
    for number in source:
        line = lines[number]
        match = _RAISE.search(line.text)
        if match is None:
            continue
        following = [_GUTTER.sub("", after.text) for after in lines[number + 1 : number + _REACH]]
        text, name = _message(match["rest"], following), match["name"]
        if text or (text is not None and may_be_exception(name)):
            found.append(
                line_candidate(Certainty.SOURCE, text, line, match.start("name"), name, shape="raise statement")
            )
    return found


def _message(rest: str | None, following: list[str]) -> str | None:
    """The message that stands after the class, empty if there is surely none; None if it cannot be read."""
    if rest is None or _EMPTY.match(rest):
        return ""
    literals = (_STRING.match(text) for text in (rest, *following))
    literal = next(filter(None, literals), None)
    return literal["text"] if literal is not None else None
