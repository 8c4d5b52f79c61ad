"""Which of several errors the reader should know about first."""

import re
from bisect import bisect_right

from msgspec.structs import replace

from errkb.exception_names import last_name
from errkb.lazy_regex import lazy
from errkb.reading.candidate import Candidate, Certainty
from errkb.reading.occurrence import Role
from errkb.reading.shape import Shape, any_of, hints_of
from errkb.reading.shapes.progress import SUMMARY

MAX_OCCURRENCES = 200
"""No more occurrences than this are returned for one text."""

_CUT_BY_TEST = "..."
_CUT = 20
_CUT_AT_END = 9
"""A shorter message may be whole even though another one begins like it."""

POINTERS = (
    Shape(
        "points above",
        ("above", "traceback", "root cause", "log"),
        r"\b(?:see|look(?:ing)? up|check|refer to|scroll)\b.{0,60}\b(?:above|traceback|root cause|logs?\b.{0,20}for)"
        r"|\babove (?:for|output|error|exception|stack)|\broot cause (?:above|below)",
        "see the traceback above",
    ),
    Shape(
        "another process failed",
        ("exit", "died with", "successfully", "failed with"),
        r"non-?zero exit|\bdied with\b|\bdid not complete successfully|\bfailed with (?:exit )?(?:code|status)"
        r"|\bexit(?:ed)?(?: with)? (?:code|status)|\breturned exit (?:code|status)",
        "failed with exit code 1",
    ),
    Shape(
        "announces",
        ("error:", "exception:", "traceback:", "failed with:", "raised:", "subprocess:"),
        r"(?:\berror|exception|traceback|\bfailed with|\braised|\bsubprocess):$",
        "Worker 3 ended with the following error:",
    ),
    Shape(
        "passes on",
        ("exception", "caught ", "ray::"),
        r"^Exception encountered at |^Caught \w+ in |^ray::|\bexception from (?:the )?worker|\bsub-exceptions?\)$",
        "Caught ValueError in DataLoader worker process 0.",
    ),
)
"""Messages that only say that something else failed; the hints are in small letters."""
_POINTER = any_of(POINTERS, flags=re.IGNORECASE)
_POINTER_HINTS = hints_of(POINTERS)
_POINTER_REACH = 2000
_TIERS = {
    Certainty.TRACE: (0, 2),
    Certainty.CLASS: (1, 2),
    Certainty.PROBABLE: (3, 4),
    Certainty.LABELLED: (5, 6),
    Certainty.SOURCE: (7, 8),
    Certainty.UNMARKED: (9, 10),
    Certainty.WARNING: (9, 9),
    Certainty.IGNORED: (9, 9),
}
"""The tier by certainty: of an error of its own, and of one that only says that something else failed."""
_LOUDNESS = {Certainty.WARNING: 2, Certainty.IGNORED: 3}
"""The place among unmarked lines of what is no error of its own."""
_LOUDNESS_WITHOUT_MESSAGE = 1
"""The place among unmarked lines of an exception without a message; those that sound like an error have 0."""
_WRAPPING_CLASS = lazy(
    r"RayTaskError|ChildFailedError|RemoteTraceback|CalledProcessError|ExceptionGroup|SystemExit|KeyboardInterrupt"
)


def is_wrapper(candidate: Candidate) -> bool:
    """Whether the candidate only says that something else failed."""
    if candidate.error_class and _WRAPPING_CLASS.search(candidate.error_class):
        return True
    message = candidate.message[:_POINTER_REACH]
    small = message.lower()
    return any(hint in small for hint in _POINTER_HINTS) and _POINTER.search(message) is not None


