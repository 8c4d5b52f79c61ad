"""The wheel and the sdist: built, installed into a fresh environment, and asked a question there."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("build", reason="the package `build` is not installed")
pytest.importorskip("hatchling", reason="the package `hatchling` is not installed")

KNOWN = "offload_prefetch_step (0) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"


class Built(NamedTuple):
    """The two distributions."""

    wheel: Path
    sdist: Path


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """The output of a process that must end well."""
    result = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=cwd, env=env, timeout=300, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sdist of the checkout, and the wheel built from the sdist."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, root, cwd=out)
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment that has errkb from the wheel, and its dependencies from this one."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder / "env", with_pip=False)
    scripts = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    python = scripts / ("python.exe" if sys.platform == "win32" else "python")
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    library = Path(run(python, "-c", code, cwd=folder).strip())
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", built.wheel, cwd=folder)
    # Behind the fresh library, without this environment's .pth files: the checkout stays out of sight.
    (library / "dependencies.pth").write_text(run(sys.executable, "-c", code, cwd=folder))
    return python


def test_the_wheel_holds_what_it_needs(built: Built, root: Path) -> None:
    """Type marker, dataset and schema are in the wheel, as they are in the checkout; tests are not."""
    with zipfile.ZipFile(built.wheel) as wheel:
        names = set(wheel.namelist())
        for inside, outside in (("data/records.jsonl", "data"), ("schema/record.schema.json", "schema")):
            assert wheel.read(f"errkb/_data/{inside}") == (root / outside / inside.partition("/")[2]).read_bytes()
    assert "errkb/py.typed" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"errkb"}
    assert not [name for name in names if "/test" in name or name.endswith((".pyc", ".orig"))]
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    modules = {str(path.relative_to(root)) for path in (root / "errkb").rglob("*.py")}
    assert modules <= names


def test_the_sdist_holds_the_tests(built: Built) -> None:
    """The sdist can be tested: tests, data and schema are in it, caches are not."""
    with tarfile.open(built.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"tests/conftest.py", "data/records.jsonl", "schema/record.schema.json", "pyproject.toml"} <= names
    assert not [
        name
        for name in names
        if "__pycache__" in name or "egg-info" in name or ("/." in f"/{name}" and name != ".gitignore")
    ]


def test_the_installed_wheel_answers(installed: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """In a fresh environment, from another folder, the installed errkb explains an error with its own dataset."""
    where = run(installed, "-c", "import errkb; print(errkb.__file__)", cwd=tmp_path, env=environment)
    assert Path(where.strip()).is_relative_to(installed.parent.parent)
    script = installed.parent / ("errkb.exe" if sys.platform == "win32" else "errkb")
    assert "73154bc6b02214fb" in run(script, "explain", KNOWN, cwd=tmp_path, env=environment)
    assert "73154bc6b02214fb" in run(installed, "-m", "errkb", "list", cwd=tmp_path, env=environment)
    code = f"import errkb; print(dict(errkb.lookup({KNOWN!r}).captures)); print(errkb.__version__)"
    values, version = run(installed, "-c", code, cwd=tmp_path, env=environment).splitlines()
    assert values == "{'self.prefetch.offload_prefetch_step': '0'}"
    assert version in installed.joinpath("..", "..").resolve().glob("lib*/**/errkb-*.dist-info").__next__().name


def test_the_wheel_of_the_plugin_is_found_by_pytest(
    installed: Path, root: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Built, installed beside errkb, switched off by the name that people try; it brings one module."""
    plugin = root / "plugins" / "pytest-errkb"
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, plugin, cwd=tmp_path)
    (wheel,) = tmp_path.glob("pytest_errkb-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        assert [name for name in opened.namelist() if name.endswith(".py")] == ["pytest_errkb.py"]
    run(sys.executable, "-m", "pip", "--python", installed, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    (tmp_path / "test_shop.py").write_text("def test_a():\n    int('2.5')\n")
    for options, answers in (([], 1), (["-p", "no:errkb"], 0), (["--no-errkb"], 0)):
        ran = subprocess.run(
            [str(installed), "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *options],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert ran.returncode == 1, ran.stdout + ran.stderr
        assert ran.stdout.count("errkb show 2aa14af794a3a468") == answers
