"""Validation: a linter for datasets. It finds and says; it prints nothing."""

from collections.abc import Callable, Iterable
from pathlib import Path

from errkb.validation.checker import Checker
from errkb.validation.finding import Excerpt, Finding, Fix
from errkb.validation.locating import located
from errkb.validation.report import Report
from errkb.validation.settings import Settings

__all__ = ["Excerpt", "Finding", "Fix", "Report", "Settings", "validate"]


def validate(
    paths: Iterable[Path | str], settings: Settings | None = None, progress: Callable[[int], None] | None = None
) -> Report:
    """Check all records of these datasets, each on its own and against the others.

    `progress` is called now and then with the number of records checked. Raises DatasetError if
    a path cannot be read at all.
    """
    checker = Checker(settings or Settings(), progress)
    files = [Path(path) for path in paths]
    for path in files:
        checker.read(path)
    checker.compare()
    checker.check_supplements(files)
    findings = located(checker.found)
    order = {path: number for number, path in enumerate(dict.fromkeys(one.finding.path for one in checker.found))}
    findings.sort(key=lambda finding: (order[finding.path], finding.line, finding.column or 0))
    return Report(findings, checker.records, tuple(files))
