"""Where a message ends."""

import re

from errkb.lazy_regex import lazy
from errkb.reading.line import Line
from errkb.reading.shapes.class_heads import parse_class_head
from errkb.reading.shapes.frames import read_frame, read_place

MAX_LINES = 300

LINK = lazy(
    r"The above exception was the direct cause|During handling of the above exception|Original exception was:\s*$"
)
HEADER = lazy(r"(?:Exception Group )?[TtfF]raceback \((?:most recent call|innermost) last\):?")
WARNING = lazy(r"(?P<file>\S.{0,300}?):(?P<line>\d{1,7}): (?P<name>(?:\w{1,80}\.){0,8}\w{0,80}Warning): ?")
_STOP = lazy(
    r"""\s*(?:
    # Python's own
    (?:The\ above\ exception\ was|Original\ exception\ was:|Error\ in\ sys\.excepthook:)
  | During\ handling\ of\ the\ above | (?:Exception\ Group\ |Original\ )?Traceback\ \(
  | [+|]-[+-]- | \+-{3,} | "{3}|'{3} | Exception\ ignored\ in | sys:\d+:\ | \S.{0,200}?:\d{1,7}:\ \w*Warning:
  | Fatal\ Python\ error: | (?:Current\ )?[Tt]hread\ 0x[0-9a-f]+ | Process\ \S+:$
  | Traceback:\s*$ | -{3}\ (?:End\ of\ )?[Ll]ogging\ error\ -{3} | Call\ stack:\s*$
  | (?:future|task):\ <(?:Task|Future)\ | (?:Task|Future)\ exception\ was\ never\ retrieved
  | Task\ was\ destroyed\ but\ it\ is\ pending
  | Unclosed\ (?:client\ session|connector|connection)
  | Error\ on\ reading\ from\ the\ event\ loop
    # rules and bars
  | (?<!\s)[=_*\#~-]{4,}(?:\s|$) | \S{0,200}\d%\|
    # prompts
  | (?<!\s)>>>\ ? | (?<!\s)\.\.\.\ *$ | `\s*$
  | In\ \[\d+\]: | \^[CDZ] | [A-Za-z]:\\[^>\n]{0,200}> | PS\ [A-Z]:\\ | \$\ | [%➜❯][ ]
  | \([\w./-]{1,60}\)\ \S{0,80}\s?.{0,80}[$#➜%❯>](?:\s|$) | [\w.-]{1,40}@[\w.-]{1,60}[:~ ].{0,120}[$#%]
    # what shells and tools say at the end
  | [\w.-]{1,40}(?:\[\d+\])?:\ \*\*\* | (?:real|user|sys)\s+\d+m[\d.]+s | Press\ (?:any|Enter|[Cc]trl|CTRL)
  | Process\ finished\ with\ exit\ code | (?:Error:\ )?Process\ completed\ with\ exit\ code | \[Finished\ in[ ]
  | .{0,80}\bin\ \d+(?:\.\d+)?\ ?(?:s|ms|sec|secs|seconds|minutes)\.?\s*$
  | \[\d{1,3}\]\s+(?:[+-]\s+)?\d{1,7}\ +(?:exit|done|killed|terminated|segmentation|abort) | Execution\ halted\s*$
  | Run\ `\w+::\w+\(\)`\ | command\ terminated\ with\ exit\ code | exit\ status\ \d+\s*$ | Process\ exited\ with\ code
  | (?:Re)?[Tt]rying\ (?:again\ )?in\ \d | Complete\ output\ from\ command\ | npm\ (?:ERR!|error)[ ]
    # what services say
  | \d{1,3}(?:\.\d{1,3}){3}\ -\ | \[pid:\ \d+\| | spawned\ uWSGI\ | \*\ (?:Debugger|Restarting|Running|Serving)[ ]
  | (?:Internal\ Server\ Error|Not\ Found|Bad\ Request|Forbidden):\ /
  | (?:START|END|REPORT|INIT_START)\ RequestId:\ | Performing\ system\ checks | Watching\ for\ file\ changes\ with[ ]
  | !\[.{0,100}\]\( | <img\  | Set\ the\ environment\ variable\ HYDRA_FULL_ERROR | Traceback\ Error:
  | Sentry\ is\ attempting | %\d\|\d+ | The\ full\ traceback\ has\ been\ saved\ in[ ]
  | \(\d+\ additional\ frame\(s\)\ were\ not\ displayed\)
    # PowerShell
  | \+\ (?:CategoryInfo|FullyQualifiedErrorId)\s*: | \+\ ~+
  | (?:At\ line|In\ riga|In\ Zeile|En\ línea|Au\ caractère\ Ligne|所在位置\ 行):\d+\ \S+:\s*\d+
  | Output\ is\ truncated\. | \[(?:end\ of\ output|\d+\ lines?\ of\ output)\] | note:[ ]
    # parts of a report
  | (?:FAILED|ERROR|PASSED|SKIPPED|XFAIL)\ \S+:: | (?<!\s)[Uu]sage:\ | Try\ ['"`].{1,100}['"`]\ for\ help
  | For\ further\ information\ visit | Exception\ (?:Location|Value|Type):
  | (?:Request|Django|Python)\ (?:Method|URL|Version|Path|Executable):
    # other languages' traces
  | Caused\ by:\s | [Ss]tack\ ?(?:back)?trace: | C\+\+\ (?:Captured)?Traceback | Exception\ raised\ from\ \S+\ at
  )""",
    re.VERBOSE,
)
_RULE = lazy(r"\s*([=_*#~-])\1{3,}\s*$")
_BEGINS_ANOTHER = lazy(
    r"\s*raise [\w.]{1,200}(?:\(|$)"  # of a log in reverse order, or shown below
    r"|#{1,6} [A-Z]"  # a heading of the page
    r"|Error: Python script failed|Exception in thread |(?:Aborted|Segmentation fault) \(core dumped\)"
    r"|[a-z][\w.-]{0,40}: (?:error|fatal|warning): "  # another program's
    r"|\s*(?:error: (?:command |[a-z]+(?:-[a-z]+)+\s*$)|Exception in callback |Ignoring exception in "
    r"|Running setup\.py |(?:How|What|Why|Any|Can|Could) [^\n]{5,300}\?\s*$"
    r"|(?:\[\S{1,30}\] )?Failed to execute script |Cannot import .{1,300} module for custom nodes:|nox > |Oh no! "
    r"|\S{1,300}\.py::\S{1,300} - )"
)
"""Lines that say something of their own behind a message."""
_PERSON = lazy(
    r"(?:^|[,.] )i\b|\b(?:I|I'm|I've|my|anyone|thanks|Thanks)\b|\?\s*$"
    r"|\s*(?:How|What|Why|Any|Here|Then|After|Before|Expected|Steps|However|But|Not sure|Only|Strangely)\b"
    r"|\b(?:happens (?:with|on|only|in|for|every|also)|works? (?:fine|well|with|on|as|for|without|just)|behaves?"
    r"|doesn't seem|the above error|the same (?:script|code|error|thing|problem)|help me|no idea|last (?:week|month))\b"
)
_ENVIRONMENT = lazy(
    r"\s*(?:[A-Z]\w*(?: \w+)? [vV]ersion|Operating [sS]ystem|OS|Platform|Environment|GPU|CPU|System)[^:]{0,20}: "
    r"|Python \d"
)
_PROSE = lazy(r"\s*(?:[A-Z][a-z']+|A|If|To|In|On|\*|-|\d+[.)])\s+\S+\s+\S+")
_HOLDS_TRACES = lazy(
    r"(?P<java>\bPy4J|An error occurred while calling)"
    r"|Failed in \w+ mode pipeline|Graph execution error:|root error\(s\) found"
)
"""What begins a message that holds frames, causes and classes of another program."""
_MOST_BLANK = 2
"""Lines that may be empty between the parts of such a message, if that program is a compiler."""
_OF_COMPILER = lazy(r"\s*(?:>>> |File |\[\d+\] During: |During: |(?:[\w.$]+\.)?[A-Z]\w*: )")
_OF_JAVA = lazy(r"\s*(?:Caused by: |\.\.\. \d+ more)")
_JAVA_FRAME = lazy(r"\s+at [\w.$<>/]{1,300}\(.{0,200}\)\s*$")


