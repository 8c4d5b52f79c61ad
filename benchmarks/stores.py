"""The store of an index: our memory-mapped file against LMDB, marisa-trie and SQLite, cold and warm.

    pip install lmdb marisa-trie
    python benchmarks/stores.py [KEYS] [RUNS]

Each holds the same pairs of a 32-bit key and a number. Cold: a process that opens the store and
looks up 40 keys, as many as a message of twenty words has. Warm: such a question in a running process.
"""

import importlib.util
import random
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from errkb.index.store import Notes, open_store, write_store
from errkb.index.table import Table, write_table

QUESTION = 40
Find = Callable[[Sequence[int]], object]


def write_all(folder: Path, pairs: list[tuple[int, int]]) -> list[str]:
    """Each store with all pairs; returns the names of those that are installed."""
    (folder / "flat").write_bytes(write_store({"keys": write_table(pairs)}, Notes()))
    with sqlite3.connect(folder / "sqlite") as database:
        database.execute("create table keys (key integer, number integer)")
        database.executemany("insert into keys values (?, ?)", pairs)
        database.execute("create index by_key on keys (key)")
    names = ["flat", "sqlite"]
    if importlib.util.find_spec("lmdb"):
        import lmdb

        with (
            lmdb.open(str(folder / "lmdb"), map_size=1 << 30, subdir=False) as environment,
            environment.begin(write=True) as change,
        ):
            for key, number in pairs:
                change.put(struct.pack(">I", key), struct.pack("<I", number))
        names.append("lmdb")
    if importlib.util.find_spec("marisa_trie"):
        import marisa_trie

        marisa_trie.RecordTrie("<I", ((f"{key:08x}", (number,)) for key, number in pairs)).save(str(folder / "marisa"))
        names.append("marisa")
    return names


def opened(name: str, folder: Path, *, warm: bool = False) -> Find:
    """A function that looks up several keys; a warm flat store has been checked whole, as after some questions."""
    path = folder / name
    if name == "flat":
        store = open_store(path)
        if warm:
            store.check_all()
        return Table(store.section("keys")).find_all
    if name == "sqlite":
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        database.execute("pragma mmap_size=1073741824")
        query = "select number from keys where key = ?"
        return lambda keys: [row for key in keys for row in database.execute(query, (key,))]
    if name == "lmdb":
        import lmdb

        transaction = lmdb.open(str(path), readonly=True, subdir=False, lock=False).begin()
        return lambda keys: [transaction.get(struct.pack(">I", key)) for key in keys]
    import marisa_trie

    trie = marisa_trie.RecordTrie("<I").mmap(str(path))
    return lambda keys: [trie.get(f"{key:08x}") for key in keys]


def main() -> None:
    """Print a line per store, each against the memory-mapped file."""
    count, runs = [*map(int, sys.argv[1:3]), 150_000, 21][:2] if len(sys.argv) != 2 else (int(sys.argv[1]), 21)
    rng = random.Random(1)
    pairs = [(rng.getrandbits(32), number) for number in range(count)]
    question = [rng.choice(pairs)[0] if place % 10 == 0 else rng.getrandbits(32) for place in range(QUESTION)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = write_all(folder, pairs)
        cold: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(runs):
            for name in names:
                start = time.perf_counter()
                subprocess.run([sys.executable, __file__, "--ask", name, str(folder), *map(str, question)], check=True)
                cold[name].append(time.perf_counter() - start)
        warm = {}
        for name in names:
            find = opened(name, folder, warm=True)
            times = []
            for _ in range(2000):
                start = time.perf_counter()
                find(question)
                times.append(time.perf_counter() - start)
            warm[name] = statistics.median(times)
        first = statistics.median(cold["flat"])
        print(f"{count} keys, {QUESTION} of them a question, medians of {runs} processes and 2000 questions")
        for name in names:
            median = statistics.median(cold[name])
            print(
                f"{name:8} cold {median * 1e3:6.1f} ms ({median / first:.2f})   warm {warm[name] * 1e6:6.1f} us "
                f"({warm[name] / warm['flat']:.2f})   {(folder / name).stat().st_size / 1e6:.1f} MB"
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        opened(sys.argv[2], Path(sys.argv[3]))([int(key) for key in sys.argv[4:]])
    else:
        main()
