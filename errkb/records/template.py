"""Templates: the message as the source writes it, read into literal text and placeholders.

Every syntax of the dataset is understood at once, since a dataset spans languages: fields of
f-strings and `str.format` (nested brackets and quotes, `!r`, `=`, format specs), `%`-formatting
of Python (flags, names) and of C (`%.200s %U %zd`), and `${…}`. Text that only looks like a
placeholder does no harm: its capture then holds that very text.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from errkb.lazy_regex import lazy

Span = tuple[int, int]
CAPTURE = "(.+?)"
LEAST_LITERAL = 6
"""A derived pattern with fewer literal characters than this is too unspecific to be one."""

_PERCENT = lazy(
    r"%(?:\((?P<name>[^()%]{1,80})\))?[#0+\-]*(?:\*|\d{1,4})?(?:\.(?:\*|\d{1,4}))?"
    r"(?:hh|h|ll|l|z|j|t|L|q)?[diouxXeEfFgGcrsapURSAVTN]"
)
_PLAIN = lazy(r"[^{}%$]+")
_CONVERSION = lazy(r"\s*![rsa]\s*$")
_SELF_DOCUMENTING = lazy(r"(?<![=!<>])=\s*$")
_STRING_FIRST = lazy(r"""\s*(?:'[^'\n]*'|"[^"\n]*")\s*(?:[:,]|$)""")
_SPECIAL = lazy(r"([.*+?^${}()|\[\]\\])")
_CONVERSIONS = {"r": "r", "R": "r", "d": "d", "i": "d", "u": "d"}
"""Of the letters of `%`-formats those that tell what a value looks like."""
_LONGEST_FIELD = 400
_MAYBE_CUT = 450
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Placeholder(NamedTuple):
    """A place that the program fills; `name` is its expression, "" if it has none."""

    name: str
    conversion: str = ""
    """`r` where the source prints the repr of the value, `d` where it prints an integer, else ""."""


def parse_template(template: str) -> list[str | Placeholder]:
    """Literal texts and placeholders in order; doubled braces and percents are undoubled.

    `{{` and `%%` mean one character only in a template that has fields of their syntax:
    elsewhere the source has no reason to double them.
    """
    raw = list(_tokens(template))
    syntaxes = {token.syntax for token in raw}
    parts: list[str | Placeholder] = []
    for token in raw:
        if token.syntax in ("{", "%"):
            if token.before:
                parts.append(token.before)
            parts.append(Placeholder(token.text, token.conversion))
        elif token.syntax == "doubled":
            parts.append(token.text[0] if ("%" if token.text == "%%" else "{") in syntaxes else token.text)
        else:
            parts.append(token.text)
    return _joined(parts)


def placeholders(template: str) -> tuple[Placeholder, ...]:
    """The placeholders of a template in order."""
    return tuple(part for part in parse_template(template) if isinstance(part, Placeholder))


def capture_names(template: str, count: int) -> tuple[str, ...]:
    """Names for `count` captures: those of the placeholders where the numbers agree, else "1", "2", ….

    A nameless placeholder is named by its position; a name met again gets `#2`, `#3`, ….
    """
    return numbered_names([one.name for one in placeholders(template)], count)


def numbered_names(names: Sequence[str], count: int) -> tuple[str, ...]:
    """Distinct names for `count` captures, see `capture_names`."""
    if len(names) != count:
        return tuple(str(number) for number in range(1, count + 1))
    seen: dict[str, int] = {}
    result = []
    for position, name in enumerate((name or str(n) for n, name in enumerate(names, 1)), 1):
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
        if result[-1] in result[:-1]:  # a source may well have named something "x#2"
            result[-1] = f"{name}#{position}"
    return tuple(result)


def without_number(name: str) -> str:
    """The placeholder that a capture is named by: `x#2` is the second capture of `x`."""
    return name.partition("#")[0]


def spans_by_name(names: Sequence[str], spans: Sequence[Span | None]) -> dict[str, Span]:
    """The spans of the captures that took part in a reading, by their distinct names; an empty name leaves one out."""
    return {name: span for name, span in zip(names, spans, strict=True) if name and span is not None}


