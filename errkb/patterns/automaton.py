"""Patterns that need more than literals and gaps, run on a Pike machine.

All threads step through the text together, at most one for each instruction, so the time is
at most (instructions × characters): linear in the text. Priorities among threads give the same
first match as a backtracking engine (R. Cox, "Regular Expression Matching: the Virtual Machine
Approach").
"""

from collections.abc import Callable
from typing import NamedTuple

from errkb.errors import PatternError
from errkb.patterns.chain import Span, is_boundary
from errkb.patterns.dialect import ANY, UNBOUNDED, Capture, CharSet, Choice, Literal, Node, Repeat, Sequence
from errkb.patterns.effort import Effort

_MOST_INSTRUCTIONS = 4000
_MOST_WORK = 2_000_000
_WHITE_SPACE = CharSet((), space=True, negated=False)


class _Step(NamedTuple):
    """Consumes one character for which `test` holds, or, without a test, accepts."""

    test: Callable[[str], bool] | None


class _Split(NamedTuple):
    """Goes on at each target, the first one preferred."""

    targets: tuple[int, ...]


class _Save(NamedTuple):
    """Notes the position in a slot and goes on at the next instruction."""

    slot: int


class Automaton:
    """The compiled program of a parsed pattern."""

    __slots__ = ("_program", "longest_text", "slots")

    def __init__(self, root: Sequence) -> None:
        compiler = _Compiler()
        compiler.emit(root)
        compiler.program.append(_Step(None))
        self._program = compiler.program
        self.longest_text = _MOST_WORK // len(compiler.program)
        """Characters of a message that are read, so that even a large program answers in about a second."""
        self.slots = compiler.slots

    def run(self, text: str, effort: Effort, *, whole: bool) -> tuple[Span, list[Span | None]] | None:
        """Span and captures of the match that covers `text`, or of the leftmost one inside it.

        A capture that took no part is None. A match inside neither begins nor ends within a word.
        None, too, where no effort is left.
        """
        nothing = (-1,) * self.slots
        best: tuple[int, int, tuple[int, ...]] | None = None
        threads: list[tuple[int, int, tuple[int, ...]]] = []
        for position in range(len(text) + 1):
            if best is None and (position == 0 if whole else is_boundary(text, position)):
                threads.append((0, position, nothing))
            if not threads:
                if best is not None or whole:
                    break
                continue
            char = text[position] if position < len(text) else None
            ending = position == len(text) if whole else is_boundary(text, position)
            following: list[tuple[int, int, tuple[int, ...]]] = []
            for counter, start, slots in self._closure(threads, position, effort):
                test = self._program[counter].test  # type: ignore[union-attr]
                if test is None:
                    if ending:
                        best = (start, position, slots)
                        break  # lower priorities lose
                elif char is not None and test(char):
                    following.append((counter + 1, start, slots))
            threads = following
            if effort.left < 0:
                return None
        if best is None:
            return None
        start, end, slots = best
        pairs = [(slots[slot], slots[slot + 1]) for slot in range(0, self.slots, 2)]
        return (start, end), [pair if -1 not in pair else None for pair in pairs]

    def _closure(
        self, threads: list[tuple[int, int, tuple[int, ...]]], position: int, effort: Effort
    ) -> list[tuple[int, int, tuple[int, ...]]]:
        """The threads after all instructions that consume nothing, best first, each place once."""
        seen: set[int] = set()
        result: list[tuple[int, int, tuple[int, ...]]] = []
        stack = threads[::-1]
        while stack:
            counter, start, slots = stack.pop()
            if counter in seen:
                continue
            seen.add(counter)
            match self._program[counter]:
                case _Split(targets):
                    stack.extend((target, start, slots) for target in reversed(targets))
                case _Save(slot):
                    stack.append((counter + 1, start, (*slots[:slot], position, *slots[slot + 1 :])))
                case _:
                    result.append((counter, start, slots))
        effort.left -= len(seen) + 1
        return result


class _Compiler:
    def __init__(self) -> None:
        self.program: list[_Step | _Split | _Save] = []
        self.slots = 0
        self.emitted = 0

    def emit(self, node: Node) -> None:
        self.emitted += 1  # counted too, since empty nodes add no instructions
        if max(len(self.program), self.emitted) > _MOST_INSTRUCTIONS:
            raise PatternError("the pattern grows too large when its repeats are written out")
        match node:
            case Literal(text):
                self.emit_literal(text)
            case CharSet():
                self.program.append(_Step((lambda _char: True) if node == ANY else node.__contains__))
            case Capture(inner):
                slot, self.slots = self.slots, self.slots + 2
                self.program.append(_Save(slot))
                self.emit(inner)
                self.program.append(_Save(slot + 1))
            case Sequence(nodes):
                for part in nodes:
                    self.emit(part)
            case Choice(alternatives):
                self.emit_choice(alternatives)
            case Repeat():
                self.emit_repeat(node)

    def emit_literal(self, text: str) -> None:
        """White space stands for any run of it, as in ordinary patterns."""
        words = text.split()
        if text[:1].isspace():
            self.emit(Repeat(_WHITE_SPACE, 1, UNBOUNDED, lazy=False))
        for number, word in enumerate(words):
            if number:
                self.emit(Repeat(_WHITE_SPACE, 1, UNBOUNDED, lazy=False))
            self.program += [_Step(char.__eq__) for char in word]
        if words and text[-1].isspace():
            self.emit(Repeat(_WHITE_SPACE, 1, UNBOUNDED, lazy=False))

    def emit_choice(self, alternatives: tuple[Node, ...]) -> None:
        start = len(self.program)
        self.program.append(_Split(()))
        entries, exits = [], []
        for alternative in alternatives:
            entries.append(len(self.program))
            self.emit(alternative)
            exits.append(len(self.program))
            self.program.append(_Split(()))
        self.program[start] = _Split(tuple(entries))
        for exit_ in exits:
            self.program[exit_] = _Split((len(self.program),))

    def emit_repeat(self, repeat: Repeat) -> None:
        slots = self.slots
        for _ in range(repeat.least):
            self.slots = slots
            self.emit(repeat.node)
        if repeat.most == UNBOUNDED:
            start = len(self.program)
            self.program.append(_Split(()))
            self.emit(repeat.node)
            self.program.append(_Split((start,)))
            self.program[start] = self.choice(start + 1, len(self.program), lazy=repeat.lazy)
            return
        for _ in range(repeat.most - repeat.least):
            start = len(self.program)
            self.program.append(_Split(()))
            self.slots = slots
            self.emit(repeat.node)
            self.program[start] = self.choice(start + 1, len(self.program), lazy=repeat.lazy)

    @staticmethod
    def choice(enter: int, leave: int, *, lazy: bool) -> _Split:
        return _Split((leave, enter) if lazy else (enter, leave))
