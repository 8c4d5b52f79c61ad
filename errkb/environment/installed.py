"""Where a record's error is raised in the reader's own installation, found without importing anything."""

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from errkb.environment.interpreter import find_interpreter
from errkb.files import is_file
from errkb.records.record import Record
from errkb.records.template import parse_template

_LARGEST_SOURCE = 4_000_000


class InstalledPlace(NamedTuple):
    """A file of the reader's packages, and the line that holds the message if it is there."""

    path: Path
    line: int | None


def installed_place(record: Record, python: Path | None = None) -> InstalledPlace | None:
    """The installed file that a record's `file_path` names, or None if it is not installed.

    Looked for where the reader's interpreter imports from: `python`, else the active one. Repos keep
    packages under `src/`, `Lib/` and the like: the longest ending of the path that exists there
    counts, provided it still names a package. Raises InterpreterError if `python` is none.
    """
    interpreter = find_interpreter(python)
    roots = [*filter(None, [interpreter.stdlib]), *interpreter.libraries]
    parts = PurePosixPath(record.file_path).parts
    if ".." in parts or record.file_path.startswith("/") or not record.file_path.endswith((".py", ".pyi")):
        return None
    for start in range(len(parts)):
        in_library = start > 0 and parts[start - 1] == "Lib"
        if len(parts) - start < 2 and not in_library:
            break
        for root in roots:
            path = root.joinpath(*parts[start:])
            try:
                if is_file(path):
                    return InstalledPlace(path, _line_of(record, path))
            except OSError:
                continue
    return None


def _line_of(record: Record, path: Path) -> int | None:
    """The line nearest to the recorded one that holds the longest word run of the template."""
    literals = [part for part in parse_template(record.error_message) if isinstance(part, str)]
    # Sources break messages anywhere: the longest piece without a line break in it is looked for.
    wanted = max((piece.strip() for literal in literals for piece in literal.split("\n")), key=len, default="")
    if len(wanted) < 6 or path.stat().st_size > _LARGEST_SOURCE:
        return None
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for needle in (wanted, *_openings(wanted)):
        found = [number for number, line in enumerate(lines, 1) if needle in line]
        if found:
            return min(found, key=lambda number: abs(number - record.line_number))
    return None


def _openings(text: str) -> list[str]:
    """Shorter and shorter beginnings of a text, whole words, down to three."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return [text[:end] for end in reversed(ends[2:-1])]
