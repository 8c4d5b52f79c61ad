"""What progress bars and test runs print, anywhere in a line, and the lines in which pytest sums up."""

from errkb.reading.shape import Shape

PROGRESS = (
    Shape("percentage and bar", ("%",), r"\d%\s?\|", "42%|####"),
    Shape("count and time", (" [",), r"\d+/\d+ \[\d\d:", "3/9 [00:12<00:52]"),
    Shape("iterations", ("it/s",), r"it/s\b", "4.2it/s"),
    Shape("percentage in brackets", ("%",), r"\[\s?\d{1,3}%\]", "[ 42%]"),
    Shape(
        "test without its error",
        (".py",),
        r"^\s{0,40}(?:(?:FAILED|ERROR) )?[\w./\\-]{1,300}\.py(?:::\S{1,300})?$",
        "ERROR tests/test_a.py",
    ),
    Shape("result of a test", ("PASSED", "SKIPPED", "XFAIL"), r"\b(?:PASSED|SKIPPED|XFAIL)\b", "test_a PASSED"),
)
SUMMARY = Shape(
    "test's summary",
    ("::",),
    r"\s*(?:(?:FAILED|ERROR) \S+::.{1,400}?|\S+\.py::\S+) - (?=\S)",
    "FAILED tests/test_a.py::test_b[x] - TypeError: can't compare",
)
