"""Values put into messages: by f-strings, `%` and `str.format`.

A placeholder becomes known texts where its value has some, else a field with the name of its expression.
"""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from errkb.source_analysis.formats import Slot, brace_slots, percent_slots
from errkb.source_analysis.message_parts import MOST_ALTERNATIVES, Field, Text, joined, product
from errkb.source_analysis.source_writer import SourceWriter
from errkb.source_analysis.syntax import dotted_name


class _FormatArguments(NamedTuple):
    """What a call of `str.format` is given."""

    positional: Sequence[ast.expr]
    named: Mapping[str, ast.expr]
    spread: Mapping[str, Sequence[Text]]
    """By `**name`, as far as it is known."""

    def find(self, key: str, offset: int) -> ast.expr | None:
        """The value of a slot; `offset` is added to the number of one that counts by itself."""
        if not key.isdigit():
            return self.named.get(key)
        place = int(key) + offset
        return self.positional[place] if place < len(self.positional) else None


class Interpolation:
    """The putting of values into messages, in given surroundings."""

    def __init__(
        self,
        known: Callable[[ast.expr], list[Text] | None],
        find_keywords: Callable[[str], Mapping[str, Sequence[Text]] | None],
        writer: SourceWriter,
    ) -> None:
        """`known` gives the messages of an expression, None for one that is not understood."""
        self._known = known
        self._find_keywords = find_keywords
        self._writer = writer

    def f_string_field(self, node: ast.FormattedValue) -> list[Text]:
        """What a field of an f-string puts in."""
        conversion = chr(node.conversion) if node.conversion > 0 else ""
        name = self._writer.write_field(node.value)
        written = name + ("!" + conversion if conversion else "")
        if node.format_spec is not None:
            written += ":" + self._format_spec(node.format_spec)
        slot = Slot(name, f"{{{written}}}", conversion=conversion, plain=node.format_spec is None)
        return self._value(node.value, name, slot)

    def percent(self, start: Text, right: ast.expr) -> list[Text]:
        """The messages of `start % right`."""
        values = list(right.elts) if isinstance(right, ast.Tuple) else [right]
        named = _named_values(right)
        position = 0
        pieces: list[list[Text]] = []
        for part in start.parts:
            for slot in [part] if isinstance(part, Field) else percent_slots(part):
                if not isinstance(slot, Slot):
                    pieces.append([Text(joined([slot]))])
                    continue
                position += slot.skipped
                if slot.key:
                    pieces.append(self._slot(slot, named.get(slot.key), slot.key))
                    continue
                value = values[position] if position < len(values) else None
                is_only = position == 0 and not isinstance(right, ast.Tuple)
                pieces.append(self._slot(slot, value, self._writer.write(right) if is_only else str(position + 1)))
                position += 1
        return _with_conditions_of(start, product(pieces))

    def brace_format(self, start: Text, call: ast.Call) -> list[Text]:
        """The messages of `start.format(…)`."""
        spread: dict[str, Sequence[Text]] = {}
        for keyword in call.keywords:
            if not keyword.arg:
                spread.update(self._find_keywords(dotted_name(keyword.value)) or {})
        named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        arguments = _FormatArguments(call.args, named, spread)
        pieces: list[list[Text]] = []
        offset = 0
        for part in start.parts:
            slots = None if isinstance(part, Field) else brace_slots(part)
            if slots is None:
                pieces.append([Text((part,))])
                continue
            for slot in slots:
                if isinstance(slot, Slot):
                    pieces.append(self._brace_slot(slot, arguments, offset))
                else:
                    pieces.append([Text(joined([slot]))])
            offset += sum(isinstance(slot, Slot) and slot.automatic for slot in slots)
        return _with_conditions_of(start, product(pieces))

    def _brace_slot(self, slot: Slot, arguments: _FormatArguments, offset: int) -> list[Text]:
        key = slot.key.partition(".")[0].partition("[")[0]
        rest = slot.key[len(key) :]
        value = arguments.find(key, offset if slot.automatic else 0)
        if value is None and key in arguments.spread and not rest and slot.plain:
            texts = list(arguments.spread[key])
            field = _only_field(texts)
            return [Text((Field(field.name, slot.written),))] if field else texts
        if rest and value is not None and not isinstance(value, ast.Starred):
            return [Text((Field(self._writer.write(value) + rest, slot.written),))]
        return self._slot(slot, value, slot.key or key)

    def _slot(self, slot: Slot, value: ast.expr | None, fallback: str) -> list[Text]:
        """What a slot puts in; a field with the name `fallback` if its value is not in sight."""
        if value is None or isinstance(value, ast.Starred):
            return [Text((Field(fallback, slot.written),))]
        return self._value(value, self._writer.write(value), slot)

    def _value(self, node: ast.expr, name: str, slot: Slot) -> list[Text]:
        """What a value in sight puts into a slot: known texts if all of them are, else a field."""
        field = [Text((Field(name, slot.written),))]
        if isinstance(node, ast.Constant) and slot.plain and node.value is not None:
            return [Text(joined([repr(node.value) if slot.conversion else str(node.value)]))]
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return field
        found = self._known(node) or []
        if not 0 < len(found) <= MOST_ALTERNATIVES // 2:
            return field
        if inner := _only_field(found):  # a parameter that stands for an expression of the caller
            return [Text((Field(inner.name, _renamed(slot.written, name, inner.name)),))]
        if not slot.plain or not all(text.literal or not text.parts for text in found):
            return field
        if not slot.conversion:
            return found
        if any(isinstance(part, Field) for text in found for part in text.parts):
            return field
        return [Text(joined([repr(text.literal)]), text.conditions) for text in found]

    def _format_spec(self, spec: ast.expr) -> str:
        values = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
        written = []
        for value in values:
            if isinstance(value, ast.FormattedValue):
                written.append(f"{{{self._writer.write_field(value.value)}}}")
            elif isinstance(value, ast.Constant):
                written.append(str(value.value))
        return "".join(written)


def _named_values(right: ast.expr) -> dict[str, ast.expr]:
    """The values of a dictionary that stands at the right of `%`."""
    if isinstance(right, ast.Dict):
        pairs = zip(right.keys, right.values, strict=True)
        return {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}
    if isinstance(right, ast.Call) and dotted_name(right.func) == "dict":
        return {keyword.arg: keyword.value for keyword in right.keywords if keyword.arg}
    return {}


def _only_field(texts: Sequence[Text]) -> Field | None:
    """The field that is all there is of one message."""
    if len(texts) == 1 and len(texts[0].parts) == 1 and isinstance(texts[0].parts[0], Field):
        return texts[0].parts[0]
    return None


def _renamed(written: str, name: str, new: str) -> str:
    """A placeholder in braces with another name in it; any other one as it is."""
    return f"{{{new}{written[1 + len(name) :]}" if written.startswith(f"{{{name}") else written


def _with_conditions_of(start: Text, texts: Iterable[Text]) -> list[Text]:
    return [Text(text.parts, start.conditions + text.conditions) for text in texts]
