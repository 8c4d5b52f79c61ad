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
    "('Connection aborted.', {new_e!r})": "the message is the repr of the arguments",
    "('Connection broken: {e!r}', {e!r})": "the message is the repr of the arguments",
    "%s": "the message is a value alone",
    "coroutine '{coro.__qualname__}' was never awaited": "the message is a list that grows line by line",
    "A load persistent id instruction was encountered, but no persistent_load function was specified.": "C says it",
    "date value out of range": "C says it, and newer Python sources too, in another way",
    "hostname %r doesn't match %r": "Python 3.12 took the function out",
    "Invalid crypto padding": "a helper of a later version makes the exception",
    "Invalid requirement: {req_as_string!r}: {detail}\nHint: {hint}": "the message grows by a hint",
    "Missing required argument 'digestmod'.": "older versions say `parameter`",
    "Got unexpected extra argument ({args})": "a method makes the exception",
    "fixture '{self.argname}' not found": "it stands in the report of the exception, not in the exception",
    "label empty or too long": "Python 3.13 says `label empty` and `label too long` apart",
    "{name} {version} requires {requirement}, but you'll have {dep_name} {dep_version} which is incompatible.": (
        "it is logged, and made from a list"
    ),
    "resource_tracker: There appear to be %d leaked %s objects to clean up at shutdown": "3.13 adds the names",
    "unhandled errors in a TaskGroup (%d sub-exception)": "the class adds the count to the message",
}
"""Templates that are out of reach of a reading that runs nothing, and why."""
_BEYOND_FILES = {
    "Lib/argparse.py": "a method makes the exception",
    "Lib/asyncio/base_futures.py": "the message is made from a dictionary",
    "Lib/asyncio/futures.py": "it is logged through a dictionary",
    "Lib/asyncio/tasks.py": "it is logged through a dictionary",
    "Lib/configparser.py": "the class makes the message from its arguments",
    "Lib/dataclasses.py": "the template is that of another version",
    "Lib/decimal.py": "the message is a list of classes",
    "Lib/_pydecimal.py": "the message is a list of classes",
    "Lib/http/client.py": "the class makes the message from its attributes",
    "Lib/json/decoder.py": "the class adds the place to the message",
    "Lib/re/_parser.py": "a helper makes the exception and adds the place",
    "Lib/runpy.py": "the class of the error is an argument",
    "Lib/smtplib.py": "the message is the repr of the arguments",
    "Lib/tarfile.py": "the message is a list that grows",
    "Lib/venv/__init__.py": "the text is the shell's",
}
"""Files whose messages are out of reach in the same way."""
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
    if drift.status not in (DriftStatus.UNCHANGED, DriftStatus.MOVED) and (
        why := _BEYOND.get(record.error_message) or _BEYOND_FILES.get(record.file_path)
    ):
        pytest.xfail(why)
    assert drift.status in (DriftStatus.UNCHANGED, DriftStatus.MOVED)


def test_some_records_are_checked_here() -> None:
    """At least those of Python's own modules: the check above is not an empty one."""
    assert len(_INSTALLED) >= 2
