"""Modules by name, read from files when they are asked for: where a class or a named text is defined."""

import ast
import io
import tokenize
import warnings
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from errkb.source_analysis.message_parts import Writer
from errkb.source_analysis.module_facts import ClassFacts, ModuleFacts

LARGEST_FILE = 8 * 1024 * 1024
SPEAKING = (
    "raise", "assert", "warn", "exit", "critical", "xception", "fail", "fatal",
    "rror", "Warning", "Exit", "Failure", "Timeout", "Abort",
)  # fmt: skip
"""A function without any of these is not read: it can have no site, but an exception without the looks of one."""
_LONGEST_CHAIN = 12
_MOST_BASES = 24


class Unreadable(Exception):  # noqa: N818
    """A source file that cannot be read, and why."""


class Source:
    """A source file, parsed."""

    def __init__(self, content: bytes, module: str, *, package: bool = False) -> None:
        """Raises Unreadable."""
        text = decoded(content)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            raise Unreadable(f"line {line}: {error.msg}" if isinstance(error, SyntaxError) else str(error)) from None
        except (RecursionError, MemoryError):
            raise Unreadable("nested too deeply") from None
        self._text = text
        self.writer = Writer(text)
        self.facts = ModuleFacts(module, self.tree, self.writer, package=package)

    @cached_property
    def speaking(self) -> list[int]:
        """The lines with a word that a raise site must have."""
        return _speaking_lines(self._text)

    def speaks(self, node: ast.stmt) -> bool:
        """Whether a statement may hold a raise site."""
        place = bisect_left(self.speaking, node.lineno)
        return place < len(self.speaking) and self.speaking[place] <= (node.end_lineno or node.lineno)


def _speaking_lines(text: str) -> list[int]:
    places: set[int] = set()
    for word in SPEAKING:
        place = text.find(word)
        while place >= 0:
            places.add(place)
            place = text.find(word, place + 1)
    lines: list[int] = []
    line, counted = 1, 0
    for place in sorted(places):
        line += text.count("\n", counted, place)
        counted = place
        lines.append(line)
    return lines


def decoded(content: bytes) -> str:
    """The text of a source file, whatever its encoding, with plain line feeds."""
    try:
        text = content.decode("utf-8-sig")
        if b"coding" in content[:400]:
            raise UnicodeError
    except UnicodeError:
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
            text = content.decode(encoding, "replace")
        except (SyntaxError, LookupError):
            text = content.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_source(path: Path) -> bytes:
    """The bytes of a source file. Raises Unreadable."""
    try:
        if not path.is_file():
            raise Unreadable("no regular file")
        if path.stat().st_size > LARGEST_FILE:
            raise Unreadable("too large")
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None


class Library:
    """The modules below some folders."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = folders
        self._known: dict[str, ModuleFacts | None] = {}

    def add(self, facts: ModuleFacts) -> None:
        """Note a module that was read already."""
        self._known.setdefault(facts.name, facts)

    def module(self, name: str) -> ModuleFacts | None:
        """The facts of a module, or None if it is not to be found."""
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
                    return Source(read_source(path), name, package=package).facts
                except Unreadable:
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

    def outer_base(self, facts: ClassFacts) -> str:
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
