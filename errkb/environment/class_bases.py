"""What the classes of installed packages derive from, read from their sources. Nothing is imported or run."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from errkb.matching.matcher import BasesOf

if TYPE_CHECKING:
    from errkb.source_analysis.module_index import ModuleIndex


def installed_bases(python: Path | None = None) -> BasesOf:
    """A function that knows the bases of classes in the packages of `python`, by default of the active interpreter.

    It gives an empty set for a class without a module, and for one that is not installed. Sources are read when
    it is first asked, each once. It raises InterpreterError if `python` is none.
    """

    @cache
    def modules() -> "ModuleIndex":
        from errkb.environment.interpreter import find_interpreter
        from errkb.source_analysis.module_index import ModuleIndex

        interpreter = find_interpreter(python)
        return ModuleIndex([*interpreter.libraries, *filter(None, [interpreter.stdlib])])

    @cache
    def bases_of(error_class: str) -> frozenset[str]:
        home, _, name = error_class.rpartition(".")
        module = modules().module(home) if home else None
        found = module and modules().find_class(module, name)
        if not found:
            return frozenset()
        classes = modules().mro(found)
        written = {base.rpartition(".")[2] for known in classes for base in known.bases}
        return frozenset(written | {base.name for base in classes[1:]})

    return bases_of
