"""The innermost frame of a traceback, found again in the reader's own files.

Where an error was raised by a Python statement, the traceback says which. So the one file is read,
and its sites at that line are compared with the message.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from errkb.environment.distributions import Distribution, Environment
from errkb.errors import PatternError
from errkb.files import is_file
from errkb.matching.evidence import reading_kind
from errkb.matching.match import Kind
from errkb.patterns import Message, Pattern
from errkb.patterns.damaged_text import Squeezed
from errkb.reading import Occurrence
from errkb.source_analysis.harvest import module_name
from errkb.source_analysis.module_index import ModuleIndex
from errkb.source_analysis.parsed_source import ParsedSource, UnreadableSourceError, read_source
from errkb.source_analysis.site import Site, SiteKind
from errkb.source_analysis.site_visitor import read_sites

_IN_LIBRARY = re.compile(r"(?:site|dist)-packages/(?P<path>.+)$")
_IN_STDLIB = re.compile(r"(?:^|/)(?:lib/python3\.\d+|python3\d+\.zip|Lib)/(?P<path>.+)$")
_RAISING = (SiteKind.RAISE, SiteKind.ASSERT, SiteKind.WARNING, SiteKind.EXIT)
Span = tuple[int, int]


class Located(NamedTuple):
    """A file of a traceback, as it is installed here."""

    root: Path
    file: PurePosixPath
    distribution: Distribution

    @property
    def path(self) -> Path:
        """The file itself."""
        return self.root / self.file


class Fit(NamedTuple):
    """How a site's message fits an occurrence's."""

    kind: Kind
    captures: Sequence[Span | None]
    loose: bool = False


class InnermostFrame(NamedTuple):
    """The innermost frame as the reader has it installed: the file, and what stands at the line."""

    located: Located
    line: int
    sites: list[Site]
    """All sites of the file."""
    at_line: list[Site]
    """The sites of the statement at the line, if the function agrees."""
    same_function: bool
    """Whether the function at the line is the frame's: the installed file is, as it seems, the one that ran."""
    source_line: str
    """The line itself."""


def locate(environment: Environment, file: str) -> Located | None:
    """The installed file that a path of a traceback means, whatever machine it comes from.

    Only files below the interpreter's own folders are ever read.
    """
    written = file.replace("\\", "/")
    for root, relative in _candidates(environment, written):
        if ".." in relative.parts or relative.suffix != ".py" or relative.is_absolute():
            continue
        try:
            if is_file(root / relative):
                return Located(root, relative, environment.owner(root, relative))
        except (OSError, ValueError):
            continue
    return None


def _candidates(environment: Environment, file: str) -> Iterator[tuple[Path, PurePosixPath]]:
    libraries, stdlib = environment.interpreter.libraries, environment.interpreter.stdlib
    absolute = PurePosixPath(file)
    for root in (*libraries, *([stdlib] if stdlib else [])):
        try:
            relative = absolute.relative_to(PurePosixPath(root.as_posix()))
        except ValueError:
            continue
        if relative.parts and relative.parts[0] not in ("site-packages", "dist-packages"):
            yield root, relative
    if match := _IN_LIBRARY.search(file):
        for root in libraries:
            yield root, PurePosixPath(match["path"])
    elif stdlib and (match := _IN_STDLIB.search(file)):
        yield stdlib, PurePosixPath(match["path"])
    elif len(absolute.parts) > 1:
        # A checkout elsewhere: the longest ending that names a file of an installed package.
        for start in range(1, min(len(absolute.parts) - 1, 12)):
            for root in libraries:
                yield root, PurePosixPath(*absolute.parts[start:])


def find_innermost_frame(environment: Environment, occurrence: Occurrence) -> InnermostFrame | None:
    """What the reader's installation has at the innermost frame; None if it is not installed, or not readable."""
    frame = occurrence.frames[-1]
    located = locate(environment, frame.file)
    if located is None or frame.line is None:
        return None
    file = str(located.file)
    try:
        source = ParsedSource(read_source(located.path), module_name(file), package=file.endswith("__init__.py"))
        sites = read_sites(source, file, ModuleIndex([located.root]))
    except (UnreadableSourceError, RecursionError):
        return None
    same = _same_function(frame.function, _function_at(source.tree, frame.line))
    at_line = [
        site
        for site in sites
        if site.kind in _RAISING
        and site.line <= frame.line <= site.end_line
        and _same_function(frame.function, site.function)
        and (
            site.kind is not SiteKind.ASSERT or (occurrence.error_class or "AssertionError").endswith("AssertionError")
        )
    ]
    lines = source.writer.lines
    text = lines[frame.line - 1].strip() if frame.line <= len(lines) else ""
    return InnermostFrame(located, frame.line, sites, at_line, same and bool(text), text)


def fit(site: Site, message: Message, squeezed: Squeezed) -> Fit | None:
    """How a site's message fits the message of an occurrence, or None if it does not."""
    if not site.pattern:
        return None
    try:
        pattern = Pattern(site.pattern)
    except PatternError:
        return None
    if reading := pattern.read(message):
        return Fit(reading_kind(reading), reading.captures)
    loose = pattern.read_loosely(squeezed)
    if loose is None:
        return None
    return Fit(reading_kind(loose), loose.captures, loose=True)


def _function_at(tree: ast.Module, line: int) -> str:
    """The qualified name of the function at a line, "" at module level."""
    names: list[str] = []
    body: Sequence[ast.stmt] = tree.body
    while True:
        for statement in _definitions(body):
            first = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
            if first <= line <= (statement.end_lineno or 0):
                names.append(statement.name)
                body = statement.body
                break
        else:
            return ".".join(names)


def _definitions(body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    todo = list(body)[::-1]
    while todo:
        statement = todo.pop()
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement
            continue
        for field in ("body", "orelse", "finalbody"):
            todo += getattr(statement, field, ())
        for inner in getattr(statement, "handlers", ()) or getattr(statement, "cases", ()):
            todo += inner.body


def _same_function(written: str | None, found: str) -> bool:
    """Whether the function that a frame names may be the one found; what is inside a function counts as it."""
    if not written:
        return True
    last = written.rpartition(".")[2]
    if last.startswith("<") and last != "<module>":  # <lambda>, <listcomp>, … lie inside
        return True
    return (last == "<module>" and not found) or last == found.rpartition(".")[2]
