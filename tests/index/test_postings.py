"""Postings give back what was put in, with a dictionary of sets as the oracle."""

from hypothesis import example, given
from hypothesis import strategies as st

from errkb.index.postings import Postings, PostingsWriter
from errkb.index.store import Notes, Store, write_store

WORDS = [b"cuda", b"memory", "größe".encode(), b"x"]
HELD = st.dictionaries(st.integers(0, 200_000), st.sets(st.sampled_from(WORDS)), max_size=40)


@given(HELD, st.integers(1, 3))
@example({number: {b"x"} for number in range(300)}, 1)
@example({number: {b"x"} for number in range(0, 320, 16)}, 1)
@example({65_535: {b"x"}, 65_536: {b"x", b"cuda"}, 131_072: {b"cuda"}}, 70_000)
def test_a_word_is_found_in_the_records_that_hold_it(held: dict[int, set[bytes]], more: int) -> None:
    """Rare words and common ones, in one volume and in several: the numbers come back, no others."""
    records = max(held, default=0) + more
    writer = PostingsWriter("some")
    for number in sorted(held):
        writer.add(number, held[number])
    writer.finish(records)
    postings = Postings(Store(write_store(writer.sections, Notes())), "some", records)
    for word in (*WORDS, b"unheard-of"):
        assert postings.find(word) == {number for number, words in held.items() if word in words}
