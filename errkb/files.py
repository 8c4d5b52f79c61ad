"""Files written whole or not at all."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path


def replace_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Give a file new content: written beside it, then renamed, so that nobody ever sees half of it.

    Its permissions stay; a link goes on pointing at the file that it points at.
    """
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
        if path.exists():
            shutil.copymode(path, name)
        else:
            umask = os.umask(0)
            os.umask(umask)
            Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
