"""Tell the lines of interleaved processes apart."""

from errkb.reading.line import Line, dedented


def by_process(lines: list[Line]) -> list[list[Line]]:
    """The lines of each process by themselves.

    A line without a process of its own belongs to the log record before it, if that had a time or a
    level: loggers put their prefix before the first line of a record only.
    """
    streams: dict[str, list[Line]] = {}
    process = ""
    for line in lines:
        if line.process:
            process = line.process if line.record_id else ""
            streams.setdefault(line.process, []).append(line)
        else:
            streams.setdefault(process, []).append(line)
    return [dedented(stream) for stream in streams.values()]
