"""How rare a word is in error messages: the weight of a matched word as evidence.

The share of messages that hold a word comes from the dataset itself, steadied by shares in the
messages of some hundred popular packages (`word_shares.txt`), as if a background of 20,000 such
messages had been read before: so 30 records know already that "file" is common. The weight is
the word's information relative to a word of share 0.0001, at most 1.
"""

import math
from collections.abc import Mapping
from pathlib import Path

from errkb.index.words import word_key

_BACKGROUND = 20_000
_RAREST = 0.0001
_SHORT = {1: 0.3, 2: 0.6}
"""Words of one or two characters say less than their rarity: `x`, `0`, `id`."""


def background_shares() -> dict[int, float]:
    """Word key → share of messages, for the words that are common everywhere."""
    shares = {}
    for line in Path(__file__).with_name("word_shares.txt").read_text(encoding="utf-8").splitlines():
        word, share = line.split()
        shares[word_key(word)] = float(share)
    return shares


def word_weight(count: int, records: int, background: float, length: int) -> float:
    """The weight, from 0 to 1, of a word of `length` characters that `count` of `records` messages hold."""
    share = (count + _BACKGROUND * max(background, _RAREST)) / (records + _BACKGROUND)
    information = math.log(share) / math.log(_RAREST)
    return max(0.0, min(1.0, information)) * _SHORT.get(length, 1.0)


def weights(counts: Mapping[int, int], lengths: Mapping[int, int], records: int) -> dict[int, float]:
    """Word key → weight, for the words of a dataset with `records` records."""
    shares = background_shares()
    return {key: word_weight(count, records, shares.get(key, 0.0), lengths[key]) for key, count in counts.items()}
