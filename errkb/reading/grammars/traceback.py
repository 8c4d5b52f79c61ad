"""Python's grammar of tracebacks, over the lines of one stream."""

import re

from msgspec.structs import replace

from errkb.exception_names import last_name
from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.carriers.group_tree import TREE, without_trees
from errkb.reading.grammars.pydantic import (
    COUNT,
    Inner,
    begins_inner,
    inner_candidates,
    read_inner,
    read_report,
    without_links,
)
from errkb.reading.grammars.reports import OCCURRED, PANIC, read_fatal, read_page, read_warning
from errkb.reading.line import Line
from errkb.reading.log_levels import CALM
from errkb.reading.occurrence import Frame, Role
from errkb.reading.shapes.class_heads import (
    ClassHead,
    find_class_head,
    looks_like_exception,
    parse_class_head,
    read_class_object,
)
from errkb.reading.shapes.exception_reprs import read_repr
from errkb.reading.shapes.frames import read_frame, read_place
from errkb.reading.shapes.message_end import HEADER, LINK, WARNING, ends_message, is_rule, message_stop
from errkb.reading.shapes.message_text import strip_python_additions, strip_quoting, text_of, without_notes

_MAX_FRAMES = 1200
_MAX_SOURCE = 14
"""So many unindented lines may follow a frame whose indentation is lost."""

_ERROR = lazy(r"(?P<name>[Ee]rror): (?=\S)")
_COLON = lazy(r"[:：]")
_CARETS = lazy(r"[ \t]*(?:[\^~ ]*[\^~]|\.\.\.<\d+ lines>\.\.\.|\[Previous line repeated \d+ more times?\])\s*$")
_RAY = lazy(r"(?:^|: )ray::[\w.<>\[\]]{1,200}\(\) \(pid=\d")
_GLUED_CLASS = lazy(r'(?P<name>(?:\w{1,80}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception))\s+File "')
_QUOTED_TRACEBACK = ('"""', "'''")


