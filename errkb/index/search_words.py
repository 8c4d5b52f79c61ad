"""The words that a record is found by when somebody searches: of its head, and of its documentation.

Unlike the words of patterns they are parted at underscores, so that `CUDA_VISIBLE_DEVICES` is
found by `cuda devices`. Words that only hold a sentence together are left out.
"""

from errkb.lazy_regex import lazy
from errkb.records.record import Record

_LONGEST_TEXT = 4000
_WORD = lazy(r"[^\W_]+")
_ASCII = bytes(byte if chr(byte).isalnum() else 32 for byte in bytes(range(128)).lower()) + bytes(128)
_FILLING = frozenset(
    b"a also an and any are as at be because been but by can could did do does for had has have he her his how i if in"
    b" into is it its just me more my of on one or other our s she should so some such t than that the their them then"
    b" there these they this those to too us was we were what when where which while who whose why will with would"
    b" you your".split()
)


def search_words(text: str) -> set[bytes]:
    """The distinct words of a text, of its first 4,000 characters, in lower case, as UTF-8."""
    text = text[:_LONGEST_TEXT]
    if text.isascii():
        words = set(text.encode().translate(_ASCII).split())
    else:
        words = {word.encode("utf-8", "surrogatepass") for word in _WORD.findall(text.lower())}
    return words - _FILLING


def head_text(record: Record) -> str:
    """What a record is called: message, class, code, repo, tags and family."""
    return " ".join(
        (
            record.error_message,
            record.error_class or "",
            record.error_code or "",
            record.repo,
            *record.tags,
            record.background_tag or "",
        )
    )
