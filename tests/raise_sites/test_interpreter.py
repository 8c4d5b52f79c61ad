"""Whose packages are read, and who owns what among them."""

import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from errkb.environment.distributions import Environment
from errkb.environment.installed import InstalledPlace, installed_place
from errkb.environment.interpreter import InterpreterError, find_interpreter
from errkb.records.record import Record, read_record


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """An installation of Python 3.11, as far as its files go."""
    prefix = tmp_path / "opt"
    for folder in ("bin", "lib/python3.11/site-packages", "lib/python3.9/site-packages"):
        (prefix / folder).mkdir(parents=True)
    (prefix / "lib/python3.11/os.py").touch()
    (prefix / "bin/python3.11").touch()
    return prefix / "bin/python3.11"


@pytest.fixture
def venv(tmp_path: Path, python: Path) -> Path:
    """A virtual environment made with it."""
    folder = tmp_path / "project" / ".venv"
    (folder / "lib/python3.11/site-packages").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin/python").symlink_to(python)
    (folder / "pyvenv.cfg").write_text(f"home = {python.parent}\nversion = 3.11.4\n")
    return folder


def test_an_installation_is_known_by_its_executable(python: Path) -> None:
    """Its own version's folders are read, not those of another one beside it."""
    found = find_interpreter(python)
    assert found.libraries == (python.parents[1] / "lib/python3.11/site-packages",)
    assert found.stdlib == python.parents[1] / "lib/python3.11"
    assert found.version == "3.11"


@pytest.mark.parametrize("named", ["bin/python", "."])
def test_an_environment_is_known_by_its_executable_or_folder(venv: Path, python: Path, named: str) -> None:
    """Packages come from the environment, the standard library from the Python it was made with."""
    found = find_interpreter(venv / named)
    assert found.libraries == (venv / "lib/python3.11/site-packages",)
    assert found.stdlib == python.parents[1] / "lib/python3.11"
    assert found.version == "3.11.4"


def test_the_active_environment_comes_first_then_the_nearest_then_our_own(
    venv: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """VIRTUAL_ENV, a .venv at or above the working directory, the interpreter that runs errkb."""
    below = venv.parent / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.setenv("VIRTUAL_ENV", str(venv))
    assert find_interpreter(start=tmp_path).prefix == venv
    monkeypatch.delenv("VIRTUAL_ENV")
    assert find_interpreter(start=below).prefix == venv
    monkeypatch.chdir(tmp_path)
    assert find_interpreter().prefix == Path(sys.prefix)


def test_folders_of_pth_files_count_and_their_code_is_not_run(venv: Path, tmp_path: Path) -> None:
    """As for editable installations."""
    library = venv / "lib/python3.11/site-packages"
    (tmp_path / "checkout").mkdir()
    (library / "a.pth").write_text(f"# comment\nimport sys; sys.exit(5)\n{tmp_path / 'checkout'}\nnothing/here\n")
    assert find_interpreter(venv).libraries == (library, tmp_path / "checkout")


@pytest.mark.parametrize("path", ["nothing", "empty"])
def test_what_is_no_interpreter_is_refused(tmp_path: Path, path: str) -> None:
    """With one sentence."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(InterpreterError, match="Python interpreter"):
        find_interpreter(tmp_path / path)


def test_a_distribution_is_known_by_its_metadata(environment: Environment) -> None:
    """Name, version, sources without tests, and its repo."""
    (shop,) = environment.distributions
    assert str(shop) == "shop 1.2"
    assert [str(file) for file in shop.files] == ["shop/__init__.py", "shop/errors.py"]
    assert (shop.repo, shop.url) == ("acme/shop", "https://github.com/acme/shop")
    assert environment.owner_of_module("shop.errors.ShopError") is shop
    assert environment.owner_of_module("nothing.at.all") is None


def test_a_package_that_no_distribution_lists_is_its_own_owner(environment: Environment, site_packages: Path) -> None:
    """As one that was only copied there."""
    (site_packages / "loose").mkdir()
    (site_packages / "loose" / "__init__.py").touch()
    owner = environment.owner(site_packages, PurePosixPath("loose/__init__.py"))
    assert (owner.name, owner.version, owner.files) == ("loose", "", (PurePosixPath("loose/__init__.py"),))


@pytest.fixture
def record(make_document: Callable[..., dict[str, Any]]) -> Record:
    """A record of a message that `acme/drawer.py` raises."""
    return read_record(make_document("no drawer {number} in the cabinet", filePath="src/acme/drawer.py", lineNumber=1))


def test_installed_is_where_the_reader_imports_from(
    venv: Path, python: Path, record: Record, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of two environments that hold the package, the one that is named or active is told, not errkb's own."""
    other = python.parents[1]
    for prefix in (venv, other):
        source = prefix / "lib/python3.11/site-packages/acme/drawer.py"
        source.parent.mkdir()
        source.write_text(f'# {prefix}\nraise ValueError(f"no drawer {{number}} in the cabinet")\n')
    monkeypatch.chdir(tmp_path)
    for prefix, named in ((venv, venv), (other, python)):
        wanted = InstalledPlace(prefix / "lib/python3.11/site-packages/acme/drawer.py", 2)
        assert installed_place(record, named) == wanted
    monkeypatch.setenv("VIRTUAL_ENV", str(venv))
    assert installed_place(record) == InstalledPlace(venv / "lib/python3.11/site-packages/acme/drawer.py", 2)
    monkeypatch.delenv("VIRTUAL_ENV")
    assert installed_place(record) is None


@pytest.mark.parametrize("receipt", ["pipx_metadata.json", "uv-receipt.toml"])
def test_errkb_installed_apart_is_nobodys_environment(
    python: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, receipt: str
) -> None:
    """In a tool's private environment, the first Python on the PATH is the reader's, and without one there is none."""
    private = tmp_path / "private"
    private.mkdir()
    (private / receipt).touch()
    executable = python.with_name("python3")
    executable.symlink_to(python)
    python.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(private))
    monkeypatch.setenv("PATH", str(python.parent))
    assert find_interpreter().libraries == (python.parents[1] / "lib/python3.11/site-packages",)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert find_interpreter().libraries == ()


def test_a_conda_environment_counts(venv: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, python: Path) -> None:
    """CONDA_PREFIX names the active environment where VIRTUAL_ENV does not."""
    prefix = python.parents[1]
    (prefix / "conda-meta").mkdir()
    monkeypatch.setenv("CONDA_PREFIX", str(prefix))
    assert find_interpreter(start=tmp_path).prefix == prefix
    monkeypatch.setenv("VIRTUAL_ENV", str(venv))
    assert find_interpreter(start=tmp_path).prefix == venv
