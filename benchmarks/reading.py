"""How fast texts are read: one clean line, a long log, and hostile texts of growing size."""

import time
import tracemalloc

from errkb.reading import occurrences

CLEAN = "offload_prefetch_step (0) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"
LOG = "2024-05-01 10:00:{:02d},123 INFO [pool.py:{}] request {} took 0.{} s, all is well\n"
TRACE = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: no {}\n'
HOSTILE = {
    "letters": "a" * 100,
    "dots": "a." * 50,
    "Errors": "Error" * 20,
    "brackets": "[(" * 50,
    "blanks": " " * 99 + "x",
    "quotes": "'\"`" * 33,
    "backslashes": "\\n" * 50,
    "digits": "2024-01-01 " * 9,
    "colons": "a: " * 33,
    "reprs": "ValueError('" * 9,
    "frames": '  File "x", line 1, in f\n',
    "classes": "ValueError: x\n",
    "pipes": "  | " * 25,
    "escapes": "\x1b[" * 50,
    "json": '{"message": "' * 8,
    "envelope": "2 validation errors for A\na\n  b [type=c, input_value=1]\n",
    "loose envelope": "1 validation error for A\na\n  b\n",
    "blank lines": "\n",
    "short lines": "x\n",
}


def seconds(text: str, repeat: int = 1) -> float:
    """The best time of a few for reading `text` once."""
    best = 1e9
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(repeat):
            occurrences(text)
        best = min(best, (time.perf_counter() - start) / repeat)
    return best


def log(size: int) -> str:
    """A log of about `size` characters with a traceback now and then."""
    parts: list[str] = []
    length = number = 0
    while length < size:
        part = LOG.format(number % 60, number, number, number) if number % 500 else TRACE.format(number)
        parts.append(part)
        length += len(part)
        number += 1
    return "".join(parts)


def main() -> None:
    """Print the figures."""
    print(f"clean line      {seconds(CLEAN, 2000) * 1e6:8.1f} us")
    print(f"Class: message  {seconds('ValueError: ' + CLEAN, 2000) * 1e6:8.1f} us")
    for size in (1_000_000, 2_000_000, 10_000_000):
        text = log(size)
        tracemalloc.start() if size == 2_000_000 else None
        start = time.perf_counter()
        occurrences(text)
        took = time.perf_counter() - start
        peak = tracemalloc.get_traced_memory()[1] if size == 2_000_000 else 0
        tracemalloc.stop()
        print(f"log of {size / 1e6:4.1f} MB  {took:8.2f} s" + (f", {peak / 1e6:.0f} MB" if peak else ""))
    for name, unit in HOSTILE.items():
        for joiner in ("", "\n"):
            times = [
                seconds(joiner.join([unit] * (size // (len(unit) + len(joiner)) + 1))) for size in (100_000, 200_000)
            ]
            mark = "  <-- more than linear" if times[1] > 3 * times[0] and times[1] > 0.05 else ""
            print(f"{name:14} {'lines' if joiner else 'one':5} {times[0]:7.3f} {times[1]:7.3f}{mark}")


if __name__ == "__main__":
    main()