def ends_message(text: str) -> bool:
    """Tell whether a line cannot belong to a message: it has a meaning of its own."""
    return _STOP.match(text) is not None


def is_rule(text: str) -> bool:
    """Tell whether a line is drawn, not written."""
    return _RULE.match(text) is not None


def is_sql_detail(text: str) -> bool:
    """Tell whether a line is what SQLAlchemy adds to the message of a driver."""
    return text.startswith(("[SQL: ", "[parameters: ", "(Background on this error at: "))


def belongs_to_traceback(text: str) -> bool:
    """Tell whether a line is part of a traceback, a report or a console's dialogue."""
    stripped = text.strip()
    return ends_message(text) or read_frame(stripped) is not None or read_place(stripped) is not None


def _is_of_trace(text: str, holds_traces: re.Match[str]) -> bool:
    if "Traceback (most" in text or LINK.match(text):
        return False
    if holds_traces["java"]:
        return bool(_OF_JAVA.match(text) or _JAVA_FRAME.match(text))
    return _OF_COMPILER.match(text) is not None


def message_stop(lines: list[Line], at: int, indent: int = 0) -> int:
    """Return the number of the line behind the message whose first line is `at`.

    A message goes on over lines of the same log record. It ends at a line with a meaning of its own,
    at another exception, and at a blank line, unless a paragraph follows that explains it.
    """
    first = lines[at]
    stop = at + 1
    number = stop
    holds_traces = _HOLDS_TRACES.search(first.text)
    while number < len(lines) and number - at < MAX_LINES:
        line = lines[number]
        text = line.text
        is_first = number == at + 1 and first.text.rstrip().endswith(":")
        if (line.record_id != first.record_id and (line.record_id or not (line.indent or is_first))) or not _same_block(
            line, first
        ):
            break
        if is_first and is_rule(text):
            number += 1  # above the message; the one below ends it
            stop = number
            continue
        if line.region == "barrier":
            break
        if not text.strip():
            number += 1
            if number - 2 >= stop - 1 > at and len(text) > indent + 3 and _body_continues(lines, stop, number, indent):
                continue  # its blanks are the indentation of the lines around it
            empty = stop == at + 1 and first.text.rstrip().endswith(":")
            if holds_traces and _trace_continues(lines, stop, number, holds_traces):
                continue
            if not (_message_begins(lines, number) if empty else _paragraph_continues(lines, at, stop, number, indent)):
                break
            continue
        if (line.indent < indent and line.region == first.region == "") or (line.indent <= indent and is_rule(text)):
            break
        if not (holds_traces and _is_of_trace(text, holds_traces)) and (
            belongs_to_traceback(text)
            or _BEGINS_ANOTHER.match(text)
            or (line.indent <= indent and _is_another_exception(text))
            or _JAVA_FRAME.match(text)
        ):
            break
        number += 1
        stop = number
    return stop


