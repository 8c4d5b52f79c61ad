"""A table of texts and the occurrences that must be read from them, each in many carriers."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from errkb.reading import Occurrence, occurrences

FOLDER = Path(__file__).parent / "cases"
EXPECTED = re.compile(r"#= (?:\[(?P<role>\w+)\] )?(?P<name>-|[\w.]+):(?: (?P<message>.*?))?(?: @(?P<location>.+))?$")


class Expected(NamedTuple):
    name: str | None
    message: str
    role: str | None
    location: str | None


class Case(NamedTuple):
    title: str
    text: str
    expected: tuple[Expected, ...]
    skip: frozenset[str]
    """The carriers that make no sense for the text; ``loose``: any place of the occurrence will do."""


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file: ``##### title``, the text, ``#= [role] Class: message @location``, ``#? skips``."""
    cases = []
    for block in re.split(r"(?m)^##### ", path.read_text(encoding="utf-8"))[1:]:
        title, _, rest = block.partition("\n")
        lines = rest.rstrip("\n").split("\n")
        text = "\n".join(line for line in lines if not line.startswith(("#= ", "#? ")))
        text = text.replace("␛", "\x1b").replace("␇", "\a")
        expected = []
        for line in lines:
            if line.startswith("#= "):
                match = EXPECTED.match(line)
                assert match, line
                message = (match["message"] or "").replace("\\n", "\n")
                expected.append(Expected(match["name"].strip("-") or None, message, match["role"], match["location"]))
        skip = frozenset(word for line in lines if line.startswith("#? ") for word in line[3:].split())
        cases.append(Case(title, text, tuple(expected), skip))
    return cases


KNOWN_WRONG = FOLDER / "known_wrong.txt"
CASES = [case for path in sorted(FOLDER.glob("*.txt")) if path != KNOWN_WRONG for case in read_cases(path)]


def each_line(prefix: str) -> Callable[[str], str]:
    """Return what puts a prefix before each line."""
    return lambda text: "\n".join(prefix + line for line in text.split("\n"))


def tabbed(text: str) -> str:
    """Return the text with tabs for indentation."""
    return re.sub(r"(?m)^( {4})+", lambda match: "\t" * (len(match[0]) // 4), re.sub(r"(?m)^  (?=File )", "\t", text))


def coloured(text: str) -> str:
    """Return the text with colour in each line."""
    return "\n".join(f"\x1b[31m{line[:9]}\x1b[1;33m{line[9:]}\x1b[0m" if line else line for line in text.split("\n"))


CARRIERS: dict[str, Callable[[str], str]] = {
    "bare": lambda text: text,
    "indented": each_line("    "),
    "quotes": each_line("> "),
    "fence": lambda text: f"```python-traceback\n{text}\n```",
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "tabs": tabbed,
    "ansi": coloured,
    "prefix-time": each_line("2024-05-06 07:08:09,123 ERROR [app.main] "),
    "prefix-rank": each_line("[rank5]: "),
    "prefix-container": each_line("api_1  | "),
}


def fold(text: str) -> str:
    """Return the text with white space folded and without a final full stop."""
    return " ".join(text.split()).rstrip(".")


def agrees(found: Occurrence, expected: Expected) -> bool:
    """Tell whether an occurrence is the expected one."""
    return (
        fold(found.message) == fold(expected.message)
        and found.error_class == expected.name
        and (expected.role is None or found.role == expected.role)
        and (expected.location is None or found.location == expected.location)
    )


def test_the_table_is_large_enough() -> None:
    """At least 150 cases stand in the table, each with a title of its own."""
    assert len(CASES) >= 150
    assert len({case.title for case in CASES}) == len(CASES)


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_what_is_expected_is_read_in_every_carrier(case: Case, carrier: str) -> None:
    """The expected occurrences come first, in order, whatever the text was carried by."""
    if carrier != "bare" and case.skip & {carrier, carrier.partition("-")[0], "all"}:
        pytest.skip("senseless for this text")
    text = CARRIERS[carrier](case.text)
    found = occurrences(text)
    shown = [(item.role.value, item.error_class, item.message, item.location) for item in found[:4]]
    if "loose" in case.skip:
        assert any(agrees(item, case.expected[0]) for item in found), shown
        return
    assert len(found) >= len(case.expected), shown
    for item, expected in zip(found, case.expected, strict=False):
        assert agrees(item, expected), shown


@pytest.mark.xfail(reason="known to be wrong; when it passes, the case moves to the file of its shape", strict=True)
@pytest.mark.parametrize("case", read_cases(KNOWN_WRONG), ids=lambda case: case.title)
def test_what_is_known_to_be_wrong_still_is(case: Case) -> None:
    """What the reader gets wrong is written down; the first occurrence is not yet the expected one."""
    assert agrees(occurrences(case.text)[0], case.expected[0])
