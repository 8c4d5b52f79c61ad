"""What a module says at its top level: imports, texts that it names, and its classes."""

import ast
from collections.abc import Iterable, Iterator

from errkb.source_analysis.source_writer import SourceWriter
from errkb.source_analysis.syntax import dotted_name, may_be_text


class ClassFacts:
    """A class: its bases as written, its named texts, and how it makes and prints itself."""

    __slots__ = ("bases", "end_line", "init", "line", "module", "name", "str_method", "texts")

    def __init__(self, node: ast.ClassDef, module: "ModuleFacts") -> None:
        self.name = node.name
        self.line = node.lineno
        self.end_line = node.end_lineno or node.lineno
        self.module = module
        self.bases = [name for name in map(dotted_name, node.bases) if name]
        self.texts: dict[str, ast.expr] = {}
        self.init: ast.FunctionDef | None = None
        self.str_method: ast.FunctionDef | None = None
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                if statement.name == "__init__":
                    self.init = statement
                elif statement.name == "__str__":
                    self.str_method = statement
            else:
                self.texts.update(_named_texts(statement))


class ModuleFacts:
    """A module's names."""

    __slots__ = ("classes", "imports", "name", "package", "stars", "texts", "writer")

    def __init__(self, name: str, tree: ast.Module, writer: SourceWriter, *, package: bool) -> None:
        """`package` says that it is an `__init__`: relative imports start one level lower."""
        self.name = name
        self.package = name if package else name.rpartition(".")[0]
        self.writer = writer
        self.imports: dict[str, tuple[str, str | None]] = {}
        """Local name → module, and the attribute of it that is meant if any."""
        self.stars: list[str] = []
        self.classes: dict[str, ClassFacts] = {}
        self.texts: dict[str, ast.expr] = {}
        for statement in _flattened(tree.body):
            if isinstance(statement, ast.ClassDef):
                self.classes.setdefault(statement.name, ClassFacts(statement, self))
            elif isinstance(statement, ast.Import | ast.ImportFrom):
                self.add_import(statement)
            else:
                self.texts.update(_named_texts(statement))

    def add_import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Note what an import statement names; what is known already stays."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.partition(".")[0]
                self.imports.setdefault(local, (alias.name if alias.asname else local, None))
            return
        module = node.module or ""
        if node.level:
            parents = self.package.split(".") if self.package else []
            kept = parents[: len(parents) - node.level + 1]
            module = ".".join([*kept, module] if module else kept)
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(module)
            else:
                self.imports.setdefault(alias.asname or alias.name, (module, alias.name))


def _flattened(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module's top level, those under `if` and `try` included."""
    todo = list(body)[::-1]
    while todo:
        statement = todo.pop()
        if isinstance(statement, ast.If):
            todo += [*statement.body, *statement.orelse][::-1]
        elif isinstance(statement, ast.Try):
            handled = [inner for handler in statement.handlers for inner in handler.body]
            todo += [*statement.body, *handled, *statement.orelse][::-1]
        else:
            yield statement


def _named_texts(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(statement, ast.Assign):
        names, value = statement.targets, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        names, value = [statement.target], statement.value
    else:
        return
    if may_be_text(value) or isinstance(value, ast.Dict):
        for name in names:
            if isinstance(name, ast.Name):
                yield name.id, value
