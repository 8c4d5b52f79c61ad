"""What a project says about errkb: `[tool.errkb]` in pyproject.toml, or errkb.toml, searched upwards."""

from pathlib import Path
from typing import Any

import msgspec

from errkb.errors import ErrkbError


class ConfigurationError(ErrkbError):
    """A configuration file that cannot be understood."""


class Configuration(msgspec.Struct, frozen=True):
    """The project's settings and the folder that relative paths in them start from."""

    folder: Path
    datasets: tuple[str, ...] = ()


def find_configuration(start: Path | None = None) -> Configuration | None:
    """The nearest configuration at or above `start` (default: the working directory), or None.

    Raises ConfigurationError if the file is broken.
    """
    folder = (start or Path.cwd()).resolve()
    for candidate in (folder, *folder.parents):
        for name in ("errkb.toml", "pyproject.toml"):
            path = candidate / name
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            if name == "errkb.toml" or "[tool.errkb" in text:
                return _read(path, text)
    return None


def _read(path: Path, text: str) -> Configuration:
    import tomllib

    try:
        table: dict[str, Any] = tomllib.loads(text)
        if path.name == "pyproject.toml":
            table = table["tool"]["errkb"]
        return msgspec.convert({**table, "folder": path.parent}, Configuration)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigurationError(f"{path}: {error}") from None
