"""Changes of a file, as a unified diff."""

import difflib
from pathlib import Path

from errkb.folders import relative_name
from errkb.render.clean import clean


def unified(path: Path, before: bytes, after: bytes) -> str:
    """The unified diff of two contents of a file, harmless to a terminal."""
    name = relative_name(path)
    old, new = (content.decode("utf-8", "replace").split("\n") for content in (before, after))
    lines = difflib.unified_diff(old, new, f"a/{name}", f"b/{name}", n=0, lineterm="")
    return "".join(clean(line).replace("\n", " ") + "\n" for line in lines)
