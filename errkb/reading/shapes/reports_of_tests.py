"""The lines in which pytest sums up what failed."""

from errkb.reading.shape import Shape

SUMMARY = Shape(
    "test's summary",
    ("FAILED", "ERROR", ".py::"),
    r"\s*(?:(?:FAILED|ERROR) \S+::.{1,400}?|\S+\.py::\S+) - (?=\S)",
    "FAILED tests/test_a.py::test_b[x] - TypeError: can't compare",
)
