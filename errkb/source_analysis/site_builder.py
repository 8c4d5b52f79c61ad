"""The sites of one statement: a site for each message that it may give."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from errkb.source_analysis.flow import PathConditions
from errkb.source_analysis.formats import with_named_slots
from errkb.source_analysis.message_parts import Field, Text, pattern, template
from errkb.source_analysis.signatures import source_parameters
from errkb.source_analysis.site import Condition, Site, SiteKind
from errkb.source_analysis.source_writer import SourceWriter

_MOST_CONDITIONS = 30
_LONGEST_CONDITION = 300


class Surroundings(NamedTuple):
    """The function, class body or module around a statement."""

    file: str
    function: str
    signature: str
    doc: str
    parameters: frozenset[str]
    assignments: Mapping[str, Sequence[ast.expr]]
    """Variable → the expressions that it was set to so far."""
    writer: SourceWriter


def build_sites(
    node: ast.stmt,
    kind: SiteKind,
    error_class: str | None,
    texts: Iterable[Text],
    path: PathConditions,
    around: Surroundings,
    *,
    opaque: bool,
) -> Iterator[Site]:
    """A site for each different message; without any, one without a message if `opaque` allows that."""
    for written, text in _messages(texts, opaque=opaque).items():
        names = tuple(part.name for part in text.parts if isinstance(part, Field))
        origins = {name: source_parameters(name, around.parameters, around.assignments) for name in names}
        literal = sum(len("".join(part.split())) for part in text.parts if isinstance(part, str))
        yield Site(
            file=around.file,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            kind=kind,
            error_class=error_class,
            template=written,
            pattern=pattern(text.parts) if literal else "",
            names=names,
            parameters={name: parameters for name, parameters in origins.items() if parameters},
            function=around.function,
            signature=around.signature,
            doc=around.doc,
            conditions=_conditions((*path, *(one for one in text.conditions if one not in path)), around.writer),
            literal=literal,
        )


def _messages(texts: Iterable[Text], *, opaque: bool) -> dict[str, Text]:
    """The texts that can be messages, by their templates."""
    messages: dict[str, Text] = {}
    for plain in texts:
        text = with_named_slots(plain)
        written = template(text.parts)
        if text.literal.strip() or (opaque and written.strip()):
            messages.setdefault(written, text)
    if not messages and opaque:
        messages[""] = Text(())
    return messages


def _conditions(path: PathConditions, writer: SourceWriter) -> tuple[Condition, ...]:
    """The last conditions of a path as source text, each once."""
    found = []
    for condition in path[-_MOST_CONDITIONS:]:
        text = writer.condition(condition)
        cut = text if len(text) <= _LONGEST_CONDITION else text[: _LONGEST_CONDITION - 1] + "…"
        found.append(Condition(cut, condition.kind, condition.early))
    return tuple(dict.fromkeys(found))
