"""Measures the reading of raise sites from installed packages.

    python benchmarks/raise_sites.py harvest PYTHON [PACKAGE...]   sites and time, package by package
    python benchmarks/raise_sites.py sample PYTHON [PACKAGE...]    100 random sites, for checking by hand
    python benchmarks/raise_sites.py live PYTHON                   exceptions caught live, asked without any record

PYTHON is an interpreter whose site-packages are read. `live` runs the wrong uses of `misuse.txt`
with it, each package in a process of its own, and asks for every exception that a Python statement
raised: with its traceback, and with nothing but class and message (all packages searched).
"""

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from errkb.environment.distributions import Distribution, Environment
from errkb.environment.interpreter import find_interpreter
from errkb.matching.evidence import is_likely
from errkb.matching.match import Kind
from errkb.raise_sites.finder import Finder
from errkb.raise_sites.result import Compiled, RaiseSite
from errkb.reading import Occurrence, occurrences
from errkb.source_analysis.harvest import Harvest, harvest_files

SEED = 20261130
SAMPLE = 100
POPULAR = [
    "aiohttp", "alembic", "anyio", "attrs", "beautifulsoup4", "boto3", "botocore", "certifi", "charset-normalizer",
    "click", "cryptography", "django", "docutils", "fastapi", "filelock", "flask", "fsspec", "google-api-core",
    "google-auth", "grpcio", "h11", "httpcore", "httpx", "idna", "jinja2", "jmespath", "jsonschema", "lxml",
    "markdown", "matplotlib", "networkx", "numpy", "openpyxl", "packaging", "pandas", "pillow", "platformdirs",
    "pluggy", "protobuf", "psutil", "pyarrow", "pyasn1", "pydantic", "pyjwt", "pyparsing", "pytest",
    "python-dateutil", "pyyaml", "redis", "requests", "rich", "s3transfer", "scikit-learn", "scipy", "setuptools",
    "sqlalchemy", "tqdm", "urllib3", "virtualenv", "werkzeug",
]  # fmt: skip
"""Sixty of the most downloaded packages; what is read if none is named."""
_CASES = Path(__file__).with_name("misuse.txt")

_CATCH = r'''
import ast, contextlib, io, json, os, sys, traceback, warnings
warnings.simplefilter("ignore")
setup, cases = json.load(sys.stdin)
sys.stdin = io.StringIO()
out, sys.stdout = sys.stdout, io.StringIO()
sys.stderr = io.StringIO()
names = {"__name__": "misuse"}
exec("\n".join(setup), names)

def statement(file, line):
    """What the innermost statement at a line is: a raise, or something else."""
    try:
        tree = ast.parse(open(file, "rb").read())
    except (OSError, SyntaxError, ValueError):
        return "none"
    around = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line <= n.end_lineno]
    inner = min(around, key=lambda n: (n.end_lineno - n.lineno, -n.lineno), default=None)
    return type(inner).__name__

for code in cases:
    try:
        exec(compile(code.replace("\\n", "\n") if code.startswith("class ") else code, "<misuse>", "exec"), dict(names))
    except BaseException as error:
        tb = error.__traceback__.tb_next
        frames = traceback.extract_tb(tb)
        last = frames[-1] if frames else None
        cls = type(error)
        name = cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
        found = {"code": code, "class": name}
        try:
            found |= {"message": str(error), "text": "".join(traceback.format_exception(cls, error, tb))}
        except Exception:
            continue
        if last is not None:
            found |= {"file": last.filename, "line": last.lineno, "statement": statement(last.filename, last.lineno)}
        out.write(json.dumps(found) + "\n")
'''


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["harvest", "sample", "live"])
    parser.add_argument("python", type=Path)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--verbose", action="store_true", help="Show every case that is not right.")
    parser.add_argument("--bare", action="store_true", help="Ask with class and message alone as well (takes long).")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    environment = Environment(find_interpreter(options.python))
    if options.what == "live":
        live(environment, options.python, options.packages, alone=options.bare, verbose=options.verbose)
        return
    wanted = [name.lower() for name in options.packages] or POPULAR
    chosen = [one for one in environment.distributions if one.name in wanted]
    if options.what == "harvest":
        harvest(chosen)
    else:
        sample(chosen, options.seed)


