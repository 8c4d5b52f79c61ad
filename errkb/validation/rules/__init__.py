"""The rules that a dataset is held to, one module for each letter of their codes."""

from errkb.validation.rule import Rule
from errkb.validation.rules import (
    code,
    document,
    example,
    identity,
    labels,
    location,
    matching,
    pattern,
    privacy,
    prose,
)

RULES: tuple[Rule, ...] = (
    *document.RULES,
    *identity.RULES,
    *pattern.RULES,
    *location.RULES,
    *labels.RULES,
    *prose.RULES,
    *privacy.RULES,
    *example.RULES,
    *code.RULES,
    *matching.RULES,
)
"""All rules, in the order in which they are checked."""
