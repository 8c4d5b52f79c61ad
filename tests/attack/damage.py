"""Damage to the file of an index: whatever bytes change, an answer is the right one or the index is built again."""

import random
from collections.abc import Callable

Damage = Callable[[bytearray, random.Random], None]


def flip(content: bytearray, rng: random.Random) -> None:
    """One bit."""
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def scatter(content: bytearray, rng: random.Random) -> None:
    """Many bytes."""
    for _ in range(rng.randint(2, 200)):
        content[rng.randrange(len(content))] = rng.randrange(256)


def cut(content: bytearray, rng: random.Random) -> None:
    """The end is missing."""
    del content[rng.randrange(len(content)) :]


def swap_pages(content: bytearray, rng: random.Random) -> None:
    """Two pages change places."""
    one, other = (rng.randrange(max(1, len(content) // 4096)) * 4096 for _ in range(2))
    content[one : one + 4096], content[other : other + 4096] = (
        content[other : other + 4096],
        content[one : one + 4096],
    )


def append(content: bytearray, rng: random.Random) -> None:
    """Bytes follow the end."""
    content += rng.randbytes(rng.randint(1, 5000))


DAMAGES: tuple[Damage, ...] = (flip, scatter, cut, swap_pages, append)
