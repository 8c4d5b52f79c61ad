"""Large datasets, made from the templates of installed Python source, perturbed to the wanted size.

python benchmarks/datasets.py SIZE FILE [SEED]
"""

import hashlib
import json
import random
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from templates import Template, harvest, installed_roots

from errkb.records.record import SCHEMA_VERSION, derive_id, derive_slug, slug_after_collision
from errkb.records.template import derive_pattern

PROSE = (
    "Raised while the arguments of a call are checked, before any work is done. The value named in the message "
    "is the one that was passed in; everything else about the call was accepted. "
)


def record(template: Template, documentation: str = PROSE * 2) -> dict[str, Any]:
    """A complete record for a template; its other prose is filler of the usual length."""
    repo = f"pypi/{re.sub('[^A-Za-z0-9._-]', '-', template.package)}"
    record_id = derive_id(repo, None, template.message, template.file)
    sha = hashlib.sha1(repo.encode(), usedforsecurity=False).hexdigest()
    return {
        "id": record_id,
        "repo": repo,
        "slug": slug_after_collision(derive_slug(None, template.message), record_id),
        "errorCode": None,
        "errorMessage": template.message,
        "messagePattern": derive_pattern(template.message),
        "errorType": "exception",
        "errorClass": template.error_class,
        "httpStatus": None,
        "severity": "error",
        "filePath": template.file,
        "lineNumber": template.line,
        "sourceCode": None,
        "sourceCodeStart": None,
        "sourceCodeEnd": None,
        "githubUrl": f"https://github.com/{repo}/blob/{sha}/{template.file}#L{template.line}",
        "documentation": documentation,
        "triggerScenarios": PROSE,
        "commonSituations": PROSE,
        "solutions": [PROSE, PROSE],
        "exampleFix": None,
        "handlingStrategy": None,
        "validationCode": None,
        "typeGuard": None,
        "tryCatchPattern": None,
        "preventionTips": [],
        "tags": ["benchmark"],
        "backgroundTag": None,
        "analyzedSha": sha,
        "analyzedAt": "2026-11-30T00:00:00.000Z",
        "schemaVersion": SCHEMA_VERSION,
    }


def templates(roots: Iterable[Path]) -> list[Template]:
    """The distinct templates below some folders that a record can be made of."""
    found: dict[tuple[str, str], Template] = {}
    for template in chain.from_iterable(harvest(root) for root in roots):
        if "\x00" not in template.message and " " not in template.file:
            found.setdefault((template.package, template.message), template)
    return list(found.values())


def perturbed(originals: list[Template], size: int, seed: int = 3) -> Iterator[Template]:
    """The originals, then variations of them with one or two words of one message put into another."""
    rng = random.Random(seed)
    yield from originals[:size]
    words = sorted({word for template in originals for word in re.findall("[a-z]{4,}", template.message)})
    for number in range(size - len(originals)):
        template = rng.choice(originals)
        places = [match.span() for match in re.finditer(r"(?<![{\w.])[a-z]{4,}(?![\w.}(])", template.message)]
        message = template.message
        for start, end in sorted(rng.sample(places, min(2, len(places))), reverse=True):
            message = message[:start] + rng.choice(words) + message[end:]
        yield template._replace(message=message, package=f"{template.package}-{number % 997}", line=number + 1)


def sentences() -> list[str]:
    """Some sentences of the standard library's documentation: prose of as many different words as a dataset's."""
    found: dict[str, None] = {}
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for docstring in re.findall(r'"""(.{80,2000}?)"""', text, re.DOTALL):
            found.update(dict.fromkeys(re.findall(r"[A-Z][\w ,'()-]{40,160}\.", " ".join(docstring.split()))))
    return list(found)


def write_dataset(path: Path, size: int, seed: int = 3) -> None:
    """A dataset of `size` records in a file of JSON Lines."""
    originals, prose, rng = templates(installed_roots()), sentences(), random.Random(seed)
    with path.open("w", encoding="utf-8", errors="replace") as file:
        for template in perturbed(originals, size, seed):
            document = record(template, " ".join(rng.sample(prose, 4)))
            file.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write_dataset(Path(sys.argv[2]), int(sys.argv[1]), int((sys.argv[3:] or ["3"])[0]))
