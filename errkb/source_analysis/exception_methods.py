"""What `__init__` and `__str__` of an exception class make of its arguments."""

import ast
from collections.abc import Mapping, Sequence

from errkb.exception_names import is_builtin_exception
from errkb.source_analysis.exception_arguments import MESSAGE_NAMES, Named, Values, builtin_message, guessed_message
from errkb.source_analysis.flow import Env, Flow, PathConditions
from errkb.source_analysis.lists import grow, members
from errkb.source_analysis.message_parts import NONE_TEXT, Field, Text
from errkb.source_analysis.module_facts import ClassFacts
from errkb.source_analysis.module_index import ModuleIndex
from errkb.source_analysis.scope import Scope
from errkb.source_analysis.syntax import dotted_name, is_none, may_be_text

_DEEPEST = 6


class MethodVisitor:
    """A walk through a method of an exception class; implements `flow.StatementVisitor`."""

    def __init__(
        self, modules: ModuleIndex, facts: ClassFacts, home: ClassFacts, method: ast.FunctionDef, *, unbound: bool
    ) -> None:
        """`unbound` says that nothing is known of the arguments."""
        self.method = method
        self._unbound = unbound
        arguments = method.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self.scope = Scope(modules, home.module, facts, locals_=frozenset(names[1:]))

    def run(self, env: Env) -> Env:
        """Walk the body; the variables at its end."""
        ended = Flow(self).walk(self.method.body, env)
        return env if ended is None else ended

    def visit(self, node: ast.stmt, env: Env, _path: PathConditions) -> bool:
        """Note what is appended to lists."""
        grow(node, env, lambda member: self.scope.texts(member, env))
        return False

    def enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, env: Env) -> None:
        """Definitions inside do not matter here."""

    def texts(self, node: ast.expr, env: Env) -> list[Text] | None:
        """The texts of a value; of a parameter that nothing is known of, a field."""
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
        found = env.get(dotted_name(test))
        if not found or self._unbound:
            return None
        if all(text == NONE_TEXT for text in found):
            return not wanted
        if NONE_TEXT not in found and (of_none or all(text.literal for text in found)):
            return wanted
        return None


class Construction:
    """The making of an exception: its `__init__`, and those of its bases as far as they are called."""

    def __init__(self, modules: ModuleIndex, facts: ClassFacts, outer: str) -> None:
        self._modules, self._facts, self._outer = modules, facts, outer
        self.attributes: Env = {}
        self.passed_to_base: list[Text] = []
        """What a class gives its base as `message=` or the like, in case the base does not just print it."""
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
        body = InitVisitor(self, self._modules, self._facts, mro[level:], unbound=unbound)
        env = body.bind(values, named)
        ended = body.run(env)
        for name, texts in ended.items():
            if name.startswith("self."):
                self.attributes.setdefault(name, texts)
        self._depth -= 1
        if body.message is None:
            return ended.get("self.args") or ([] if unbound else builtin_message(self._outer, values, named))
        return body.message


class InitVisitor(MethodVisitor):
    """A walk through `__init__`."""

    def __init__(
        self, run: Construction, modules: ModuleIndex, facts: ClassFacts, mro: Sequence[ClassFacts], *, unbound: bool
    ) -> None:
        home = mro[0]
        assert home.init is not None  # noqa: S101
        super().__init__(modules, facts, home, home.init, unbound=unbound)
        self._run, self._modules, self._mro = run, modules, mro
        self.message: list[Text] | None = None
        """What `str()` of the exception gives; None if nothing but `BaseException.__new__` took the arguments."""
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
                env[place.arg] = [NONE_TEXT]
            elif isinstance(default, ast.Constant) and isinstance(default.value, str):
                env[place.arg] = self.scope.texts(default, {})

    def visit(self, node: ast.stmt, env: Env, path: PathConditions) -> bool:
        """Note what the statement says of the message."""
        if isinstance(node, ast.Assign) and any(dotted_name(target) == "self.args" for target in node.targets):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            self.message = self.scope.texts(values[0], env) if len(values) == 1 else None
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            base = initialised_base(call)
            if base is not None:
                args = call.args[1:] if base else call.args
                self._call_base_init(self._following_classes(base), args, call.keywords, env)
        return super().visit(node, env, path)

    def _following_classes(self, base: str) -> Sequence[ClassFacts]:
        """The classes that go on: those after this one for `super()`, else the named one and its bases."""
        if not base:
            return self._mro[1:]
        facts = self._modules.find_class(self._mro[0].module, base)
        return self._modules.mro(facts) if facts else ()

    def _call_base_init(
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
                spread: Mapping[str, Sequence[Text]] = self.scope.spread.get(dotted_name(keyword.value), {})
                named |= {name: list(texts) for name, texts in spread.items()}
        self._run.passed_to_base += [text for name in MESSAGE_NAMES for text in named.get(name, ())]
        inherited = self._run.initialise(mro, values, named)
        self.message = [*(self.message or ()), *(text for text in inherited if text not in (self.message or ()))]


class StrVisitor(MethodVisitor):
    """A walk through `__str__`."""

    def __init__(
        self,
        modules: ModuleIndex,
        facts: ClassFacts,
        home: ClassFacts,
        attributes: Env,
        inherited: list[Text],
        *,
        unbound: bool,
    ) -> None:
        assert home.str_method is not None  # noqa: S101
        super().__init__(modules, facts, home, home.str_method, unbound=unbound)
        self._attributes, self._inherited = attributes, inherited
        self._messages: list[Text] = []

    def messages(self) -> list[Text]:
        """What `__str__` may return."""
        self.run({**self._attributes, "self.args[0]": self._inherited})
        return self._messages

    def visit(self, node: ast.stmt, env: Env, path: PathConditions) -> bool:
        """Note what the statement says of the message."""
        if isinstance(node, ast.Return) and node.value is not None:
            called = node.value.func if isinstance(node.value, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr == "__str__":
                self._messages += self._inherited
            else:
                self._messages += self.scope.texts(node.value, env)
        return super().visit(node, env, path)


def initialised_base(call: ast.Call) -> str | None:
    """The class whose `__init__` a call names, "" for `super()`, None if it is no such call."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "__init__":
        return None
    if isinstance(function.value, ast.Call) and dotted_name(function.value.func) == "super":
        return ""
    return dotted_name(function.value) or None
