"""errkb in IPython and Jupyter: `%load_ext errkb`. Below a cell that failed stands what is known of its error.

Tracebacks stay as they are. errkb's core is imported when the first cell fails.
"""

import contextlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errkb.explanation import Explanation

_MODES = ("off", "on", "full")
_EVENT = "post_run_cell"
_ATTRIBUTE = "_errkb_answers"


def load_ipython_extension(shell: Any) -> None:
    """Take part in a session; IPython calls it."""
    if getattr(shell, _ATTRIBUTE, None) is not None:
        return
    answers = Answers(shell)
    setattr(shell, _ATTRIBUTE, answers)
    shell.events.register(_EVENT, answers.after_cell)
    shell.register_magic_function(answers.explain, "line_cell", "explain")
    shell.register_magic_function(answers.switch, "line", "errkb")


def unload_ipython_extension(shell: Any) -> None:
    """Leave a session as it was; IPython calls it."""
    answers = getattr(shell, _ATTRIBUTE, None)
    if answers is not None:
        shell.events.unregister(_EVENT, answers.after_cell)
        for kind, name in (("line", "explain"), ("cell", "explain"), ("line", "errkb")):
            shell.magics_manager.magics[kind].pop(name, None)
        setattr(shell, _ATTRIBUTE, None)


class Brief:
    """What is shown below a cell: a few lines, and in HTML the whole answer to open."""

    def __init__(self, explanation: "Explanation") -> None:
        self._explanation = explanation

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:  # noqa: ARG002
        from html import escape

        text = self._explanation.short()
        lines = escape(text.strip("\n")).replace("\n", "<br>")
        whole = f"<details><summary>More</summary>{self._explanation.html()}</details>"
        return {
            "text/plain": f"{text}%explain shows more",
            "text/markdown": self._explanation.markdown(),
            "text/html": f'<div class="errkb" style="white-space: pre-wrap">{lines}{whole}</div>',
        }


class Answers:
    """The answers of one session."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._mode = "on"
        self._last: str | None = None

    def after_cell(self, result: Any) -> None:
        """Show what is known of a cell's error. Never raises."""
        error = result.error_in_exec or result.error_before_exec
        if error is None or self._mode == "off" or isinstance(error, KeyboardInterrupt | SystemExit):
            return
        with contextlib.suppress(Exception):  # the error is the cell's, and is shown already
            self._show(error)

    def _show(self, error: BaseException) -> None:
        from IPython.display import display

        explanation = _explained(error)
        if explanation is None or not explanation.short():
            return
        match = explanation.match
        if match is not None and match.record.id == self._last and self._mode != "full":
            sys.stdout.write(f"errkb: as before, record {match.record.id}; %explain shows it\n")
            return
        self._last = match.record.id if match else None
        display(explanation if self._mode == "full" else Brief(explanation))  # type: ignore[no-untyped-call]

    def explain(self, line: str, cell: str | None = None) -> "Explanation | None":
        """Explain an error: `%explain` the last one, `%explain TEXT`, or `%%explain` with a pasted traceback below."""
        text = "\n".join(filter(None, (line.strip(), cell)))
        error = text or getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        if error is None:
            sys.stdout.write("errkb: no cell has failed yet; give a text\n")
            return None
        explanation = _explained(error)
        if explanation is None:
            sys.stdout.write("errkb: nothing is known of it\n")
        return explanation

    def switch(self, line: str) -> None:
        """Say what is shown below a cell that failed: `%errkb off`, `%errkb on` (a few lines) or `%errkb full`."""
        mode = line.strip() or self._mode
        if mode in _MODES:
            self._mode = mode
            sys.stdout.write(f"errkb is {mode}\n")
        else:
            sys.stdout.write(f"errkb: one of {', '.join(_MODES)}, not {mode!r}\n")


def _explained(error: str | BaseException) -> "Explanation | None":
    from errkb.explanation import explain

    return explain(error, python=sys.executable or None)
