"""How fast `errkb validate` is, beside a plain loop of jsonschema's validator over the same file.

    python benchmarks/validation.py [-n 150000] [--templates FILE] [--broken 0.001] [--examples unique|shared|none]

Makes a dataset of n records from message templates (one JSON object with `message` or `template`
a line; by default those of this interpreter's library and packages), perturbed where there are
fewer, with prose and examples put together from data/records.jsonl: seeded, so that every run
makes the same file. Then validates it, all rules in one process, and prints records per second,
the ratio, and the peak of memory.
"""

import argparse
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from errkb.datasets.dataset import read_entries
from errkb.datasets.files import read_bytes
from errkb.records.examples import before_and_after
from errkb.records.record import derive_id, derive_slug, json_schema, slug_after_collision
from errkb.records.template import derive_pattern

DATA = Path(__file__).resolve().parent.parent / "data" / "records.jsonl"
Document = dict[str, Any]


def main() -> None:
    """Make the dataset, validate it twice, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=150_000)
    parser.add_argument("--templates", type=Path)
    parser.add_argument("--broken", type=float, default=0.0, help="share of records with a seeded fault")
    parser.add_argument("--examples", choices=["unique", "shared", "none"], default="unique")
    parser.add_argument("--dataset", type=Path, help="validate this file, or write it there if it does not exist")
    parser.add_argument("--sample", type=int, default=0, help="records for jsonschema's loop; 0: all")
    parser.add_argument("--only", choices=["errkb", "jsonschema"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        measure(options.only, options.dataset, options.sample)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = options.dataset or Path(folder) / "records.jsonl"
        if not path.exists():
            write(path, options)
        print(f"{path.stat().st_size / 1e6:.0f} MB, Python {sys.version.split()[0]}")
        rates = []
        for which in ("errkb", "jsonschema"):
            command = [
                sys.executable,
                __file__,
                "--only",
                which,
                "--dataset",
                str(path),
                "--sample",
                str(options.sample),
            ]
            result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            rates.append(result["records"] / result["seconds"])
            print(
                f"{which:10} {result['records']} records in {result['seconds']:.2f} s: {rates[-1]:.0f} a second, "
                f"{result['megabytes']:.0f} MB at most, {result['findings']} findings "
                f"({result['findings'] / result['seconds']:.0f} a second) {result['rules']}"
            )
        print(f"ratio      {rates[0] / rates[1]:.1f}")


def measure(which: str, path: Path, sample: int) -> None:
    """Validate in this process, alone, and print what it took."""
    rules: Counter[str] = Counter()
    if which == "errkb":
        from errkb.validation import validate

        start = time.process_time()
        report = validate([path])
        seconds = time.process_time() - start
        records, findings = report.records, len(report.findings)
        rules.update(finding.rule for finding in report.findings)
    else:
        from jsonschema import Draft202012Validator

        validator = Draft202012Validator(json_schema())
        records = findings = 0
        start = time.process_time()
        with path.open("rb") as file:
            for line in file:
                findings += sum(1 for _ in validator.iter_errors(json.loads(line)))
                records += 1
                if records == sample:
                    break
        seconds = time.process_time() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {
                "seconds": seconds,
                "records": records,
                "findings": findings,
                "rules": dict(rules),
                "megabytes": megabytes,
            }
        )
    )


def write(path: Path, options: argparse.Namespace) -> None:
    """The dataset."""
    chance = random.Random(6)
    maker = _Maker(chance, options.examples)
    slugs: set[str] = set()
    seen: set[str] = set()
    with path.open("w", encoding="utf-8") as file:
        for package, name, message in _perturbed(options, chance):
            document = maker.record(package, name, message)
            if document["id"] in seen:
                continue
            seen.add(document["id"])
            if f"{document['repo']}/{document['slug']}" in slugs:
                document["slug"] = slug_after_collision(document["slug"], document["id"])
            slugs.add(f"{document['repo']}/{document['slug']}")
            if chance.random() < options.broken:
                document[chance.choice(["severity", "errorType", "solutions"])] = "broken"
            file.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")
            if len(seen) == options.n:
                break


def _perturbed(options: argparse.Namespace, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Package, class and message: the templates, then over and over with a word changed."""
    templates = list(dict.fromkeys(_templates(options.templates)))
    chance.shuffle(templates)
    words = [word for _, _, message in templates for word in re.findall(r"\b[a-z]{5,}\b", message)]
    yield from templates
    while True:
        for package, name, message in templates:
            places = list(re.finditer(r"(?<![{\w.%])[A-Za-z]{4,}(?![\w.]*\})", message))
            for place in chance.sample(places, min(2, len(places))):
                message = message.replace(place[0], chance.choice(words), 1)
            yield package, name, message


