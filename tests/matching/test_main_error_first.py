"""What ends a chain is what `lookup` answers, as `explain` does, however short its message is."""

import random

import errkb
from errkb.matching.evidence import Certainty, certainty
from errkb.records.template import fill, placeholders

CHAIN = """Traceback (most recent call last):
  File "/srv/app/a.py", line 3, in f
    g()
{cause}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/app/b.py", line 7, in <module>
    f()
{main}
"""


def test_lookup_and_explain_answer_a_chain_with_the_same_record() -> None:
    """Over chains of records drawn at random, where the answer is certain."""
    rng = random.Random(7)
    kb = errkb.load(bundled=True)
    records = [one for one in kb if one.error_class and "\n" not in one.error_message and one.error_type == "exception"]
    compared = 0
    for main, cause in zip(rng.sample(records, 150), rng.sample(records, 150), strict=True):
        text = CHAIN.format(cause=_line(cause), main=_line(main))
        answer = errkb.explain(text, kb=kb)
        if answer is None or answer.match is None or certainty(answer.match) is not Certainty.CERTAIN:
            continue
        found = errkb.lookup(text, kb=kb)
        assert found is not None, text
        assert found.record.id == answer.match.record.id, text
        compared += 1
    assert compared > 60


def test_a_short_message_with_its_class_is_answered_before_its_longer_cause() -> None:
    """A message like "Connection error." has few words, and is what the program ended with."""
    text = CHAIN.format(
        cause="httpx.UnsupportedProtocol: Request URL is missing an 'http://' or 'https://' protocol.",
        main="openai.APIConnectionError: Connection error.",
    )
    found = errkb.lookup(text)
    assert found is not None
    assert found.record.repo == "openai/openai-python"


def _line(record: errkb.Record) -> str:
    values = ["7"] * len(placeholders(record.error_message))
    return f"{record.error_class}: {fill(record.error_message, values)}"
