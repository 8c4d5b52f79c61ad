"""Messages in quoted source code: a last resort, where nothing else tells what was raised."""

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.grammars.unnamed_messages import line_candidate
from errkb.reading.line import Line

_STRING = lazy(r"""[rfbu]{0,2}(?P<quote>"{3}|'{3}|"|')(?P<text>.+?)(?:(?P=quote)|$)""")
_GUTTER = lazy(r"^[\s\d│┃|❱>]*")
_RAISE = lazy(r"\braise (?P<name>[\w.]{1,200})\((?P<rest>.*)$")
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
        literals = (_STRING.match(text) for text in (match["rest"], *following))
        literal = next(filter(None, literals), None)
        if literal is not None:
            text, name = literal["text"], match["name"]
            found.append(
                line_candidate(Certainty.SOURCE, text, line, match.start("name"), name, shape="raise statement")
            )
    return found
