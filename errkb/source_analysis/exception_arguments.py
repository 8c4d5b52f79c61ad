"""The message of an exception by its arguments alone: of built-in classes, and of unknown ones."""

from errkb.exception_names import builtin_exception
from errkb.source_analysis.message_parts import Field, Text, product

MESSAGE_NAMES = ("message", "msg", "detail", "reason", "description", "msg_fmt", "fmt", "default_message",
                 "default_detail", "default_msg", "_fmt", "_message", "error_message", "text")  # fmt: skip
"""Keyword arguments and class attributes that hold a message."""

Values = list[list[Text]]
"""Positional arguments, each with its alternatives."""
Named = dict[str, list[Text]]


def builtin_message(name: str, values: Values, named: Named) -> list[Text]:
    """What `str()` of a built-in exception with these arguments gives."""
    known = builtin_exception(name)
    if known and issubclass(known, OSError) and len(values) >= 2:
        pieces = [[Text(("[Errno ",))], values[0], [Text(("] ",))], values[1]]
        if len(values) >= 3:
            pieces += [[Text((": ",))], [_quoted(text) for text in values[2]]]
        return product(pieces)
    if len(values) == 1 or name in ("ImportError", "ModuleNotFoundError"):
        return values[0] if values else []
    return guessed_message(values, named)


def _quoted(text: Text) -> Text:
    if len(text.parts) == 1 and isinstance(text.parts[0], Field):
        field = text.parts[0]
        return Text((Field(field.name, f"{{{field.name}!r}}"),), text.conditions)
    return Text(("'", *text.parts, "'"), text.conditions)


def guessed_message(values: Values, named: Named) -> list[Text]:
    """The argument that looks most like the message: a sentence, or else a word in the place of one."""
    likely = [*values, *(named[name] for name in MESSAGE_NAMES if name in named)]
    for texts in (*likely, *named.values()):
        if any(text.has_words and " " in text.literal.strip() for text in texts):
            return texts
    for texts in (*values[:1], *likely[len(values) :]):
        if any(text.has_words for text in texts):
            return texts
    return values[0] if values else []
