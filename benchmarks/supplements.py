"""What supplements cost: building and looking up with them against the same records without them, in one run.

    PYTHONPATH=benchmarks python benchmarks/supplements.py [--size 150000] [--supplements 20000] [--runs 11]

The dataset is that of `lookup.py`. Each supplement has a cure, a wording, names and a cause that a value decides.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from datasets import write_dataset

import errkb
from errkb.records.template import capture_names, fill, placeholders

BUILD = (
    "import sys, time; from pathlib import Path; from errkb.index.cache import open_index\n"
    "start = time.perf_counter(); open_index(Path(sys.argv[1])); print(time.perf_counter() - start)"
)


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=150_000)
    parser.add_argument("--supplements", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=11)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ERRKB_CACHE_DIR"] = str(Path(folder) / "cache")
        plain, supplemented = Path(folder) / "plain.jsonl", Path(folder) / "supplemented.jsonl"
        write_dataset(plain, arguments.size)
        supplemented.symlink_to(plain)
        every = arguments.size // arguments.supplements
        with plain.open(encoding="utf-8") as file:
            records = [json.loads(line) for number, line in enumerate(file) if number % every == 0]
        write_supplements(Path(folder) / "supplemented.supplements.jsonl", records)
        for path in (plain, Path(folder) / "supplemented.supplements.jsonl"):
            os.utime(path, (time.time() - 60,) * 2)
        built = building([plain, supplemented], folder, 3)
        print(f"build, seconds: {built[plain]:.1f} without, {built[supplemented]:.1f} with")
        print(f"build with / without: {built[supplemented] / built[plain]:.2f}   wanted <= 1.4")
        without, with_them = errkb.load(plain), errkb.load(supplemented)
        questions = [f"{record['errorClass']}: {message(record['errorMessage'])}" for record in records[:2000]]
        times: dict[str, list[float]] = {"without": [], "with": []}
        for _ in range(arguments.runs):
            for name, kb in (("without", without), ("with", with_them)):
                start = time.perf_counter()
                for question in questions:
                    kb.lookup(question)
                times[name].append(time.perf_counter() - start)
        ratio = statistics.median(b / a for a, b in zip(times["without"], times["with"], strict=True))
        print(f"look-up with / without, of records that have one: {ratio:.2f}   wanted <= 1.2")


def message(template: str) -> str:
    """A message of a template."""
    return fill(template, ["qz1"] * len(placeholders(template)))


def write_supplements(path: Path, records: list[dict[str, str]]) -> None:
    """A supplement for each record."""
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            template = record["errorMessage"]
            names = capture_names(template, len(placeholders(template)))
            supplement = {
                "id": record["id"],
                "cure": "Pass a value that the function takes.",
                "wordings": [{"errorMessage": f"{template} in an older version"}],
                "causes": [
                    {
                        **({"when": {"captures": {names[0]: {"looksLike": "int"}}}} if names else {}),
                        "because": "The value is a number.",
                        "do": "Pass a text.",
                    }
                ],
            }
            file.write(json.dumps(supplement, ensure_ascii=False) + "\n")


def building(paths: list[Path], folder: str, runs: int) -> dict[Path, float]:
    """The shortest time of building each, in processes of their own, one after the other."""
    times: dict[Path, list[float]] = {path: [] for path in paths}
    for run in range(runs):
        for path in paths:
            environment = {**os.environ, "ERRKB_CACHE_DIR": str(Path(folder) / f"build{run}{path.stem}")}
            output = subprocess.check_output([sys.executable, "-c", BUILD, str(path)], env=environment)
            times[path].append(float(output))
    return {path: min(each) for path, each in times.items()}


if __name__ == "__main__":
    main()
