"""Python's grammar of tracebacks, over the lines of one stream."""

from errkb.lazy_regex import lazy
from errkb.reading.candidate import Certainty
from errkb.reading.carriers.group_tree import TREE
from errkb.reading.grammars.exceptions import close, take_exception, take_split
from errkb.reading.grammars.openings import INSIDE, OUTSIDE, PARTS, REPORTS
from errkb.reading.grammars.productions import Opener
from errkb.reading.grammars.pydantic import find_count
from errkb.reading.grammars.stream import NO_CHAIN, Stream
from errkb.reading.grammars.traceback_parts import (
    CLASS_AND_MESSAGE,
    SPLIT,
    class_in_traceback,
    group_member,
    gutter,
    place_below,
    start_traceback,
)
from errkb.reading.line import Line
from errkb.reading.log_levels import CALM
from errkb.reading.shapes.class_heads import ClassHead, looks_like_exception, read_class_object
from errkb.reading.shapes.frames import read_place
from errkb.reading.shapes.stops import ends_message

_MAX_SOURCE = 14
"""So many unindented lines may follow a frame whose indentation is lost."""
_MAX_UNFIT = 2
"""So many may follow a frame that is indented."""
_CARETS = lazy(r"[ \t]*+(?:[\^~][\^~ ]*+|\.\.\.<\d+ lines>\.\.\.|\[Previous line repeated \d+ more times?\])\s*$")
_LEFT_OUT = ("...", "…", "[...]", "(...)", "<...>", "......", "....", ". . .", "[…]", "<snip>", "[snip]")
"""What people write where they left frames out."""
_QUOTED_TRACEBACK = ('"""', "'''")
_COUNT_WORDS = "validation error"
_COUNT_REACH = 400

_PARTS, _REPORTS, _INSIDE, _OUTSIDE = Opener(PARTS), Opener(REPORTS), Opener(INSIDE), Opener(OUTSIDE)


def read_tracebacks(lines: list[Line]) -> Stream:
    """The stream of the lines, read to its end; what it did not use is for other readers."""
    stream = Stream(lines)
    number = 0
    while number < len(lines):
        number = max(_read_line(stream, number), number + 1)
    close(stream)
    if stream.is_linked and not stream.depths:
        stream.cut_chains.append(stream.chain_line)
    return stream


def _read_line(stream: Stream, number: int) -> int:
    """Read what begins in a line; the number of the next line to read."""
    line = stream.lines[number]
    text = line.text
    stripped = text.strip()
    if not stripped:
        return number + 1
    if line.region == "code":
        stream.use_as_source(number)
        stream.test_source = stripped
        return number + 1
    if stream.depths:
        depth = stream.depths.get(number, 0)
        stream.group_depths = [level for level in stream.group_depths if level < depth]
        if stripped[:2] == "+-" and (tree := TREE.match(text)):
            return group_member(stream, number, tree, depth)
    after = _PARTS.read(stream, number)
    if after is not None:
        return after
    frame = line.frame
    if frame is not None:
        if not stream.is_open:
            start_traceback(stream, number)
        stream.add_frame(number, frame)
        return number + 1
    after = _REPORTS.read(stream, number)
    if after is not None:
        return after
    return _in_traceback(stream, number) if stream.is_open else _outside_traceback(stream, number)


def _in_traceback(stream: Stream, number: int) -> int:
    line = stream.lines[number]
    if _CARETS.match(line.text):
        stream.used[number] = 1
        return number + 1
    if line.region == "error":
        if stream.frames and line.indent > stream.frame_indent:
            stream.use_as_source(number)  # of a traceback that is the message
            return number + 1
        return gutter(stream, number)
    stripped = line.text.strip()
    if stripped in _LEFT_OUT:
        stream.used[number] = 1
        return number + 1
    place = read_place(stripped)
    if place is not None:
        stream.used[number] = 1
        stream.frames.append(place[0])
        return number + 1
    if not 0 < stream.frame_indent <= line.indent:
        after = _behind_frames(stream, number)
        if after is not None:
            return after
    if stripped.startswith(_QUOTED_TRACEBACK):
        stream.used[number] = 1
        return number + 1
    stream.use_as_source(number)
    return number + 1


def _behind_frames(stream: Stream, number: int) -> int | None:
    """Read a line that is not indented as the frames' source is, None if it may be source all the same."""
    line = stream.lines[number]
    head = class_in_traceback(stream, line)
    if head is not None and head.message >= len(line.text.rstrip()) and stream.is_split(number):
        return take_split(stream, number, head, shape=SPLIT)
    if head is not None and head.name is not None:
        return take_exception(stream, number, head, Certainty.TRACE, shape=CLASS_AND_MESSAGE)
    after = _INSIDE.read(stream, number)
    if after is not None:
        return after
    stream.since_frame += line.indent == 0
    is_quoted = line.text.lstrip().startswith(_QUOTED_TRACEBACK)
    most = _MAX_UNFIT if stream.frame_indent > 0 and stream.frames and not is_quoted else _MAX_SOURCE
    if ends_message(line.text) or stream.since_frame > most:
        close(stream)
        return _outside_traceback(stream, number)
    return None


def _outside_traceback(stream: Stream, number: int) -> int:
    line = stream.lines[number]
    text = line.text
    if line.region == "error":
        return gutter(stream, number)
    if _CARETS.match(text):
        stream.used[number] = 1
        return number + 1
    after = _OUTSIDE.read(stream, number)
    if after is not None:
        return after
    place = read_place(text.strip())
    if place is not None:
        place_below(stream, place)
        stream.used[number] = 1
        return number + 1
    head = line.class_head or read_class_object(text)
    if head is not None and line.level in CALM and not looks_like_exception(head.name or ""):
        head = None  # the name of a logger
    if head is None or head.name is None:
        count = find_count(text, _COUNT_REACH) if _COUNT_WORDS in text else None
        if count is None:
            return number + 1
        head = ClassHead(None, count.start(), count.start())
        return take_exception(stream, number, head, Certainty.CLASS, shape="validation report")
    if head.message >= len(text.rstrip()) and stream.is_split(number):
        return take_split(stream, number, head, shape=SPLIT)
    if not stream.is_linked:
        stream.chain_start = NO_CHAIN
    return take_exception(stream, number, head, Certainty.CLASS, shape=CLASS_AND_MESSAGE)
