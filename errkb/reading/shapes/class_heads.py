"""What the name of an exception class looks like, and lines that begin with or hold one."""

import builtins
import re
from typing import NamedTuple

from errkb.exception_names import is_builtin_exception, last_name
from errkb.lazy_regex import lazy
from errkb.reading.shape import Shape

_ALSO_SMALL = ("Error", "Exception", "Warning", "Failure")
_CAPITALIZED = (
    "Exit", "Interrupt", "Iteration", "Fault", "Timeout", "NotFound", "DoesNotExist", "Group", "Refused", "Denied",
    "Exceeded", "Failed", "Cancelled", "Abort", "OutOfMemory", "BadRequest", "Forbidden", "Unauthorized",
    "TooManyRequests", "ServiceUnavailable", "InvalidArgument",
)  # fmt: skip
ENDINGS = "|".join((*_ALSO_SMALL, *_CAPITALIZED))
NAMES_ALONE = (
    *(
        Shape(f"class that ends with {name}", (name[1:],), f"\\w*[{name[0]}{name[0].lower()}]{name[1:]}", f"My{name}")
        for name in _ALSO_SMALL
    ),
    *(
        Shape(f"class {name}", (name,), name, name)
        for name in vars(builtins)
        if is_builtin_exception(name) and not name.endswith(_ALSO_SMALL)
    ),
)
"""Classes that are read without a colon after them."""
NAMES_BEFORE_COLON = (
    *NAMES_ALONE,
    *(Shape(f"class that ends with {name}", (name,), rf"\w*{name}", f"My{name}") for name in _CAPITALIZED),
)
"""Classes that are read in front of a colon; what else a line says must not be taken for one."""
CLASS_BEFORE_MESSAGE = r"(?:\w{1,60}\.){0,8}\w{0,60}(?:Error|Exception): "
NAME = r"(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Za-z_]\w{0,100}"
OPEN = r"(?:[`\"'“‘«„‹「『【《(]{1,3}|_?\*{1,3}_?|__(?=[A-Z])|_(?=[A-Za-z][^\n]{0,600}_\W{0,3}$))"

_HEAD = lazy(
    rf"\s*(?P<open>{OPEN}?)(?P<name>{NAME})(?:\([\w.]{{1,100}}\))?(?P<colon>[*_]{{0,3}}\s?[:：](?:\*\*)?\s*|\s*$)"
)
_ENDING = lazy(rf"(?:\w*(?:{ENDINGS}))$")
_INSIDE = lazy(
    r"(?P<ending>Error|Exception|Warning|Exit|Failure|NotFound|Timeout|Interrupt)[*_`]{0,3}\s?[:：](?=\s|['\"]\w)"
)
_CLASS_OBJECT = lazy(r"<(?:class|type) ['‘](?P<name>[\w.]{1,200})['’]>[:,]?\s+(?=\S)")
_NO_COLON = lazy(
    rf"(?P<open>{OPEN}?)\s*(?P<name>(?:[A-Za-z_]\w{{0,80}}\.){{0,12}}[A-Za-z]\w{{1,80}}(?:Error|Exception))"
    r"[ \t]+(?=[A-Z\"'\[({<\d_])"
)
_TWO_WORDS = lazy(
    r"\s*(?P<open>[`\"'“‘*_]{0,3})(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+){0,3} ?(?:Error|Exception)) ?: *", re.IGNORECASE
)
_BUILTIN = {name.lower(): name for name in vars(builtins) if is_builtin_exception(name)}
_LABELS = {
    "Error",
    "Warning",
    "Failure",
    "Fault",
    "Exit",
    "Timeout",
    "Failed",
    "Cancelled",
    "Group",
    "Abort",
    "Interrupt",
}
_NO_CLASSES = {"File", "Message", "Arguments", "Node"}
"""What stands at the beginning of lines in and after tracebacks."""
CLOSING = {
    "`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "(": ")", "[": "]",
    "„": "“", "‹": "›", "「": "」", "『": "』", "【": "】", "《": "》",
}  # fmt: skip
"""What may stand in front of a class, quotes and brackets, and what closes it."""
_PAIRED = "“„«‹「『【《"
"""Those that another sign closes, wherever on the line."""
_LOWER = {"error", "timeout", "gaierror", "herror", "exception"}


class ClassHead(NamedTuple):
    """Where a class and its message begin in a line."""

    name: str | None
    start: int
    """The column of the class."""
    message: int
    """The column of the message."""
    opening: str = ""
    """The quoting that stands in front of the class and closes after the message."""


def looks_like_exception(name: str) -> bool:
    """Whether a dotted name is that of an exception class, judged by itself."""
    last = last_name(name)
    if not last[:1].isupper() and not (last[:1] == "_" and last.lstrip("_")[:1].isupper()):
        return last in _LOWER and "." in name and name.partition(".")[0].isidentifier() and name[0].islower()
    if last in _LABELS:
        return "." in name
    return _ENDING.match(last) is not None


