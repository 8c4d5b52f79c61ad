"""A walk through the statements of a function, in order, without running them.

It keeps the conditions on the way to each statement, and which texts variables may hold there.

Conditions: tests of `if`, `elif`, `while`, `case` and `except` around a statement, negated in the
branches that need it. Besides, *early* ones: where all ways but one leave a block (`return`,
`raise`, `continue`, `break`), what follows stands under the conditions of the one that goes on.
An early condition is kept only if it is simple (one comparison, call or name, in one line), and
only while none of its names is set again.
"""

import ast
from collections.abc import Sequence
from typing import Protocol

from errkb.source_analysis.lists import list_key
from errkb.source_analysis.message_parts import MOST_ALTERNATIVES, BranchCondition, Field, Text, product
from errkb.source_analysis.syntax import dotted_name, has_break

Env = dict[str, list[Text]]
"""Variable → the texts that it may hold; variables that hold no text are absent."""
PathConditions = tuple[BranchCondition, ...]
"""What must hold for a statement to be reached: the conditions of the branches on the way to it, in order."""

_LONGEST_PATH = 40
_LONGEST_EARLY_TEST = 90
_SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Compare, ast.Subscript)
_Way = tuple[Env | None, PathConditions]
"""One way through a statement: the variables at its end (None if it is never reached), and its conditions."""
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


class StatementVisitor(Protocol):
    """What is done at the statements of a walk."""

    def visit(self, node: ast.stmt, env: Env, path: PathConditions, /) -> bool:
        """Look at a statement that is no block. Whether it never comes back."""

    def enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, env: Env, /) -> None:
        """Look at a definition."""

    def texts(self, node: ast.expr, env: Env, /) -> list[Text] | None:
        """The texts of a value that is assigned, None if it is no text."""

    def decide(self, test: ast.expr, env: Env, /) -> bool | None:
        """How a test turns out, if that is known."""