def _same_block(line: Line, first: Line) -> bool:
    return (line.region == "error") == (first.region == "error") and line.region not in ("code", "item")


def is_human_prose(text: str) -> bool:
    """Tell whether a line is a person's, who writes about an error, or an announcement of what follows."""
    return _PERSON.search(text) is not None or (text.rstrip().endswith(":") and len(text) < 100)


def _is_another_exception(text: str) -> bool:
    head = parse_class_head(text[2:] if text[:2] in ("- ", "* ") else text)
    return head is not None and (head.message < len(text) or "." in (head.name or ""))


def _message_begins(lines: list[Line], number: int) -> bool:
    """Tell whether a message begins at `number`, behind the blank line after ``Class:``."""
    return number < len(lines) and bool(lines[number].text.strip()) and not belongs_to_traceback(lines[number].text)


def _body_continues(lines: list[Line], stop: int, number: int, indent: int) -> bool:
    """Tell whether an indented body goes on behind a line of blanks, or the next one is announced."""
    if number >= len(lines) or lines[stop - 1].indent <= indent:
        return False
    return lines[number].indent > indent or lines[number].text.rstrip().endswith(":") or not lines[number].text.strip()


def _trace_continues(lines: list[Line], stop: int, number: int, holds_traces: re.Match[str]) -> bool:
    """Tell whether a message that holds traces goes on at `number`, or behind the blank line there."""
    if number >= len(lines) or number - stop > _MOST_BLANK:
        return False
    text = lines[number].text
    if not text.strip() or _is_of_trace(text, holds_traces):
        return True
    return not (holds_traces["java"] or is_human_prose(text) or belongs_to_traceback(text))


def _paragraph_continues(lines: list[Line], at: int, stop: int, number: int, indent: int) -> bool:
    """Tell whether the paragraph at `number`, behind a blank line, explains the message above."""
    if number >= len(lines) or number - stop > 1:
        return False
    first, line = lines[at], lines[number]
    text = line.text
    if (
        line.record_id != first.record_id
        or line.region != first.region
        or belongs_to_traceback(text)
        or parse_class_head(text)
    ):
        return False
    if _BEGINS_ANOTHER.match(text):
        return False
    if is_sql_detail(text):
        return True
    if line.indent > indent:
        return not text.lstrip().startswith(("You can now", "Local URL"))
    if _ENVIRONMENT.match(text):
        return False
    ended = text.rstrip()[-1:] in ".!?:)" or number == len(lines) - 1 or len(text.split()) > 7
    return bool(_PROSE.match(text)) and len(text) > 30 and ended and not _PERSON.search(text)
