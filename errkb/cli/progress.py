"""A progress display for work that turns out to take long, on a terminal only."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

_PATIENCE = 1.0
"""Seconds before anything is shown."""


@contextmanager
def progress(description: str, total: int | None = None) -> Iterator[Callable[[int], None] | None]:
    """A function to call with the number done so far, or None where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    with ExitStack() as stack:
        update: Callable[[int], None] | None = None

        def report(done: int) -> None:
            nonlocal update
            if update is None and time.monotonic() - started > _PATIENCE:
                update = _shown(stack, description, total)
            if update is not None:
                update(done)

        yield report


def _shown(stack: ExitStack, description: str, total: int | None) -> Callable[[int], None]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task(description, total=total)
    return lambda done: bar.update(task, completed=done)