def harvest(distributions: list[Distribution]) -> None:
    """Sites per package, and processor time for 100,000 lines."""
    total, seconds, lines = Counter[str](), 0.0, 0
    print(f"{'package':32} {'sites':>7} {'with text':>9} {'lines':>9} {'seconds':>8} {'s/100k lines':>12}")
    for distribution in distributions:
        start = time.process_time()
        found = harvest_files(distribution.root, distribution.files)
        spent = time.process_time() - start
        texts = sum(site.literal > 0 for site in found.sites)
        rate = spent / found.lines * 100_000 if found.lines else 0.0
        name = str(distribution)
        print(f"{name:32} {len(found.sites):7} {texts:9} {found.lines:9} {spent:8.2f} {rate:12.2f}")
        for skipped in found.skipped:
            print(f"    not read: {skipped.file}: {skipped.reason}")
        total.update(sites=len(found.sites), texts=texts, kinds=0)
        total.update(f"kind {site.kind.value}" for site in found.sites if site.literal)
        seconds, lines = seconds + spent, lines + found.lines
    print(f"\n{total['sites']} sites, {total['texts']} with text, in {lines} lines of {len(distributions)} packages")
    print(
        ", ".join(f"{name.removeprefix('kind ')} {count}" for name, count in total.items() if name.startswith("kind "))
    )
    print(f"{seconds:.1f} s of processor time, {seconds / lines * 100_000:.2f} s per 100,000 lines")


def sample(distributions: list[Distribution], seed: int) -> None:
    """Random sites with their source, to be checked by hand."""
    found: list[tuple[Distribution, Any]] = []
    for distribution in distributions:
        harvested: Harvest = harvest_files(distribution.root, distribution.files)
        found += [(distribution, site) for site in harvested.sites if site.literal]
    random.seed(seed)
    chosen = random.sample(found, min(SAMPLE, len(found)))
    for number, (distribution, site) in enumerate(chosen, 1):
        print(f"\n=== {number}. {distribution} {site.file}:{site.line} in {site.function}")
        print(f"template   {site.template!r}\nclass      {site.error_class}  ({site.kind.value})")
        print(f"names      {site.names}  from {site.parameters}")
        for condition in site.conditions:
            print(f"condition  {'(early) ' if condition.early else ''}{condition.text}")
        lines = (distribution.root / site.file).read_text(encoding="utf-8", errors="replace").splitlines()
        for line in lines[max(0, site.line - 30) : site.end_line]:
            print(f"    | {line}")


def live(environment: Environment, python: Path, packages: list[str], *, alone: bool, verbose: bool) -> None:
    """The share of live exceptions whose raise site is found."""
    with_frames, bare = Counter[str](), Counter[str]()
    compiled = Counter[str]()
    seen: Counter[str] = Counter()
    near, deep = Finder(environment), Finder(environment, deep=True)
    for package, setup, cases in _sections():
        if packages and package not in packages:
            continue
        for caught in _caught(python, setup, cases):
            if "file" not in caught or caught["statement"] == "none":
                seen["raised outside of Python source"] += 1
                continue
            asked = _occurrence(caught)
            answer = near.find(asked) if asked else None
            raised = caught["statement"] == "Raise"
            if not raised and (caught["statement"], caught["class"]) != ("Assert", "AssertionError"):
                compiled[_verdict_on_compiled(answer, caught)] += 1
                if verbose and not isinstance(answer, Compiled):
                    _tell("compiled", package, caught, answer)
                continue
            seen[package] += 1
            verdict = _verdict(answer, caught)
            with_frames[verdict] += 1
            if verbose and verdict != "right":
                _tell(verdict, package, caught, answer)
            if alone:
                asked = Occurrence(message=caught["message"], span=(0, 0), error_class=caught["class"])
                answer = deep.find(asked)
                verdict = _verdict(answer, caught)
                bare[verdict] += 1
                if verbose and verdict != "right":
                    _tell(f"bare: {verdict}", package, caught, answer)
    _report("with traceback", with_frames)
    if alone:
        _report("class and message only, all packages searched", bare)
    _report("raised by compiled code called from Python source", compiled)
    outside = seen.pop("raised outside of Python source", 0)
    print(f"{outside} more were raised where there is no Python source; {len(seen)} packages: {dict(seen)}")


