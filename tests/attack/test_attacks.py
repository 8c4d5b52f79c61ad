"""A few tries of every attack; scripts/attack.py goes on for as long as it is let."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attacks import ATTACKS, index_changed_in_use, index_damage, reader_growth, threads

TRIES = {reader_growth: 20, index_damage: 25, index_changed_in_use: 25, threads: 3}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_finds_nothing(
    attack: Callable[[int, Path], Iterator[None]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a crash nor a wrong answer."""
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache"))
    for _ in itertools.islice(attack(1, tmp_path), TRIES.get(attack, 300)):
        pass
