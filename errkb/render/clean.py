"""Text from logs and datasets made harmless for whatever shows it."""

from errkb.lazy_regex import lazy

# C0 except tab and line feed, DEL and C1, marks and overrides of direction, line separators, surrogates.
_HARMFUL = lazy(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def clean(text: str) -> str:
    """`text` without control characters, other than tab and line feed, and without what reorders or hides text."""
    return _HARMFUL.sub("", text.replace("\r\n", "\n"))


def one_line(text: str, most: int = 200) -> str:
    """`text` cleaned, white space folded, cut to `most` characters with an ellipsis."""
    folded = " ".join(clean(text).split())
    return folded if len(folded) <= most else folded[: most - 1].rstrip() + "…"
