r"""The dialect of stored patterns, parsed: what Python, JavaScript and RE2 read alike.

Literals and escapes, `(.+?)` and other gaps, character classes, `\d \w \s` (ASCII, except
white space), repeats, groups, alternation. Anything else is refused with a reason: anchors
(a pattern may stand anywhere), look-around and back-references (no linear matching), and what
the three engines read differently.
"""

import re
from typing import NamedTuple

from errkb.errors import PatternError

UNBOUNDED = -1
_MOST_REPEATS = 1000
_DEEPEST = 50
_CLASS_ESCAPES = {"d": "0-9", "w": "0-9A-Za-z_"}
_CONTROL_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_QUANTIFIER = re.compile(r"[*+?]|\{([0-9]+)(?:(,)([0-9]+)?)?\}")
_REPEAT_UP_TO = re.compile(r"\{,[0-9]*\}")
_SET_OPERATIONS = ("--", "&&", "||", "~~")


class Literal(NamedTuple):
    """Text that stands as it is; a run of white space in it stands for any run."""

    text: str


class CharSet(NamedTuple):
    """One character out of ranges, or, if negated, out of none of them; `space` adds white space."""

    ranges: tuple[tuple[str, str], ...]
    space: bool
    negated: bool

    def __contains__(self, char: object) -> bool:
        if not isinstance(char, str):
            return False
        inside = any(low <= char <= high for low, high in self.ranges) or (self.space and char.isspace())
        return inside is not self.negated


ANY = CharSet((), space=False, negated=True)


class Repeat(NamedTuple):
    """`node` from `least` to `most` times."""

    node: "Node"
    least: int
    most: int
    lazy: bool


class Capture(NamedTuple):
    """A capturing group."""

    node: "Node"


class Sequence(NamedTuple):
    """One node after the other."""

    nodes: tuple["Node", ...]


class Choice(NamedTuple):
    """The first alternative that leads to a match."""

    alternatives: tuple["Node", ...]


Node = Literal | CharSet | Repeat | Capture | Sequence | Choice


