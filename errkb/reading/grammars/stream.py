"""What is known of a stream while it is read: the traceback that is open, the chain, what was taken."""

import msgspec

from errkb.reading.candidate import Candidate
from errkb.reading.carriers.group_tree import without_trees
from errkb.reading.line import Line
from errkb.reading.occurrence import Frame
from errkb.reading.shapes.frames import frame_source

_MAX_FRAMES = 1200
NO_CHAIN = -1


class Stream:
    """The lines of one process, and how far they are understood."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.depths = without_trees(lines)
        """How deep in the tree of an exception group lines stand, by their number."""
        self.used = bytearray(len(lines))
        """The lines that an error took, one byte each."""
        self.candidates: list[Candidate] = []
        self.cut: list[int] = []
        """The lines where a traceback begins that has no exception at its end."""
        self.source_lines: list[int] = []
        """The lines of quoted source code."""
        self.openings: dict[int, str] = {}
        """The rows by which lines were read, by their number."""
        self.messages: list[int] = []
        """The lines in which the messages of exceptions begin."""

        self.is_open = False
        """A traceback has begun and not ended."""
        self.begin = 0
        """The line where it began."""
        self.frames: list[Frame] = []
        self.frame_indent = 0
        """The indentation of its last frame."""
        self.since_frame = 0
        """Lines without indentation since that frame."""
        self.class_in_header: str | None = None

        self.test_source: str | None = None
        """The source line that pytest marked last."""
        self.test_places: list[Frame] = []
        """The places that pytest named since the last error, outermost first."""

        self.chain_start = NO_CHAIN
        """Where in the text the chain begins."""
        self.chain_line = 0
        """The line where its first traceback begins."""
        self.cut_chains: list[int] = []
        """The lines where chains begin whose last exception is cut off."""
        self.has_fenced = False
        """An error stands in a fence."""
        self.in_chain = 0
        """The exceptions of the chain so far."""
        self.is_linked = False
        """The next traceback belongs to the chain."""
        self.is_ignored = False
        """The next exception is one that Python ignored."""
        self.group_depths: list[int] = []
        """The depths of the members of groups that are open, outermost first."""
        self.member = 0
        """The members so far."""

    def use(self, first: int, stop: int | None = None) -> None:
        """Mark lines as taken: one, or all up to before `stop`."""
        for number in range(first, first + 1 if stop is None else stop):
            self.used[number] = 1

    def use_as_source(self, number: int) -> None:
        """Mark a line as quoted source code; the first one below a frame is that of the frame."""
        self.used[number] = 1
        self.source_lines.append(number)
        if self.frames and self.frames[-1].source is None:
            source = frame_source(self.lines[number].text)
            if source:
                self.frames[-1] = msgspec.structs.replace(self.frames[-1], source=source)

    def accept(self, candidate: Candidate, first: int, stop: int) -> int:
        """Keep a candidate that takes the lines from `first` to before `stop`; the number of the next line."""
        self.candidates.append(candidate)
        self.has_fenced |= self.lines[first].page == "output"
        self.use(first, stop)
        return stop

    def open(self, number: int) -> None:
        """Begin a traceback in a line."""
        self.is_open = True
        self.begin = number
        self.frames = []
        self.frame_indent = 1
        self.since_frame = 0
        self.class_in_header = None
        if not self.is_linked and not self.group_depths:
            self.chain_start = NO_CHAIN
            self.chain_line = number

    def add_frame(self, number: int, frame: Frame) -> None:
        """Add a frame to the open traceback."""
        if len(self.frames) < _MAX_FRAMES:
            self.frames.append(frame)
        self.frame_indent = self.lines[number].indent
        self.since_frame = 0
        self.used[number] = 1

    def end(self) -> None:
        """End the open traceback; what follows is outside."""
        self.is_open = False
        self.frames = []

    def rank_of_next(self, start: int) -> float:
        """The rank in its chain of an exception that begins at `start`: the last of a chain comes first."""
        if self.chain_start < 0:
            self.chain_start, self.in_chain = start, 0
        self.in_chain += 1
        return self.member * 1000 - self.in_chain if self.group_depths else -self.in_chain

    def is_split(self, number: int) -> bool:
        """Whether the class in a line and its colon came as two writes, with another line's between."""
        return number + 1 < len(self.lines) and self.lines[number + 1].text.strip() == ":"
