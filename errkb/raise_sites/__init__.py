"""Where no record is known: the raise sites in the source of installed packages.

`source_analysis` reads sources (parsed, never run) into sites; `site_finder` makes what finds the site of an error.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errkb.raise_sites.finder import Finder


def site_finder(
    python: Path | None = None, *, deep: bool = False, progress: Callable[[str], None] | None = None
) -> "Finder":
    """The search for raise sites among the packages of an interpreter, by default the active one.

    `deep` searches all packages, not only those that the error names. Raises InterpreterError.
    """
    from errkb.environment.distributions import Environment
    from errkb.environment.interpreter import find_interpreter
    from errkb.raise_sites.finder import Finder

    return Finder(Environment(find_interpreter(python)), deep=deep, progress=progress)
