"""What each kind of evidence adds: quality with all of them, and with each switched off in turn.

    python benchmarks/ranking.py [--cases FILE --records FILE] [--distractors FILE]

Without files the cases are made: messages of installed packages, filled with values, and a part of
them cut, wrapped inside words, stripped of quotes, or reworded; beside them lines of logs. With
files: `cases` (JSON Lines of `error_class`, `message`, `package` and `expect` with `id` and
`captures`), the `records` that they expect, and `distractors` (`package`, `class`, `template`,
`file`, `line`). Records whose messages differ in nothing but the names of placeholders count as
one: no text distinguishes them.
"""

import argparse
import gzip
import json
import random
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from datasets import record, templates
from log_lines import log_lines
from templates import Template, installed_roots

import errkb
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Evidence
from errkb.reading import Occurrence
from errkb.records.template import derive_pattern, fill

OFF: dict[str, dict[str, Callable[..., Any]]] = {
    "everything": {},
    "literal weight": {"evidence.literal_weight": lambda weight, kind: Evidence("literals", 0.8, "")},
    "coverage": {"evidence.coverage": lambda kind, share: Evidence("coverage", 1.0, "")},
    "class": {"matcher.class_agreement": lambda written, recorded: Evidence("class", 0.95, "")},
    "frames": {"matcher.frame_agreement": lambda *_args: Evidence("frames", 1.0, "")},
    "changes": {"matcher.changed": lambda note, factor: Evidence("changed", 1.0, "")},
    "loose readings": {"matcher._loose": lambda question, candidates: iter(())},
    "reworded readings": {"matcher._reworded": lambda question, candidates: iter(())},
}


class Case(NamedTuple):
    """A message, and the record's message that should win, with its values; None where none should."""

    error_class: str | None
    message: str
    expected: str | None
    """The pattern of the record."""
    captures: list[str] | None


def made_cases(seed: int = 1) -> tuple[list[dict[str, Any]], list[Case]]:
    """Records of installed packages, and cases made of them."""
    rng = random.Random(seed)
    found = templates(installed_roots())
    specific = [
        template
        for template in found
        if len(re.findall("[A-Za-z]{3,}", re.sub(r"\{[^{}]*\}", "", template.message))) >= 4
        and "(.+?)(.+?)" not in derive_pattern(template.message)  # the end of the first value is anywhere
    ]
    cases = [Case(None, line, None, None) for line in log_lines(1000)]
    for template in rng.sample(specific, 1200):
        values: list[str] = []

        def value(_number: int, _name: str, values: list[str] = values) -> str:
            values.append(rng.choice(("qz1", "17", "alpha-beta", "/srv/x.py", "Qk9")))
            return values[-1]

        text = fill(template.message, value)
        error_class = rng.choice((template.error_class, None))
        change = rng.choice(("none", "none", "cut", "quotes", "wrap", "reword"))
        if change == "none":
            cases.append(Case(error_class, text, derive_pattern(template.message), values))
        else:
            cases.append(Case(error_class, changed(text, change, rng), derive_pattern(template.message), None))
    return [record(template) for template in found], cases


def changed(text: str, change: str, rng: random.Random) -> str:
    """A message as it may reach a reader."""
    if change == "cut":
        return text[: max(25, int(len(text) * rng.uniform(0.6, 0.95)))]
    if change == "quotes":
        return text.translate(dict.fromkeys(map(ord, "'\"`")))
    if change == "wrap":
        return "\n".join(text[start : start + 40] for start in range(0, len(text), 40))
    words = text.split(" ")
    for place in rng.sample(range(len(words)), max(1, len(words) // 8)):
        words[place] = rng.choice((words[place][:-1], "please", words[place] + "s"))
    return " ".join(words)


def given_cases(cases: Path, records: Path, distractors: Path | None) -> tuple[list[dict[str, Any]], list[Case]]:
    """Records and cases from files."""
    documents = [json.loads(line) for line in records.open(encoding="utf-8")]
    patterns = {document["id"]: document["messagePattern"] for document in documents}
    known = {document["errorMessage"] for document in documents}
    if distractors is not None:
        for row in read_lines(distractors):
            template = Template(
                row["package"], (row["class"] or "").split(".")[-1], row["template"], row["file"], row["line"]
            )
            if template.message not in known and " " not in template.file:
                documents.append(record(template))
    found = []
    for row in map(json.loads, cases.open(encoding="utf-8")):
        expect = row["expect"] or {}
        if row["package"] is None:
            found.append(Case(None, row["text"], None, None))
        elif expect:
            found.append(Case(row["error_class"], row["message"], patterns[expect["id"]], expect["captures"]))
    random.Random(3).shuffle(documents)
    return documents, found


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON Lines, compressed or not."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def measure(kb: KnowledgeBase, cases: Iterable[Case]) -> dict[str, float]:
    """Shares: the right message first, among the first five (changed messages apart), right values, silence."""
    tally: dict[str, list[bool]] = {name: [] for name in ("rank-1", "top-5", "changed", "captures", "silence")}
    for case in cases:
        occurrence = Occurrence(message=case.message, span=(0, len(case.message)), error_class=case.error_class or None)
        matches = kb.search_occurrences([occurrence], limit=5)
        found = [match.record.message_pattern for match in matches]
        if case.expected is None:
            tally["silence"].append(not matches)
        elif case.captures is None:
            tally["changed"].append(found[:1] == [case.expected])
        else:
            tally["rank-1"].append(found[:1] == [case.expected])
            tally["top-5"].append(case.expected in found)
            if found[:1] == [case.expected]:
                values = [" ".join(value.split()) for value in matches[0].captures.values()]
                tally["captures"].append(values == case.captures)
    return {name: sum(results) / len(results) if results else float("nan") for name, results in tally.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--records", type=Path)
    parser.add_argument("--distractors", type=Path)
    arguments = parser.parse_args()
    if arguments.cases:
        documents, cases = given_cases(arguments.cases, arguments.records, arguments.distractors)
    else:
        documents, cases = made_cases()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
        print(f"{len(documents)} records, {len(cases)} cases\n")
        print(f"| {'switched off':20} | rank-1 | top-5 | changed | captures | silence |")
        print("|---|---|---|---|---|---|")
        for name, functions in OFF.items():
            patches = [patch(f"errkb.matching.{key}", stand_in) for key, stand_in in functions.items()]
            for one in patches:
                one.start()
            figures = measure(errkb.load(path), cases)
            for one in patches:
                one.stop()
            label = "nothing" if name == "everything" else name
            print(f"| {label:20} | " + " | ".join(f"{figure:.3f}" for figure in figures.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
