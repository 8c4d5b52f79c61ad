"""Lines that say something of their own after a message, though they look like text."""

from errkb.reading.shape import Shape, any_of

ANOTHER = (
    Shape("raise statement", ("raise ",), r"\s*raise [\w.]{1,200}(?:\(|$)", "raise ValueError(x)"),
    Shape("heading", ("# ",), r"#{1,6} [A-Z]", "## Environment"),
    Shape(
        "script's end", ("Error: Python script failed",), r"Error: Python script failed", "Error: Python script failed"
    ),
    Shape("exception in a thread", ("Exception in ",), r"Exception in thread ", "Exception in thread Thread-1:"),
    Shape(
        "core dumped", (" (core dumped)",), r"(?:Aborted|Segmentation fault) \(core dumped\)", "Aborted (core dumped)"
    ),
    Shape(
        "another program's error",
        (": error: ", ": fatal: ", ": warning: "),
        r"[a-z][\w.-]{0,40}: (?:error|fatal|warning): ",
        "tool: error: no such option",
    ),
    Shape(
        "pip's error",
        ("error: ",),
        r"\s*error: (?:command |[a-z]+(?:-[a-z]+)+\s*$)",
        "error: metadata-generation-failed",
    ),
    Shape(
        "exception in a callback",
        ("Exception in ", "Ignoring exception"),
        r"\s*(?:Exception in callback |Ignoring exception in )",
        "Exception in callback f()",
    ),
    Shape("pip's step", ("Running setup.py ",), r"\s*Running setup\.py ", "Running setup.py install for x"),
    Shape(
        "question",
        ("How", "What", "Why", "Any", "Can", "Could"),
        r"\s*(?:How|What|Why|Any|Can|Could) [^\n]{5,300}\?\s*$",
        "How can I solve this?",
    ),
    Shape(
        "PyInstaller",
        ("Failed to execute script ",),
        r"\s*(?:\[\S{1,30}\] )?Failed to execute script ",
        "Failed to execute script main",
    ),
    Shape(
        "custom nodes",
        (" module for custom nodes:",),
        r"\s*Cannot import .{1,300} module for custom nodes:",
        "Cannot import /a/b module for custom nodes: x",
    ),
    Shape(
        "another program's number",
        (": (",),
        r"[a-z][\w.+-]{0,40}: \(\d{1,4}\) ",
        "curl: (22) The requested URL returned error: 500",
    ),
    Shape(
        "another program's progress",
        ("...",),
        r"[A-Z]{2,40}ING\b.{0,200}\.{3}\s*$",
        "VERIFYING Query (/db) ...",
    ),
    Shape(
        "signal in another program",
        ("qemu: uncaught ", ": line "),
        r"qemu: uncaught |/\S{1,200}: line \d{1,6}: ",
        "qemu: uncaught target signal 6 (Aborted) - core dumped",
    ),
    Shape("advice on pasting", ("No Traceback ",), r"No Traceback detected", "No Traceback detected."),
    Shape("nox", ("nox > ",), r"\s*nox > ", "nox > Session tests failed."),
    Shape("black", ("Oh no! ",), r"\s*Oh no! ", "Oh no! 1 file would be reformatted"),
    Shape("test's failure", (".py::",), r"\s*\S{1,300}\.py::\S{1,300} - ", "tests/test_a.py::test_b - assert 0"),
)
BEGINS_ANOTHER = any_of(ANOTHER)
SOURCE = Shape(
    "source code",
    ("with ", "for ", "def ", "import "),
    r"\s*(?:with \w.{1,200} as \w{1,40}:|for \w{1,40} in .{1,200}:|def \w{1,80}\(.{0,200}\).{0,80}:"
    r"|(?:from [\w.]{1,100} )?import \w[\w., ]{0,200})\s*$",
    "with open(name) as file:",
)
"""Quoted source code, in which messages do not go on."""
IS_SOURCE = any_of((SOURCE,))
