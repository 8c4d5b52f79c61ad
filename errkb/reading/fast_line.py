"""The middle way, for one line without any mark of an exception: a log's, or a message with no known class.

What the thorough reading would do to such a line, without the steps that cannot do anything to it.
"""

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Certainty, as_occurrence
from errkb.reading.carriers.line_joins import one_record_a_line, one_service_a_line
from errkb.reading.carriers.prefixes import without_prefix
from errkb.reading.carriers.quoting import TAGS
from errkb.reading.fast_path import is_unmarked
from errkb.reading.grammars.last_words import may_be_last_words
from errkb.reading.grammars.unnamed_messages import read_plain
from errkb.reading.line import Line, dedented
from errkb.reading.line_kind import LineKind
from errkb.reading.log_levels import LOUD
from errkb.reading.occurrence import Occurrence
from errkb.reading.shapes.frames import read_place
from errkb.reading.shapes.noise import is_noise

_PLAIN_START = lazy(r"[A-Za-z0-9](?!\d{0,2}[.)] )(?! )")


def read_line(text: str) -> list[Occurrence] | None:
    """The errors of a text of one line without control characters; None if it needs the thorough reading."""
    if not is_unmarked(text) or text.rstrip()[-1:] == ":":
        return None
    (whole,) = dedented([Line(text, ((0, 0),))])
    if (
        len(one_record_a_line([whole])) > 1
        or len(one_service_a_line([whole])) > 1
        or ("<" in text and TAGS.search(text))
    ):
        return None
    line = without_prefix(whole)
    if not _PLAIN_START.match(line.text) or line.frame is not None or read_place(line.text) is not None:
        return None
    if is_noise(line):
        return None if may_be_last_words(line) else []
    if line.kind is LineKind.REPR or (line.class_head is not None and line.class_head.name is not None):
        return None
    candidates = read_plain([line], Certainty.LABELLED if line.level in LOUD else Certainty.UNMARKED, ranked=False)
    once = {candidate.message: candidate for candidate in reversed(candidates)}  # the whole message before its parts
    return [as_occurrence(candidate, len(text)) for candidate in reversed(once.values())]
