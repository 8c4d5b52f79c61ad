"""Sites as draft records: what can be derived is there, what must be known is missing."""

import json
from collections.abc import Callable
from pathlib import Path

from errkb.knowledge.base import load
from errkb.raise_sites.drafts import decode_site, draft_documents, encode_site
from errkb.records.record import derive_id, read_record
from errkb.source_analysis.site import Site
from errkb.validation import validate

Harvest = Callable[[str], list[Site]]

SOURCE = """
def f(a):
    if a is None:
        raise ValueError(f"{a} is no number")
    if a == 1:
        raise ValueError(f"{a} is no number")
    raise TypeError("two %s" % type(a))
"""


def test_a_draft_has_everything_that_follows_from_the_source(sites: Harvest) -> None:
    """Its id is the one that the finished record will have; places with one message are one draft."""
    first, second = draft_documents(sites(SOURCE), "acme/tool", sha="a" * 40, prefix="src/")
    record = read_record(first)
    assert record.id == derive_id("acme/tool", None, "{a} is no number", "src/pkg/module.py")
    assert record.github_url == f"https://github.com/acme/tool/blob/{'a' * 40}/src/pkg/module.py#L4"
    assert first["raiseSite"]["lines"] == [4, 6]
    assert first["raiseSite"]["conditions"][0]["text"] == "a is None"
    assert second["raiseSite"]["parameters"] == {"type(a)": ["a"]}


def test_drafts_are_refused_until_their_knowledge_is_there(sites: Harvest, tmp_path: Path) -> None:
    """They can be read as a dataset, and `validate` says what they lack."""
    path = tmp_path / "drafts.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in draft_documents(sites(SOURCE), "acme/tool")))
    kb = load(path)
    assert (len(kb), kb.problems) == (2, [])
    assert not validate([path]).valid


def test_harvesting_twice_gives_the_same_drafts(sites: Harvest) -> None:
    """Nothing depends on time or chance."""
    assert list(draft_documents(sites(SOURCE), "a/b")) == list(draft_documents(sites(SOURCE), "a/b"))


def test_a_site_survives_being_stored(sites: Harvest) -> None:
    """What is put into an index for look-ups comes out of it whole, each place under an id of its own."""
    found = sites(SOURCE)
    stored = [read_record(json.loads(encode_site(site, "acme/tool"))) for site in found]
    assert [decode_site(record) for record in stored] == found
    assert len({record.id for record in stored}) == len(found)
