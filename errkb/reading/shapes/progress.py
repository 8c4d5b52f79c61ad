"""What a progress bar or the progress of a test run looks like, anywhere in a line."""

from errkb.reading.shape import Shape

PROGRESS = (
    Shape("percentage and bar", ("%",), r"\d%\s?\|", "42%|####"),
    Shape("count and time", (" [",), r"\d+/\d+ \[\d\d:", "3/9 [00:12<00:52]"),
    Shape("iterations", ("it/s",), r"it/s\b", "4.2it/s"),
    Shape("percentage in brackets", ("%",), r"\[\s?\d{1,3}%\]", "[ 42%]"),
    Shape("result of a test", ("PASSED", "SKIPPED", "XFAIL"), r"\b(?:PASSED|SKIPPED|XFAIL)\b", "test_a PASSED"),
)