def derive_pattern(template: str, longest: int = 500) -> str:
    """The pattern of a template: literals escaped, placeholders as `(.+?)`, no anchors.

    With fewer than six literal characters the escaped template itself. What would be longer
    than `longest` characters ends earlier, after literal text.
    """
    parts = parse_template(template)
    if len("".join(part for part in parts if isinstance(part, str)).strip()) < LEAST_LITERAL:
        parts = [template]
    pattern = "".join(CAPTURE if isinstance(part, Placeholder) else escape(part) for part in parts)
    if len(pattern) <= longest:
        return pattern
    pieces: list[str] = []
    for part in parts:
        pieces += [CAPTURE] if isinstance(part, Placeholder) else map(escape, part)
    length = 0
    for number, piece in enumerate(pieces):
        length += len(piece)
        if length > longest:
            del pieces[number:]
            break
    while pieces and pieces[-1] == CAPTURE:
        pieces.pop()
    return "".join(pieces)


def whole_pattern(template: str, stored: str) -> str:
    """The stored pattern, or, if that is one that had to be cut for its length, the whole of it."""
    if len(stored) < _MAYBE_CUT:
        return stored
    whole = derive_pattern(template, longest=8 * len(template))
    return whole if whole.startswith(stored) else stored


def escape(literal: str) -> str:
    """`literal` with the special characters of regular expressions escaped."""
    return _SPECIAL.sub(r"\\\1", literal)


def fill(template: str, value: Callable[[int, Placeholder], str] | Sequence[str]) -> str:
    """The message that a template gives; `value` holds or computes the value of placeholder n (from 0)."""
    get = value if callable(value) else lambda n, _placeholder: value[n]
    filled, number = [], 0
    for part in parse_template(template):
        if isinstance(part, Placeholder):
            filled.append(get(number, part))
            number += 1
        else:
            filled.append(part)
    return "".join(filled)


class _Token(NamedTuple):
    syntax: str  # "{" or "%" for a placeholder, "doubled", or "" for literal text
    text: str
    conversion: str = ""
    before: str = ""  # literal text that a placeholder prints itself: `{x=}` gives `x=1`


def _tokens(template: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while position < len(template):
        if match := _PLAIN.match(template, position):
            tokens.append(_Token("", match[0]))
            position = match.end()
            continue
        char = template[position]
        token, length = _Token("", char), 1
        if template[position : position + 2] in ("{{", "}}", "%%"):
            token, length = _Token("doubled", template[position : position + 2]), 2
        elif char == "{" or (char == "$" and template[position + 1 : position + 2] == "{"):
            start = position + 1 + (char == "$")
            end = _field_end(template, start)
            if end is not None:
                token, length = _field(template[start:end]), end + 1 - position
        elif char == "%" and (match := _PERCENT.match(template, position)):
            conversion = _CONVERSIONS.get(match[0][-1], "")
            token, length = _Token("%", match["name"] or "", conversion=conversion), match.end() - position
        tokens.append(token)
        position += length
    return tokens


def _field_end(template: str, start: int) -> int | None:
    """Where the field that opens before `start` closes, or None if it is no field."""
    open_brackets: list[str] = []
    quote = ""
    in_spec = False
    for position in range(start, min(len(template), start + _LONGEST_FIELD)):
        char = template[position]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"" and not in_spec:
            quote = char
        elif char == "}" and not open_brackets:
            return None if _STRING_FIRST.match(template[start:position]) and position > start else position
        elif char in _CLOSING:
            open_brackets.append(_CLOSING[char])
        elif open_brackets and char == open_brackets[-1]:
            open_brackets.pop()
        elif char in ")]}":
            return None
        elif char == ":" and not open_brackets:
            in_spec = True
    return None


def _field(content: str) -> _Token:
    """The placeholder of a field's content: without format spec, conversion and `=`."""
    depth, quote, end = 0, "", len(content)
    for position, char in enumerate(content):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == ":" and depth == 0:
            end = position
            break
    expression = _CONVERSION.sub("", content[:end])
    conversion = "r" if content[:end].rstrip().endswith("!r") else ""
    if match := _SELF_DOCUMENTING.search(expression):
        return _Token("{", expression[: match.start()].strip(), before=expression, conversion=conversion)
    return _Token("{", expression.strip(), conversion=conversion)


def _joined(parts: list[str | Placeholder]) -> list[str | Placeholder]:
    joined: list[str | Placeholder] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return joined
