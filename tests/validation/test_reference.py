"""The rules in words."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.validation.reference import explanation, rules_page
from errkb.validation.rule import Rule
from errkb.validation.rules import RULES


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_every_rule_is_explained(rule: Rule) -> None:
    """A rule says what it is, why, and shows both sides; code and name lead to it."""
    assert rule.what.endswith((".", "'."))
    assert rule.why.endswith(".")
    assert rule.bad != rule.good
    assert rule.severity in ("error", "warning")
    text = explanation(rule.code)
    assert text == explanation(rule.name)
    assert all(part in text for part in (rule.code, rule.name, rule.what, rule.why, rule.bad, rule.good))


def test_the_reference_is_current(root: Path) -> None:
    """docs/rules.md is what scripts/write_rules.py writes."""
    assert (root / "docs" / "rules.md").read_text(encoding="utf-8") == rules_page()


def test_the_command_line_explains(errkb: Callable[..., Any]) -> None:
    """--explain and --list-rules print and leave; an unknown rule is wrong use."""
    assert errkb("validate", "--explain", "P001").stdout.decode() == explanation("P001")
    listed = errkb("validate", "--list-rules").stdout.decode().splitlines()
    assert [line.split()[0] for line in listed] == [rule.code for rule in RULES]
    result: Any = errkb("validate", "--explain", "P01")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"did you mean" in result.stderr
