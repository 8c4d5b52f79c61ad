"""Which records are like a message, with a count over all records as the oracle."""

import random
import sysconfig
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from datasets import record, templates
from hypothesis import given
from hypothesis import strategies as st

from errkb.index import Index, build, message_keys
from errkb.index.format import MOST_LISTED
from errkb.index.words import KnownWords, PatternKeys, pattern_keys, words_of
from errkb.patterns import Message

LEAST = 2.0
Indexes = dict[int, Index]


@pytest.fixture(scope="module")
def indexes(make_index: Callable[..., Index]) -> Indexes:
    """Indexes over messages of the standard library, by the records that a rare word may have at most."""
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    documents = [record(template) for template in templates([stdlib / name for name in ("asyncio", "email", "xml")])]
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        for most in (MOST_LISTED, 3):  # with 3, most words are common, as in a large dataset
            patch.setattr(build, "MOST_LISTED", most)
            made[most] = make_index(documents)
    return made


def shared_by_counting(index: Index, text: str, most: int) -> dict[int, float]:
    """The records that share two rare words or pairs with a text, found by looking at each."""
    of_records: list[PatternKeys] = []
    known = KnownWords()
    for number in range(len(index)):
        pattern = index.candidate(number).pattern
        of_records.append(pattern_keys(pattern.stored, known) if pattern else PatternKeys(set(), set(), set()))
    words = Counter(key for keys in of_records for key in keys.words)
    pairs = Counter(key for keys in of_records for key in keys.pairs)
    weights = {key: index.rare_terms.weight(word) for word, key in known.items()}
    there = message_keys(Message(text).folded)
    shares = {
        number: sum(weights[key] for key in keys.words & there if words[key] <= most)
        + sum(1.0 for key in keys.pairs & there if pairs[key] <= most)
        for number, keys in enumerate(of_records)
    }
    return {number: share for number, share in shares.items() if share >= LEAST}


@given(st.integers(0, 2**32), st.sampled_from([MOST_LISTED, 3]))
def test_the_records_that_share_most_are_found(indexes: Indexes, seed: int, most: int) -> None:
    """Exactly the records that share enough are named, with what they share."""
    rng, index = random.Random(seed), indexes[most]
    messages = [index.candidate(rng.randrange(len(index))).head.error_message for _ in range(3)]
    words = [word for message in messages for word in words_of(message)]
    start, length = rng.randrange(len(words)) if words else 0, rng.choice((2, 3, 8))
    text = " ".join([*words[start : start + length], *rng.sample(words, min(4, len(words)))])
    found = index.rare_terms.shared_weights(message_keys(Message(text).folded))
    expected = shared_by_counting(index, text, most)
    assert found.keys() == expected.keys()
    assert all(abs(found[number] - share) < 1e-4 for number, share in expected.items())


def test_a_word_that_nobody_knows_weighs_most(indexes: Indexes) -> None:
    """A word weighs between 0 and 1: one that every other message has next to nothing, one that none has 1."""
    rare_terms = indexes[MOST_LISTED].rare_terms
    assert rare_terms.weight("zzyzzyx") == 1.0
    assert 0.0 <= rare_terms.weight("the") < 0.3
