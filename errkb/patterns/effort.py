"""What one look-up may spend on patterns that need an automaton: a dataset of costly ones must not stop a program."""

_MOST_STEPS = 180_000
"""At most half a second for all patterns of a look-up together; those of an ordinary dataset take some thousand."""


class Effort:
    """Steps that are left, and how many patterns were left out because there were none."""

    __slots__ = ("left", "left_out")

    def __init__(self, steps: int = _MOST_STEPS) -> None:
        self.left = steps
        self.left_out = 0


def log_left_out(effort: Effort) -> None:
    """Say that patterns were left out: a warning of the logger `errkb`, which stderr shows unless it is configured."""
    import logging  # rarely needed, and slow to import

    logging.getLogger("errkb").warning(
        "%d patterns were not tried to their end: together they cost too much for this text", effort.left_out
    )
