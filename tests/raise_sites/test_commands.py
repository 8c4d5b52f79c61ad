"""The commands that show raise sites, as processes."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Fail = Callable[[str], str]
Make = Callable[..., dict[str, Any]]


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A dataset without records."""
    path = tmp_path / "empty.jsonl"
    path.touch()
    return path


@pytest.fixture
def prefix(site_packages: Path) -> str:
    """The environment that has the distribution shop."""
    return str(site_packages.parents[2])


def _errkb(*arguments: object, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "errkb", *map(str, arguments)], input=text, capture_output=True, text=True, check=False
    )


def test_explain_answers_from_the_source_where_there_is_no_record(empty: Path, prefix: str, fail: Fail) -> None:
    """What the answer is, where, when, and with which values."""
    done = _errkb("explain", "--data", empty, "--python", prefix, text=fail("shop.Basket().add('a', -3)"))
    assert done.returncode == 0, done.stderr
    for piece in (
        "Raised by shop 1.2, shop/__init__.py:18, in Basket.add",
        "when count < 1",
        "here count = -3",
        ">    18 ",
        "def add(self, name, count=1, *, stock=None)",
        "Put goods into the basket.",
        "likely",
        "https://github.com/acme/shop",
    ):
        assert piece in " ".join(done.stdout.split()) or piece in done.stdout


def test_explain_says_so_where_compiled_code_raises(empty: Path, prefix: str, fail: Fail) -> None:
    """With the line that calls it; nothing was found, says the exit status."""
    done = _errkb("explain", "--data", empty, "--python", prefix, text=fail("shop.Basket().empty()"))
    assert done.returncode == 1
    assert "compiled code" in done.stdout
    assert 'return {}["nothing"]' in done.stdout


def test_json_and_markdown_carry_the_raise_site(empty: Path, prefix: str, fail: Fail) -> None:
    """`raiseSite` is null where there is none."""
    text = fail("shop.Basket().pay('shells')")
    done = _errkb("explain", "--json", "--data", empty, "--python", prefix, text=text)
    site = json.loads(done.stdout)["raiseSite"]
    assert (site["kind"], site["file"], site["function"]) == ("raise", "shop/__init__.py", "Basket.pay")
    assert [condition["text"] for condition in site["conditions"]] == ['how != "cash"', 'how != "card"']
    assert site["captures"][0]["value"] == "shells"
    done = _errkb("explain", "--markdown", "--data", empty, "--python", prefix, text=text)
    assert "Basket.pay" in done.stdout
    assert '`how != "card"`' in done.stdout
    done = _errkb("explain", "--json", "--data", empty, "--python", prefix, text="nothing here")
    assert json.loads(done.stdout)["raiseSite"] is None


def test_deep_searches_all_packages(empty: Path, prefix: str) -> None:
    """For a message without a traceback and without a class that names its module."""
    text = "NotImplementedError: cards are not taken yet"
    assert _errkb("explain", "--data", empty, "--python", prefix, text=text).returncode == 1
    done = _errkb("explain", "--deep", "--data", empty, "--python", prefix, text=text)
    assert (done.returncode, "Basket.pay" in done.stdout) == (0, True)


def test_a_record_comes_before_the_source(tmp_path: Path, prefix: str, fail: Fail, make_document: Make) -> None:
    """Where one matches, the raise site is not looked for."""
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(make_document("count must be positive, not %d", errorClass="ValueError")))
    done = _errkb("explain", "--json", "--data", path, "--python", prefix, text=fail("shop.Basket().add('a', -3)"))
    assert json.loads(done.stdout)["raiseSite"] is None


def test_harvest_lists_sites_as_drafts_or_as_a_table(prefix: str, site_packages: Path) -> None:
    """Of a package by its name or of a path; nothing is imported."""
    done = _errkb("harvest", "shop", "--python", prefix, "--format", "jsonl")
    drafts = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert {draft["repo"] for draft in drafts} == {"acme/shop"}
    assert "count must be positive, not %d" in {draft["errorMessage"] for draft in drafts}
    assert all(draft["sourceCode"].splitlines() for draft in drafts)
    table = _errkb("harvest", site_packages / "shop" / "errors.py")
    assert "shop/errors.py:9 class OutOfStock" in table.stdout


@pytest.mark.parametrize(
    "arguments", [["harvest", "nothing-of-this-name"], ["explain", "--python", "/nothing", "a.Error: b"]]
)
def test_what_is_not_there_is_wrong_use(arguments: list[str]) -> None:
    """Exit status 2, and one sentence."""
    done = _errkb(*arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_drift_tells_what_became_of_each_record(tmp_path: Path, prefix: str, make_document: Make) -> None:
    """Exit status 1 if any is reworded or gone, 0 if all are there."""
    there = make_document("cards are not taken yet", filePath="shop/__init__.py", lineNumber=29, repo="acme/shop")
    other = make_document("cards are never taken here", filePath="shop/__init__.py", lineNumber=29, repo="acme/shop")
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(there))
    arguments = ("drift", path, "--source", "shop", "--python", prefix, "--repo", "acme/shop")
    done = _errkb(*arguments)
    assert (done.returncode, done.stdout) == (0, "acme/shop against shop 1.2: 1 unchanged\n")
    path.write_text(json.dumps(there) + "\n" + json.dumps(other))
    done = _errkb(*arguments, "--json")
    assert done.returncode == 1
    assert [one["status"] for one in json.loads(done.stdout)["records"]] == ["unchanged", "reworded"]
