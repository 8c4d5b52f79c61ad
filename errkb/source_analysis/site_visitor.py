"""The raise sites of one source file."""

import ast
from collections.abc import Iterable, Sequence
from functools import cached_property

from errkb.exception_names import is_builtin_exception, last_name
from errkb.source_analysis.exception_arguments import MESSAGE_NAMES
from errkb.source_analysis.exception_classes import ExceptionMessages
from errkb.source_analysis.flow import Env, Flow, PathConditions
from errkb.source_analysis.lists import grow, members
from errkb.source_analysis.message_parts import BranchCondition, Text
from errkb.source_analysis.module_index import ModuleIndex
from errkb.source_analysis.parsed_source import ParsedSource
from errkb.source_analysis.report_calls import classify_report, is_exception_class, is_exception_name
from errkb.source_analysis.scope import Scope
from errkb.source_analysis.signatures import Definition, docstring_summary, signature
from errkb.source_analysis.site import Site, SiteKind
from errkb.source_analysis.site_builder import Surroundings, build_sites
from errkb.source_analysis.syntax import dotted_name, may_be_text

_TRACEBACK = "with_traceback"
_VISITS: dict[type[ast.stmt], str] = {
    ast.Raise: "_raise",
    ast.Assert: "_assert",
    ast.Expr: "_expression",
    ast.Return: "_return",
    ast.Assign: "_note_pending",
    ast.AnnAssign: "_note_pending",
    ast.Import: "_import",
    ast.ImportFrom: "_import",
}
"""The statements that matter, and the method that reads them; it says whether they never come back."""


def read_sites(source: ParsedSource, file: str, modules: ModuleIndex) -> list[Site]:
    """All sites of a file, in the order of the source; those without a text of their own included.

    `file` is how the sites name it.
    """
    modules.add(source.facts)
    sites: list[Site] = []
    visitor = _SiteVisitor(source, file, modules, sites, "", Scope(modules, source.facts))
    visitor.walk(source.tree.body, {})
    sites.sort(key=lambda site: (site.line, site.kind is SiteKind.CLASS))
    return sites


