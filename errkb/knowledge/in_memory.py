"""A knowledge base of records that lie in no file of their own: those that are validated, or compared."""

from collections.abc import Iterable

from errkb.datasets.files import Entry
from errkb.errors import DatasetError
from errkb.index import Index
from errkb.index.build import build_index
from errkb.index.store import Store
from errkb.knowledge.base import KnowledgeBase


def from_entries(
    entries: Iterable[Entry | DatasetError], supplements: Iterable[Entry | DatasetError] = ()
) -> KnowledgeBase:
    """The knowledge base of entries of a dataset and of its supplements, indexed in memory."""
    return KnowledgeBase([Index(Store(build_index(entries, [], supplements=supplements)))])
