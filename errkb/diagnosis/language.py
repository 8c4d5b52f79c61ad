"""The programming language or tool that an error text is of, where that is clearly not Python."""

import re
from typing import NamedTuple

_FIRST = 20_000
"""Characters of a text that are looked at."""


class Language(NamedTuple):
    """A language or tool, with an expression that stands only in its error texts, and an example of them."""

    name: str
    pattern: str
    """Bounded in all that it repeats; `^` is the start of any line."""
    example: str


LANGUAGES = (
    Language(
        "Python",
        r'^[^\n"]{0,200}File "[^"\n]{1,300}", line \d|Traceback \(most recent call last\)',
        '  File "a.py", line 3, in f',
    ),
    Language(
        "Java",
        r'^[ \t]{1,16}at [\w.$]{1,200}\([\w$]{1,100}\.(?:java|kt|scala):\d|Exception in thread "[^"\n]{1,80}" \w',
        "\tat com.shop.Order.pay(Order.java:31)",
    ),
    Language(
        "Node.js",
        r"^[ \t]{1,16}at [^\n]{0,200}(?:node:|[/\\])[^\n]{0,200}\.[cm]?[jt]s:\d{1,6}:\d|^npm (?:ERR!|error)",
        "    at pay (/app/order.js:3:5)",
    ),
    Language(
        "Go", r"^goroutine \d{1,9} \[[a-z ,0-9]{1,60}\]:|^\S{1,200}\.go:\d{1,6}:\d{1,6}: ", "goroutine 1 [running]:"
    ),
    Language(
        "Rust",
        r"^error\[E\d{4}\]: |thread '[^'\n]{1,80}' (?:\(\d{1,9}\) )?panicked at |^[ ]{0,16}--> [^\n]{1,200}\.rs:\d",
        "error[E0308]: mismatched types",
    ),
    Language("Ruby", r"\.rb:\d{1,6}:in [`'][^'\n]{1,120}'", "order.rb:3:in `pay'"),
    Language(
        "PHP",
        r"(?:Fatal|Parse) error: {1,2}[^\n]{1,300} in [^\n]{1,200}\.php(?: on line |:)\d",
        "PHP Fatal error:  Uncaught Error in /app/order.php:3",
    ),
    Language(
        ".NET",
        r"^[ \t]{1,16}at [\w.<>`]{1,200}\([^)\n]{0,200}\) in [^\n]{1,200}:line \d|^Unhandled exception\. System\.",
        "   at Shop.Order.Pay() in C:\\shop\\Order.cs:line 3",
    ),
    Language(
        "C or C++",
        r"^[^\s:][^:\n]{0,200}\.(?:c|cc|cpp|cxx|h|hpp):\d{1,6}:(?:\d{1,6}:)? (?:fatal )?error: ",
        "order.c:3:5: error: expected ';'",
    ),
    Language("TypeScript", r"\berror TS\d{4}: ", "a.ts(3,5): error TS2304: Cannot find name 'pay'."),
    Language(
        "a shell",
        r"^(?:-?bash|zsh|sh|/bin/sh): [^\n]{1,160}not found|^[^\n]{1,80}: command not found$",
        "bash: pay: command not found",
    ),
    Language("Git", r"^fatal: [^\n]{0,200}(?:git|refspec|branch|commit|remote)", "fatal: not a git repository"),
    Language(
        "Docker",
        r"Cannot connect to the Docker daemon|^docker: Error response from daemon|^ERROR: failed to solve",
        "docker: Error response from daemon: no such image.",
    ),
)
"""Python is first: a text that holds one of its traces is of no other language."""


def foreign_language(text: str) -> str | None:
    """The name of the language or tool of an error text; None for Python, and where it is not clear."""
    head = text[:_FIRST]
    found = next((one.name for one in LANGUAGES if re.search(one.pattern, head, re.MULTILINE)), None)
    return None if found == "Python" else found
