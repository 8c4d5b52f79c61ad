"""Which rules are held, and how strictly: what flags and configuration say, understood."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from errkb.errors import ErrkbError, did_you_mean
from errkb.folders import relative_name
from errkb.validation.rule import Rule
from errkb.validation.rules import RULES

SEVERITIES = ("error", "warning")


class UnknownRuleError(ErrkbError):
    """A rule that there is none of by this code or name."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The rules that are reported, each with its severity, and where not."""

    severities: Mapping[str, str] = msgspec.field(default_factory=lambda: {rule.code: rule.severity for rule in RULES})
    """Code → severity, of the rules that are reported."""
    per_file: tuple[tuple[str, frozenset[str]], ...] = ()
    """Pattern of paths, relative to `folder` → codes of rules that are not reported there."""
    folder: Path | None = None

    def severity(self, code: str, path: Path) -> str | None:
        """The severity of a rule's findings in a file; None if they are not reported."""
        severity = self.severities.get(code)
        if severity is None or not self.per_file:
            return severity
        name = relative_name(path, self.folder)
        ignored = any(
            code in codes and (fnmatchcase(name, pattern) or fnmatchcase(path.name, pattern))
            for pattern, codes in self.per_file
        )
        return None if ignored else severity


def settings(
    *,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    per_file_ignores: Mapping[str, Iterable[str]] | None = None,
    severity: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """Settings by codes (`P001`), names (`pattern-dialect`), letters (`P`) or `ALL`; nothing selected means all.

    Raises UnknownRuleError, or ErrkbError for a severity that there is none of.
    """
    chosen = codes(select) or frozenset(rule.code for rule in RULES)
    chosen -= codes(ignore)
    severities = {rule.code: rule.severity for rule in RULES if rule.code in chosen}
    for name, value in (severity or {}).items():
        if value not in SEVERITIES:
            raise ErrkbError(f"severity of {name!r}: {value!r} is none of {', '.join(SEVERITIES)}")
        severities.update((code, value) for code in codes([name]) if code in severities)
    per_file = tuple((pattern, codes(names)) for pattern, names in (per_file_ignores or {}).items())
    return Settings(severities=severities, per_file=per_file, folder=folder)


def codes(names: Iterable[str]) -> frozenset[str]:
    """The codes that these words name. Raises UnknownRuleError."""
    found: set[str] = set()
    for name in names:
        matching = [rule.code for rule in RULES if _means(name, rule)]
        if not matching:
            raise UnknownRuleError(_unknown(name))
        found.update(matching)
    return frozenset(found)


def find_rule(name: str) -> Rule:
    """The rule with this code or name. Raises UnknownRuleError."""
    for rule in RULES:
        if name.lower() in (rule.code.lower(), rule.name):
            return rule
    raise UnknownRuleError(_unknown(name))


def _means(name: str, rule: Rule) -> bool:
    wanted = name.lower()
    return wanted in ("all", rule.name, rule.code.lower(), rule.code[0].lower())


def _unknown(name: str) -> str:
    known = [word for rule in RULES for word in (rule.code, rule.name)]
    hint = did_you_mean(name, known) or did_you_mean(name.upper(), known) or "`errkb validate --list-rules` shows all"
    return f"there is no rule {name!r}; {hint}"
