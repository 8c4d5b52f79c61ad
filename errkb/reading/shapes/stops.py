"""Lines that cannot belong to a message, because they have a meaning of their own: one row a reason."""

from string import digits

from errkb.reading.shape import Shape, any_of

OF_SIGNS = (
    Shape("group's tree", ("+-", "|-"), r"[+|]-[+-]-|\+-{3,}", "+-+---------------- 1 ----------------"),
    Shape("closing quotes", ('"""', "'''"), r"\"{3}|'{3}", '"""'),
    Shape("logging error", ("ogging error ---",), r"-{3} (?:End of )?[Ll]ogging error -{3}", "--- Logging error ---"),
    Shape("rule", tuple("=_*#~-"), r"(?<!\s)[=_*#~-]{4,}(?:\s|$)", "=========="),
    Shape("Python's prompt", (">>>", "..."), r"(?<!\s)>>> ?|(?<!\s)\.\.\. *$", ">>> f()"),
    Shape("end of inline code", ("`",), r"`\s*$", "`"),
    Shape("interrupt", ("^C", "^D", "^Z"), r"\^[CDZ]", "^C"),
    Shape("shell's prompt", ("$ ", "% ", "➜ ", "❯ "), r"\$ |[%➜❯] ", "$ ls"),
    Shape(
        "prompt of an environment", ("(",), r"\([\w./-]{1,60}\) \S{0,80}\s?.{0,80}[$#➜%❯>](?:\s|$)", "(venv) kim@box:~$"
    ),
    Shape("editor's last line", ("[Finished in ",), r"\[Finished in ", "[Finished in 0.3s]"),
    Shape(
        "end of a job",
        ("exit", "done", "killed", "terminated", "segmentation", "abort"),
        r"\[\d{1,3}\]\s+(?:[+-]\s+)?\d{1,7} +(?:exit|done|killed|terminated|segmentation|abort)",
        "[1]    4711 segmentation fault",
    ),
    Shape("uWSGI's request", ("[pid: ",), r"\[pid: \d+\|", "[pid: 7|app: 0] GET /"),
    Shape(
        "development server",
        ("* ",),
        r"\* (?:Debugger|Restarting|Running|Serving) ",
        "* Running on http://127.0.0.1:5000",
    ),
    Shape("picture", ("![", "<img "), r"!\[.{0,100}\]\(|<img ", "![screenshot](a.png)"),
    Shape("librdkafka's record", ("%",), r"%\d\|\d+", "%3|1700000000"),
    Shape(
        "frames left out",
        (" additional frame(s)",),
        r"\(\d+ additional frame\(s\) were not displayed\)",
        "(3 additional frame(s) were not displayed)",
    ),
    Shape(
        "PowerShell's category",
        ("CategoryInfo", "FullyQualifiedErrorId"),
        r"\+ (?:CategoryInfo|FullyQualifiedErrorId)\s*:",
        "+ CategoryInfo : NotSpecified",
    ),
    Shape(
        "frame of Elixir",
        (".ex:", ".exs:"),
        r"\(\w{1,60} [\w.-]{1,30}\) \S{1,300}\.exs?:\d{1,7}: ",
        "(app 0.1.0) lib/app.ex:3: App.run/1",
    ),
    Shape("text left out", ("[...]", "[…]"), r"\[(?:\.{3}|…)\]\s*$", "[...]"),
    Shape("PowerShell's mark", ("+ ~",), r"\+ ~+", "+ ~~~~"),
    Shape(
        "pip's output",
        ("[end of output]", " of output]"),
        r"\[(?:end of output|\d+ lines? of output)\]",
        "[12 lines of output]",
    ),
)
"""Lines that begin with a sign."""

