"""A walk through the statements of a function, in order, without running them.

It keeps the conditions on the way to each statement, and which texts variables may hold there.

Conditions: tests of `if`, `elif`, `while`, `case` and `except` around a statement, negated in the
branches that need it. Besides, *early* ones: where all ways but one leave a block (`return`,
`raise`, `continue`, `break`), what follows stands under the conditions of the one that goes on.
An early condition is kept only if it is simple (one comparison, call or name, in one line), and
only while none of its names is set anew.
"""

import ast
from collections.abc import Sequence
from typing import Protocol

from errkb.source_analysis.lists import list_key
from errkb.source_analysis.message_parts import MOST_ALTERNATIVES, Field, Step, Text, product
from errkb.source_analysis.syntax import breaks, dotted

Env = dict[str, list[Text]]
"""Variable → the texts that it may hold; variables that hold no text are not in it."""
Path = tuple[Step, ...]

_LONGEST_PATH = 40
_LONGEST_EARLY_TEST = 90
_SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Compare, ast.Subscript)
_Way = tuple[Env | None, Path]
_WALKS: dict[type[ast.stmt], str] = {
    ast.Assign: "_assign",
    ast.AnnAssign: "_assign",
    ast.AugAssign: "_assign",
    ast.If: "_if",
    ast.For: "_loop",
    ast.AsyncFor: "_loop",
    ast.While: "_loop",
    ast.Try: "_try",
    ast.TryStar: "_try",
    ast.With: "_with",
    ast.AsyncWith: "_with",
    ast.Match: "_match",
    ast.FunctionDef: "_define",
    ast.AsyncFunctionDef: "_define",
    ast.ClassDef: "_define",
}
"""The statements that hold or set something, and the method that walks them."""


class Reader(Protocol):
    """What is done at the statements."""

    def visit(self, node: ast.stmt, env: Env, path: Path) -> bool:
        """Look at a statement that is no block; True if it never comes back."""

    def enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, env: Env) -> None:
        """Look at a definition."""

    def texts(self, node: ast.expr, env: Env) -> list[Text] | None:
        """The texts of a value that is assigned, None if it is no text."""

    def decide(self, test: ast.expr, env: Env) -> bool | None:
        """How a test turns out, if that is known."""


