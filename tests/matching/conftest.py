"""Knowledge bases over a few documents, and over messages of the standard library."""

import json
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from datasets import record, templates

from errkb.datasets.files import Entry
from errkb.index import Index
from errkb.index.build import build_index
from errkb.index.store import Store
from errkb.knowledge.base import KnowledgeBase, load

Document = dict[str, Any]


def knowledge_of(documents: Iterable[Document]) -> KnowledgeBase:
    """A knowledge base in memory."""
    entries = (
        Entry(Path("records.jsonl"), line, "", json.dumps(document).encode(), 0)
        for line, document in enumerate(documents, 1)
    )
    return KnowledgeBase([Index(Store(build_index(entries, [], self_contained=True)))])


@pytest.fixture(scope="session")
def know() -> Callable[[Iterable[Document]], KnowledgeBase]:
    """Makes a knowledge base of documents."""
    return knowledge_of


@pytest.fixture(scope="session")
def bundled(root: Path) -> KnowledgeBase:
    """The bundled dataset."""
    return load(root / "data" / "records.jsonl")


@pytest.fixture(scope="session")
def library() -> KnowledgeBase:
    """Some thousand messages of the standard library, as records."""
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    names = (
        "asyncio", "collections", "concurrent", "ctypes", "curses", "dbm", "distutils", "email", "encodings",
        "ensurepip", "html", "http", "importlib", "json", "logging", "multiprocessing", "pydoc_data", "re",
        "sqlite3", "tkinter", "tomllib", "turtledemo", "unittest", "urllib", "venv", "wsgiref", "xml", "xmlrpc",
        "zoneinfo",
    )  # fmt: skip
    site = Path(sysconfig.get_paths()["purelib"])
    roots = [stdlib / name for name in names] + [
        site / name for name in ("hypothesis", "jsonschema", "rich", "click", "pip")
    ]
    return knowledge_of(record(template) for template in templates(roots))
