"""From an error to the place that raises it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from errkb.environment.distributions import Environment
from errkb.folders import cache_folder
from errkb.matching.evidence import CONFIDENT
from errkb.matching.match import Kind
from errkb.raise_sites.finder import Finder
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.reading import occurrences

Fail = Callable[[str], str]

MISUSES: list[tuple[str, str, list[str], dict[str, str]]] = [
    ("shop.Basket().add(5)", "not isinstance(name, str)", [], {"type(name).__name__": "int"}),
    ("shop.Basket().add('a', -3)", "count < 1", ["count"], {"count": "-3"}),
    ("shop.Basket().add('a', 100)", "count > 99", [], {}),
    (
        "shop.Basket().add('a', 2, stock=[])",
        "stock is not None and name not in stock",
        ["count", "name"],
        {"count": "2", "name": "'a'"},
    ),
    ("shop.Basket().pay('card')", 'how == "card"', [], {}),
    ("shop.Basket().pay('shells')", 'how != "card"', ["how"], {"how": "shells"}),
]


@pytest.mark.parametrize(("code", "condition", "here", "captures"), MISUSES, ids=[case[0] for case in MISUSES])
def test_a_traceback_leads_to_the_statement_its_condition_and_its_values(
    environment: Environment, fail: Fail, code: str, condition: str, here: list[str], captures: dict[str, str]
) -> None:
    """With full confidence, for every way to make a message."""
    found = _find(environment, fail(code))
    assert isinstance(found, RaiseSite)
    assert found.score >= 0.9
    assert (found.distribution, found.version, found.kind) == ("shop", "1.2", Kind.PATTERN)
    assert found.conditions[-1].text == condition
    assert dict(found.captures).items() >= captures.items()
    assert sorted(found.condition_values) == sorted(here)
    assert found.site.line in [number for number, _ in found.excerpt()]


@pytest.mark.parametrize("code", ["shop.Basket().empty()"])
def test_an_error_of_the_interpreter_itself_is_said_to_be_so(environment: Environment, fail: Fail, code: str) -> None:
    """No Python statement raises it; the line that was running is shown."""
    found = _find(environment, fail(code))
    assert isinstance(found, Compiled)
    assert (found.file, found.source) == ("shop/__init__.py", 'return {}["nothing"]')


def test_a_traceback_from_another_machine_or_version_leads_to_the_same_statement(
    environment: Environment, fail: Fail
) -> None:
    """The path is read from site-packages on, and other line numbers only cost confidence."""
    text = fail("shop.Basket().pay('card')")
    elsewhere = text.replace(str(environment.interpreter.libraries[0]), r"C:\Users\x\env\Lib\site-packages")
    assert _line(_find(environment, elsewhere.replace("shop/__init__.py", r"shop\__init__.py"))) == _line(
        _find(environment, text)
    )
    older = text.replace("in pay", "in pay_old").replace("line 29", "line 2")
    found = _find(environment, older)
    assert isinstance(found, RaiseSite)
    assert _line(found) == _line(_find(environment, text))
    assert found.score < 0.9


def test_a_class_leads_to_its_distribution(environment: Environment) -> None:
    """Without any traceback, by the module of the class."""
    found = _find(environment, "shop.errors.ShopError: at most 99 pieces of one kind")
    assert isinstance(found, RaiseSite)
    assert found.site.function == "Basket.add"


def test_a_bare_message_is_searched_everywhere_only_if_asked(environment: Environment) -> None:
    """`deep` searches all distributions."""
    text = "NotImplementedError: cards are not taken yet"
    assert _find(environment, text) is None
    found = Finder(environment, deep=True).find(occurrences(text)[0])
    assert isinstance(found, RaiseSite)
    assert found.site.function == "Basket.pay"


def test_a_message_of_several_places_is_no_likely_answer(environment: Environment, site_packages: Path) -> None:
    """All places are named, none with full confidence."""
    with (site_packages / "shop" / "errors.py").open("a") as file:
        file.write(
            "\ndef f():\n    raise ShopError('said at two places')\ndef g():\n    raise ShopError('said at two places')\n"
        )
    found = _find(environment, "shop.errors.ShopError: said at two places")
    assert isinstance(found, RaiseSite)
    assert found.score < CONFIDENT
    assert len(found.also_at) == 1


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: nothing that anybody says",
        "shop.errors.ShopError: nothing that anybody says here",
        'Traceback (most recent call last):\n  File "/etc/passwd", line 1, in x\nValueError: root',
        'Traceback (most recent call last):\n  File "../../x.py", line 1, in x\nValueError: root',
        "nothing.at.all.Error: text",
        "only a test says this",
        "",
    ],
)
def test_what_no_package_says_gets_no_likely_answer(environment: Environment, text: str) -> None:
    """Silence is an answer, and files outside of the interpreter's folders are not read."""
    for occurrence in occurrences(text):
        found = Finder(environment, deep=True).find(occurrence)
        assert found is None or (isinstance(found, RaiseSite) and found.score < CONFIDENT)


def test_sites_are_harvested_once_and_anew_when_the_package_changes(
    environment: Environment, site_packages: Path
) -> None:
    """They lie in the cache folder; those of an older state are removed."""
    text = "shop.errors.ShopError: at most 99 pieces of one kind"
    _find(environment, text)
    (first,) = (cache_folder() / "sites").glob("shop-*.jsonl")
    _find(environment, text)
    assert list((cache_folder() / "sites").glob("shop-*.jsonl")) == [first]
    init = site_packages / "shop" / "__init__.py"
    init.write_text(init.read_text().replace("at most {} pieces", "no more than {} pieces"))
    record = site_packages / "shop-1.2.dist-info" / "RECORD"
    record.write_text(record.read_text() + "shop/new.py,,\n")
    fresh = Environment(environment.interpreter)
    assert _find(fresh, text.replace("at most", "no more than")) is not None
    assert first not in (cache_folder() / "sites").glob("shop-*.jsonl")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is unwritable for root")
def test_an_unwritable_cache_is_worked_around(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sites are kept for the process only."""
    tmp_path.joinpath("locked").mkdir(mode=0o500)
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "locked" / "cache"))
    assert _find(environment, "shop.errors.ShopError: at most 99 pieces of one kind") is not None


def test_a_cache_that_is_a_file_is_worked_around(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sites are kept for the process only."""
    (tmp_path / "cache").touch()
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache"))
    assert _find(environment, "shop.errors.ShopError: at most 99 pieces of one kind") is not None


def _find(environment: Environment, text: str) -> RaiseSite | Compiled | None:
    return Finder(environment).find(occurrences(text)[0])


def _line(found: RaiseSite | Compiled | None) -> int:
    assert isinstance(found, RaiseSite)
    return found.site.line


@pytest.fixture(autouse=True)
def _cache_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache-folder"))
