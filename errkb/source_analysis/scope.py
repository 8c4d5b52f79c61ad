"""What names stand for at a place: variables, attributes of `self`, named texts of modules."""

import ast
from collections.abc import Container, Mapping, Sequence

from errkb.source_analysis.evaluate import Evaluator
from errkb.source_analysis.flow import Env
from errkb.source_analysis.message_parts import Text
from errkb.source_analysis.module_facts import ClassFacts, ModuleFacts
from errkb.source_analysis.module_index import ModuleIndex

_DEEPEST = 8


class Scope:
    """Implements `evaluate.NameResolver` for a module, a class (if inside one) and the variables at hand."""

    def __init__(
        self,
        modules: ModuleIndex,
        module: ModuleFacts,
        enclosing_class: ClassFacts | None = None,
        *,
        locals_: frozenset[str] = frozenset(),
    ) -> None:
        self.modules = modules
        self.module = module
        self.enclosing_class = enclosing_class
        self.locals = locals_
        """NameResolver that hide those of the module."""
        self.assigned: Container[str] = ()
        """Names that are set in the function: they hide those of the module as well."""
        self.writer = module.writer
        self.env: Env = {}
        self.spread: dict[str, Mapping[str, Sequence[Text]]] = {}
        """`**name` parameter → what it holds."""
        self._depth = 0

    def texts(self, node: ast.expr, env: Env) -> list[Text]:
        """The messages that an expression may give with these variables."""
        self.env = env
        return Evaluator(self).texts(node)

    def find(self, name: str) -> Sequence[Text] | None:
        """The messages that a (dotted) name stands for: of a variable, else of a class or module."""
        if name in self.env:
            return self.env[name]
        found = self._defined(name)
        if found is None or isinstance(found[1], ast.Dict):
            return None
        return self._resolve_in_module(*found)

    def find_item(self, name: str, key: str) -> Sequence[Text] | None:
        """The messages of an item of a mapping: of a variable, else of a class or module."""
        if f"{name}[{key}]" in self.env:
            return self.env[f"{name}[{key}]"]
        head, _, last = name.rpartition(".")
        found = self._defined(name) or self._defined(f"{head}.default_{last}")  # as Django's fields name theirs
        if found is None or not isinstance(found[1], ast.Dict):
            return None
        for known, value in zip(found[1].keys, found[1].values, strict=True):
            if isinstance(known, ast.Constant) and str(known.value) == key:
                return self._resolve_in_module(found[0], value)
        return None

    def find_keywords(self, name: str) -> Mapping[str, Sequence[Text]] | None:
        """What a `**name` parameter is known to hold."""
        return self.spread.get(name)

    def _defined(self, name: str) -> tuple[ModuleFacts, ast.expr] | None:
        first, _, rest = name.partition(".")
        if self.enclosing_class is not None and rest and first in ("self", "cls", self.enclosing_class.name):
            return self.modules.class_text(self.enclosing_class, rest)
        if first in self.locals or first in self.assigned:
            return None
        return self.modules.find_text(self.module, name)

    def _resolve_in_module(self, module: ModuleFacts, node: ast.expr) -> list[Text] | None:
        """The messages of a named text, seen from where it is defined."""
        if self._depth >= _DEEPEST:
            return None
        there = Scope(self.modules, module)
        there._depth = self._depth + 1  # of the same class
        texts = there.texts(node, {})
        return texts if all(text.literal for text in texts) else None
