"""G: the labels that records are grouped by."""

from collections.abc import Iterable

from errkb.errors import did_you_mean
from errkb.validation.finding import Fix
from errkb.validation.rule import Context, Rule, Subject, Violation


def _tags(subject: Subject, _context: Context) -> Iterable[Violation]:
    tags = list(subject.record.tags)
    wanted = sorted(set(tags))
    if tags == wanted:
        return ()
    fix = Fix("tags", wanted)
    repeated = sorted({tag for tag in tags if tags.count(tag) > 1})
    if repeated:
        return [Violation(f"repeated: {', '.join(repeated)}", "/tags", fix)]
    return [Violation(f"not sorted: {', '.join(wanted)} is the order", "/tags", fix)]


def _family(subject: Subject, context: Context) -> Iterable[Violation]:
    tag = subject.record.background_tag
    if context.families is None or tag is None or tag in context.families:
        return ()
    hint = did_you_mean(tag, context.families)
    message = f"{tag!r} is none of the families in families.json{f'; {hint}' if hint else ''}"
    return [Violation(message, "/backgroundTag")]


TAGS = Rule(
    code="G001",
    name="tags-order",
    what="Tags are not sorted, or one is repeated.",
    why="In one order, a change of tags shows as just that in a diff.",
    bad='"tags": ["vllm", "configuration", "vllm"]',
    good='"tags": ["configuration", "vllm"]',
    check=_tags,
    fixable=True,
)
FAMILY = Rule(
    code="G002",
    name="unknown-family",
    what="backgroundTag is not in families.json, where such a file lies beside the dataset "
    "(a JSON object, family → what it means in a sentence).",
    why="A family joins errors of many libraries only if all write it alike.",
    bad='"backgroundTag": "missing-dep"',
    good='"backgroundTag": "missing-dependency"',
    check=_family,
)

RULES = (TAGS, FAMILY)
