"""Harvesting takes any source there is, and runs none."""

import contextlib
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errkb.source_analysis.harvest import harvest_files, harvest_source
from errkb.source_analysis.parsed_source import LARGEST_FILE, UnreadableSourceError

_RAISE = "raise ValueError('the text')\n"

ODD_SOURCES: list[tuple[str, bytes]] = [
    ("byte order mark", b"\xef\xbb\xbf" + _RAISE.encode()),
    ("carriage returns", b"x = 1\r\n\r\nif x:\r\n    " + _RAISE.encode()),
    ("latin-1 by its cookie", b"# coding: latin-1\n# \xe4\n" + _RAISE.encode()),
    ("bytes that are no UTF-8", b"# \xff\n" + _RAISE.encode()),
    ("an unknown cookie", b"# coding: nonsense\n" + _RAISE.encode()),
    ("a form feed", b"x = 1\n\x0c\n" + _RAISE.encode()),
    ("an escape that is none", b"x = '\\d'\n" + _RAISE.encode()),
    ("wide characters before it on the line", "äöü = '€'; ".encode() + _RAISE.encode()),
]


@pytest.mark.parametrize("content", [case[1] for case in ODD_SOURCES], ids=[case[0] for case in ODD_SOURCES])
def test_odd_encodings_are_read(content: bytes) -> None:
    """Whatever the encoding and the line ends, the site is found, and no warning is printed."""
    (site,) = harvest_source(content)
    assert site.template == "the text"


BROKEN: list[tuple[str, bytes]] = [
    ("a syntax error", b"raise ValueError('x'\n"),
    ("a null byte", b"raise ValueError('x\x00')\n"),
    ("Python 2", b"raise ValueError, 'x'\n"),
    ("brackets without end", b"raise " + b"(" * 5000),
    ("a very long chain of operators", b"raise ValueError(" + b"-" * 100_000 + b"1)\n"),
]


@pytest.mark.parametrize("content", [case[1] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_what_cannot_be_parsed_is_said_to_be_unreadable(content: bytes) -> None:
    """One kind of exception, whatever the parser trips over."""
    with pytest.raises(UnreadableSourceError):
        harvest_source(content)


def test_broken_files_do_not_hide_the_others(tmp_path: Path) -> None:
    """They are reported with a reason; so are files too large and files that are gone."""
    (tmp_path / "good.py").write_text(_RAISE)
    (tmp_path / "broken.py").write_text("raise (\n")
    with (tmp_path / "large.py").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    (tmp_path / "folder.py").mkdir()
    names = ["broken.py", "folder.py", "gone.py", "large.py", "good.py"]
    found = harvest_files(tmp_path, map(PurePosixPath, names))
    assert [site.file for site in found.sites] == ["good.py"]
    assert [skipped.file for skipped in found.skipped] == names[:-1]
    assert all(skipped.reason for skipped in found.skipped)


def test_long_sums_and_chains_of_texts_are_read() -> None:
    """A message of many pieces, and a class hierarchy in a circle, end."""
    long = " + ".join(["'piece '"] * 300)
    (site,) = harvest_source(f"raise ValueError({long})")
    assert site.template == "piece " * 300
    circle = "class A(B): pass\nclass B(A): pass\nX = Y\nY = X\nT = T2 + 'a'\nT2 = T + 'b'\nraise A(T)\nraise B(X)\n"
    assert harvest_source(circle)


def test_nothing_of_the_source_is_run(tmp_path: Path) -> None:
    """Not even what stands at its top level."""
    trap = tmp_path / "trap"
    harvest_source(f"open({str(trap)!r}, 'w')\nimport nothing_at_all\nraise ValueError('text')\n")
    assert not trap.exists()


_ATOMS = st.sampled_from([
    "raise", "ValueError", "(", ")", "'text'", "f'{x}'", "%", ".format", "if", "else", ":", "\n", "    ", "x", "=", ",",
    "try", "except", "for", "in", "while", "match", "case", "_", "def", "f", "class", "C", "+", "[", "]", "{", "}", "*",
    "return", "assert", "lambda", "not", "warnings.warn", "self", ".", "\t", "async ", "'", "#", "ä", "\x0c",
])  # fmt: skip


@given(st.one_of(st.text(max_size=80), st.lists(_ATOMS, max_size=40).map("".join)))
def test_any_text_is_harvested_or_unreadable(text: str) -> None:
    """No other exception ever comes out."""
    with contextlib.suppress(UnreadableSourceError):
        harvest_source(text)