def may_be_exception(name: str) -> bool:
    """Whether a dotted name may be an exception class where grammar expects one."""
    last = last_name(name).lstrip("_")
    return last[:1].isupper() or last in _LOWER or last.endswith(("error", "exception"))


def parse_class_head(text: str, *, expected: bool = False) -> ClassHead | None:
    """The ``Class: message`` (or bare class) that a line begins with.

    With `expected`, where grammar says that an exception stands here, any name may be its class.
    """
    match = _HEAD.match(text)
    if match is None:
        return _two_words(text)
    name, colon = match["name"], match["colon"]
    last = last_name(name)
    if not looks_like_exception(name):
        if expected:
            good = (
                may_be_exception(name)
                and name not in _NO_CLASSES
                and not text.startswith((":\\", ":/"), match.end("name"))  # a drive
                and not colon[:1].isspace()
                and (last not in _LABELS - {"Error", "Failed"} or "." in name)
            )
        else:
            good = bool(colon.strip()) and "." in name and last[:1].isupper() and not last.isupper()
        if not good:
            return _two_words(text)
    if not colon.strip() and not expected and not _may_stand_alone(name, last):
        return None
    if text.startswith("::", match.end("name")):
        return None
    start = match.start("name")
    return ClassHead(text[start : match.start("colon")], start, match.end("colon"), match["open"])


def _may_stand_alone(name: str, last: str) -> bool:
    return "." in name or last.endswith(("Error", "Exception")) or is_builtin_exception(last)


def _two_words(text: str) -> ClassHead | None:
    match = _TWO_WORDS.match(text)
    if match is None or " " not in match["name"].strip():
        return None
    name = _BUILTIN.get(match["name"].replace(" ", "").lower())
    return ClassHead(name, match.start("name"), match.end(), match["open"]) if name else None


def read_class_object(text: str) -> ClassHead | None:
    """The ``<class 'a.Error'>: message`` that a line begins with, as older Pythons and some hooks print it."""
    match = _CLASS_OBJECT.match(text)
    if match is None or not looks_like_exception(match["name"]):
        return None
    return ClassHead(match["name"].removeprefix("exceptions."), match.start(), match.end())


def find_class_head(text: str, *, weak: bool = False) -> ClassHead | None:
    """The first ``Class: message`` inside a line, after other text.

    With `weak`, names that are mis-spelt or lack their colon count, too.
    """
    return _find_named(text, weak=weak) or _find_class_object(text) or _find_bare(text, weak=weak)


def _find_named(text: str, *, weak: bool) -> ClassHead | None:
    for ending in _INSIDE.finditer(text):
        end = ending.end("ending")
        start = ending.start()
        while start and end - start < 200 and _is_of_name(text[start - 1]):
            start -= 1
        while start < end and not (text[start].isalpha() or text[start] == "_"):
            start += 1
        name = text[start:end]
        before = text[max(start - 40, 0) : start].rstrip()
        if before.endswith(("except", "raise", "import", "#")) or not (
            looks_like_exception(name) or (weak and len(name) > 5)
        ):
            continue
        opening = text[start - 1 : start] if text[start - 1 : start] in CLOSING else ""
        if text[max(start - 2, 0) : start] == "**":
            opening = "**"
        if not opening and text.lstrip()[:1] in CLOSING and not _closed(text, start):
            opening = text.lstrip()[:1]
        if not opening and text[:start].count("`") % 2:
            opening = "`"  # a code span that began before the class
        message = ending.end()
        while text[message : message + 1] in (" ", "\t"):
            message += 1
        return ClassHead(name, start, message, opening)
    return None


def _is_of_name(character: str) -> bool:
    """Whether a character may be part of a class's name; in scripts without blanks words run into it."""
    return character in "._" or (character.isascii() and character.isalnum())


def _find_class_object(text: str) -> ClassHead | None:
    match = _CLASS_OBJECT.search(text)
    if match is None or not looks_like_exception(match["name"]) or not text[match.end()].isupper():
        return None
    before = text[: match.start()].rstrip()
    return ClassHead(match["name"], match.start(), match.end()) if before[-1:] in ("", ":", "=", "-") else None


def _find_bare(text: str, *, weak: bool) -> ClassHead | None:
    match = _NO_COLON.match(text, len(text) - len(text.lstrip()))
    if match is None and weak:
        match = _NO_COLON.search(text, 0, 2000)
    if match is None or not (weak or looks_like_exception(match["name"])):
        return None
    return ClassHead(match["name"], match.start("name"), match.end(), match["open"])


def _closed(text: str, column: int) -> bool:
    """Whether the quote that `text` begins with closes before `column`."""
    quote = text.lstrip()[0]
    quote = CLOSING[quote] if quote in _PAIRED else quote
    return text.find(quote, len(text) - len(text.lstrip()) + 1, column) > 0