class _SiteVisitor:
    """A walk through one function, class body or module; implements `flow.StatementVisitor`."""

    def __init__(
        self,
        source: ParsedSource,
        file: str,
        modules: ModuleIndex,
        sites: list[Site],
        name: str,
        scope: Scope,
        definition: Definition | None = None,
        outer: "_SiteVisitor | None" = None,
    ) -> None:
        self._source, self._file, self._modules, self._sites = source, file, modules, sites
        self._name, self.scope, self._definition = name, scope, definition
        self._messages = ExceptionMessages(modules)
        self._pending_exceptions: dict[str, list[tuple[ast.Call, PathConditions]]] = {}
        """Variable → exceptions that were made and put into it, and may be raised later."""
        self.parameters: frozenset[str] = outer.parameters if outer else frozenset()
        self.assignments: dict[str, list[ast.expr]] = {}
        if definition is not None:
            arguments = definition.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            self.parameters = self.parameters | frozenset(argument.arg for argument in every if argument)

    def walk(self, body: Sequence[ast.stmt], env: Env) -> None:
        """Read all statements."""
        Flow(self, self.assignments).walk(body, env)

    # What `flow.StatementVisitor` asks for.

    def enter(self, node: Definition | ast.ClassDef, env: Env) -> None:
        if not self._source.may_hold_site(node):
            return
        name = f"{self._name}.{node.name}" if self._name else node.name
        if isinstance(node, ast.ClassDef):
            facts = self._source.facts.classes.get(node.name)
            known = facts is not None and facts.line == node.lineno
            scope = Scope(self._modules, self._source.facts, facts if known else None)
            self._nested(name, scope).walk(node.body, {})
            if known:
                self._class_site(node, name)
            return
        scope = Scope(self._modules, self._source.facts, self.scope.enclosing_class)
        inner = self._nested(name, scope, node)
        inner.scope.locals = inner.parameters
        inner.scope.assigned = inner.assignments
        for parameter in inner.parameters:
            env.pop(parameter, None)
        inner.walk(node.body, env)

    def _nested(self, name: str, scope: Scope, definition: Definition | None = None) -> "_SiteVisitor":
        return _SiteVisitor(self._source, self._file, self._modules, self._sites, name, scope, definition, self)

    def texts(self, node: ast.expr, env: Env) -> list[Text] | None:
        if isinstance(node, ast.Name):
            return env.get(node.id)
        if isinstance(node, ast.List):
            return members(node, lambda member: self.scope.texts(member, env))
        if not may_be_text(node):
            return None
        texts = self.scope.texts(node, env)
        return texts if any(text.literal or not text.parts for text in texts) else None

    def decide(self, _test: ast.expr, _env: Env) -> bool | None:
        return None

    def visit(self, node: ast.stmt, env: Env, path: PathConditions) -> bool:
        name = _VISITS.get(type(node))
        if name is None:
            return False
        never_returns: bool | None = getattr(self, name)(node, env, path)
        return never_returns is True

    # Statements.

    def _assert(self, node: ast.Assert, env: Env, path: PathConditions) -> None:
        texts = self.scope.texts(node.msg, env) if node.msg is not None else []
        fails = BranchCondition("if", node.test, negated=True)
        self._emit(node, SiteKind.ASSERT, "AssertionError", texts, (*path, fails))

    def _expression(self, node: ast.Expr, env: Env, path: PathConditions) -> bool:
        value = node.value.value if isinstance(node.value, ast.Await | ast.Yield) else node.value
        if isinstance(node.value, ast.Yield):
            self._exceptions_passed_on(node, [value], env, path)
        return isinstance(value, ast.Call) and self._call(node, value, env, path)

    def _return(self, node: ast.Return, env: Env, path: PathConditions) -> None:
        self._exceptions_passed_on(node, [node.value], env, path)

    def _import(self, node: ast.Import | ast.ImportFrom, _env: Env, _path: PathConditions) -> None:
        self._source.facts.add_import(node)

    def _note_pending(self, node: ast.Assign | ast.AnnAssign, _env: Env, path: PathConditions) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if not isinstance(target, ast.Name):
                continue
            if isinstance(node.value, ast.Call) and self._class_name(node.value.func):
                self._pending_exceptions.setdefault(target.id, []).append((node.value, path))
            else:
                self._pending_exceptions.pop(target.id, None)

    def _raise(self, node: ast.Raise, env: Env, path: PathConditions) -> None:
        raised = node.exc
        if isinstance(raised, ast.Call) and isinstance(raised.func, ast.Attribute) and raised.func.attr == _TRACEBACK:
            raised = raised.func.value
        if isinstance(raised, ast.Name) and raised.id in self._pending_exceptions:
            for call, earlier in self._pending_exceptions[raised.id]:
                kept = tuple(one for one in earlier if one not in path)
                self._exception(node, SiteKind.RAISE, call, env, kept + path)
        elif isinstance(raised, ast.Call):
            self._exception(node, SiteKind.RAISE, raised, env, path)
        elif raised is not None and self._class_name(raised):
            facts = self._modules.find_class(self._source.facts, dotted_name(raised))
            texts = self._messages.messages_of(facts, dotted_name(raised), [], {})
            self._emit(node, SiteKind.RAISE, facts.name if facts else self._class_name(raised), texts, path)
        else:
            self._emit(node, SiteKind.RAISE, None, [], path)

    def _call(self, node: ast.Expr, call: ast.Call, env: Env, path: PathConditions) -> bool:
        """Read a call that is a statement. Whether it never comes back."""
        report = classify_report(call, self._source.facts)
        if report is None:
            grow(node, env, lambda member: self.scope.texts(member, env))
            self._exceptions_passed_on(node, call.args, env, path)
            return False
        kind, error_class = report
        named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg in MESSAGE_NAMES}
        message = call.args[0] if call.args else next(iter(named.values()), None)
        if message is not None and not isinstance(message, ast.Starred):
            if kind is SiteKind.LOG and len(call.args) > 1:
                values = ast.copy_location(ast.Tuple(list(call.args[1:]), ast.Load()), call)
                message = ast.copy_location(ast.BinOp(message, ast.Mod(), values), call)
            if kind is SiteKind.WARNING and isinstance(message, ast.Call) and self._class_name(message.func):
                self._exception(node, kind, message, env, path)
            else:
                texts = self.scope.texts(message, env)
                self._emit(node, kind, error_class, [text for text in texts if text.has_words], path, opaque=False)
        return kind is SiteKind.EXIT or error_class == "Failed"

    def _exceptions_passed_on(
        self, node: ast.stmt, values: Sequence[ast.expr | None], env: Env, path: PathConditions
    ) -> None:
        """Values that may be exceptions, made here for others to raise."""
        for value in values:
            made = self._pending_exceptions.get(value.id, ()) if isinstance(value, ast.Name) else [(value, ())]
            for call, earlier in made:
                if isinstance(call, ast.Call) and is_exception_class(
                    dotted_name(call.func), self._source.facts, self._modules
                ):
                    self._exception(node, SiteKind.MADE, call, env, tuple(dict.fromkeys(earlier + path)))

    def _exception(self, node: ast.stmt, kind: SiteKind, call: ast.Call, env: Env, path: PathConditions) -> None:
        name = dotted_name(call.func)
        class_name = self._class_name(call.func)
        facts = self._modules.find_class(self._source.facts, name) if name else None
        if kind is SiteKind.MADE and facts and self._modules.external_base(facts) in ("", "object"):
            return  # only called like an exception
        values = []
        for argument in call.args:
            if isinstance(argument, ast.Starred):
                break
            values.append(self.scope.texts(argument, env))
        named = {keyword.arg: self.scope.texts(keyword.value, env) for keyword in call.keywords if keyword.arg}
        texts = self._messages.messages_of(facts, name if class_name else "?", values, named)
        if not class_name:  # a function that makes it: only what looks like a sentence may be its message
            texts = [text for text in texts if " " in text.literal.strip()]
        error_class = facts.name if facts else class_name or None
        self._emit(node, kind, error_class, texts, path, opaque=kind is SiteKind.RAISE)

    def _class_name(self, node: ast.expr) -> str:
        """The last name of an expression that names an exception class, else ""."""
        name = dotted_name(node)
        if not name:
            return ""
        origin = self._source.facts.imports.get(name)
        last = (origin[1] if origin else None) or last_name(name)  # `import X as Y` is still X
        if is_builtin_exception(last) or last.lstrip("_")[:1].isupper():
            return last
        if last.endswith(("error", "exception")) and name.partition(".")[0] not in ("self", "cls"):
            return last if last == "error" or self._modules.find_class(self._source.facts, name) else ""
        return ""

    def _class_site(self, node: ast.ClassDef, name: str) -> None:
        facts = self._source.facts.classes[node.name]
        outer = self._modules.external_base(facts)
        if not (is_builtin_exception(outer) or is_exception_name(outer) or (is_exception_name(node.name) and outer)):
            return
        found = self._messages.class_message(facts)
        if found is not None:
            texts, line = found
            place = ast.copy_location(ast.Pass(), node)
            place.lineno = place.end_lineno = line
            around = self._surroundings._replace(function=name)
            self._sites += build_sites(place, SiteKind.CLASS, node.name, texts, (), around, opaque=False)

    # Sites.

    def _emit(
        self,
        node: ast.stmt,
        kind: SiteKind,
        error_class: str | None,
        texts: Iterable[Text],
        path: PathConditions,
        *,
        opaque: bool = True,
    ) -> None:
        """Note the sites of a statement, see `build_sites`."""
        self._sites += build_sites(node, kind, error_class, texts, path, self._surroundings, opaque=opaque)

    @cached_property
    def _surroundings(self) -> Surroundings:
        writer, definition = self._source.writer, self._definition
        return Surroundings(
            file=self._file,
            function=self._name,
            signature=signature(definition, writer.lines) if definition else "",
            doc=docstring_summary(definition) if definition else "",
            parameters=self.parameters,
            assignments=self.assignments,
            writer=writer,
        )