def ordered(candidates: list[Candidate], length: int = -1) -> list[Candidate]:
    """The candidates in the order in which a reader should know about them, without repetitions.

    1. What was raised comes before what was only said: an exception that ends a traceback, then a
       class with its message, then the line before a cut traceback, then logged errors, then lines
       that sound like an error, then warnings and what Python ignored, then other lines. A class at
       the end of a traceback is the one sign of an error that cannot be anything else.
    2. Among exceptions, a wrapper (``… See root cause above``, ``… returned non-zero exit status 1``, a
       group, a remote task's error) comes after all that are none: it says that something failed, and
       the text says elsewhere what. If it is all there is, it is first.
    3. In a chain, the last exception comes first: it is what the code that was called chose to tell its
       caller, in the caller's terms; causes follow, nearest first. If it is cut off, the nearest cause
       is the last one. What an envelope (a validation error) holds comes before the envelope, for the
       envelope's own words are only a count and a name.
    4. Of several chains the first comes first: later errors tend to follow from earlier ones.
    5. What a traceback says that was logged as a warning comes after a reported error that ends the text: the
       program went on, and stopped there.
    6. An exception without a message comes after those that have one, and after lines that sound like
       an error: they say more.

    The same class and message twice (logged, then raised) is one occurrence, the better one. A message
    that is the beginning of another one of the same class is passed over: it was cut, surely so where
    the text of `length` characters ends.
    """
    if len(candidates) < 2:
        return candidates
    candidates = _without_cut(candidates, length)
    if any(one.certainty is Certainty.LABELLED and one.end >= length > 0 for one in candidates):
        candidates = [replace(one, certainty=Certainty.SOURCE) if one.is_mild else one for one in candidates]
    best: dict[tuple[str, str], Candidate] = {}
    named: dict[str, Candidate] = {}
    for candidate in candidates:
        if candidate.error_class and candidate.message:
            named.setdefault(_folded(candidate), candidate)
    for candidate in sorted(candidates, key=_key):
        message = _folded(candidate)
        if not candidate.error_class and message in named:
            other = named[message]
            candidate = replace(candidate, error_class=other.error_class, start=other.start, end=other.end)
        name = _last_name(candidate)
        known = best.setdefault((name, message), candidate)
        if known is not candidate and not known.frames and candidate.frames:
            best[name, message] = replace(known, frames=candidate.frames)
        if len(best) >= MAX_OCCURRENCES:
            break
    return list(best.values())


def _without_cut(candidates: list[Candidate], length: int) -> list[Candidate]:
    """The candidates without those whose message is the cut beginning of another one of the class."""
    whole: dict[tuple[str, bool], list[str]] = {}
    for candidate in candidates:
        if candidate.is_raised and candidate.shape != SUMMARY.name:
            name, is_sure = _last_name(candidate), candidate.certainty is Certainty.TRACE
            whole.setdefault((name, False), []).append(candidate.message)
            if is_sure:
                whole.setdefault((name, True), []).append(candidate.message)
    for messages in whole.values():
        messages.sort()  # what begins with a message stands right after it

    def is_cut(candidate: Candidate) -> bool:
        message = candidate.message.removesuffix(_CUT_BY_TEST) if candidate.shape == SUMMARY.name else candidate.message
        is_sure = candidate.certainty is Certainty.TRACE
        is_whole = is_sure and candidate.end < length
        messages = whole.get((_last_name(candidate), is_whole), [])
        after = bisect_right(messages, message)
        long_enough = len(message) > (_CUT_AT_END if candidate.end >= length else _CUT)
        if not long_enough or after >= len(messages) or not messages[after].startswith(message):
            return False
        return not (is_sure and messages[after][len(message)].isspace())  # it was not cut inside of a word

    return [candidate for candidate in candidates if not is_cut(candidate)]


def _folded(candidate: Candidate) -> str:
    return " ".join(candidate.message.split())


def _last_name(candidate: Candidate) -> str:
    return last_name(candidate.error_class or "")


def _key(candidate: Candidate) -> tuple[int, int, float, int]:
    certainty = candidate.certainty
    loudness = candidate.loudness
    if candidate.is_raised:
        if candidate.message:
            tier = _TIERS[certainty][is_wrapper(candidate) or (candidate.is_outside and certainty is Certainty.CLASS)]
        else:
            tier = _TIERS[Certainty.UNMARKED][0]
            loudness = _LOUDNESS_WITHOUT_MESSAGE if loudness is None else loudness
    elif certainty in _LOUDNESS:
        tier, loudness = _TIERS[certainty][0], _LOUDNESS[certainty]
    else:
        is_pointer = is_wrapper(candidate)
        tier = _TIERS[certainty][candidate.role is Role.WRAPPED or (is_pointer and certainty is not Certainty.UNMARKED)]
        if is_pointer and certainty is Certainty.UNMARKED and loudness is not None:
            loudness = max(loudness, _LOUDNESS_WITHOUT_MESSAGE)
    first = candidate.chain_start if loudness is None else loudness
    return (tier, first, candidate.rank_in_chain, candidate.start)
