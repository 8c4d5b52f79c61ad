"""errkb in a running program: below the traceback of an uncaught exception stands what is known of it.

Nothing of errkb's core is imported until something fails, and no trouble of ours reaches the program.
"""

import logging
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TextIO

_MOST_ANSWERS = 5
"""Different answers that a process prints at the most."""
_SILENT = (SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError, RecursionError)
"""Exceptions that end a program on purpose, or leave no room to say anything."""
Hook = Callable[..., Any]


class Installed:
    """The hooks of this process, in place until `uninstall` is called."""

    def __init__(self, *, full: bool) -> None:
        self._full = full
        self._undo: list[Callable[[], None]] = []
        self._said: set[str] = set()
        self._is_speaking = threading.local()

    def uninstall(self) -> None:
        """Put back what was there before. A hook that another library set on top of ours stays, and ours is silent."""
        global _installed
        while self._undo:
            self._undo.pop()()
        self._said = {""} | {str(number) for number in range(_MOST_ANSWERS)}
        if _installed is self:
            _installed = None

    def _hook(self, module: Any, name: str, exception_of: Callable[..., BaseException | None]) -> None:
        """Set a hook that calls the one before first, with all that it was given, and then says what is known."""
        before: Hook = getattr(module, name)

        def hook(*arguments: Any) -> None:
            before(*arguments)
            self.say(exception_of(*arguments))

        setattr(module, name, hook)

        def undo() -> None:
            if getattr(module, name) is hook:
                setattr(module, name, before)

        self._undo.append(undo)

    def _watch_asyncio(self) -> None:
        """Say what is known after the logger of asyncio has reported an exception of a task."""
        logger = logging.getLogger("asyncio")
        before = logger.callHandlers

        def call_handlers(record: logging.LogRecord) -> None:
            before(record)
            if record.exc_info and logger.isEnabledFor(record.levelno):
                self.say(record.exc_info[1])

        logger.callHandlers = call_handlers  # type: ignore[method-assign]  # after the handlers, not before them

        def undo() -> None:
            if logger.__dict__.get("callHandlers") is call_handlers:
                del logger.__dict__["callHandlers"]

        self._undo.append(undo)

    def say(self, error: BaseException | None) -> None:
        """Write what is known of an exception to stderr, a few lines; nothing if nothing is known. Never raises."""
        try:
            stream = sys.stderr
            if error is None or isinstance(error, _SILENT) or stream is None or sys.is_finalizing():
                return
            if len(self._said) >= _MOST_ANSWERS or getattr(self._is_speaking, "now", False):
                return
            self._is_speaking.now = True
            try:
                self._write(error, stream)
            finally:
                self._is_speaking.now = False
        except BaseException:  # noqa: BLE001, S110  # the failure is the program's, and must stay what it is
            pass

    def _write(self, error: BaseException, stream: TextIO) -> None:
        from errkb.explanation import explain_found
        from errkb.knowledge.base import default
        from errkb.reading import read_error
        from errkb.render.short_text import short_text

        explanation = explain_found(default(), read_error(error))
        if explanation.match is None or explanation.match.record.id in self._said:
            return
        self._said.add(explanation.match.record.id)
        text = explanation.text() if self._full else short_text(explanation)
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write("\n" + text.encode(encoding, "replace").decode(encoding))
        stream.flush()


_installed: Installed | None = None


def install(*, threads: bool = True, unraisable: bool = False, asyncio: bool = True, full: bool = False) -> Installed:
    """Explain uncaught exceptions below their tracebacks, on the same stderr.

    Those of `threads`, those that Python cannot raise (`unraisable`) and those of tasks that nobody awaits (`asyncio`)
    too, as asked. `full` prints a whole answer in place of a few lines. Hooks that are there already are called first,
    as before. A second call changes nothing and gives the same object, whose `uninstall()` puts everything back.
    """
    global _installed
    if _installed is not None:
        return _installed
    ours = Installed(full=full)
    ours._hook(sys, "excepthook", _of_excepthook)  # noqa: SLF001  # of this module
    if threads:
        ours._hook(threading, "excepthook", _of_arguments)  # noqa: SLF001
    if unraisable:
        ours._hook(sys, "unraisablehook", _of_arguments)  # noqa: SLF001
    if asyncio:
        ours._watch_asyncio()  # noqa: SLF001
    _installed = ours
    return ours


def _of_excepthook(
    _class: type[BaseException], error: BaseException | None, _traceback: TracebackType | None = None
) -> BaseException | None:
    return error


def _of_arguments(arguments: Any) -> BaseException | None:
    error: BaseException | None = getattr(arguments, "exc_value", None)
    return error
