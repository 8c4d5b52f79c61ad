"""Whether a message is only a value, which is all that messages of some classes are."""

from errkb.lazy_regex import lazy

_REPR = lazy(r"[bBuUrR]{0,2}['\"]|[-+]?[\d.]|[\[({<]")
_MOST_WORDS = 2


def is_value(message: str) -> bool:
    """Whether a message is a repr or one or two words, and no sentence."""
    text = message.strip()
    if _REPR.match(text):
        return "\n" not in text
    return len(text.split()) <= _MOST_WORDS