class TracebackReader:
    """Reads one stream line by line; what it takes is marked as used, the rest is for other readers."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.used = bytearray(len(lines))
        self.candidates: list[Candidate] = []
        self.cut: list[int] = []
        """The lines where a traceback begins that has no exception at its end."""
        self.source_lines: list[int] = []
        """The lines of quoted source code."""
        self._frames: list[Frame] = []
        self._open = False
        self._begin = 0
        self._frame_indent = 0
        self._since_frame = 0
        self._class_in_header: str | None = None
        self._chain = -1
        self._place = 0
        self._linked = False
        self._ignored = False
        self._depths = without_trees(lines)
        self._members: list[int] = []
        self._member = 0

    def read(self) -> list[Candidate]:
        """Return the exceptions that the stream tells of."""
        number = 0
        while number < len(self.lines):
            number = max(self._line(number), number + 1)
        self._close()
        return self.candidates

    def _line(self, number: int) -> int:
        line = self.lines[number]
        text = line.text
        stripped = text.strip()
        if not stripped:
            return number + 1
        if line.region == "code":
            self._take_source(number)
            return number + 1
        if self._depths:
            depth = self._depths.get(number, 0)
            self._members = [level for level in self._members if level < depth]
            if stripped[:2] == "+-" and (tree := TREE.match(text)):
                return self._tree(number, tree, depth)
        if "raceback (" in text and (header := HEADER.search(text)):
            return self._header(number, header)
        if LINK.search(text, 0, 200):
            return self._link(number)
        if ' File "' in text and (glued := _GLUED_CLASS.match(stripped)) and self._is_split(number):
            return self._split(number, ClassHead(glued["name"], line.indent, len(text)))
        frame = read_frame(stripped)
        if frame is not None:
            return self._frame(number, frame)
        if occurred := OCCURRED.match(stripped):
            return self._occurred(number, occurred)
        if stripped.startswith("Exception ignored in"):
            self._close()
            self._ignored = True
            self.used[number] = 1
            return number + 1
        if stripped.startswith("thread '") and (panic := PANIC.match(stripped)):
            return self._panic(number, panic)
        if stripped.startswith("Fatal Python error: "):
            return self._fatal(number)
        if "ray::" in text and (ray := _RAY.search(text)):
            self._start(number)
            if ray.start():
                self.lines[number] = line.cut(0, ray.start())
            else:
                self.used[number] = 1
            return number + 1
        if self._open:
            return self._in_traceback(number, stripped)
        return self._outside_traceback(number, stripped)

    # the parts of a traceback

    def _header(self, number: int, header: re.Match[str]) -> int:
        line = self.lines[number]
        before = line.text[: header.start()].strip(" _*`\"'|+>-(")
        self._start(number)
        if not before:
            self.used[number] = 1
        else:
            head = parse_class_head(before, expected=True)
            if head is not None and head.message >= len(before) and not line.indent:
                self._class_in_header = before.split()[0]  # IPython names the class in front of the header
                self.used[number] = 1
            else:
                self.lines[number] = line.cut(0, header.start())
        return number + 1

    def _start(self, number: int) -> None:
        self._close()
        self._open = True
        self._begin = number
        self._frames = []
        self._frame_indent = 1
        self._since_frame = 0
        self._class_in_header = None
        if not self._linked and not self._members:
            self._chain = -1

    def _frame(self, number: int, frame: Frame) -> int:
        if not self._open:
            self._start(number)
        if len(self._frames) < _MAX_FRAMES:
            self._frames.append(frame)
        self._frame_indent = self.lines[number].indent
        self._since_frame = 0
        self.used[number] = 1
        return number + 1

    def _link(self, number: int) -> int:
        self._close()
        self.used[number] = 1
        cause = "direct cause" in self.lines[number].text
        for at in reversed(range(len(self.candidates))):
            candidate = self.candidates[at]
            if candidate.chain_start == self._chain and candidate.role in (Role.RAISED, Role.MEMBER):
                self.candidates[at] = replace(candidate, role=Role.CAUSE if cause else Role.CONTEXT)
                break
        self._linked = bool(self.candidates) and self._chain >= 0
        return number + 1

    def _in_traceback(self, number: int, stripped: str) -> int:
        line = self.lines[number]
        if _CARETS.match(line.text):
            self.used[number] = 1
            return number + 1
        indent = line.indent
        if line.region == "error":
            if self._frames and indent > self._frame_indent:
                self._take_source(number)  # of a traceback that is the message
                return number + 1
            return self._gutter(number)
        shifted = 0 < self._frame_indent <= indent
        place = read_place(stripped)
        if place is not None:
            self.used[number] = 1
            self._frames.append(place[0])
            return number + 1
        if not shifted:
            head = self._head(line)
            if head is not None and head.message >= len(line.text.rstrip()) and self._is_split(number):
                return self._split(number, head)
            if head is not None and head.name is not None:
                return self._exception(number, head, Certainty.TRACE)
            if COUNT.match(stripped):
                return self._exception(number, ClassHead(None, indent, indent), Certainty.TRACE)
            if begins_inner(line.text):
                return self._inner(number)
            self._since_frame += indent == 0
            unfit = self._frame_indent > 0 and self._frames and not stripped.startswith(_QUOTED_TRACEBACK)
            if ends_message(line.text) or self._since_frame > _MAX_SOURCE or (unfit and self._since_frame > 2):
                self._close()
                return self._outside_traceback(number, stripped)
        if stripped.startswith(_QUOTED_TRACEBACK):
            self.used[number] = 1
            return number + 1
        self._take_source(number)
        return number + 1

    def _head(self, line: Line) -> ClassHead | None:
        """Return the exception that a line begins with, inside a traceback.

        Where indentation does not tell code from exceptions, its class must look like one or be named
        by the header.
        """
        head = parse_class_head(line.text, expected=self._frame_indent > 0) or read_class_object(line.text)
        if head is None and self._class_in_header:
            head = parse_class_head(line.text, expected=True)
            if head is not None and head.name not in (self._class_in_header, last_name(self._class_in_header)):
                head = None
        if head is None and self._frames and (error := _ERROR.match(line.text)):
            head = ClassHead(error["name"], 0, error.end())  # of a module that calls its class so
        return head

    def _take_source(self, number: int) -> None:
        self.used[number] = 1
        self.source_lines.append(number)

    def _is_split(self, number: int) -> bool:
        """Tell whether the class and its colon came as two writes, with another line's between."""
        after = self.lines[number + 1].text.strip() if number + 1 < len(self.lines) else ""
        return after == ":"

    def _split(self, number: int, head: ClassHead) -> int:
        self.used[number + 1] = 1
        if number + 2 >= len(self.lines):
            return self._exception(number, head, Certainty.TRACE)
        self.used[number] = 1
        first = self.lines[number + 2]
        return self._exception(
            number + 2,
            ClassHead(head.name, 0, first.indent),
            Certainty.TRACE,
            start=self.lines[number].offset(head.start),
        )

    def _exception(self, number: int, head: ClassHead, kind: Certainty, start: int | None = None) -> int:
        """Take the exception whose class begins in a line; return the number of the line behind it."""
        lines = self.lines
        line = lines[number]
        if self._ignored:
            kind = Certainty.IGNORED
        elif kind is Certainty.CLASS and (head.name or "").endswith("Warning"):
            kind = Certainty.WARNING
        start = line.offset(head.start) if start is None else start
        first = line.cut(head.message)
        if first.text:
            start = min(start, first.offset(0))  # in a record the class may stand behind its message
        count = COUNT.search(first.text)
        inners: list[Inner] = []
        if count is not None:
            inners, last = read_report(lines, number)
            stop = last + 1
        else:
            stop = message_stop(lines, number, line.indent)
            colon = line.region == "error" or _COLON.search(line.text, head.start, head.message)
            if self._frames and not (colon or first.text.strip()):
                stop = number + 1  # without a colon the class is all that Python printed
        if "Traceback (most" in first.text:
            first = first.cut(0, first.text.index("Traceback (most"))
        body = [first, *(more for more in lines[number + 1 : stop] if first.text.strip() or not is_rule(more.text))]
        if line.region == "error":
            body[1:] = [more.cut(min(more.indent, line.indent)) for more in body[1:]]
        if count is not None:
            body = without_links(body)
        body, notes = without_notes(body)
        name, message = head.name, strip_python_additions(head.name, strip_quoting(text_of(body), head.opening))
        if name == "Exception" and (inner := read_repr(message.strip('"'))) is not None:
            name, message = inner.name, inner.message  # printed by its repr
        if self._chain < 0:
            self._chain, self._place = start, 0
        self._place += 1
        outer = Candidate(
            kind,
            message,
            start,
            max((body or [first])[-1].end(), start),
            name,
            Role.IGNORED if self._ignored else Role.MEMBER if self._members else Role.RAISED,
            tuple(self._frames),
            notes,
            chain_start=self._chain,
            rank_in_chain=self._member * 1000 - self._place if self._members else -self._place,
        )
        if count is not None:
            self.candidates += inner_candidates(lines, inners, outer, is_whole=count.start() == 0)
        self.candidates.append(outer)
        for taken in range(number, stop):
            self.used[taken] = 1
        self._open = self._linked = self._ignored = False
        self._frames = []
        return stop

    def _inner(self, number: int) -> int:
        """Take an error of a validation report whose head is not there."""
        location = None
        if number and not self.used[number - 1] and self.lines[number].indent:
            before = self.lines[number - 1].text
            if before and " " not in before.strip() and before[0] not in " \t":
                location = before.strip()
                self.used[number - 1] = 1
        inner = read_inner(self.lines, number, location)
        if inner is None:
            return number + 1
        for taken in range(inner.first, inner.last + 1):
            self.used[taken] = 1
        start = self.lines[number].offset(inner.start)
        self.candidates.append(
            Candidate(
                Certainty.TRACE if self._frames else Certainty.CLASS,
                inner.message,
                start,
                self.lines[inner.last].end(),
                inner.error_class,
                Role.WRAPPED,
                tuple(self._frames),
                location=inner.location,
                chain_start=start,
            )
        )
        return inner.last + 1

    def _close(self) -> None:
        """End a traceback that has no exception line."""
        if self._open and self._frames:
            for number in range(self._begin, len(self.lines)):
                text = self.lines[number].text
                if text.strip() and not self.used[number] and number > self._begin:
                    break
                if ":" in text and (head := find_class_head(text, weak=True)) and head.message < len(text):
                    self._exception(number, head, Certainty.TRACE)
                    return
            if self._class_in_header:
                start = self.lines[self._begin].offset(0)
                frames = tuple(self._frames)
                self.candidates.append(
                    Candidate(
                        Certainty.TRACE, "", start, start, self._class_in_header, frames=frames, chain_start=start
                    )
                )
            else:
                self.cut.append(self._begin)
            self._linked = False
        self._open = False
        self._frames = []

    # what stands outside of tracebacks

    def _outside_traceback(self, number: int, stripped: str) -> int:
        line = self.lines[number]
        text = line.text
        if line.region == "error":
            return self._gutter(number)
        if _CARETS.match(text):
            self.used[number] = 1
            return number + 1
        if ": " in text:
            warning = WARNING.match(stripped)
            if warning is not None:
                return self._accept(*read_warning(self.lines, number, warning), number)
        if "Exception Type:" in stripped[:25] or " at /" in text:
            return self._page(number)
        if begins_inner(text):
            return self._inner(number)
        if COUNT.match(stripped):
            return self._exception(number, ClassHead(None, line.indent, line.indent), Certainty.CLASS)
        place = read_place(stripped)
        if place is not None:
            self._name_last(place[1])
            self.used[number] = 1
            return number + 1
        head = parse_class_head(text) or read_class_object(text)
        if head is not None and line.level in CALM and not looks_like_exception(head.name or ""):
            head = None  # the name of a logger
        if head is None or head.name is None:
            if "validation error" in text and (count := COUNT.search(text, 0, 400)):
                return self._exception(number, ClassHead(None, count.start(), count.start()), Certainty.CLASS)
            return number + 1
        if head.message >= len(text.rstrip()) and self._is_split(number):
            return self._split(number, head)
        if not self._linked:
            self._chain = -1
        return self._exception(number, head, Certainty.CLASS)

    def _gutter(self, number: int) -> int:
        """Take a block of pytest's ``E`` lines."""
        line = self.lines[number]
        head = parse_class_head(line.text)
        if head is None and COUNT.search(line.text) is None and line.indent == 0:
            head = ClassHead(None, 0, 0)
        if head is None:
            head = ClassHead(None, line.indent, line.indent)
        if not self._linked:
            self._chain = -1
        return self._exception(number, head, Certainty.TRACE)

    def _name_last(self, name: str | None) -> None:
        """Give the class of pytest's ``path:line: Class`` to the error above that has none."""
        if name and self.candidates and self.candidates[-1].error_class is None:
            self.candidates[-1] = replace(self.candidates[-1], error_class=name)

    def _page(self, number: int) -> int:
        page = read_page(self.lines, number)
        if page is None:
            return number + 1
        self.used[number] = 1
        self._chain = -1
        start = self.lines[number].offset(page.start)
        return self._exception(page.value, ClassHead(page.name, 0, page.message), Certainty.TRACE, start=start)

    def _occurred(self, number: int, occurred: re.Match[str]) -> int:
        """Take the exception that a debugger names above its message."""
        self._close()
        self._chain = -1
        self.used[number] = 1
        line = self.lines[number]
        start = line.offset(line.indent + occurred.start("name"))
        if number + 1 == len(self.lines):
            return number + 1
        return self._exception(
            number + 1, ClassHead(occurred["name"], 0, self.lines[number + 1].indent), Certainty.TRACE, start=start
        )

    def _panic(self, number: int, panic: re.Match[str]) -> int:
        """Take what a thread of Rust says before it ends, in the line or in the next."""
        self._close()
        self._chain = -1
        if panic["old"] is None and number + 1 < len(self.lines):
            self.used[number] = 1
            return self._exception(number + 1, ClassHead(None, 0, self.lines[number + 1].indent), Certainty.PROBABLE)
        line = self.lines[number]
        place = line.indent + panic.start("old")
        candidate = Candidate(
            Certainty.PROBABLE, panic["old"] or "", line.offset(place), line.end(), chain_start=line.offset(place)
        )
        return self._accept(candidate, number + 1, number)

    def _fatal(self, number: int) -> int:
        self._close()
        return self._accept(*read_fatal(self.lines, number), number)

    def _accept(self, candidate: Candidate, after: int, number: int) -> int:
        self.candidates.append(candidate)
        for taken in range(number, after):
            self.used[taken] = 1
        return after

    # exception groups

    def _tree(self, number: int, tree: re.Match[str], depth: int) -> int:
        """Read the line before a member of a group, or behind the last."""
        self._close()
        self.used[number] = 1
        if tree["number"]:
            self._members.append(depth)
            self._member += 1
        self._linked = bool(self._members)
        return number + 1
