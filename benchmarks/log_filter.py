"""What the filter of `errkb.integrations.logs` costs a line, with and without an exception, in one run.

python benchmarks/log_filter.py [--lines 100000]
"""

import argparse
import io
import logging
import statistics
import time

from errkb.integrations.logs import ErrkbFilter


def main() -> None:
    """Print microseconds a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=100_000)
    lines = parser.parse_args().lines
    logger = logging.getLogger("benchmark")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger.addHandler(handler)
    ours = ErrkbFilter()
    try:
        int("2.5")
    except ValueError as error:
        raised = error
    cases = {
        "without an exception": (logging.INFO, None, lines),
        "with an exception": (logging.ERROR, raised, lines // 10),
    }
    for name, (level, error, number) in cases.items():
        taken: dict[str, list[float]] = {"without the filter": [], "with it": []}
        for _ in range(7):
            for label, times in taken.items():
                handler.filters = [ours] if label == "with it" else []
                handler.setStream(io.StringIO())
                start = time.perf_counter()
                for count in range(number):
                    logger.log(level, "line %d", count, exc_info=error)
                times.append((time.perf_counter() - start) / number * 1e6)
        before, after = (statistics.median(times) for times in taken.values())
        print(f"a line {name}: {before:.1f} µs, {after:.1f} µs with the filter: {after - before:+.1f} µs")


if __name__ == "__main__":
    main()
