"""Write errkb/index/word_shares.txt: how common words are in error messages.

    python scripts/word_shares.py templates.jsonl … > errkb/index/word_shares.txt

Each input line is an object with `package` and `message` (or `template`), as
benchmarks/templates.py prints them. A word's share is the share of a package's messages
that hold it, averaged over packages, so that no single package sets the tone.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

LEAST_MESSAGES = 5
LEAST_PACKAGES = 5
LEAST_SHARE = 0.0003

messages: dict[str, set[str]] = defaultdict(set)
for name in sys.argv[1:]:
    with Path(name).open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            messages[row["package"]].add(row.get("message") or row["template"])
packages = {package: texts for package, texts in messages.items() if len(texts) >= LEAST_MESSAGES}
shares: Counter[str] = Counter()
spread: Counter[str] = Counter()
for texts in packages.values():
    counts = Counter(
        word
        for text in texts
        for word in {word.lower() for word in re.findall(r"\w+", re.sub(r"\{[^{}]*\}", " ", text))}
    )
    for word, count in counts.items():
        shares[word] += count / len(texts) / len(packages)
        spread[word] += 1
for word, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
    if share >= LEAST_SHARE and spread[word] >= LEAST_PACKAGES:
        sys.stdout.write(f"{word} {share:.4f}\n")