def _occurrence(caught: dict[str, Any]) -> Occurrence | None:
    """What errkb reads from the traceback; of a chain, the exception that was caught."""
    found = occurrences(caught["text"])
    last = caught["class"].rpartition(".")[2]
    same = (one for one in found if one.error_class and one.error_class.rpartition(".")[2] == last)
    return next(same, next(iter(found), None))


def _verdict(answer: RaiseSite | Compiled | None, caught: dict[str, Any]) -> str:
    if answer is None:
        return "none"
    if isinstance(answer, Compiled):
        return "said to be compiled"
    sure = is_likely(answer.score)
    places = {f"{answer.site.file}:{answer.site.line}", *answer.also_at}
    if Path(caught["file"]) == answer.path and answer.site.line <= caught["line"] <= answer.site.end_line:
        if sure and answer.kind not in (Kind.PATTERN, Kind.INSIDE):
            return "right, by its line alone"
        return "right" if sure else "right, unsure"
    if answer.also_at and any(_is_at(place, caught) for place in places):
        return "right among equals"
    return "WRONG" if sure else "wrong, unsure"


def _is_at(place: str, caught: dict[str, Any]) -> bool:
    file, _, line = place.rpartition(":")
    return caught["file"].endswith(file) and abs(int(line) - caught["line"]) < 12


def _verdict_on_compiled(answer: RaiseSite | Compiled | None, caught: dict[str, Any]) -> str:
    if isinstance(answer, Compiled):
        return "right" if answer.line == caught["line"] and str(answer.path) == caught["file"] else "WRONG"
    return "none" if answer is None else "WRONG" if is_likely(answer.score) else "wrong, unsure"


def _tell(verdict: str, package: str, caught: dict[str, Any], answer: RaiseSite | Compiled | None) -> None:
    print(f"\n{verdict}: {package}: {caught['code']}\n   {caught['class']}: {caught['message'][:200]!r}")
    print(f"   raised at {caught['file']}:{caught['line']} ({caught['statement']})")
    if isinstance(answer, RaiseSite):
        print(f"   answer {answer.path}:{answer.site.line} {answer.score:.2f} {answer.kind} {answer.site.template!r}")
        print(f"   {[(item.name, round(item.factor, 2)) for item in answer.evidence]} also {answer.also_at[:3]}")
    else:
        print(f"   answer {answer}")


def _report(title: str, verdicts: Counter[str]) -> None:
    total = sum(verdicts.values())
    shares = ", ".join(f"{name} {count} ({count / total:.1%})" for name, count in verdicts.most_common())
    print(f"{title}: {total}: {shares}")


def _sections() -> Iterator[tuple[str, list[str], list[str]]]:
    name, setup, cases = "", list[str](), list[str]()
    for line in _CASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]") and " " not in line:
            if name:
                yield name, setup, cases
            name, setup, cases = line[1:-1], [], []
        elif line.startswith("+ "):
            setup.append(line[2:])
        elif line and not line.startswith("# "):
            cases.append(line)
    yield name, setup, cases


def _caught(python: Path, setup: list[str], cases: list[str]) -> Iterator[dict[str, Any]]:
    command = [str(python), "-c", _CATCH]
    try:
        done = subprocess.run(
            command, input=json.dumps([setup, cases]), capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired as late:
        output = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        print(f"    stopped after two minutes: {setup[0]}", file=sys.stderr)
    else:
        output = done.stdout
        if done.returncode and not output:
            print(f"    not prepared: {setup[0]}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    yield from map(json.loads, output.splitlines())


if __name__ == "__main__":
    main()
