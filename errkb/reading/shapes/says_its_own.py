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
    Shape("nox", ("nox > ",), r"\s*nox > ", "nox > Session tests failed."),
    Shape("black", ("Oh no! ",), r"\s*Oh no! ", "Oh no! 1 file would be reformatted"),
    Shape("test's failure", (".py::",), r"\s*\S{1,300}\.py::\S{1,300} - ", "tests/test_a.py::test_b - assert 0"),
)
BEGINS_ANOTHER = any_of(ANOTHER)
