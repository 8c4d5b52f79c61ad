"""The public API as its users write it; `test_typing.py` has mypy check this file in strict mode."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import assert_type

import errkb


def ask(kb: errkb.KnowledgeBase) -> None:
    """Every public name, with the type that it is promised to have."""
    assert_type(errkb.load("a.jsonl", Path("folder")), errkb.KnowledgeBase)
    assert_type(errkb.lookup("text"), errkb.Match | None)
    assert_type(errkb.lookup(ValueError("text"), kb=kb), errkb.Match | None)
    assert_type(errkb.search("text", limit=3, kb=kb), list[errkb.Match])
    assert_type(errkb.occurrences("text"), list[errkb.Occurrence])
    assert_type(kb.lookup("text"), errkb.Match | None)
    assert_type(kb.search(KeyError("x"), limit=2, repo="owner/name"), list[errkb.Match])
    assert_type(kb.get("73154bc6b02214fb"), errkb.Record | None)
    assert_type(kb.records(), Iterator[errkb.Record])
    assert_type(len(kb), int)
    assert_type(errkb.__version__, str)


def read(match: errkb.Match) -> None:
    """What a match holds."""
    assert_type(match.record, errkb.Record)
    assert_type(match.captures, Mapping[str, str])
    assert_type(match.score, float)
    assert_type(match.tied, bool)
    assert_type(match.kind, errkb.Kind)
    assert_type(match.occurrence, errkb.Occurrence)
    assert_type(match.record.error_message, str)
    assert_type(match.record.http_status, int | None)
    assert_type(match.record.solutions, tuple[str, ...])
    assert_type(match.occurrence.frames, tuple[errkb.Frame, ...])
    assert_type(match.occurrence.error_class, str | None)


def fail(error: errkb.DatasetError | errkb.PatternError) -> errkb.ErrkbError:
    """What errkb raises is of one family."""
    if isinstance(error, errkb.DatasetError):
        assert_type(error.line, int | None)
        assert_type(error.path, Path | None)
    return error