def _templates(path: Path | None) -> Iterator[tuple[str, str, str]]:
    if path is None:
        from templates import harvest, installed_roots

        for root in installed_roots():
            for template in harvest(root):
                yield template.package, template.error_class, template.message
        return
    for line in read_bytes(path).splitlines():
        one = json.loads(line)
        yield one["package"], one.get("error_class") or one["class"], one.get("message") or one["template"]


class _Maker:
    """A maker of records from messages and from pieces of real ones."""

    def __init__(self, chance: random.Random, examples: str) -> None:
        self.chance = chance
        self.examples = examples
        known = [json.loads(entry.raw) for entry in read_entries(DATA) if hasattr(entry, "raw")]
        self.known = known
        self.sentences = [
            sentence
            for record in known
            for field in ("documentation", "triggerScenarios", "commonSituations")
            for sentence in re.split(r"(?<=[.;:]) ", record[field])
        ]
        self.solutions = [solution for record in known for solution in record["solutions"]]
        self.halves = [halves for record in known if (halves := before_and_after(record["exampleFix"]))]
        self.number = 0

    def record(self, package: str, name: str, message: str) -> Document:
        """A record without fault, of the size of a real one."""
        self.number += 1
        chance = self.chance
        repo, path = f"{re.sub('[^A-Za-z0-9._-]', '-', package)}/{package}", f"{package}/module{self.number % 300}.py"
        repo = re.sub(r"[^A-Za-z0-9._/-]", "-", repo)
        sha, start = f"{hash_of(repo):040x}", chance.randint(1, 3000)
        return {
            **chance.choice(self.known),
            "id": derive_id(repo, None, message, path),
            "repo": repo,
            "slug": derive_slug(None, message),
            "errorCode": None,
            "errorMessage": message,
            "messagePattern": derive_pattern(message),
            "errorClass": name,
            "filePath": path,
            "lineNumber": start + 3,
            "sourceCode": None,
            "sourceCodeStart": start,
            "sourceCodeEnd": start + 9,
            "githubUrl": f"https://github.com/{repo}/blob/{sha}/{path}#L{start}-L{start + 9}",
            "documentation": " ".join(chance.sample(self.sentences, 4)),
            "triggerScenarios": " ".join(chance.sample(self.sentences, 4)),
            "commonSituations": " ".join(chance.sample(self.sentences, 4)),
            "solutions": chance.sample(self.solutions, 4),
            "exampleFix": self.example(),
            "tags": sorted(chance.choice(self.known)["tags"]),
            "analyzedSha": sha,
        }

    def example(self) -> str | None:
        """A real example, `unique` with a line of its own in each half."""
        if self.examples == "none":
            return None
        before, after = self.chance.choice(self.halves)
        own = f"\nrun = {self.number}" if self.examples == "unique" else ""
        return f"# before\n{before}{own}\n\n# after\n{after}{own}"


def hash_of(text: str) -> int:
    """A number that is the same in every run."""
    return int.from_bytes(random.Random(text).randbytes(20), "big")


if __name__ == "__main__":
    main()
