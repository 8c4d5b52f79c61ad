"""The texts of others made harmless for reports."""

import re

from errkb.render.clean import clean

_NO_XML = re.compile("[\ufffe\uffff]")


def flat(text: str) -> str:
    """`text` on one line, without control characters."""
    return " ".join(clean(text).split("\n"))


def masked(text: str) -> str:
    """`text` with a replacement character for each that is harmful, so that offsets stay what they are."""
    text = text.replace("\t", " ")
    return text if clean(text) == text else "".join(clean(char) or "\ufffd" for char in text)


def xml_safe(text: str) -> str:
    """`text` without what XML cannot hold."""
    return _NO_XML.sub("\ufffd", clean(text))
