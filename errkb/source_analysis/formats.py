"""The formatting languages of Python, read: `%` and `str.format`."""

import re
from collections.abc import Iterator
from string import Formatter
from typing import NamedTuple

from errkb.source_analysis.message_parts import Field, Text, joined

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?[#0\- +]*(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+)?)?[hlL]?"
    r"(?P<type>[diouxXeEfFgGcrsa%])"
)


class Slot(NamedTuple):
    """A place of a format: `key` names its value ("" for the next one), `written` is how it stands there."""

    key: str
    written: str
    skipped: int = 0
    """Values that only give width and precision, and come before its own."""
    conversion: str = ""
    plain: bool = True
    """Whether the value is put in as it is: no width, no precision, no number format."""
    automatic: bool = False
    """Whether its key is a number that was counted, not written."""


def percent_slots(text: str) -> Iterator[str | Slot]:
    """The literals and slots of a `%` format."""
    position = 0
    for match in _PERCENT.finditer(text):
        yield text[position : match.start()]
        position = match.end()
        if match["type"] == "%":
            yield "%"
            continue
        stars = (match["width"] == "*") + (match["precision"] == "*")
        plain = match["type"] in "sd" and match["precision"] is None
        conversion = match["type"] if match["type"] in "ra" else ""
        yield Slot(match["key"] or "", match[0], stars, conversion, plain or bool(conversion))
    yield text[position:]


def brace_slots(text: str) -> list[str | Slot] | None:
    """The literals and slots of a `str.format` format, or None if it is none."""
    slots: list[str | Slot] = []
    number = 0
    try:
        for literal, name, spec, conversion in Formatter().parse(text):
            slots.append(literal)
            if name is None:
                continue
            written = f"{{{name}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}}}"
            automatic = name == "" or name[0] in ".["
            if automatic:
                name, number = f"{number}{name}", number + 1
            slots.append(Slot(name, written, 0, conversion or "", not spec, automatic))
    except ValueError:
        return None
    return slots


def with_named_slots(text: Text) -> Text:
    """A text with `%(name)s` read as placeholders: Django and argparse fill them in where they catch the error."""
    if not any(isinstance(part, str) and "%(" in part for part in text.parts):
        return text
    parts: list[str | Field] = []
    for part in text.parts:
        if isinstance(part, Field) or "%(" not in part:
            parts.append(part)
            continue
        slots = list(percent_slots(part))
        if any(isinstance(slot, Slot) and not slot.key for slot in slots):
            parts.append(part)
        else:
            parts += [slot if isinstance(slot, str) else Field(slot.key, slot.written) for slot in slots]
    return text._replace(parts=joined(parts))
