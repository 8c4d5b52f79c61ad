"""Every figure of the look-up, each as a ratio against its reference in the same run.

    python benchmarks/lookup.py [--size 150000] [--runs 21] [--worst TEXTS.jsonl] [--hyperscan]

The dataset is made from the templates of this interpreter's library and packages, perturbed to the
wanted size, seeded. `--worst` names JSON Lines with a `text` each; the slowest of them is reported.
`--hyperscan` compares with that (`pip install hyperscan`).
"""

import argparse
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from datasets import sentences, write_dataset
from log_lines import log_lines

import errkb
from errkb.index import Index, message_keys
from errkb.index.cache import index_path, open_index
from errkb.index.format import UNSPECIFIC_WEIGHT
from errkb.knowledge.base import KnowledgeBase
from errkb.patterns import Message
from errkb.records.template import fill

VALUES = ("qz1", "17", "alpha-beta", "/srv/x.py", "['a', 'b']", "0.25")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=150_000)
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--worst", type=Path)
    parser.add_argument("--hyperscan", action="store_true", help="compare with hyperscan, which takes long to compile")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ERRKB_CACHE_DIR"] = str(Path(folder) / "cache")
        small, middle, large = (Path(folder) / f"{name}.jsonl" for name in ("small", "middle", "large"))
        for path, size in ((small, 1000), (middle, 10_000), (large, arguments.size)):
            write_dataset(path, size)
            os.utime(path, (time.time() - 60,) * 2)
        print(f"{arguments.size} records, {large.stat().st_size / 1e6:.0f} MB; medians of {arguments.runs} runs\n")
        building(large)
        open_index(small)
        cold(small, large, arguments.runs)
        kb = errkb.load(large)
        questions = made_questions(open_index(large), 20_000)
        warm(kb, open_index(large), questions, arguments.runs, against_hyperscan=arguments.hyperscan)
        tail(kb, questions, arguments.worst)
        recall(open_index(middle))


def row(name: str, value: str, wanted: str) -> None:
    """One line of the table."""
    print(f"{name:68} {value:>22}   wanted {wanted}", flush=True)


def building(path: Path) -> None:
    """Time, size and memory of building an index, in a process of its own; the second start builds nothing."""
    code = (
        "import sys, time, resource; from pathlib import Path; from errkb.index.cache import open_index\n"
        "wanted = {'searchable': True} if sys.argv[2:] else {}\n"
        "start = time.perf_counter(); index = open_index(Path(sys.argv[1]), **wanted); end = time.perf_counter()\n"
        "print(end - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(index))"
    )
    first, second = (
        [float(figure) for figure in subprocess.check_output([sys.executable, "-c", code, str(path)]).split()]
        for _ in range(2)
    )
    row("build, seconds", f"{first[0]:.1f}", "<= 10")
    row("build, peak memory, MB", f"{first[1]:.0f}", "<= 600")
    row("index, bytes a record", f"{index_path(path).stat().st_size / first[2]:.0f}", "<= 300")
    row("second start, seconds", f"{second[0]:.4f}", "builds nothing")
    words = [float(figure) for figure in subprocess.check_output([sys.executable, "-c", code, path, "words"]).split()]
    row("build with the words of errkb search, seconds", f"{words[0]:.1f}", "")
    row(
        "index with the words of errkb search, bytes a record",
        f"{index_path(path).stat().st_size / words[2]:.0f}",
        "<= 300",
    )


