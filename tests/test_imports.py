"""What `import errkb` and the command line load: a short list, kept on purpose."""

import subprocess
import sys

import pytest

KNOWN = "offload_prefetch_step (0) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"
OPTIONAL_OF_MSGSPEC = {"typing_extensions"}
"""Loaded by msgspec where it happens to be installed."""
LIST_THIRD_PARTY = """
import atexit, importlib.metadata, sys
ours = set(importlib.metadata.packages_distributions()) - {"errkb"}
atexit.register(lambda: print("loaded:", *sorted(ours & {name.partition(".")[0] for name in before_and_after()})))
start = set(sys.modules)
before_and_after = lambda: set(sys.modules) - start
"""


def third_party(code: str, environment: dict[str, str], *arguments: str) -> set[str]:
    """The top-level modules of installed packages that code loads in a fresh interpreter."""
    result = subprocess.run(
        [sys.executable, "-c", LIST_THIRD_PARTY + code, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in result.stderr
    return set(result.stdout.rpartition("loaded:")[2].split())


def test_import_loads_no_package_from_outside(environment: dict[str, str]) -> None:
    """`import errkb` costs nothing until something is asked; then it loads one, msgspec."""
    assert third_party("import errkb", environment) == set()
    assert third_party("import errkb; errkb.lookup", environment) - OPTIONAL_OF_MSGSPEC == {"msgspec"}


def test_import_time_names_no_heavy_package(environment: dict[str, str]) -> None:
    """What `-X importtime` lists for `import errkb` holds neither click, jsonschema, rapidfuzz nor rich."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import errkb"],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in result.stderr.splitlines()}
    assert "errkb" in loaded
    assert loaded.isdisjoint({"click", "jsonschema", "rapidfuzz", "rich"})


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["explain", KNOWN], {"click", "msgspec"}),
        (["explain", "--json", KNOWN], {"msgspec"}),
        (["explain", "--markdown", KNOWN], {"click", "msgspec"}),
        (["explain", "--color", "always", KNOWN], {"click", "msgspec", "rich", "markdown_it", "mdurl", "pygments"}),
        (["list"], {"click", "msgspec"}),
        (["show", "73154bc6b02214fb"], {"click", "msgspec"}),
        (["--version"], {"click", "msgspec"}),
    ],
    ids=["text", "json", "markdown", "colour", "list", "show", "version"],
)
def test_commands_load_what_they_need(environment: dict[str, str], arguments: list[str], allowed: set[str]) -> None:
    """A command that writes to a pipe loads neither rich nor jsonschema nor rapidfuzz; rich comes with colour."""
    loaded = third_party("from errkb.cli import main; main()", environment, *arguments) - OPTIONAL_OF_MSGSPEC
    assert {"msgspec"} <= loaded <= allowed
