"""What the tests of raise sites share: sites of a snippet, and a made-up environment with a package in it."""

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from errkb.environment.distributions import Environment
from errkb.environment.interpreter import Interpreter
from errkb.source_analysis.harvest import harvest_source
from errkb.source_analysis.site import Site

SHOP = '''
"""A package to be misused."""
import json
from shop.errors import OutOfStock, ShopError

LIMIT_MESSAGE = "at most {} pieces of one kind"


class Basket:
    def add(self, name, count=1, *, stock=None):
        """Put goods into the basket.

        More about it.
        """
        if not isinstance(name, str):
            raise TypeError(f"a name is a str, not {type(name).__name__}")
        if count < 1:
            raise ValueError("count must be positive, not %d" % count)
        if count > 99:
            raise ShopError(LIMIT_MESSAGE.format(99))
        if stock is not None and name not in stock:
            raise OutOfStock(name, count)
        return json.loads(name)

    def pay(self, how):
        if how == "cash":
            return 1
        elif how == "card":
            raise NotImplementedError("cards are not taken yet")
        else:
            raise KeyError(f"no way of paying called {how}")

    def empty(self):
        return {}["nothing"]
'''
ERRORS = '''
class ShopError(Exception):
    """Anything that goes wrong here."""


class OutOfStock(ShopError):
    def __init__(self, name, wanted, left=0):
        self.name = name
        super().__init__(f"{wanted} of {name!r} wanted, {left} left")
'''


@pytest.fixture
def sites() -> Callable[[str], list[Site]]:
    """The sites of a source text that have a message."""

    def harvest(source: str) -> list[Site]:
        return [site for site in harvest_source(textwrap.dedent(source), "pkg/module.py") if site.literal]

    return harvest


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    """A site-packages folder with the distribution shop 1.2."""
    folder = tmp_path / "env" / "lib" / "python3.11" / "site-packages"
    package, info = folder / "shop", folder / "shop-1.2.dist-info"
    (package / "tests").mkdir(parents=True)
    info.mkdir()
    (package / "__init__.py").write_text(SHOP)
    (package / "errors.py").write_text(ERRORS)
    (package / "tests" / "test_shop.py").write_text("raise ValueError('only a test says this')\n")
    files = ["shop/__init__.py", "shop/errors.py", "shop/tests/test_shop.py", "shop-1.2.dist-info/METADATA"]
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: shop\nVersion: 1.2\nProject-URL: Source, https://github.com/acme/shop\n\ntext\n"
    )
    return folder


@pytest.fixture
def environment(site_packages: Path) -> Environment:
    """The environment that has the distribution shop."""
    return Environment(Interpreter(site_packages.parents[2], (site_packages,), None, "3.11"))


@pytest.fixture
def fail(site_packages: Path) -> Callable[[str], str]:
    """The traceback that a script gives, run in a process that can import shop."""

    def run(code: str) -> str:
        script = f"import sys; sys.path.insert(0, {str(site_packages)!r}); import shop\n{code}\n"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert done.returncode == 1, done
        return done.stderr

    return run
