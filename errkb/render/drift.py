"""What became of records in newer source, for people and for programs."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from errkb.environment.target import Target
from errkb.raise_sites.drift import Drift, DriftStatus
from errkb.render.clean import one_line

VERSION = 1


def drift_text(drifts: Sequence[Drift], repo: str, target: Target) -> str:
    """A line for each record that is not where it was, the templates of those reworded, and a count."""
    lines = []
    for drift in drifts:
        record, site = drift.record, drift.site
        if drift.status in (DriftStatus.UNCHANGED, DriftStatus.UNCHECKED):
            continue
        place = f"{record.file_path}:{record.line_number}"
        if site is not None:
            place += f" -> {site.file}:{site.line}"
        lines.append(one_line(f"{drift.status.value:9} {record.id} {record.slug}  {place}", 1000))
        if drift.status is DriftStatus.REWORDED and site is not None:
            lines += [f"  - {one_line(record.error_message, 1000)}", f"  + {one_line(site.template, 1000)}"]
    counts = Counter(drift.status.value for drift in drifts)
    counted = ", ".join(f"{counts[status.value]} {status.value}" for status in DriftStatus if counts[status.value])
    lines.append(one_line(f"{repo} against {target.name} {target.version}".strip() + f": {counted}", 1000))
    return "".join(f"{line}\n" for line in lines)


def drift_json(drifts: Sequence[Drift], repo: str, target: Target) -> str:
    """One JSON document, see docs/json.md."""
    document = {
        "version": VERSION,
        "repo": repo,
        "source": {"name": target.name, "version": target.version or None, "root": str(target.root)},
        "records": [_record(drift) for drift in drifts],
    }
    return json.dumps(document, indent=2) + "\n"


def _record(drift: Drift) -> dict[str, Any]:
    record, site = drift.record, drift.site
    return {
        "id": record.id,
        "slug": record.slug,
        "status": drift.status.value,
        "errorMessage": record.error_message,
        "filePath": record.file_path,
        "lineNumber": record.line_number,
        "now": {"errorMessage": site.template, "filePath": site.file, "lineNumber": site.line} if site else None,
    }
