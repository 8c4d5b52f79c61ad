#!/usr/bin/env python3
"""Attack errkb for some minutes and print what was tried: `scripts/attack.py --minutes 30 --seed 1`.

The attacks are those of tests/attack/, of which the tests run a few tries. The exit status is 1 if one found something.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "attack"))

from attacks import ATTACKS


def main() -> int:
    """Each attack in turn, for its share of the time."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=5)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    failed = False
    say = sys.stdout.write
    say(f"{'attack':<22} {'tries':>8} {'seconds':>8}  found\n")
    for attack in ATTACKS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            os.environ["ERRKB_CACHE_DIR"] = str(folder / "cache")
            began = time.monotonic()
            share = 60 * chosen.minutes / len(ATTACKS)
            tries, found = 0, "nothing"
            try:
                for _ in attack(chosen.seed, folder):
                    tries += 1
                    if time.monotonic() - began > share:
                        break
            except Exception as error:  # noqa: BLE001 - it is what was looked for
                failed, found = True, f"{type(error).__name__}: {error}"
            say(f"{attack.__name__:<22} {tries:>8} {time.monotonic() - began:>8.1f}  {found[:300]}\n")
            sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