def cold(small: Path, large: Path, runs: int) -> None:
    """Whole processes: explaining at both sizes against importing click."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    text = questions_text(open_index(small))  # which both datasets know
    commands = {
        "click": [sys.executable, "-c", "import click"],
        "small": [sys.executable, "-m", "errkb", "explain", "--json", "--data", str(small), text],
        "large": [sys.executable, "-m", "errkb", "explain", "--json", "--data", str(large), text],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    peak = 0
    for run in range(runs + 2):
        for name, command in commands.items():
            start = time.perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            if run >= 2:
                times[name].append(time.perf_counter() - start)
            if name == "large":
                peak = max(peak, usage.ru_maxrss)
    medians = {name: statistics.median(values) for name, values in times.items()}
    row("cold explain --json / import click", f"{medians['large'] / medians['click']:.2f}", "<= 1.5")
    row(f"cold explain at full size / at {1000}", f"{medians['large'] / medians['small']:.2f}", "<= 1.1")
    row("cold explain, peak memory, MB", f"{peak / 1024:.0f}", "<= 64")


def warm(kb: KnowledgeBase, index: Index, questions: list[str], runs: int, *, against_hyperscan: bool) -> None:
    """Look-ups in one process against a loop of compiled regular expressions, and against hyperscan.

    Of each question the median of the runs is taken, of those the median and the mean.
    """
    index.check_all()
    hits = [question for question in questions[:4000] if kb.lookup(question)][:1000]
    lines = [line for line in log_lines(2000) if not kb.lookup(line)][:1000]
    unknown = [text for prose in sentences()[:3000] if not kb.lookup(text := f"ValueError: {prose}")][:1000]
    hit = statistics.median(typical := typical_times(kb.lookup, hits, runs))
    row("warm lookup, median of a hit, microseconds", f"{hit * 1e6:.0f}", "< 100")
    row("warm lookup, mean of a hit, microseconds", f"{statistics.mean(typical) * 1e6:.0f}", "")
    for name, misses in (("a log line", lines), ("an error that is not known", unknown)):
        miss = statistics.median(typical_times(kb.lookup, misses, runs))
        row(f"warm lookup, a miss ({name}) / a hit", f"{miss / hit:.2f}", "< 1")
    messages = [question.partition(": ")[2] for question in hits]
    ours = typical_times(lambda message: prefilter_and_match(index, message), messages, runs)
    row("prefilter and matching, microseconds", f"{statistics.median(ours) * 1e6:.0f}", "")
    patterns = [re.compile(index.candidate(number).head.message_pattern) for number in range(len(index))]
    few = hits[:3]
    loop = timed(lambda question: [pattern.search(question) for pattern in patterns], few)
    row("loop of compiled re.search / warm lookup", f"{loop / hit:,.0f}", ">= 3,000")
    if against_hyperscan:
        theirs = typical_times(by_hyperscan(patterns), messages, runs)
        for name, middle in (("median", statistics.median), ("mean", statistics.mean)):
            row(f"prefilter and matching / hyperscan with re, {name}", f"{middle(ours) / middle(theirs):.2f}", "<= 2")


def prefilter_and_match(index: Index, text: str) -> list[object]:
    """All readings of a message by the records of an index, as the first tier of a look-up finds them."""
    message = Message(text)
    return [index.candidate(number).read(message) for number in index.candidates(message_keys(message.folded))]


def by_hyperscan(patterns: list[re.Pattern[str]]) -> Callable[[str], list[object]]:
    """All readings of a message, with the patterns in one hyperscan database and re for the captures."""
    import hyperscan

    database = hyperscan.Database()
    start = time.perf_counter()
    database.compile(
        expressions=[pattern.pattern.encode() for pattern in patterns],
        ids=list(range(len(patterns))),
        flags=[hyperscan.HS_FLAG_DOTALL | hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_SINGLEMATCH] * len(patterns),
    )
    row("hyperscan's compilation, seconds", f"{time.perf_counter() - start:.0f}", "")

    def match(text: str) -> list[object]:
        found: list[int] = []
        database.scan(text.encode(), match_event_handler=lambda number, *_: found.append(number))
        return [patterns[number].search(text) for number in found]

    return match


def tail(kb: KnowledgeBase, questions: list[str], worst: Path | None) -> None:
    """The slowest of many mixed questions, and of real texts."""
    mixed = [*questions[:12_000], *log_lines(8000)]
    random.Random(1).shuffle(mixed)
    times = sorted(timed(kb.lookup, [question]) for question in mixed)
    row(f"99th percentile of {len(mixed)} mixed questions, ms", f"{times[int(len(times) * 0.99)] * 1e3:.2f}", "< 1")
    if worst is not None:
        texts = [json.loads(line)["text"] for line in worst.open(encoding="utf-8")]
        slowest = max(min(timed(kb.search, [text]) for _ in range(3)) for text in texts)
        row(f"the slowest of {len(texts)} real texts, ms", f"{slowest * 1e3:.1f}", "< 50")


def recall(index: Index) -> None:
    """Candidates against reading every pattern: no difference is allowed."""
    filed = []
    for number in range(len(index)):
        candidate = index.candidate(number)
        if candidate.pattern is not None and candidate.weight >= UNSPECIFIC_WEIGHT:
            filed.append((number, candidate.pattern, max(candidate.pattern.literals, key=len)))
    questions = made_questions(index, 20_000)
    missing = 0
    for question in questions:
        message = Message(question)
        candidates = set(index.candidates(message_keys(message.folded)))
        for number, pattern, longest in filed:
            if longest in message.folded and number not in candidates and pattern.read(message) is not None:
                missing += 1
    row(f"matches missed, {len(questions)} questions over {len(index)} records", str(missing), "0")


def made_questions(index: Index, count: int) -> list[str]:
    """Lines as a reader has them: messages of the records, filled with values, classes before them."""
    rng = random.Random(2)
    questions = []
    for number in rng.choices(range(len(index)), k=count):
        head = index.candidate(number).head
        message = fill(head.error_message, lambda _number, _name: rng.choice(VALUES))
        questions.append(f"{head.error_class}: {message}")
    return questions


def questions_text(index: Index) -> str:
    """One question for the cold start."""
    return made_questions(index, 1)[0]


def typical_times(function: Callable[..., object], arguments: Sequence[object], runs: int) -> list[float]:
    """Seconds of a call for each argument, the median of its runs."""
    times = [[timed(function, [argument]) for argument in arguments] for _ in range(runs)]
    return [statistics.median(of_one) for of_one in zip(*times, strict=True)]


def timed(function: Callable[..., object], arguments: Iterable[object]) -> float:
    """Seconds per call, on average."""
    values = list(arguments)
    start = time.perf_counter()
    for value in values:
        function(value)
    return (time.perf_counter() - start) / len(values)


if __name__ == "__main__":
    main()
    print(f"\npeak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
