"""Whether a text holds control characters or escapes at all: most do not, and need no decoding."""

from errkb.lazy_regex import lazy

_SUSPECT = lazy(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b\ufeff\u200b\u200e\u2060]|←\[|\^\[\[|\[0m|[\\␛]")
_OPENINGS = frozenset("[^\\")
"""Of what can be printed, an escape needs one of these."""


def is_suspect(text: str) -> bool:
    """Whether `text` may hold an escape or a control character."""
    if text.isascii() and text.isprintable() and _OPENINGS.isdisjoint(text):
        return False
    return _SUSPECT.search(text) is not None