def parse(pattern: str) -> Sequence:
    """The pattern as a sequence of nodes. Raises PatternError with a reason and an offset."""
    parser = _Parser(pattern)
    node = parser.alternatives(depth=0)
    if parser.position < len(pattern):
        raise PatternError("unbalanced ')'", parser.position)
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"not a regular expression: {error}") from None
    return node if isinstance(node, Sequence) else Sequence((node,))


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0

    def alternatives(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise PatternError("groups nested too deeply", self.position)
        branches = [self.sequence(depth)]
        while self.peek() == "|":
            self.position += 1
            branches.append(self.sequence(depth))
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def sequence(self, depth: int) -> Sequence:
        nodes: list[Node] = []
        while (char := self.peek()) and char not in "|)":
            nodes.append(self.quantified(self.atom(depth)))
        return Sequence(tuple(_merged(nodes)))

    def atom(self, depth: int) -> Node:
        start, char = self.position, self.peek()
        self.position += 1
        if char == "(":
            return self.group(start, depth)
        if char == "[":
            return self.char_class(start)
        if char == ".":
            return ANY
        if char == "\\":
            return self.escape(start)
        if char in "^$":
            raise PatternError(f"anchor {char!r}: a pattern may stand anywhere in a text", start)
        if char in "*+?":
            raise PatternError(f"nothing to repeat before {char!r}", start)
        if char == "{" and _QUANTIFIER.match(self.pattern, start):
            raise PatternError("nothing to repeat before '{'", start)
        if char == "{" and (match := _REPEAT_UP_TO.match(self.pattern, start)):
            raise PatternError(f"repeat {match[0]} without a least number: engines disagree", start)
        return Literal(char)

    def group(self, start: int, depth: int) -> Node:
        capturing = True
        if self.peek() == "?":
            if self.pattern[self.position : self.position + 2] != "?:":
                kind = self.pattern[self.position : self.position + 3]
                look = {"?=": "look-ahead", "?!": "look-ahead", "?<=": "look-behind", "?<!": "look-behind"}
                name = look.get(kind[:2]) or look.get(kind) or f"group ({kind[:2]}…)"
                raise PatternError(f"{name} is outside the dialect", start)
            capturing = False
            self.position += 2
        node = self.alternatives(depth + 1)
        if self.peek() != ")":
            raise PatternError("unbalanced '('", start)
        self.position += 1
        return Capture(node) if capturing else node

    def quantified(self, node: Node) -> Node:
        match = _QUANTIFIER.match(self.pattern, self.position)
        if match is None:
            return node
        start, self.position = self.position, match.end()
        least, most = {"*": (0, UNBOUNDED), "+": (1, UNBOUNDED), "?": (0, 1)}.get(match[0], (0, 0))
        if match[1]:
            least = _number(match[1])
            most = _number(match[3]) if match[3] else UNBOUNDED if match[2] else least
            if max(least, most) > _MOST_REPEATS or least > most != UNBOUNDED:
                raise PatternError(f"repeat {match[0]} out of range", start)
        lazy = self.peek() == "?"
        self.position += lazy
        if (self.peek() and self.peek() in "+*?") or _QUANTIFIER.match(self.pattern, self.position):
            raise PatternError("repeat of a repeat", self.position)
        if most != 1 and _captures(node):
            raise PatternError("capture inside a repeat: engines disagree on its value", start)
        # What may be anything takes as little as it can, wherever a pattern says so or not.
        return Repeat(node, least, most, lazy or node == ANY)

    def escape(self, start: int) -> Literal | CharSet:
        char = self.peek()
        self.position += 1
        if not char:
            raise PatternError("pattern ends in a backslash", start)
        if char in "dDwW":
            low_high = _CLASS_ESCAPES[char.lower()]
            return CharSet(_ranges(low_high), space=False, negated=char.isupper())
        if char in "sS":
            return CharSet((), space=True, negated=char == "S")
        return Literal(self.escaped_char(char, start))

    def escaped_char(self, char: str, start: int) -> str:
        if char in _CONTROL_ESCAPES:
            return _CONTROL_ESCAPES[char]
        if char == "x" and (match := re.compile("[0-9A-Fa-f]{2}").match(self.pattern, self.position)):
            self.position = match.end()
            return chr(int(match[0], 16))
        if char in "0123456789":
            raise PatternError(f"back-reference \\{char} is outside the dialect", start)
        if char.isalpha() or not char.isascii():
            raise PatternError(f"escape \\{char} is outside the dialect", start)
        return char

    def char_class(self, start: int) -> CharSet:
        negated = self.peek() == "^"
        self.position += negated
        ranges: list[tuple[str, str]] = []
        space = False
        first = True
        while (char := self.peek()) != "]" or first:
            if not char:
                raise PatternError("unbalanced '['", start)
            if char == "]":
                raise PatternError("']' first in a character class: engines disagree", self.position)
            first = False
            low = self.class_member()
            if isinstance(low, CharSet):
                if low.negated:
                    raise PatternError("negated escape inside a character class", self.position)
                ranges += low.ranges
                space = space or low.space
                continue
            high = low
            if self.peek() == "-" and self.pattern[self.position + 1 : self.position + 2] not in ("]", ""):
                self.refuse_set_operation(self.position)
                self.position += 1
                member = self.class_member()
                if isinstance(member, CharSet) or member < low:
                    raise PatternError("bad range in a character class", self.position)
                high = member
            ranges.append((low, high))
        self.position += 1
        return CharSet(tuple(ranges), space, negated)

    def class_member(self) -> str | CharSet:
        start, char = self.position, self.peek()
        self.position += 1
        if char == "[":
            raise PatternError("'[' inside a character class must be escaped", start)
        self.refuse_set_operation(start)
        if char != "\\":
            return char
        node = self.escape(start)
        return node.text if isinstance(node, Literal) else node

    def refuse_set_operation(self, position: int) -> None:
        if (pair := self.pattern[position : position + 2]) in _SET_OPERATIONS:
            raise PatternError(f"{pair!r} inside a character class: engines disagree, escape it", position)

    def peek(self) -> str:
        return self.pattern[self.position : self.position + 1]


def _merged(nodes: list[Node]) -> list[Node]:
    """Neighbouring literals as one, nested sequences as part of this one."""
    flat: list[Node] = []
    for node in nodes:
        for part in node.nodes if isinstance(node, Sequence) else (node,):
            if isinstance(part, Literal) and flat and isinstance(flat[-1], Literal):
                flat[-1] = Literal(flat[-1].text + part.text)
            else:
                flat.append(part)
    return flat


def _number(digits: str) -> int:
    """The number, or one out of range instead of a very long one."""
    return int(digits) if len(digits) < 10 else _MOST_REPEATS + 1


def _captures(node: Node) -> bool:
    match node:
        case Capture():
            return True
        case Repeat():
            return _captures(node.node)
        case Sequence(parts) | Choice(parts):
            return any(map(_captures, parts))
    return False


def _ranges(text: str) -> tuple[tuple[str, str], ...]:
    """`0-9A-Z_` as pairs."""
    return tuple((match[1], match[2] or match[1]) for match in re.finditer(r"(\w)(?:-(\w))?", text))
