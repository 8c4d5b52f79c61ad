"""M: records compared with each other; `errkb.validation.own_message` does it."""

from errkb.validation.rule import Rule

LOSES = Rule(
    code="M001",
    name="loses-own-message",
    what="What a record's own template gives is answered with another record, or with none.",
    why="The message that a record is about must be answered with that record, or with one of the same template.",
    bad='"messagePattern": "lost" beside another record with "messagePattern": "drawer (.+?) lost: (.+?)"',
    good='"messagePattern": "key of drawer (.+?) lost"',
    superseded_by=("I001", "P001", "P002", "P003", "P004"),
)
INDISTINGUISHABLE = Rule(
    code="M002",
    name="cannot-be-told-apart",
    severity="warning",
    what="Two records match the same messages, with the same class, code, repo and file.",
    why="No error text and no traceback can say which of the two is meant: readers always get both.",
    bad='two records of a file, "cannot open {a}" and "cannot open {b}", both raised as OSError',
    good="one record that explains both causes",
    superseded_by=("I001", "P001", "P002", "P003"),
)

RULES = (LOSES, INDISTINGUISHABLE)
