"""From an expression of the source to the messages that it may give, without running anything."""

import ast
from collections.abc import Mapping, Sequence
from typing import Protocol

from errkb.source_analysis.formats import Slot, brace_slots, percent_slots
from errkb.source_analysis.lists import join, list_key
from errkb.source_analysis.message_parts import MOST_ALTERNATIVES, NOTHING, Field, Step, Text, Writer, joined, product
from errkb.source_analysis.syntax import KEEPING, TRANSLATORS, dotted, may_be_text

_DEEPEST = 24


class Names(Protocol):
    """What an evaluation knows of its surroundings."""

    writer: Writer

    def find(self, name: str) -> Sequence[Text] | None:
        """The messages that a (dotted) name may stand for, or None if that is not known."""

    def find_item(self, name: str, key: str) -> Sequence[Text] | None:
        """The same for an item of a mapping of messages."""

    def keywords(self, name: str) -> Mapping[str, Sequence[Text]] | None:
        """What a `**name` parameter is known to hold."""


class Evaluator:
    """Reads expressions in given surroundings."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._writer = names.writer
        self._depth = 0

    def texts(self, node: ast.expr) -> list[Text]:
        """The messages that an expression may give, at least one; what is not understood is a field."""
        if self._depth > _DEEPEST:
            return [self._field(node)]
        self._depth += 1
        try:
            found = self._texts(node)
        finally:
            self._depth -= 1
        return found[:MOST_ALTERNATIVES] if found else [self._field(node)]

    def _texts(self, node: ast.expr) -> list[Text] | None:
        if isinstance(node, ast.Constant):
            return None if node.value is None else [Text(joined([str(node.value)]))]
        if isinstance(node, ast.JoinedStr):
            return product([self._piece(value) for value in node.values])
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.IfExp):
            return [
                *(self._under(text, Step("if", node.test)) for text in self.texts(node.body)),
                *(self._under(text, Step("if", node.test, negated=True)) for text in self.texts(node.orelse)),
            ]
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            return self._first_of(node.values)
        if isinstance(node, ast.NamedExpr):
            return self.texts(node.value)
        if isinstance(node, ast.Name | ast.Attribute):
            name = dotted(node)
            return list(self._names.find(name) or ()) if name else None
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            name = dotted(node.value)
            return list(self._names.find_item(name, str(node.slice.value)) or ()) if name else None
        return None

    def _first_of(self, values: Sequence[ast.expr]) -> list[Text]:
        """`a or b`: what the first one that is not empty gives."""
        found: list[Text] = []
        empty: tuple[Step, ...] = ()
        for number, value in enumerate(values):
            here = empty if number == len(values) - 1 else (*empty, Step("if", value))
            found += [Text(text.parts, (*here, *text.steps)) for text in self.texts(value) if text != NOTHING]
            empty = (*empty, Step("if", value, negated=True))
        return found

    @staticmethod
    def _under(text: Text, step: Step) -> Text:
        return Text(text.parts, (step, *text.steps))

    def _field(self, node: ast.expr) -> Text:
        name = self._writer.write(node)
        return Text((Field(name, f"{{{name}}}"),))

    def _piece(self, node: ast.expr) -> list[Text]:
        """A piece of an f-string."""
        if not isinstance(node, ast.FormattedValue):
            return self.texts(node)
        conversion = chr(node.conversion) if node.conversion > 0 else ""
        name = self._writer.write_field(node.value)
        written = name + ("!" + conversion if conversion else "")
        if node.format_spec is not None:
            written += ":" + self._spec(node.format_spec)
        return self._interpolated(node.value, name, f"{{{written}}}", conversion, node.format_spec is None)

    def _spec(self, spec: ast.expr) -> str:
        values = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
        written = []
        for value in values:
            if isinstance(value, ast.FormattedValue):
                written.append(f"{{{self._writer.write_field(value.value)}}}")
            elif isinstance(value, ast.Constant):
                written.append(str(value.value))
        return "".join(written)

    def _interpolated(
        self, node: ast.expr, name: str, written: str, conversion: str = "", plain: bool = True
    ) -> list[Text]:
        """What a placeholder may put in: known texts if all of them are, else a field."""
        field = Text((Field(name, written),))
        if isinstance(node, ast.Constant) and plain and node.value is not None:
            value = repr(node.value) if conversion else str(node.value)
            return [Text(joined([value]))]
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return [field]
        found = self._texts(node) or []
        if not found or len(found) > MOST_ALTERNATIVES // 2:
            return [field]
        if len(found) == 1 and len(found[0].parts) == 1 and isinstance(found[0].parts[0], Field):
            inner = found[0].parts[0].name  # a parameter that stands for an expression of the caller
            if written.startswith("{"):
                written = f"{{{inner}{written[1 + len(name) :]}" if written.startswith(f"{{{name}") else written
            return [Text((Field(inner, written),))]
        if not plain or not all(text.literal or not text.parts for text in found):
            return [field]
        if conversion:
            if any(isinstance(part, Field) for text in found for part in text.parts):
                return [field]
            return [Text(joined([repr(text.literal)]), text.steps) for text in found]
        return found

    def _operation(self, node: ast.BinOp) -> list[Text] | None:
        if isinstance(node.op, ast.Mod):
            left = self.texts(node.left)
            if not any(text.literal for text in left):
                return None
            return [text for start in left for text in self._percent(start, node.right)]
        if not isinstance(node.op, ast.Add):
            return None
        pieces: list[ast.expr] = []
        left_most: ast.expr = node
        while isinstance(left_most, ast.BinOp) and isinstance(left_most.op, ast.Add):
            pieces.append(left_most.right)
            left_most = left_most.left
        texts = product([self.texts(piece) for piece in (left_most, *reversed(pieces))])
        return texts if any(text.literal for text in texts) else None

    def _percent(self, start: Text, right: ast.expr) -> list[Text]:
        values = list(right.elts) if isinstance(right, ast.Tuple) else [right]
        named: dict[str, ast.expr] = {}
        if isinstance(right, ast.Dict):
            pairs = zip(right.keys, right.values, strict=True)
            named = {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}
        elif isinstance(right, ast.Call) and dotted(right.func) == "dict":
            named = {keyword.arg: keyword.value for keyword in right.keywords if keyword.arg}
        position = 0
        pieces: list[list[Text]] = []
        for part in start.parts:
            if isinstance(part, Field):
                pieces.append([Text((part,))])
                continue
            for slot in percent_slots(part):
                if isinstance(slot, str):
                    pieces.append([Text(joined([slot]))])
                    continue
                position += slot.skipped
                if slot.key:
                    pieces.append(self._slot(slot, named.get(slot.key), slot.key))
                    continue
                value = values[position] if position < len(values) else None
                single = len(values) == 1 and not isinstance(right, ast.Tuple)
                fallback = self._writer.write(right) if single and position == 0 else str(position + 1)
                pieces.append(self._slot(slot, value, fallback))
                position += 1
        return [Text(text.parts, start.steps + text.steps) for text in product(pieces)]

    def _slot(self, slot: Slot, value: ast.expr | None, fallback: str) -> list[Text]:
        if value is None or isinstance(value, ast.Starred):
            return [Text((Field(fallback, slot.written),))]
        return self._interpolated(value, self._writer.write(value), slot.written, slot.conversion, slot.plain)

    def _call(self, node: ast.Call) -> list[Text] | None:
        function = node.func
        if isinstance(function, ast.Name | ast.Attribute):
            last = function.id if isinstance(function, ast.Name) else function.attr
            if last in TRANSLATORS and len(node.args) >= 1 and not isinstance(node.args[0], ast.Starred):
                return self.texts(node.args[0])
            if last in ("ngettext", "ngettext_lazy", "ungettext") and len(node.args) >= 2:
                return [*self.texts(node.args[0]), *self.texts(node.args[1])]
        if not isinstance(function, ast.Attribute):
            return None
        if function.attr == "format":
            starts = self.texts(function.value)
            if any(text.literal for text in starts):
                return [text for start in starts for text in self._format(start, node)]
        elif function.attr in KEEPING and may_be_text(function.value):
            found = self.texts(function.value)
            return [_stripped(text) for text in found] if function.attr == "strip" else found
        elif function.attr == "join" and len(node.args) == 1:
            if isinstance(node.args[0], ast.List | ast.Tuple):
                return self._join(function.value, node.args[0].elts)
            held = self._names.find(list_key(dotted(node.args[0])))
            return join(self.texts(function.value), held) if held else None
        return None

    def _join(self, separator: ast.expr, members: Sequence[ast.expr]) -> list[Text] | None:
        if not members or any(isinstance(member, ast.Starred) for member in members):
            return None
        between = self.texts(separator)
        pieces = [piece for member in members for piece in (between, self.texts(member))]
        return product(pieces[1:])

    def _format(self, start: Text, node: ast.Call) -> list[Text]:
        named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        spread = [dotted(keyword.value) for keyword in node.keywords if not keyword.arg]
        known: dict[str, Sequence[Text]] = {}
        for name in spread:
            known.update(self._names.keywords(name) or {})
        pieces: list[list[Text]] = []
        offset = 0
        for part in start.parts:
            slots = None if isinstance(part, Field) else brace_slots(part)
            if slots is None:
                pieces.append([Text((part,))])
                continue
            for slot in slots:
                if isinstance(slot, str):
                    pieces.append([Text(joined([slot]))])
                else:
                    pieces.append(self._brace_slot(slot, node.args, named, known, offset))
            offset += sum(isinstance(slot, Slot) and slot.written[1] in "}!:.[" for slot in slots)
        return [Text(text.parts, start.steps + text.steps) for text in product(pieces)]

    def _brace_slot(
        self,
        slot: Slot,
        args: Sequence[ast.expr],
        named: Mapping[str, ast.expr],
        known: Mapping[str, Sequence[Text]],
        offset: int,
    ) -> list[Text]:
        first = slot.key.partition(".")[0].partition("[")[0]
        rest = slot.key[len(first) :]
        value: ast.expr | None = named.get(first)
        if first.isdigit():
            place = int(first) + (offset if slot.written[1] in "}!:.[" else 0)
            value = args[place] if place < len(args) else None
        if value is None and first in known and not rest and slot.plain:
            texts = list(known[first])
            if len(texts) == 1 and len(texts[0].parts) == 1 and isinstance(texts[0].parts[0], Field):
                return [Text((Field(texts[0].parts[0].name, slot.written),))]
            return texts
        if value is None or isinstance(value, ast.Starred):
            return [Text((Field(slot.key or first, slot.written),))]
        name = self._writer.write(value) + rest
        if rest:
            return [Text((Field(name, slot.written),))]
        return self._interpolated(value, name, slot.written, slot.conversion, slot.plain)


def _stripped(text: Text) -> Text:
    parts = list(text.parts)
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return Text(joined(parts), text.steps)
