"""Modules by name, read from files when they are asked for: where a class or a named text is defined."""

import ast
from collections.abc import Sequence
from pathlib import Path

from errkb.source_analysis.module_facts import ClassFacts, ModuleFacts
from errkb.source_analysis.parsed_source import ParsedSource, UnreadableSourceError, read_source

_LONGEST_CHAIN = 12
_MOST_BASES = 24


class ModuleIndex:
    """The modules below some folders."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = folders
        self._known: dict[str, ModuleFacts | None] = {}

    def add(self, facts: ModuleFacts) -> None:
        """Note a module that was read already."""
        self._known.setdefault(facts.name, facts)

    def module(self, name: str) -> ModuleFacts | None:
        """The facts of a module, or None if it is not found."""
        if name not in self._known:
            self._known[name] = None
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> ModuleFacts | None:
        parts = name.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        for folder in self._folders:
            base = folder.joinpath(*parts)
            for path, package in ((base / "__init__.py", True), (base.with_name(base.name + ".py"), False)):
                try:
                    return ParsedSource(read_source(path), name, package=package).facts
                except UnreadableSourceError:
                    continue
        return None

    def find_class(self, module: ModuleFacts, name: str) -> ClassFacts | None:
        """The class that a (dotted) name means in a module."""
        found = self._find(module, name)
        return found[0].classes.get(found[1]) if found else None

    def find_text(self, module: ModuleFacts, name: str) -> tuple[ModuleFacts, ast.expr] | None:
        """The named text that a (dotted) name means in a module, and the module that says it."""
        found = self._find(module, name)
        if found is None:
            return None
        home, rest = found
        if rest in home.texts:
            return home, home.texts[rest]
        first, _, attribute = rest.partition(".")
        if first in home.classes and attribute:
            return self.class_text(home.classes[first], attribute)
        return None

    def class_text(self, facts: ClassFacts, name: str) -> tuple[ModuleFacts, ast.expr] | None:
        """The text that a class or its nearest base has under a name."""
        for base in self.mro(facts):
            if name in base.texts:
                return base.module, base.texts[name]
        return None

    def mro(self, facts: ClassFacts) -> list[ClassFacts]:
        """A class and its bases as far as they are known, nearest first."""
        found: list[ClassFacts] = []
        todo = [facts]
        while todo and len(found) < _MOST_BASES:
            current = todo.pop(0)
            found.append(current)
            bases = (self.find_class(current.module, base) for base in current.bases)
            todo = [base for base in bases if base is not None and base is not current] + todo
        # A base that several classes share comes after all of them.
        return list(dict.fromkeys(reversed(found)))[::-1]

    def external_base(self, facts: ClassFacts) -> str:
        """The last name of the first base that is not defined in these modules, "" if there is none."""
        for current in self.mro(facts):
            for base in current.bases:
                if self.find_class(current.module, base) is None:
                    return base.rpartition(".")[2]
        return ""

    def _find(self, module: ModuleFacts, name: str) -> tuple[ModuleFacts, str] | None:
        """The module that defines a dotted name, and the name there."""
        for _ in range(_LONGEST_CHAIN):
            first, _, rest = name.partition(".")
            if first in module.classes or first in module.texts:
                return module, name
            if first not in module.imports:
                return self._find_by_star(module, name)
            origin, attribute = module.imports[first]
            if attribute is None:
                # `import a.b`, then a.b.C: the longest module that the name begins with.
                step = self._submodule(origin, rest)
            else:
                home = self.module(origin)
                known = home is not None and (
                    attribute in home.classes or attribute in home.texts or attribute in home.imports
                )
                submodule = None if known else self.module(f"{origin}.{attribute}")
                if submodule is not None:
                    step = submodule, rest
                elif home is not None and home is not module:
                    step = home, f"{attribute}.{rest}" if rest else attribute
                else:
                    return None
            if step is None or not step[1]:
                return None
            module, name = step
        return None

    def _find_by_star(self, module: ModuleFacts, name: str) -> tuple[ModuleFacts, str] | None:
        for star in module.stars:
            home = self.module(star)
            if home is not None and home is not module:
                first = name.partition(".")[0]
                if first in home.classes or first in home.texts:
                    return home, name
                if first in home.imports:
                    origin, attribute = home.imports[first]
                    inner = self.module(origin)
                    if inner is not None and attribute in inner.classes:
                        return inner, name.replace(first, attribute, 1)
        return None

    def _submodule(self, origin: str, rest: str) -> tuple[ModuleFacts, str] | None:
        parts = rest.split(".")
        for length in range(len(parts) - 1, -1, -1):
            home = self.module(".".join([origin, *parts[:length]]))
            if home is not None:
                return home, ".".join(parts[length:])
        return None
