"""Lines that report nothing: progress, access logs, rules, parts of something else."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.log_levels import CALM, TRACING
from errkb.reading.shape import any_of, hints_of
from errkb.reading.shapes.class_heads import find_class_head
from errkb.reading.shapes.progress import PROGRESS, SUMMARY

_PROGRESS = any_of(PROGRESS)
_PROGRESS_HINTS = hints_of(PROGRESS)
_PROGRESS_REACH = 400
_ACCESS = lazy(r'"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,2000} HTTP/')
_ACCESS_REACH = 3000
_SUMMARY = lazy(SUMMARY.pattern)
_OF_TASK = lazy(r"exception=[\w.]{1,200}\((?!\))")
_BACKGROUND = "(Background on this error at: "
_DRAWN = "-=_*~+#."
_DRAWN_REACH = 400


def is_noise(line: Line) -> bool:
    """Whether a line is a log's everyday business, a rule, a bar or a part of something else."""
    text = line.text
    if line.region == "code" or line.level in CALM or text.startswith(_BACKGROUND):
        return True
    if line.level == TRACING and find_class_head(text) is None:
        return True
    if text.lstrip()[:1] in _DRAWN and not any(map(str.isalnum, text[:_DRAWN_REACH])):
        return True
    for hint in _PROGRESS_HINTS:
        if hint in text and _PROGRESS.search(text, 0, _PROGRESS_REACH):
            return "Error: " not in text
    if "HTTP/" in text and _ACCESS.search(text, 0, _ACCESS_REACH):
        return True
    return line.is_structure and not _holds_error(text)


def _holds_error(text: str) -> bool:
    """Whether a line of a fixed form holds an error all the same."""
    if _SUMMARY.match(text) or "Caused by: " in text or (text.startswith(">>> ") and find_class_head(text) is not None):
        return True
    return "exception=" in text and _OF_TASK.search(text) is not None
