"""The rules that a dataset is held to, one module for each letter of their codes."""

from errkb.validation.rule import Rule
from errkb.validation.rules import (
    collisions,
    document,
    example,
    identity,
    location,
    pattern,
    privacy,
    prose,
    snippets,
    supplement,
    tags,
)

RULES: tuple[Rule, ...] = (
    *document.RULES,
    *identity.RULES,
    *pattern.RULES,
    *location.RULES,
    *tags.RULES,
    *prose.RULES,
    *privacy.RULES,
    *example.RULES,
    *snippets.RULES,
    *collisions.RULES,
    *supplement.RULES,
)
"""All rules, in the order in which they are checked."""