class Flow:
    """One walk."""

    def __init__(self, reader: Reader, assigned: dict[str, list[ast.expr]] | None = None) -> None:
        """`assigned` is filled: variable → the expressions that it was set to so far."""
        self._reader = reader
        self._set: list[str] = []
        self._assigned = {} if assigned is None else assigned

    def walk(self, body: Sequence[ast.stmt], env: Env, path: Path = ()) -> Env | None:
        """Walk a block; the variables at its end, None if the end is never reached."""
        alive = True
        for statement in body:
            mark = len(self._set)
            after, early = self._statement(statement, env, path)
            if after is None:
                alive = False
            else:
                env = after
            if len(self._set) > mark and path:
                changed = self._set[mark:]
                path = tuple(step for step in path if not (step.early and step.names.intersection(changed)))
            if early:
                path = (*path, *early)[-_LONGEST_PATH:]
        return env if alive else None

    def _statement(self, node: ast.stmt, env: Env, path: Path) -> tuple[Env | None, Path]:
        walk = _WALKS.get(type(node))
        if walk is not None:
            way: tuple[Env | None, Path] = getattr(self, walk)(node, env, path)
            return way
        leaves = self._reader.visit(node, env, path)
        return (None if leaves or isinstance(node, _LEAVING) else env), ()

    def _with(self, node: ast.With | ast.AsyncWith, env: Env, path: Path) -> tuple[Env | None, Path]:
        for item in node.items:
            if item.optional_vars is not None:
                self._bind(item.optional_vars, item.context_expr, env)
        return self.walk(node.body, env, path), ()

    def _define(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        env: Env,
        path: Path,  # noqa: ARG002
    ) -> tuple[Env | None, Path]:
        self._forget(node.name, env)
        self._reader.enter(node, dict(env))
        return env, ()

    def _assign(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, env: Env, path: Path
    ) -> tuple[Env | None, Path]:
        self._reader.visit(node, env, path)
        if isinstance(node, ast.AugAssign):
            name = dotted(node.target)
            self._set.append(name)
            if name in env and isinstance(node.op, ast.Add | ast.Mod):
                left = ast.copy_location(ast.parse(name, mode="eval").body, node.target)
                value = ast.copy_location(ast.BinOp(left, node.op, node.value), node)
                env[name] = self._reader.texts(value, env) or product([env[name], [Text((Field(name, "{…}"),))]])
        elif node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                self._bind(target, node.value, env)
        return env, ()

    def _bind(self, target: ast.expr, value: ast.expr, env: Env) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            values: Sequence[ast.expr] = ()
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                values = value.elts
            for number, member in enumerate(target.elts):
                self._bind(member, values[number] if values else value, env)
            return
        name = dotted(target.value if isinstance(target, ast.Starred) else target)
        if not name:
            if isinstance(target, ast.Subscript):
                self._set.append(dotted(target.value))
            return
        texts = self._reader.texts(value, env)
        self._forget(name, env)
        self._assigned.setdefault(name, []).append(value)
        if texts:
            env[list_key(name) if isinstance(value, ast.List) else name] = texts

    def _forget(self, name: str, env: Env) -> None:
        self._set.append(name)
        env.pop(name, None)
        env.pop(list_key(name), None)

    def _if(self, node: ast.If, env: Env, path: Path) -> tuple[Env | None, Path]:
        ways: list[_Way] = []
        steps: Path = ()
        while True:
            decided = self._reader.decide(node.test, env)
            yes, no = _test("if", node.test)
            if decided is not False:
                ways.append((self.walk(node.body, dict(env), path + steps + yes), steps + yes))
            steps += no
            if decided is True:
                return self._after(ways)
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                node = node.orelse[0]
                continue
            ways.append((self.walk(node.orelse, dict(env), path + steps) if node.orelse else env, steps))
            return self._after(ways)

    def _match(self, node: ast.Match, env: Env, path: Path) -> tuple[Env | None, Path]:
        ways: list[_Way] = []
        for number, case in enumerate(node.cases):
            step = Step("case", (node, number))
            ways.append((self.walk(case.body, dict(env), (*path, step)), (step,)))
        last = node.cases[-1]
        if not (isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None):
            ways.append((env, ()))
        return self._after(ways)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, env: Env, path: Path) -> tuple[Env | None, Path]:
        body, inside = dict(env), path
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        if isinstance(node, ast.While):
            inside = path + _test("while", node.test)[0]
        else:
            self._bind(node.target, node.iter, body)
        ways: list[_Way] = [(env, ()), (self.walk(node.body, body, inside), ())]
        after, _ = self._after(ways)
        if node.orelse and after is not None:
            step = _test("while", node.test)[1] if isinstance(node, ast.While) else (Step("else", node),)
            ended = self.walk(node.orelse, dict(after), path + step)
            if not breaks(node.body):
                return ended, ()
            after, _ = self._after([(after, ()), (ended, ())])
        return (None, ()) if endless and not breaks(node.body) else (after, ())

    def _try(self, node: ast.Try | ast.TryStar, env: Env, path: Path) -> tuple[Env | None, Path]:
        before = dict(env)
        body = self.walk(node.body, dict(env), path)
        if node.orelse:
            body = self.walk(node.orelse, dict(body or env), path)
        ways: list[_Way] = [(body, ())]
        for handler in node.handlers:
            start = dict(before)
            if handler.name:
                self._forget(handler.name, start)
            step = Step("except", handler)
            ways.append((self.walk(handler.body, start, (*path, step)), (step,)))
        after, early = self._after(ways)
        if node.finalbody:
            ended = self.walk(node.finalbody, dict(before if after is None else after), path)
            after = None if after is None else ended
        return after, early

    @staticmethod
    def _after(ways: Sequence[_Way]) -> tuple[Env | None, Path]:
        """Where several ways meet: the variables, and the early conditions of what follows."""
        living = [(env, steps) for env, steps in ways if env is not None]
        if not living:
            return None, ()
        early: Path = ()
        if len(living) == 1 and len(ways) > 1:
            early = tuple(simple for step in living[0][1] if (simple := _early(step)))
        elif len(living) < len(ways) and ways[0][0] is None:
            # The conditions of the first ways, as far as they all leave, do not hold.
            last = next(number for number, way in enumerate(ways) if way[0] is not None)
            shared = ways[last][1][:last]
            early = tuple(simple for step in shared if step.negated and (simple := _early(step)))
        return _merged(living), early


_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def _test(kind: str, test: ast.expr) -> tuple[Path, Path]:
    """The step for a test that holds, and for one that does not; none for constants."""
    if isinstance(test, ast.Constant):
        return (), ()
    return (Step(kind, test),), (Step(kind, test, negated=True),)


def _early(step: Step) -> Step | None:
    """The step as an early one, if it is simple enough to be told."""
    if step.kind == "except":
        return step._replace(early=True)
    test = step.node
    if step.kind not in ("if", "while"):
        return None
    core = test.operand if isinstance(test, ast.UnaryOp) else test
    if not isinstance(core, _SIMPLE) or test.lineno != test.end_lineno:
        return None
    if test.end_col_offset - test.col_offset > _LONGEST_EARLY_TEST:
        return None
    names: set[str] = set()
    for node in ast.walk(test):
        if isinstance(node, ast.NamedExpr):
            return None
        if isinstance(node, ast.Name | ast.Attribute):
            names.add(dotted(node))
    return step._replace(early=True, names=frozenset(names))


def _merged(ways: Sequence[tuple[Env, Path]]) -> Env:
    """The variables after several ways: each text under the conditions of its way, unless all agree."""
    first = ways[0][0]
    if len(ways) == 1:
        return first
    result: Env = {}
    for name in dict.fromkeys(name for env, _ in ways for name in env):
        texts = first.get(name)
        if texts is not None and all(env.get(name) is texts for env, _ in ways):
            result[name] = texts
            continue
        merged: list[Text] = []
        for env, steps in ways:
            for text in env.get(name) or [Text((Field(name, f"{{{name}}}"),))]:
                told = Text(text.parts, (*text.steps, *steps))
                if told not in merged:
                    merged.append(told)
        result[name] = merged[:MOST_ALTERNATIVES]
    return result
