"""What validation found."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from errkb.validation.finding import Finding


class Report(msgspec.Struct, frozen=True):
    """The findings, in the order of the files and lines."""

    findings: Sequence[Finding]
    records: int
    """Records that were read, broken ones included."""
    paths: tuple[Path, ...] = ()
    """The datasets, as they were named."""

    @property
    def valid(self) -> bool:
        """Whether nothing worse than a warning was found."""
        return not any(finding.severity == "error" for finding in self.findings)
