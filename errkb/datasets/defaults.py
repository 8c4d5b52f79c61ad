"""Which datasets are used where none is named, later ones over earlier ones.

The bundled dataset; those in the user's data folder; those that the project names; those in
`ERRKB_DATA`.
"""

import os
from contextlib import suppress
from pathlib import Path

from errkb.files import is_folder, real_path
from errkb.folders import expanded, user_data_folder

_PACKAGE = real_path(Path(__file__)).parent.parent


def bundled_dataset() -> Path:
    """The dataset that errkb ships."""
    return _shipped("data") / "records.jsonl"


def default_datasets() -> list[Path]:
    """The paths of all these datasets, in order.

    Raises ConfigurationError if the project's configuration is broken.
    """
    from errkb.datasets.configuration import find_configuration

    paths = [bundled_dataset()]
    with suppress(OSError):
        paths += sorted(path for path in user_data_folder().iterdir() if not path.name.startswith("."))
    if configuration := find_configuration():
        paths += [configuration.folder / expanded(name) for name in configuration.datasets]
    paths += [expanded(name) for name in os.environ.get("ERRKB_DATA", "").split(os.pathsep) if name]
    return paths


def _shipped(name: str) -> Path:
    """A folder of the wheel's `_data`; in a checkout it stands beside the package."""
    installed = _PACKAGE / "_data" / name
    return installed if is_folder(installed) else _PACKAGE.parent / name
