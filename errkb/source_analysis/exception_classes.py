"""The message of an exception that a class makes of its arguments: `__init__`, `__str__`, class texts."""

import ast
from collections.abc import Mapping, Sequence

from errkb.exception_names import is_builtin_exception, last_name
from errkb.source_analysis.exception_arguments import (
    MESSAGE_NAMES,
    Named,
    Values,
    builtin_message,
    guessed_message,
)
from errkb.source_analysis.flow import Env, Flow, Path
from errkb.source_analysis.lists import grow, members
from errkb.source_analysis.message_parts import MOST_ALTERNATIVES, NOTHING, Field, Text
from errkb.source_analysis.module_facts import ClassFacts
from errkb.source_analysis.module_index import Library
from errkb.source_analysis.scope import Scope
from errkb.source_analysis.syntax import dotted, is_none, may_be_text

_DEEPEST = 6


class Instances:
    """Reads what exceptions say."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def told(self, facts: ClassFacts | None, name: str, values: Values, named: Named) -> list[Text]:
        """The messages of an exception of this class, made with these arguments; none if there is no telling."""
        if facts is not None:
            run = _Initialisation(self._library, facts, self._library.outer_base(facts))
            texts = _seen_from_outside(self._printed(facts, values, named, run), values, named)
            if any(text.speaks for text in texts):
                return texts
            guessed = guessed_message(values, named)
            if any(text.speaks for text in guessed):
                return guessed
            return texts if values or named else self._class_message(facts) or texts
        last = last_name(name)
        return builtin_message(last, values, named) if is_builtin_exception(last) else guessed_message(values, named)

    def own_message(self, facts: ClassFacts) -> tuple[list[Text], int] | None:
        """The message that a class itself gives its exceptions, whatever the arguments, and its line."""
        place = facts.printer or facts.init
        if place is None:
            for name in MESSAGE_NAMES:
                if name in facts.texts:
                    texts = self._class_message(facts)
                    return (texts, facts.texts[name].lineno) if texts else None
            return None
        run = _Initialisation(self._library, facts, self._library.outer_base(facts))
        printed = self._printed(facts, [], {}, run, unbound=True)
        texts = [Text(text.parts) for text in (*printed, *run.handed_up) if text.speaks]
        lines = [node.lineno for node in ast.walk(place) if isinstance(node, ast.Return | ast.Call) and _speaks(node)]
        return (texts, lines[-1] if lines else place.lineno) if texts else None

    def _class_message(self, facts: ClassFacts) -> list[Text]:
        for name in MESSAGE_NAMES:
            found = self._library.class_text(facts, name)
            if found and not isinstance(found[1], ast.Dict):
                texts = Scope(self._library, found[0]).texts(found[1], {})
                return [Text(text.parts) for text in texts if text.speaks]
        return []

    def _printed(
        self, facts: ClassFacts, values: Values, named: Named, run: "_Initialisation", *, unbound: bool = False
    ) -> list[Text]:
        mro = self._library.mro(facts)
        texts = run.initialise(mro, values, named, unbound=unbound)
        for base in mro:
            if base.printer is not None:
                printed = _Printing(self._library, facts, base, run.attributes, texts, unbound=unbound).told()
                if any(text.speaks for text in printed):
                    return printed[:MOST_ALTERNATIVES]
        return texts[:MOST_ALTERNATIVES]


def _seen_from_outside(texts: Sequence[Text], values: Values, named: Named) -> list[Text]:
    """The texts under the conditions that their arguments had; those inside of the class are its own affair."""
    theirs = {step for given in (*values, *named.values()) for text in given for step in text.steps}
    kept = (Text(text.parts, tuple(step for step in text.steps if step in theirs)) for text in texts)
    return list(dict.fromkeys(kept))


class _Body:
    """Walks a method of an exception class; a `flow.Reader`."""

    def __init__(
        self, library: Library, facts: ClassFacts, home: ClassFacts, method: ast.FunctionDef, *, unbound: bool
    ) -> None:
        """`unbound` says that nothing is known of the arguments."""
        self.method = method
        self._unbound = unbound
        arguments = method.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self.scope = Scope(library, home.module, facts, locals_=frozenset(names[1:]))

    def run(self, env: Env) -> Env:
        ended = Flow(self).walk(self.method.body, env)
        return env if ended is None else ended

    def visit(self, node: ast.stmt, env: Env, path: Path) -> bool:  # noqa: ARG002
        grow(node, env, lambda member: self.scope.texts(member, env))
        return False

    def enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, env: Env) -> None:
        """Definitions inside do not matter here."""

    def texts(self, node: ast.expr, env: Env) -> list[Text] | None:
        if isinstance(node, ast.List):
            return members(node, lambda member: self.scope.texts(member, env))
        if isinstance(node, ast.Name) and node.id not in env:
            return [Text((Field(node.id, f"{{{node.id}}}"),))] if node.id in self.scope.locals else None
        if isinstance(node, ast.Name | ast.Attribute) or may_be_text(node):
            return self.scope.texts(node, env)
        return None

    def decide(self, test: ast.expr, env: Env) -> bool | None:
        """Tests of whether an argument was given."""
        wanted, of_none = True, False
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, wanted = test.operand, False
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and is_none(test.comparators[0]):
            if not isinstance(test.ops[0], ast.Is | ast.IsNot):
                return None
            wanted, of_none = isinstance(test.ops[0], ast.IsNot), True
            test = test.left
        found = env.get(dotted(test))
        if not found or self._unbound:
            return None
        if all(text == NOTHING for text in found):
            return not wanted
        if NOTHING not in found and (of_none or all(text.literal for text in found)):
            return wanted
        return None


class _Initialisation:
    """Follows `__init__` along the bases."""

    def __init__(self, library: Library, facts: ClassFacts, outer: str) -> None:
        self._library, self._facts, self._outer = library, facts, outer
        self.attributes: Env = {}
        self.handed_up: list[Text] = []
        """What a class hands to its base as `message=` or the like, in case the base does not just print it."""
        self._depth = 0

    def initialise(
        self, mro: Sequence[ClassFacts], values: Values, named: Named, *, unbound: bool = False
    ) -> list[Text]:
        """The message that `str()` of the exception gives, if the classes of `mro` initialise it in turn."""
        level = next((level for level, facts in enumerate(mro) if facts.init is not None), None)
        if level is None or self._depth >= _DEEPEST:
            if is_builtin_exception(self._outer) or not self._outer:
                return builtin_message(self._outer, values, named)
            return guessed_message(values, named)
        self._depth += 1
        body = _Init(self, self._library, self._facts, mro[level:], unbound=unbound)
        env = body.bind(values, named)
        ended = body.run(env)
        for name, texts in ended.items():
            if name.startswith("self."):
                self.attributes.setdefault(name, texts)
        self._depth -= 1
        if body.told is None:  # BaseException.__new__ has kept the arguments
            return ended.get("self.args") or ([] if unbound else builtin_message(self._outer, values, named))
        return body.told


class _Init(_Body):
    def __init__(
        self, run: _Initialisation, library: Library, facts: ClassFacts, mro: Sequence[ClassFacts], *, unbound: bool
    ) -> None:
        home = mro[0]
        assert home.init is not None  # noqa: S101
        super().__init__(library, facts, home, home.init, unbound=unbound)
        self._run, self._library, self._mro = run, library, mro
        self.told: list[Text] | None = None
        self._rest: Values = []

    def bind(self, values: Values, named: Named) -> Env:
        """The variables at the start of the body."""
        arguments = self.method.args
        env: Env = {}
        places = [*arguments.posonlyargs, *arguments.args][1:]
        for place, texts in zip(places, values, strict=False):
            env[place.arg] = texts
        named = dict(named)
        for place in (*places, *arguments.kwonlyargs):
            if place.arg in named:
                env[place.arg] = named.pop(place.arg)
        self._rest = values[len(places) :] if arguments.vararg else []
        if arguments.kwarg:
            self.scope.spread[arguments.kwarg.arg] = named
        if not self._unbound:
            self._defaults(env)
        return env

    def _defaults(self, env: Env) -> None:
        arguments = self.method.args
        positional = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(positional[::-1], arguments.defaults[::-1], strict=False)]
        pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
        for place, default in pairs:
            if place.arg in env:
                continue
            if is_none(default):
                env[place.arg] = [NOTHING]
            elif isinstance(default, ast.Constant) and isinstance(default.value, str):
                env[place.arg] = self.scope.texts(default, {})

    def visit(self, node: ast.stmt, env: Env, path: Path) -> bool:
        if isinstance(node, ast.Assign) and any(dotted(target) == "self.args" for target in node.targets):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            self.told = self.scope.texts(values[0], env) if len(values) == 1 else None
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            base = _initialised_base(call)
            if base is not None:
                args = call.args[1:] if base else call.args
                self._up(self._next(base), args, call.keywords, env)
        return super().visit(node, env, path)

    def _next(self, base: str) -> Sequence[ClassFacts]:
        """The classes that go on: those after this one for `super()`, else the named one and its bases."""
        if not base:
            return self._mro[1:]
        facts = self._library.find_class(self._mro[0].module, base)
        return self._library.mro(facts) if facts else ()

    def _up(
        self, mro: Sequence[ClassFacts], args: Sequence[ast.expr], keywords: Sequence[ast.keyword], env: Env
    ) -> None:
        values: Values = []
        for arg in args:
            if isinstance(arg, ast.Starred):
                values += self._rest
                continue
            values.append(self.scope.texts(arg, env))
        named = {keyword.arg: self.scope.texts(keyword.value, env) for keyword in keywords if keyword.arg}
        for keyword in keywords:
            if not keyword.arg:
                spread: Mapping[str, Sequence[Text]] = self.scope.spread.get(dotted(keyword.value), {})
                named |= {name: list(texts) for name, texts in spread.items()}
        self._run.handed_up += [text for name in MESSAGE_NAMES for text in named.get(name, ())]
        told = self._run.initialise(mro, values, named)
        self.told = [*(self.told or ()), *(text for text in told if text not in (self.told or ()))]


class _Printing(_Body):
    """Reads `__str__`."""

    def __init__(
        self,
        library: Library,
        facts: ClassFacts,
        home: ClassFacts,
        attributes: Env,
        inherited: list[Text],
        *,
        unbound: bool,
    ) -> None:
        assert home.printer is not None  # noqa: S101
        super().__init__(library, facts, home, home.printer, unbound=unbound)
        self._attributes, self._inherited = attributes, inherited
        self._told: list[Text] = []

    def told(self) -> list[Text]:
        self.run({**self._attributes, "self.args[0]": self._inherited})
        return self._told

    def visit(self, node: ast.stmt, env: Env, path: Path) -> bool:
        if isinstance(node, ast.Return) and node.value is not None:
            called = node.value.func if isinstance(node.value, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr == "__str__":
                self._told += self._inherited
            else:
                self._told += self.scope.texts(node.value, env)
        return super().visit(node, env, path)


def _initialised_base(call: ast.Call) -> str | None:
    """The class whose `__init__` a call names, "" for `super()`, None if it is no such call."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "__init__":
        return None
    if isinstance(function.value, ast.Call) and dotted(function.value.func) == "super":
        return ""
    return dotted(function.value) or None


def _speaks(node: ast.Return | ast.Call) -> bool:
    if isinstance(node, ast.Return):
        return node.value is not None
    return _initialised_base(node) is not None
