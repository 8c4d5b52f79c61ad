"""The message of an exception that a class makes of its arguments: `__init__`, `__str__`, class texts."""

import ast
from collections.abc import Sequence

from errkb.exception_names import is_builtin_exception, last_name
from errkb.source_analysis.exception_arguments import (
    MESSAGE_NAMES,
    Named,
    Values,
    builtin_message,
    guessed_message,
)
from errkb.source_analysis.exception_methods import Construction, StrVisitor, initialised_base
from errkb.source_analysis.message_parts import MOST_ALTERNATIVES, Text
from errkb.source_analysis.module_facts import ClassFacts
from errkb.source_analysis.module_index import ModuleIndex
from errkb.source_analysis.scope import Scope


class ExceptionMessages:
    """The messages of exceptions, by the classes that make them."""

    def __init__(self, modules: ModuleIndex) -> None:
        self._modules = modules

    def messages_of(self, facts: ClassFacts | None, name: str, values: Values, named: Named) -> list[Text]:
        """The possible messages of an exception of this class, called with these arguments; [] if unknown."""
        if facts is not None:
            run = Construction(self._modules, facts, self._modules.external_base(facts))
            texts = _without_inner_conditions(self._printed(facts, values, named, run), values, named)
            if any(text.has_words for text in texts):
                return texts
            guessed = guessed_message(values, named)
            if any(text.has_words for text in guessed):
                return guessed
            return texts if values or named else self._constant_message(facts) or texts
        last = last_name(name)
        return builtin_message(last, values, named) if is_builtin_exception(last) else guessed_message(values, named)

    def class_message(self, facts: ClassFacts) -> tuple[list[Text], int] | None:
        """The message that a class itself gives its exceptions, whatever the arguments, and its line."""
        place = facts.str_method or facts.init
        if place is None:
            for name in MESSAGE_NAMES:
                if name in facts.texts:
                    texts = self._constant_message(facts)
                    return (texts, facts.texts[name].lineno) if texts else None
            return None
        run = Construction(self._modules, facts, self._modules.external_base(facts))
        printed = self._printed(facts, [], {}, run, unbound=True)
        texts = [Text(text.parts) for text in (*printed, *run.passed_to_base) if text.has_words]
        nodes = (node for node in ast.walk(place) if isinstance(node, ast.Return | ast.Call))
        lines = [node.lineno for node in nodes if _gives_message(node)]
        return (texts, lines[-1] if lines else place.lineno) if texts else None

    def _constant_message(self, facts: ClassFacts) -> list[Text]:
        for name in MESSAGE_NAMES:
            found = self._modules.class_text(facts, name)
            if found and not isinstance(found[1], ast.Dict):
                texts = Scope(self._modules, found[0]).texts(found[1], {})
                return [Text(text.parts) for text in texts if text.has_words]
        return []

    def _printed(
        self, facts: ClassFacts, values: Values, named: Named, run: "Construction", *, unbound: bool = False
    ) -> list[Text]:
        mro = self._modules.mro(facts)
        texts = run.initialise(mro, values, named, unbound=unbound)
        for base in mro:
            if base.str_method is not None:
                printed = StrVisitor(self._modules, facts, base, run.attributes, texts, unbound=unbound).messages()
                if any(text.has_words for text in printed):
                    return printed[:MOST_ALTERNATIVES]
        return texts[:MOST_ALTERNATIVES]


def _without_inner_conditions(texts: Sequence[Text], values: Values, named: Named) -> list[Text]:
    """The texts with the conditions of their arguments only: those inside the class say nothing to its callers."""
    of_arguments = {one for given in (*values, *named.values()) for text in given for one in text.conditions}
    kept = (Text(text.parts, tuple(one for one in text.conditions if one in of_arguments)) for text in texts)
    return list(dict.fromkeys(kept))


def _gives_message(node: ast.Return | ast.Call) -> bool:
    if isinstance(node, ast.Return):
        return node.value is not None
    return initialised_base(node) is not None
