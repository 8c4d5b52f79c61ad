"""D: files and records as JSON."""

from collections.abc import Iterable

from errkb.datasets.json_spans import escape_pointer
from errkb.validation.rule import Context, Rule, Subject, Violation


def _unknown_fields(subject: Subject, _context: Context) -> Iterable[Violation]:
    return [Violation(f"unknown field {name!r}", f"/{escape_pointer(name)}") for name in subject.record.extra]


BROKEN = Rule(
    code="D001",
    name="broken-json",
    what="A line or file holds no JSON object.",
    why="A line that is no JSON cannot be read at all. The other lines are read all the same.",
    bad='{"id": "73154bc6b02214fb", "repo": "vllm-project/vl',
    good='{"id": "73154bc6b02214fb", "repo": "vllm-project/vllm", …}',
)
SCHEMA = Rule(
    code="D002",
    name="schema",
    what="A record breaks schema/record.schema.json; the message is that of the jsonschema package.",
    why="Readers skip records that are not valid.",
    bad='"severity": "fatal"',
    good='"severity": "critical"',
)
UNKNOWN_FIELD = Rule(
    code="D003",
    name="unknown-field",
    severity="warning",
    what="A record has a field that this version of the schema does not know.",
    why="Such a field is kept but has no effect: often a misspelt name.",
    bad='"errorClas": "ValueError"',
    good='"errorClass": "ValueError"',
    check=_unknown_fields,
)
DAMAGED = Rule(
    code="D004",
    name="damaged-file",
    what="A file of a dataset is cut or damaged as a whole, or one that its manifest names is missing.",
    why="The records in it are lost to readers, although no single line is wrong.",
    bad="a gzip file without its end; an index that names records which are in no file",
    good="a folder as it was published",
)

RULES = (BROKEN, SCHEMA, UNKNOWN_FIELD, DAMAGED)