OF_WORDS = (
    # Python's own
    Shape(
        "direct cause",
        ("he above exception was",),
        r"The above exception was",
        "The above exception was the direct cause",
    ),
    Shape("original exception", ("riginal exception was:",), r"Original exception was:", "Original exception was:"),
    Shape("broken hook", ("Error in sys.excepthook:",), r"Error in sys\.excepthook:", "Error in sys.excepthook:"),
    Shape("context", ("During handling",), r"During handling of the above", "During handling of the above exception,"),
    Shape(
        "traceback",
        ("raceback (",),
        r"(?:Exception Group |Original )?Traceback \(",
        "Traceback (most recent call last):",
    ),
    Shape("ignored exception", ("ignored in",), r"Exception ignored in", "Exception ignored in: <f>"),
    Shape("interpreter's warning", ("sys:",), r"sys:\d+: ", "sys:1: ResourceWarning"),
    Shape("warning", ("Warning:",), r"\S.{0,200}?:\d{1,7}: \w*Warning:", "/app/a.py:3: UserWarning: old"),
    Shape("fatal error", ("Fatal Python error:",), r"Fatal Python error:", "Fatal Python error: Aborted"),
    Shape(
        "thread's frames",
        ("hread 0x",),
        r"(?:Current )?[Tt]hread 0x[0-9a-f]+",
        "Current thread 0x00007f (most recent call first):",
    ),
    Shape("process", ("Process ",), r"Process \S+:$", "Process ForkPoolWorker-1:"),
    Shape("bare traceback", ("raceback:",), r"Traceback:\s*$", "Traceback:"),
    Shape("call stack", ("Call stack:",), r"Call stack:\s*$", "Call stack:"),
    Shape(
        "task",
        ("future: <", "task: <", "exception was never retrieved"),
        r"(?:future|task): <(?:Task|Future) |(?:Task|Future) exception was never retrieved",
        "Task exception was never retrieved",
    ),
    Shape(
        "task left behind",
        ("Task was destroyed",),
        r"Task was destroyed but it is pending",
        "Task was destroyed but it is pending!",
    ),
    Shape(
        "session left open",
        ("Unclosed ",),
        r"Unclosed (?:client session|connector|connection)",
        "Unclosed client session",
    ),
    Shape(
        "event loop",
        ("Error on reading",),
        r"Error on reading from the event loop",
        "Error on reading from the event loop of the signalfd",
    ),
    # bars and prompts
    Shape("progress bar", ("%|",), r"\S{0,200}\d%\|", "42%|####"),
    Shape("notebook's prompt", ("In [",), r"In \[\d+\]: ", "In [3]: f()"),
    Shape("prompt of Windows", (":\\",), r"[A-Za-z]:\\[^>\n]{0,200}>|PS [A-Z]:\\", "C:\\app>"),
    Shape(
        "prompt with a host",
        ("@",),
        r"[\w.-]{1,40}@[\w.-]{1,60}(?:[:~ ].{0,120}[$#%]|:[~/]\S{0,200}\s*$)",
        "kim@box:~$",
    ),
    Shape(
        "place below a message",
        (".py:", "xception trace:"),
        r"at \S{1,300}\.py:\d{1,7} in \S|Exception trace:\s*$",
        "at ~/app/stage.py:632 in run",
    ),
    # what shells and tools say at the end
    Shape("make", (": ***",), r"[\w.-]{1,40}(?:\[\d+\])?: \*\*\*", "make: *** [all] Error 1"),
    Shape(
        "times",
        tuple(word + blank for word in ("real", "user", "sys") for blank in "\t "),
        r"(?:real|user|sys)[\t ]\s*\d+m[\d.]+s",
        "real\t0m1.2s",
    ),
    Shape(
        "press a key",
        (
            "Press ",
            "ажмите ",
            "rücken Sie ",
            "resione ",
            "ulse ",
            "ressione ",
            "remere ",
            "ppuyez ",
            "任意键",
            "続行するには",
        ),
        r"Press (?:any|Enter|[Cc]trl|CTRL)"
        r"|(?:Для продолжения н|Н)ажмите |Drücken Sie |(?:Presione|Pulse|Pressione|Premere) "
        r"|Appuyez |(?:请按|按)任意键|続行するには",
        "Press any key to continue",
    ),
    Shape(
        "exit code",
        ("exit code", "exit status ", "exited with code"),
        r"Process finished with exit code|(?:Error: )?Process completed with exit code"
        r"|command terminated with exit code|exit status \d+\s*$|Process exited with code",
        "Process finished with exit code 1",
    ),
    Shape(
        "duration",
        tuple(f"in {digit}" for digit in digits),
        r".{0,80}\bin \d+(?:\.\d+)? ?(?:seconds|minutes|secs|sec|ms|s)\.?\s*$",
        "done in 0.3s",
    ),
    Shape("R", ("Execution halted",), r"Execution halted\s*$", "Execution halted"),
    Shape("R's advice", ("Run `",), r"Run `\w+::\w+\(\)` ", "Run `rlang::last_error()` to see"),
    Shape("retry", ("rying in ", "rying again in "), r"(?:Re)?[Tt]rying (?:again )?in \d", "Retrying in 5 seconds"),
    Shape(
        "pip's command",
        ("Complete output from command ",),
        r"Complete output from command ",
        "Complete output from command python setup.py",
    ),
    Shape("npm", ("npm ERR!", "npm error"), r"npm (?:ERR!|error) ", "npm ERR! code 1"),
    # what services say
    Shape(
        "heading of Home Assistant",
        ("ogger: ", "irst occurred: ", "ast logged: ", "ource: ", "ntegration: "),
        r"\(?(?:Logger: [\w.]{1,200}\s*$|First occurred: |Last logged: |Source: \S{1,300}:\d{1,6}\s*$"
        r"|[Ii]ntegration: .{1,100}\(\[?documentation)",
        "Logger: homeassistant.components.sensor",
    ),
    Shape("patch", ("diff --git ",), r"diff --git ", "diff --git a/a.py b/a.py"),
    Shape("access log", (" - ",), r"\d{1,3}(?:\.\d{1,3}){3} - ", '10.0.0.1 - - "GET /'),
    Shape("uWSGI's start", ("spawned uWSGI ",), r"spawned uWSGI ", "spawned uWSGI worker 1"),
    Shape(
        "Django's log",
        (": /",),
        r"(?:Internal Server Error|Not Found|Bad Request|Forbidden): /",
        "Not Found: /favicon.ico",
    ),
    Shape("Lambda", (" RequestId: ",), r"(?:START|END|REPORT|INIT_START) RequestId: ", "END RequestId: 1f"),
    Shape("Django's start", ("Performing system checks",), r"Performing system checks", "Performing system checks..."),
    Shape(
        "watcher",
        ("Watching for file changes with ",),
        r"Watching for file changes with ",
        "Watching for file changes with StatReloader",
    ),
    Shape(
        "Hydra's advice",
        ("HYDRA_FULL_ERROR",),
        r"Set the environment variable HYDRA_FULL_ERROR",
        "Set the environment variable HYDRA_FULL_ERROR=1",
    ),
    Shape("traceback error", ("raceback Error:",), r"Traceback Error:", "Traceback Error:"),
    Shape(
        "Sentry", ("Sentry is attempting",), r"Sentry is attempting", "Sentry is attempting to send 2 pending events"
    ),
    Shape(
        "saved traceback",
        ("full traceback has been",),
        r"The full traceback has been saved in ",
        "The full traceback has been saved in /tmp/a.log",
    ),
    # PowerShell
    Shape(
        "place in PowerShell",
        ("At line:", "In riga:", "In Zeile:", "En línea:", "Au caractère Ligne:", "所在位置 行:"),
        r"(?:At line|In riga|In Zeile|En línea|Au caractère Ligne|所在位置 行):\d+ \S+:\s*\d+",
        "At line:1 char:1",
    ),
    Shape("cut output", ("Output is truncated.",), r"Output is truncated\.", "Output is truncated."),
    Shape("note", ("note: ",), r"note: ", "note: This error originates from a subprocess"),
    # parts of a report
    Shape("test's result", ("::",), r"(?:FAILED|ERROR|PASSED|SKIPPED|XFAIL) \S+::", "FAILED test_a.py::test_b - x"),
    Shape("usage", ("sage: ",), r"(?<!\s)[Uu]sage: ", "usage: tool [-h]"),
    Shape(
        "advice on usage",
        ("Try '", 'Try "', "Try `"),
        r"Try ['\"`].{1,100}['\"`] for help",
        "Try 'tool --help' for help.",
    ),
    Shape(
        "pydantic's link",
        ("For further information visit",),
        r"For further information visit",
        "For further information visit https://errors.pydantic.dev",
    ),
    Shape(
        "debug page",
        ("Exception Location:", "Exception Value:", "Exception Type:"),
        r"Exception (?:Location|Value|Type):",
        "Exception Value: x",
    ),
    Shape(
        "request of a debug page",
        (" Method:", " URL:", " Version:", " Path:", " Executable:"),
        r"(?:Request|Django|Python) (?:Method|URL|Version|Path|Executable):",
        "Request Method: GET",
    ),
    # traces of other languages
    Shape(
        "frame of Node",
        tuple(f":{digit}" for digit in digits),
        r"at (?:[\w.$<>\[\]# ]{1,200} \()?(?:file://|node:|/|[A-Za-z]:[\\/]|webpack)[^()\n]{0,300}:\d{1,7}:\d{1,7}\)?\s*$",
        "at Object.<anonymous> (/srv/app/index.js:12:11)",
    ),
    Shape("Java's cause", ("Caused by:",), r"Caused by:\s", "Caused by: java.io.IOException: x"),
    Shape("stack trace", ("trace:",), r"[Ss]tack ?(?:back)?trace:", "Stack trace:"),
    Shape(
        "trace of C++",
        ("raceback", "Exception raised from "),
        r"C\+\+ (?:Captured)?Traceback|Exception raised from \S+ at",
        "Exception raised from f at a.cpp:3",
    ),
)
"""Lines that may begin with a letter."""

STOPS = (*OF_SIGNS, *OF_WORDS)
STOP = any_of(STOPS, r"\s*+")


def ends_message(text: str) -> bool:
    """Whether a line cannot belong to a message, because it has a meaning of its own."""
    return STOP.match(text) is not None
