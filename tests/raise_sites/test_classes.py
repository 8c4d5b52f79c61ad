"""Messages that exception classes make themselves, and sites of other kinds than `raise`."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from errkb.source_analysis.harvest import harvest_files
from errkb.source_analysis.site import Site, SiteKind

Harvest = Callable[[str], list[Site]]

CLASSES: list[tuple[str, str, list[str]]] = [
    (
        "class AError(Exception):\n    def __init__(self, a):\n        super().__init__(f'no {a} here')",
        "raise AError(x.y)",
        ["no {x.y} here"],
    ),
    (
        "class AError(Exception):\n    def __init__(self, a):\n        Exception.__init__(self, 'no %s' % a)",
        "raise AError('b')",
        ["no b"],
    ),
    (
        (
            "class AError(Exception):\n    def __init__(self, a):\n        self.a = a\n"
            "    def __str__(self):\n        return f'no {self.a}'"
        ),
        "raise AError(x)",
        ["no {x}"],
    ),
    ("class AError(Exception):\n    message = 'fixed'\n", "raise AError()", ["fixed"]),
    ("class AError(Exception):\n    message = 'fixed'\n", "raise AError", ["fixed"]),
    ("class AError(Exception):\n    message = 'fixed'\n", "raise AError('given')", ["given"]),
    (
        (
            "class Base(Exception):\n    fmt = 'base'\n    def __init__(self, **kwargs):\n"
            "        super().__init__(self.fmt.format(**kwargs))\nclass AError(Base):\n    fmt = 'no {thing} of {other}'"
        ),
        "raise AError(thing=x, other='y')",
        ["no {thing} of y"],
    ),
    (
        (
            "class Base(Exception):\n    def __init__(self, where, what):\n        super().__init__(f'{where}: {what}')\n"
            "class AError(Base):\n    def __init__(self, where, n):\n        super().__init__(where, f'{n} too many')"
        ),
        "raise AError(pool, 3)",
        ["{pool}: 3 too many"],
    ),
    (
        (
            "class AError(Exception):\n    def __init__(self, message=None):\n        if message is None:\n"
            "            message = 'default'\n        super().__init__(message)"
        ),
        "raise AError()",
        ["default"],
    ),
    (
        (
            "class AError(Exception):\n    def __init__(self, message=None):\n        if message is None:\n"
            "            message = 'default'\n        super().__init__(message)"
        ),
        "raise AError('given')",
        ["given"],
    ),
    (
        "class AError(Exception):\n    def __init__(self, where=None, what=None, mark=None):\n        self.where = where\n"
        "        self.what = what\n        self.mark = mark\n    def __str__(self):\n        lines = []\n"
        "        if self.where is not None:\n            lines.append(self.where)\n        if self.what is not None:\n"
        "            lines.append(self.what)\n        if self.mark is not None:\n            lines.append(str(self.mark))\n"
        "        return ' '.join(lines)",
        "raise AError(None, 'not here', x)",
        ["not here {x}"],
    ),
    ("", "raise OSError(n, 'text')", ["[Errno {n}] text"]),
    ("", "raise Unknown(404, 'a text', x)", ["a text"]),
    ("", "raise Unknown(x, 'code')", []),
    ("", "raise Unknown(404, reason='text')", ["text"]),
    ("", "raise self.make('a text of %s' % x)", ["a text of %s"]),
    ("", "raise make('word')", []),
    ("", "raise ValueError('text').with_traceback(tb)", ["text"]),
    ("", "raise ValueError('text') from error", ["text"]),
]


@pytest.mark.parametrize(("classes", "statement", "templates"), CLASSES)
def test_an_exception_says_what_its_class_makes_of_the_arguments(
    sites: Harvest, classes: str, statement: str, templates: list[str]
) -> None:
    """`__init__`, `__str__`, texts of the class and its bases are followed."""
    found = sites(f"{classes}\ndef f(x):\n    {statement}\n")
    assert [site.template for site in found if site.kind is SiteKind.RAISE] == templates


def test_a_class_with_a_message_of_its_own_is_a_site(sites: Harvest) -> None:
    """Whoever raises it: the line is that of the message."""
    (site,) = sites("class AError(Exception):\n    def __init__(self, a):\n        super().__init__(f'no {a}')\n")
    assert (site.kind, site.error_class, site.line, site.template) == (SiteKind.CLASS, "AError", 3, "no {a}")


def test_a_class_that_only_has_the_name_of_an_exception_is_none(sites: Harvest) -> None:
    """What is made of it is no error, unless it is raised."""
    assert sites("class Error:\n    pass\ndef f():\n    return Error('text')\n") == []


def test_an_exception_without_the_looks_of_one_is_known_by_its_bases(sites: Harvest) -> None:
    """Where its class is at hand."""
    found = sites(
        "class Broken(ValueError):\n    pass\ndef f():\n    if x:\n        raise\n    return Broken('text')\n"
    )
    assert [(site.kind, site.error_class) for site in found] == [(SiteKind.MADE, "Broken")]


def test_a_message_that_is_handed_to_a_base_that_prints_it_in_its_own_way_is_told(sites: Harvest) -> None:
    """It is what the class says, whatever the base makes of it."""
    found = sites(
        "class Base(Exception):\n    def __init__(self, *, message):\n        super().__init__(decorated(message))\n"
        "class AError(Base):\n    def __init__(self, a):\n        super().__init__(message=f'no {a} here')\n"
    )
    assert [(site.error_class, site.template) for site in found] == [("AError", "no {a} here")]


def test_classes_and_texts_of_other_modules_are_found(tmp_path: Path) -> None:
    """Through imports, relative ones, aliases, re-exports and stars; circles do no harm."""
    files = {
        "p/__init__.py": "from p.a import *\nfrom p.b import BError as Renamed\n",
        "p/a.py": "import p\nfrom .b import TEXT\nclass AError(Exception):\n    message = 'from a'\n",
        "p/b.py": "from . import a\nTEXT = 'from b'\nclass BError(a.AError):\n    def __init__(self, x):\n"
        "        super().__init__(f'b says {x}')\n",
        "p/c/__init__.py": "",
        "p/c/d.py": "import p.b\nfrom .. import a as other, Renamed\nfrom p import AError\nfrom p.a import TEXT\n"
        "def f(y):\n    if y == 1:\n        raise Renamed(y)\n    if y == 2:\n        raise AError\n"
        "    if y == 3:\n        raise other.AError()\n    if y == 4:\n        raise p.b.BError('z')\n    raise ValueError(TEXT)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = harvest_files(tmp_path, [PurePosixPath("p/c/d.py")])
    assert [(site.template, site.error_class) for site in found.sites] == [
        ("b says {y}", "BError"),
        ("from a", "AError"),
        ("from a", "AError"),
        ("b says z", "BError"),
        ("from b", "ValueError"),
    ]


KINDS: list[tuple[str, SiteKind, str | None, str]] = [
    ("warnings.warn('text', DeprecationWarning)", SiteKind.WARNING, "DeprecationWarning", "text"),
    ("warnings.warn(f'no {x}', category=pkg.MyWarning, stacklevel=2)", SiteKind.WARNING, "MyWarning", "no {x}"),
    ("warnings.warn('text')", SiteKind.WARNING, "UserWarning", "text"),
    ("logger.error('no %s', x)", SiteKind.LOG, None, "no %s"),
    ("self.log.exception('text')", SiteKind.LOG, None, "text"),
    ("LOGGER.critical(f'no {x}')", SiteKind.LOG, None, "no {x}"),
    ("sys.exit('text')", SiteKind.EXIT, "SystemExit", "text"),
    ("raise SystemExit('text')", SiteKind.RAISE, "SystemExit", "text"),
    ("parser.error('no %s' % x)", SiteKind.EXIT, "SystemExit", "no %s"),
    ("pytest.fail('text')", SiteKind.RAISE, "Failed", "text"),
    ("assert x, f'no {x}'", SiteKind.ASSERT, "AssertionError", "no {x}"),
    ("return AnyError('text')", SiteKind.MADE, "AnyError", "text"),
    ("future.set_exception(AnyError('text'))", SiteKind.MADE, "AnyError", "text"),
    ("error = AnyError('text'); future.set_exception(error)", SiteKind.MADE, "AnyError", "text"),
    ("yield AnyError('text')", SiteKind.MADE, "AnyError", "text"),
]


@pytest.mark.parametrize(("statement", "kind", "error_class", "template"), KINDS)
def test_reports_of_every_kind_are_sites(
    sites: Harvest, statement: str, kind: SiteKind, error_class: str | None, template: str
) -> None:
    """Warnings, logs, exits, failed assertions and exceptions that are passed on."""
    (site,) = sites(f"def f(x):\n    {statement}\n")
    assert (site.kind, site.error_class, site.template) == (kind, error_class, template)


@pytest.mark.parametrize(
    "statement", ["sys.exit(1)", "logger.error(x)", "x.error('text')", "exit_code('text')", "warn(x)"]
)
def test_calls_that_only_look_alike_are_no_sites(sites: Harvest, statement: str) -> None:
    """What has no message, or is no logger, parser or warning, is left alone."""
    assert sites(f"def f(x):\n    {statement}\n") == []
