"""Records and raise sites agree: the source of a record's package, where it is installed, says its message."""

import re
from pathlib import Path

import pytest

from errkb.environment.distributions import Distribution, Environment
from errkb.environment.interpreter import own_interpreter
from errkb.knowledge.base import load
from errkb.raise_sites.drift import DriftStatus, compare_with_source
from errkb.records.record import Record
from errkb.records.template import parse_template
from errkb.source_analysis.harvest import harvest_source
from errkb.source_analysis.module_index import ModuleIndex

_BEYOND = {
    "coroutine '{coro.__qualname__}' was never awaited": "the message is a list that grows line by line",
    "Got unexpected extra argument ({args})": "a method makes the exception",
    "fixture '{self.argname}' not found": "it stands in the report of the exception, not in the exception",
}
"""Templates that are out of reach of a reading that runs nothing, and why."""
_RECORDS = list(load(Path(__file__).resolve().parents[2] / "data" / "records.jsonl").records())
_ENVIRONMENT = Environment(own_interpreter())


def _installed() -> list[tuple[Record, Distribution]]:
    owners = {one.repo: one for one in (*_ENVIRONMENT.distributions, _ENVIRONMENT.standard_library) if one}
    return [(record, owners[record.repo]) for record in _RECORDS if record.repo in owners and _file(record, owners)]


def _file(record: Record, owners: dict[str, Distribution]) -> str | None:
    """The record's file, as its distribution names it."""
    wanted = record.file_path.removeprefix("Lib/").removeprefix("src/").removeprefix("lib/")
    return next((str(file) for file in owners[record.repo].files if str(file) == wanted), None)


_INSTALLED = _installed()


@pytest.mark.parametrize(("record", "owner"), _INSTALLED, ids=[record.slug for record, _ in _INSTALLED])
def test_a_record_of_python_source_is_harvested_from_that_source(record: Record, owner: Distribution) -> None:
    """At whatever line of its file, if the installed version has the message at all."""
    file = _file(record, {record.repo: owner})
    assert file
    source = (owner.root / file).read_bytes()
    words = re.findall(r"\w+", " ".join(part for part in parse_template(record.error_message) if isinstance(part, str)))
    if not all(word.encode() in source for word in words):
        pytest.skip(f"{owner.name} {owner.version} says something else")
    sites = harvest_source(source, file, ModuleIndex([owner.root]))
    (drift,) = compare_with_source([record], sites)
    if record.error_message in _BEYOND:
        pytest.xfail(_BEYOND[record.error_message])
    assert drift.status in (DriftStatus.UNCHANGED, DriftStatus.MOVED)


def test_some_records_are_checked_here() -> None:
    """At least those of Python's own modules: the check above is not an empty one."""
    assert len(_INSTALLED) >= 2
