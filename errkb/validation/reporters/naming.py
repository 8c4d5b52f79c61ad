"""What reports call files, and the texts of others made harmless."""

import re
from pathlib import Path

from errkb.files import real_path
from errkb.folders import working_folder
from errkb.render.clean import clean

_NO_XML = re.compile("[\ufffe\uffff]")


def relative(path: Path) -> str:
    """A path from the working directory, with `/`; as it is if it lies elsewhere."""
    try:
        return real_path(path).relative_to(working_folder() or "/").as_posix()
    except ValueError:
        return path.as_posix()


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
