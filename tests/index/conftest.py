"""Indexes over a few documents."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from errkb.datasets.files import Entry
from errkb.index import Index
from errkb.index.build import build_index
from errkb.index.store import Store


@pytest.fixture(scope="session")
def make_index() -> Callable[[Iterable[dict[str, Any]]], Index]:
    """An index in memory over documents."""

    def make(documents: Iterable[dict[str, Any]]) -> Index:
        entries = (
            Entry(Path("records.jsonl"), line, "", json.dumps(document).encode(), 0)
            for line, document in enumerate(documents, 1)
        )
        return Index(Store(build_index(entries, [], searchable=True, self_contained=True)))

    return make