class Flow:
    """One walk through a function."""

    def __init__(self, reader: StatementVisitor, assigned: dict[str, list[ast.expr]] | None = None) -> None:
        """`assigned` is filled: variable → the expressions that it was set to so far."""
        self._visitor = reader
        self._set: list[str] = []
        self._assigned = {} if assigned is None else assigned

    def walk(self, body: Sequence[ast.stmt], env: Env, path: PathConditions = ()) -> Env | None:
        """Walk a block. The variables at its end, None if the end is never reached."""
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
                path = tuple(
                    condition for condition in path if not (condition.early and condition.names.intersection(changed))
                )
            if early:
                path = (*path, *early)[-_LONGEST_PATH:]
        return env if alive else None

    def _statement(self, node: ast.stmt, env: Env, path: PathConditions) -> _Way:
        walk = _WALKS.get(type(node))
        if walk is not None:
            way: _Way = getattr(self, walk)(node, env, path)
            return way
        leaves = self._visitor.visit(node, env, path)
        return (None if leaves or isinstance(node, _LEAVING) else env), ()

    def _with(self, node: ast.With | ast.AsyncWith, env: Env, path: PathConditions) -> _Way:
        for item in node.items:
            if item.optional_vars is not None:
                self._bind(item.optional_vars, item.context_expr, env)
        return self.walk(node.body, env, path), ()

    def _define(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        env: Env,
        _path: PathConditions,
    ) -> _Way:
        self._forget(node.name, env)
        self._visitor.enter(node, dict(env))
        return env, ()

    def _assign(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, env: Env, path: PathConditions) -> _Way:
        self._visitor.visit(node, env, path)
        if isinstance(node, ast.AugAssign):
            name = dotted_name(node.target)
            self._set.append(name)
            if name in env and isinstance(node.op, ast.Add | ast.Mod):
                left = ast.copy_location(ast.parse(name, mode="eval").body, node.target)
                value = ast.copy_location(ast.BinOp(left, node.op, node.value), node)
                env[name] = self._visitor.texts(value, env) or product([env[name], [Text((Field(name, "{…}"),))]])
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
        name = dotted_name(target.value if isinstance(target, ast.Starred) else target)
        if not name:
            if isinstance(target, ast.Subscript):
                self._set.append(dotted_name(target.value))
            return
        texts = self._visitor.texts(value, env)
        self._forget(name, env)
        self._assigned.setdefault(name, []).append(value)
        if texts:
            env[list_key(name) if isinstance(value, ast.List) else name] = texts

    def _forget(self, name: str, env: Env) -> None:
        self._set.append(name)
        env.pop(name, None)
        env.pop(list_key(name), None)

    def _if(self, node: ast.If, env: Env, path: PathConditions) -> _Way:
        ways: list[_Way] = []
        conditions: PathConditions = ()
        while True:
            decided = self._visitor.decide(node.test, env)
            yes, no = _test("if", node.test)
            if decided is not False:
                ways.append((self.walk(node.body, dict(env), path + conditions + yes), conditions + yes))
            conditions += no
            if decided is True:
                return self._after(ways)
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                node = node.orelse[0]
                continue
            ways.append((self.walk(node.orelse, dict(env), path + conditions) if node.orelse else env, conditions))
            return self._after(ways)

    def _match(self, node: ast.Match, env: Env, path: PathConditions) -> _Way:
        ways: list[_Way] = []
        for number, case in enumerate(node.cases):
            condition = BranchCondition("case", (node, number))
            ways.append((self.walk(case.body, dict(env), (*path, condition)), (condition,)))
        last = node.cases[-1]
        if not (isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None):
            ways.append((env, ()))
        return self._after(ways)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, env: Env, path: PathConditions) -> _Way:
        body, inside = dict(env), path
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        if isinstance(node, ast.While):
            inside = path + _test("while", node.test)[0]
        else:
            self._bind(node.target, node.iter, body)
        ways: list[_Way] = [(env, ()), (self.walk(node.body, body, inside), ())]
        after, _ = self._after(ways)
        if node.orelse and after is not None:
            condition = (
                _test("while", node.test)[1] if isinstance(node, ast.While) else (BranchCondition("else", node),)
            )
            ended = self.walk(node.orelse, dict(after), path + condition)
            if not has_break(node.body):
                return ended, ()
            after, _ = self._after([(after, ()), (ended, ())])
        return (None, ()) if endless and not has_break(node.body) else (after, ())

    def _try(self, node: ast.Try | ast.TryStar, env: Env, path: PathConditions) -> _Way:
        before = dict(env)
        body = self.walk(node.body, dict(env), path)
        if node.orelse:
            body = self.walk(node.orelse, dict(body or env), path)
        ways: list[_Way] = [(body, ())]
        for handler in node.handlers:
            start = dict(before)
            if handler.name:
                self._forget(handler.name, start)
            condition = BranchCondition("except", handler)
            ways.append((self.walk(handler.body, start, (*path, condition)), (condition,)))
        after, early = self._after(ways)
        if node.finalbody:
            ended = self.walk(node.finalbody, dict(before if after is None else after), path)
            after = None if after is None else ended
        return after, early

    @staticmethod
    def _after(ways: Sequence[_Way]) -> _Way:
        """Where several ways meet: the variables, and the early conditions of what follows."""
        living = [(env, conditions) for env, conditions in ways if env is not None]
        if not living:
            return None, ()
        early: PathConditions = ()
        if len(living) == 1 and len(ways) > 1:
            early = tuple(simple for condition in living[0][1] if (simple := _early(condition)))
        elif len(living) < len(ways) and ways[0][0] is None:
            # The conditions of the first ways, as far as they all leave, do not hold.
            last = next(number for number, way in enumerate(ways) if way[0] is not None)
            shared = ways[last][1][:last]
            early = tuple(simple for condition in shared if condition.negated and (simple := _early(condition)))
        return _merged(living), early


_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def _test(kind: str, test: ast.expr) -> tuple[PathConditions, PathConditions]:
    """The condition for a test that holds, and for one that does not; none for constants."""
    if isinstance(test, ast.Constant):
        return (), ()
    return (BranchCondition(kind, test),), (BranchCondition(kind, test, negated=True),)


def _early(condition: BranchCondition) -> BranchCondition | None:
    """The condition as an early one, if it is simple enough to show."""
    if condition.kind == "except":
        return condition._replace(early=True)
    test = condition.node
    if condition.kind not in ("if", "while"):
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
            names.add(dotted_name(node))
    return condition._replace(early=True, names=frozenset(names))


def _merged(ways: Sequence[tuple[Env, PathConditions]]) -> Env:
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
        for env, conditions in ways:
            for text in env.get(name) or [Text((Field(name, f"{{{name}}}"),))]:
                reached = Text(text.parts, (*text.conditions, *conditions))
                if reached not in merged:
                    merged.append(reached)
        result[name] = merged[:MOST_ALTERNATIVES]
    return result
