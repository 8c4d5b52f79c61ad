"""What a project says about errkb: `[tool.errkb]` in pyproject.toml, or errkb.toml, searched upwards."""

from pathlib import Path
from typing import Any

import msgspec

from errkb.errors import ErrkbError, did_you_mean
from errkb.files import open_regular, real_path
from errkb.folders import working_folder

_LONGEST = 4_000_000


class ConfigurationError(ErrkbError):
    """A configuration file that cannot be understood."""


class Validation(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """`[tool.errkb.validate]`: which rules `errkb validate` reports. Rules are named by code, name or letter."""

    select: tuple[str, ...] = ()
    """The rules to report; all, if none is named."""
    ignore: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    """Pattern of paths, from the configuration's folder → rules that are not reported there."""
    severity: dict[str, str] = {}
    """Rule → `error` or `warning`."""


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The project's settings and the folder that relative paths in them start from."""

    folder: Path
    datasets: tuple[str, ...] = ()
    validate: Validation = Validation()
    path: Path | None = None
    """The file that they stand in."""


def find_configuration(start: Path | None = None) -> Configuration | None:
    """The nearest configuration at or above `start` (default: the working directory), or None.

    Raises ConfigurationError if the file is broken.
    """
    folder = start or working_folder()
    if folder is None:
        return None
    folder = real_path(folder)
    for candidate in (folder, *folder.parents):
        for name in ("errkb.toml", "pyproject.toml"):
            path = candidate / name
            try:
                with open_regular(path) as file:
                    text = file.read(_LONGEST + 1).decode("utf-8")
                    if len(text) > _LONGEST and (name == "errkb.toml" or "errkb" in text):
                        raise ConfigurationError(f"{path}: longer than {_LONGEST:,} characters")
            except OSError:
                continue
            except UnicodeDecodeError as error:
                if name == "pyproject.toml":
                    continue
                raise ConfigurationError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
            if (configuration := _read(path, text)) is not None:
                return configuration
    return None


def _read(path: Path, text: str) -> Configuration | None:
    """The settings of a file, or None if it is a pyproject.toml that says nothing about errkb."""
    if path.name == "pyproject.toml" and "errkb" not in text:
        return None
    import tomllib

    try:
        table: dict[str, Any] = tomllib.loads(text)
        if path.name == "pyproject.toml":
            table = table.get("tool", {})
            if not isinstance(table, dict) or "errkb" not in table:
                return None
            table = msgspec.convert(table["errkb"], dict[str, Any])
        _refuse_unknown(table, ("datasets", "validate"), "")
        if isinstance(table.get("validate"), dict):
            known = tuple(field.encode_name for field in msgspec.structs.fields(Validation))
            _refuse_unknown(table["validate"], known, "validate.")
        return msgspec.convert({**table, "folder": path.parent, "path": path}, Configuration)
    except RecursionError:
        raise ConfigurationError(f"{path}: nested too deeply") from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ConfigurationError) as error:
        raise ConfigurationError(f"{path}: {error}") from None


def _refuse_unknown(table: dict[str, Any], known: tuple[str, ...], prefix: str) -> None:
    for name in table:
        if name not in known:
            hint = did_you_mean(name, known) or f"known are {', '.join(known)}"
            raise ConfigurationError(f"there is no setting {prefix + name!r}; {hint}")
