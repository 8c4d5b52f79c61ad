"""Tell the lines of interleaved processes apart."""

from errkb.reading.line import Line, dedented

_SHORTEST = 40
_ENDS = (".", "!", "?", ":", ";", ")", "]", "}")


def by_process(lines: list[Line]) -> list[list[Line]]:
    """The lines of each process by themselves.

    A line without a process of its own belongs to the log record before it, if that had a time or a
    level: loggers put their prefix before the first line of a record only.
    """
    streams: dict[str, list[Line]] = {}
    process = ""
    above: Line | None = None
    for line in lines:
        if line.process:
            process = line.process if line.record_id else ""
            streams.setdefault(line.process, []).append(line)
            above = line
        elif above is not None and _is_folded(above, line):
            streams[above.process].append(line)
            above = None
        else:
            above = None
            streams.setdefault(process, []).append(line)
    return [dedented(stream) for stream in streams.values()]


def _is_folded(above: Line, line: Line) -> bool:
    """Whether a line without a prefix is the rest of the one above it, which was folded at a blank."""
    text = above.text.rstrip()
    return len(text) >= _SHORTEST and line.text[:1].islower() and not line.region and not text.endswith(_ENDS)
