"""The rooms of errkb, bottom up: a room imports only from rooms below it, and of those only what they show.

A room shows its face (`__init__`), and the inner modules that `SHOWN` names. Faces that would cost
time at the start of `errkb explain` are empty, so most rooms show inner modules. Imports inside
functions and under `if TYPE_CHECKING` count as well.
"""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import errkb

PACKAGE = Path(errkb.__file__).parent
ROOMS = (
    # The ground floor: single modules.
    "errors", "digest", "files", "lazy_regex", "exception_names", "folders", "version",
    # From a text to what is known of its error.
    "reading", "records", "patterns", "datasets", "index", "matching", "knowledge",
    # From the reader's installation to the place that raises an error.
    "source_analysis", "environment", "raise_sites", "diagnosis", "proof",
    # What is shown, and where.
    "explanation", "render", "validation", "integrations", "bulk", "publishing", "errkb", "cli", "__main__",
)  # fmt: skip
"""All rooms; `errkb` is the face of the package. Those that do not exist yet have their place already."""
SHOWN = {
    "datasets": (
        "canonical_form",
        "configuration",
        "dataset",
        "defaults",
        "entry_access",
        "files",
        "json_spans",
        "supplements",
        "version",
    ),
    "diagnosis": ("causes", "class_notes", "conditions", "language", "your_line"),
    "environment": ("class_bases", "distributions", "installed", "interpreter", "target"),
    "index": ("build", "cache", "format", "search_words", "store", "word_weights", "words"),
    "integrations": (
        "child_process",
        "ci.grouping",
        "ci.inputs",
        "ci.reports",
        "ci.words",
        "hooks",
        "mcp_server",
        "mcp_tools",
        "startup",
        "terminal_session",
    ),
    "knowledge": ("base", "dataset_diff", "in_memory", "word_search"),
    "matching": ("evidence", "match", "matcher"),
    "patterns": ("automaton", "chain", "damaged_text", "dialect", "effort"),
    "proof": ("environments", "proofs_file", "proving", "results", "running", "selection"),
    "raise_sites": ("drafts", "drift", "result"),
    "reading": ("fast_path", "line_reasons", "occurrence"),
    "records": ("draft", "example_diff", "examples", "record", "sample", "supplement", "template"),
    "render": (
        "clean",
        "comparison",
        "drift",
        "json",
        "lines",
        "markdown",
        "phrases",
        "proofs",
        "raise_site",
        "record_fields",
        "record_markdown",
        "secrets",
        "short_text",
        "text",
    ),
    "source_analysis": ("harvest", "module_index", "parsed_source", "site", "site_visitor"),
    "validation": ("fixing", "reference", "reporters", "reporters.text", "settings"),
}
"""Room → the inner modules that other rooms may import."""


class Import(NamedTuple):
    """A module that imports another one; both without the name of the package."""

    by: str
    of: str

    def __str__(self) -> str:
        return f"{self.by} imports {self.of}"


def modules() -> dict[str, Path]:
    """All modules by their names."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "errkb"] = path
    return found


MODULES = modules()


def imported(source: str) -> Iterator[str]:
    """The modules of errkb that a source text imports, wherever it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "a relative import"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name.removeprefix("errkb.") in MODULES else node.module or "" for name in inner]
        else:
            continue
        for name in dict.fromkeys(names):
            if name == "errkb" or name.startswith("errkb."):
                yield name.removeprefix("errkb.")


IMPORTS = [Import(name, other) for name, path in MODULES.items() for other in imported(path.read_text("utf-8"))]


def room(module: str) -> str:
    """The room of a module."""
    return module.partition(".")[0]


def fault(one: Import) -> str | None:
    """What is wrong with an import, or None."""
    if room(one.by) == room(one.of):
        return None
    if ROOMS.index(room(one.of)) >= ROOMS.index(room(one.by)):
        return f"{one}: {room(one.of)} is above"
    inner = one.of.partition(".")[2]
    return f"{one}: not shown to other rooms" if inner and inner not in SHOWN.get(room(one.of), ()) else None


def test_every_room_has_its_place() -> None:
    """A new room, or a new module beside the rooms, needs a place in the list."""
    assert {room(module) for module in MODULES} <= set(ROOMS)
    assert len(ROOMS) == len(set(ROOMS))


def test_imports_run_downwards_to_what_is_shown() -> None:
    """No import runs up, and none reaches for an inner module that its room keeps to itself."""
    assert [found for one in IMPORTS if (found := fault(one))] == []


def test_nothing_is_shown_in_vain() -> None:
    """Each module of the list is used by another room."""
    used = {one.of for one in IMPORTS if room(one.by) != room(one.of)}
    shown = {f"{name}.{module}" for name, inner in SHOWN.items() for module in inner}
    assert shown - used == set()


def test_modules_import_in_no_circle() -> None:
    """No two modules need each other, inside a room neither. Raises CycleError, which names them."""
    graph: dict[str, set[str]] = {}
    for one in IMPORTS:
        graph.setdefault(one.by, set()).add(one.of)
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    [
        ("records.record", "from errkb.cli.options import width", "cli is above"),
        ("records.record", "import errkb.cli.options", "cli is above"),
        ("index.cache", "def f():\n    from errkb.knowledge import base", "knowledge is above"),
        ("index.cache", "if TYPE_CHECKING:\n    from errkb.matching.match import Match", "matching is above"),
        ("reading.line", "from errkb.records.record import Record", "records is above"),
        ("knowledge.base", "from errkb.index.postings import Postings", "not shown to other rooms"),
        ("validation.words", "from errkb.index.words import words_of", None),
        ("validation.words", "from errkb.index import Index", None),
        ("validation.words", "from errkb.validation.decoding import decode", None),
        ("validation.reporters.sarif", "from errkb.version import __version__", None),
        ("validation.reporters.sarif", "from errkb import lookup", "errkb is above"),
    ],
)
def test_faults_are_found(module: str, source: str, expected: str | None) -> None:
    """A new import upwards fails, however it is written; so does one of an inner module."""
    faults = [found for other in imported(source) if (found := fault(Import(module, other)))]
    assert [found.rpartition(": ")[2] for found in faults] == ([expected] if expected else [])


def test_no_face_has_a_name_of_an_inner_module() -> None:
    """A face defines nothing under the name of a module in its room: importing that module would replace it."""
    clashes = []
    for name, path in MODULES.items():
        if path.name != "__init__.py":
            continue
        inner = {one.removeprefix(f"{name}.") for one in MODULES if one.startswith(f"{name}.")}
        tree = ast.parse(path.read_text("utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        clashes += [f"{name}.{one}" for one in defined & inner]
    assert clashes == []
