"""The JSON Schema in another language: ajv, of npm, must accept and refuse the same records as errkb.

    python benchmarks/ajv.py [-n 2500] [--modules FOLDER]

Makes n mutations of the bundled records (fields missing, added, of another type, of values at the
edges of what is allowed), seeded, and puts each to ajv over schema/record.schema.json, to the
Struct, to the decoder of validation and to the jsonschema package. Needs node; ajv is looked for in
FOLDER/node_modules, or installed into a temporary folder with npm.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from jsonschema import Draft202012Validator

from errkb.errors import DatasetError
from errkb.records.record import FIELDS, json_schema, read_record
from errkb.validation.decoding import decode

ROOT = Path(__file__).resolve().parent.parent
Document = dict[str, Any]

JUDGE = """
const Ajv = require("ajv/dist/2020").default;
const lines = require("fs").readFileSync(0, "utf8").split("\\n");
const validate = new Ajv({ strict: false, allErrors: false }).compile(JSON.parse(lines[0]));
process.stdout.write(lines.slice(1).filter(Boolean).map((line) => (validate(JSON.parse(line)) ? "1" : "0")).join(""));
"""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.0, 1.5, 99, 100, 100.0, 599, 599.0, 600, 2, 2.0, 3, 1e2, 2**53, -0.0,
    "", " ", "x", "X", "a-b", "a--b", "-a", "a-", "a_b", "a\n", "é", "日本", "\u2028", "\ud83d\ude00", "TODO",
    "0" * 16, "0" * 15, "g" * 16, "A" * 16, "0" * 16 + "\n", "0" * 40, "0" * 39, "0" * 41, "F" * 40,
    "a/b", "a/", "/b", "a/b/c", "a b/c", "a.b/c_d-e", "https://github.com/", "https://github.com/a", "http://github.com/a",
    "https://github.com/a b", "https://github.com/\u007f", "https://github.com/é", "https://github.com/a\n",
    "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00+00:00", "2026-1-1T00:00:00Z", "9999-99-99T99:99:99Z", "2026-01-01T00:00:00Z\n",
    "exception", "Exception", "error_code", "console", "http", "validation", "panic", "critical", "error", "warning",
    "info", "fatal", "try-catch", "type-guard", "retry", "fallback",
    [], [""], ["a"], ["a", "A"], ["a", 1], [None], [[]], ["a\n"], {}, {"a": 1},
)  # fmt: skip


def main() -> int:
    """Compare; 1 if anybody disagrees."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=2500)
    parser.add_argument("--modules", type=Path)
    options = parser.parse_args()
    node = shutil.which("node")
    if node is None:
        print("no node here: nothing was compared")
        return 0
    documents = mutations(options.n)
    with tempfile.TemporaryDirectory() as folder:
        place = options.modules or Path(folder)
        if not (place / "node_modules" / "ajv").is_dir():
            npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(place), "ajv@8"]
            subprocess.run(npm, check=True, stdout=subprocess.DEVNULL)
        text = "\n".join(json.dumps(one) for one in (json_schema(), *documents))
        judged = subprocess.run(
            [node, "-e", JUDGE], input=text.encode(), cwd=place, capture_output=True, check=True
        ).stdout.decode()
    return compared(documents, [char == "1" for char in judged])


def compared(documents: list[Document], theirs: list[bool]) -> int:
    """Print what was found; 1 if there is any difference."""
    validator = Draft202012Validator(json_schema())
    different = 0
    for document, ajv in zip(documents, theirs, strict=True):
        verdicts = {
            "ajv": ajv,
            "Struct": by_struct(document),
            "decoder": by_decoder(document),
            "jsonschema": validator.is_valid(document),
        }
        if len(set(verdicts.values())) > 1:
            different += 1
            if different <= 10:
                print(verdicts, json.dumps(document)[:300])
    print(f"{len(documents)} mutations, {sum(theirs)} accepted, {different} differences")
    return int(different > 0)


def by_struct(document: Document) -> bool:
    """Whether the definition of a record accepts a document."""
    try:
        read_record(document)
    except DatasetError:
        return False
    return True


def by_decoder(document: Document) -> bool:
    """Whether the fast decoder of validation does; it sends on what has unknown fields, and numbers like 1.0."""
    try:
        decode(json.dumps(document).encode())
    except (msgspec.DecodeError, ValueError):
        return by_struct(document)
    return True


def mutations(count: int) -> list[Document]:
    """Mutated records, the same in every run."""
    chance = random.Random(2020)
    records = [json.loads(line) for line in (ROOT / "data" / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    made = []
    for number in range(count):
        document = dict(chance.choice(records))
        for _ in range(1 + (number % 5 == 0)):
            name = chance.choice(list(FIELDS))
            match chance.randrange(10):
                case 0:
                    document.pop(name, None)
                case 1:
                    document[chance.choice(["contentChangedAt", "Id", "", "a/b"])] = chance.choice(VALUES)
                case 2 if isinstance(document.get(name), str):
                    document[name] = document[name][: chance.randrange(len(document[name]) + 1)]
                case 3 if isinstance(document.get(name), list):
                    document[name] = [*document[name], chance.choice(VALUES)]
                case _:
                    document[name] = chance.choice(VALUES)
        made.append(document)
    return made


if __name__ == "__main__":
    sys.exit(main())
