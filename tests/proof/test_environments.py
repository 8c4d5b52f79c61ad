"""What examples run in: made once, kept, named beside the dataset."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.proof.environments import NoEnvironmentError, Plan, commands, fits, package_of, read_requirements
from errkb.records.record import read_record

Document = dict[str, Any]


@pytest.fixture
def wheels(tmp_path: Path) -> dict[str, str]:
    """Settings under which pip knows one package, tinytool 1.4, and no network."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "tinytool-1.4-py3-none-any.whl", "w") as wheel:
        about = "Metadata-Version: 2.1\nName: tinytool\nVersion: 1.4\n"
        wheel.writestr(
            "tinytool.py", "def frobnicate(n):\n    raise ValueError(f'cannot frobnicate {n} of 4 widgets')\n"
        )
        wheel.writestr("tinytool-1.4.dist-info/METADATA", about)
        wheel.writestr("tinytool-1.4.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("tinytool-1.4.dist-info/RECORD", "")
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PATH": "/usr/bin:/bin"}


def test_an_environment_is_made_once(
    make_record: Callable[..., Document],
    dataset: Callable[..., Path],
    prove: Callable[..., Any],
    kept: Callable[[Path], list[Document]],
    wheels: dict[str, str],
    tmp_path: Path,
) -> None:
    """What environments.toml names for a repo is installed once and kept; the proof says with what it was had."""
    record = make_record("import tinytool\ntinytool.frobnicate(3)", repo="acme/tinytool")
    path = dataset(record, needs='"acme/tinytool" = ["tinytool==1.*"]')
    done = prove(path, env=wheels)
    assert done.returncode == 0, done.stdout
    assert b"tinytool 1.4, Python 3." in done.stdout
    assert [(line["package"], line["version"]) for line in kept(path)] == [("tinytool", "1.4")]

    cache = tmp_path / "home" / "cache" / "errkb" / "environments"
    pointers = list(cache.glob("*.json"))
    assert json.loads(pointers[0].read_text())["made of"][2] == ["tinytool==1.*"]
    proofs = path.with_name("proofs.jsonl").read_text()
    path.with_name("proofs.jsonl").write_text(proofs.replace('"date":"2', '"date":"1'))
    assert prove(path, "--with", "tinytool==1.*", env={"PIP_NO_INDEX": "1"}).returncode == 0
    assert list(cache.glob("*.json")) == pointers
    assert kept(path)[0]["date"].startswith("1")  # the same result as before keeps its line


def test_an_environment_that_cannot_be_made(
    make_record: Callable[..., Document], dataset: Callable[..., Path], prove: Callable[..., Any], tmp_path: Path
) -> None:
    """What the installer says is reported, the record is neither proven nor disproven, and nothing half-made is left."""
    installer = tmp_path / "bin" / "uv"
    installer.parent.mkdir()
    installer.write_text("#!/bin/sh\necho 'no such package: tinytool' >&2\nexit 1\n")
    installer.chmod(0o755)
    path = dataset(make_record(), needs='"python/cpython" = ["tinytool"]')
    done = prove(path, env={"PATH": f"{installer.parent}:/usr/bin:/bin"})
    assert done.returncode == 1
    assert b"no environment with tinytool could be made: no such package: tinytool" in done.stdout
    assert done.stdout.splitlines()[-1] == b"1 unavailable."
    assert list((tmp_path / "home" / "cache" / "errkb" / "environments").iterdir()) == []


def test_uv_is_used_where_it_is_there() -> None:
    """With uv, uv makes the environment; without it, venv and pip do."""
    plan = Plan(Path("/python"), ("tinytool", "other>=1"), "tinytool")
    folder, python = Path("/cache/x"), Path("/cache/x/bin/python")
    assert [command[:3] for command in commands(folder, python, plan, "/bin/uv")] == [
        ["/bin/uv", "venv", "--quiet"],
        ["/bin/uv", "pip", "install"],
    ]
    made = commands(folder, python, plan, None)
    assert made[0] == ["/python", "-m", "venv", "/cache/x"]
    assert made[1][-3:] == ["--", "tinytool", "other>=1"]


@pytest.mark.parametrize(
    ("requirement", "package"),
    [
        ("numpy==2.*", "numpy"),
        ("ruamel.yaml", "ruamel.yaml"),
        ("psycopg[binary]>=3", "psycopg"),
        ("a ; x", "a"),
        ("./x", "."),
    ],
)
def test_the_package_of_a_requirement(requirement: str, package: str) -> None:
    """The name before extra, version and marker is that of the package."""
    assert package_of(requirement) == package


def test_requirements_of_records_and_repos(make_record: Callable[..., Document], tmp_path: Path) -> None:
    """What is named for a record comes before what is named for its repo; a broken file is reported."""
    path = tmp_path / "environments.toml"
    record = read_record(make_record(repo="acme/tool"))
    path.write_text('"acme/tool" = ["tool==1.*"]')
    assert read_requirements(path).of(record) == ("tool==1.*",)
    path.write_text(f'"acme/tool" = ["tool==1.*"]\n"{record.id}" = ["tool==0.9"]')
    assert read_requirements(path).of(record) == ("tool==0.9",)
    assert read_requirements(tmp_path / "none.toml").of(record) is None
    for broken in ('"a" = "b"', "a = ["):
        path.write_text(broken)
        with pytest.raises(NoEnvironmentError, match=r"environments\.toml"):
            read_requirements(path)


def test_a_version_of_python_leaves_records_out(
    make_record: Callable[..., Document], dataset: Callable[..., Path], prove: Callable[..., Any]
) -> None:
    """What needs another Python than the one that runs is not run, and counted."""
    done = prove(dataset(make_record(), needs='"python/cpython" = ["python<3.4"]'))
    assert done.returncode == 0
    assert done.stdout == b"1 needs python<3.4.\n"
    done = prove(dataset(make_record(), needs='"python/cpython" = ["python>=3.4"]'))
    assert done.stdout.splitlines()[-1] == b"1 proven."


@pytest.mark.parametrize(
    ("version", "wanted", "expected"),
    [
        ("3.11.7", "python<3.12", True),
        ("3.12.0", "python<3.12", False),
        ("3.9.1", "python<3.12", True),
        ("3.12.0", "python>=3.12", True),
        ("3.11.7", "python>=3.12", False),
    ],
)
def test_versions_of_python(version: str, wanted: str, *, expected: bool) -> None:
    """Minor versions are compared as numbers."""
    assert fits(version, wanted) is expected


def test_options_are_no_requirements(
    make_record: Callable[..., Document], dataset: Callable[..., Path], prove: Callable[..., Any]
) -> None:
    """A dataset cannot slip options to the installer."""
    done = prove(dataset(make_record(), needs='"python/cpython" = ["--index-url=x", "tool"]'))
    assert done.returncode == 1
    assert b"not a requirement: '--index-url=x'" in done.stdout
