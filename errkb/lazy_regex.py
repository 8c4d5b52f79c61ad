"""Regular expressions that are compiled when they are first used.

Compiling those of the reader takes longer than a whole look-up, and most texts need few of them.
"""

import re
from typing import Any, cast


class _LazyPattern:
    """Becomes the compiled pattern's methods at the first use of any of them."""

    __slots__ = ("_flags", "_source", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Reached only while the slots are empty, or for what has no slot.
        compiled = re.compile(self._source, self._flags)
        for method in self.__slots__[2:]:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, at the first use of it; a broken expression raises `re.error` then.

    A match's `re` is the compiled pattern, not what this returns.
    """
    return cast("re.Pattern[str]", _LazyPattern(source, flags))
