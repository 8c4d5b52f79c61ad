"""Real exceptions: what Python prints and what the exception itself says must be read alike."""

import subprocess
import sys
import textwrap

import pytest

from errkb.reading import Role, from_exception, occurrences

SNIPPETS = {
    "a plain error": "int('x')",
    "a key": "{}['name']",
    "a key that is a sentence": "raise KeyError('no column of that name')",
    "no message": "raise LookupError",
    "an assertion": "assert 1 == 2",
    "a cause": """
        try:
            int('x')
        except ValueError as e:
            raise RuntimeError('setting is unusable') from e
    """,
    "a context": """
        try:
            {}['k']
        except KeyError:
            None.attribute
    """,
    "a suppressed context": """
        try:
            {}['k']
        except KeyError:
            raise TypeError('wanted a mapping') from None
    """,
    "three links": """
        try:
            try:
                1 / 0
            except ZeroDivisionError as e:
                raise ValueError('ratio is undefined') from e
        except ValueError:
            raise OSError(5, 'device is gone')
    """,
    "a group": "raise ExceptionGroup('two failed', [ValueError('first'), TypeError('second')])",
    "a group in a group": """
        raise ExceptionGroup('outer', [ExceptionGroup('inner', [ValueError('deep')]), OSError('flat')])
    """,
    "a recursion": """
        def f():
            return f()
        f()
    """,
    "a nested class": """
        class Model:
            class Missing(Exception):
                pass
        raise Model.Missing('row 4 is not there')
    """,
    "a syntax error": "compile('x = = 1', 'conf.py', 'exec')",
    "an unclosed bracket": "exec('f(1, [2')",
    "an indentation error": "exec('if x:\\ny')",
    "a multi-line message": "raise ValueError('the table is wrong:\\n  row 3: no date\\n  row 9: no name')",
    "a file": "open('/nonexistent/file')",
    "an import": "import module_that_is_not_there",
    "an attribute with a hint": "import collections; collections.OrderedDic",
    "an exit": "raise KeyboardInterrupt",
    "a decoding error": "b'\\xff'.decode()",
    "a json error": "import json; json.loads('{')",
}


def program(code: str) -> str:
    """Return a snippet as a program."""
    return textwrap.dedent(code).strip() + "\n"


def run(code: str) -> str:
    """Return what Python prints on standard error when it runs a snippet."""
    done = subprocess.run(
        [sys.executable, "-c", program(code)], capture_output=True, text=True, timeout=60, check=False
    )
    return done.stderr


def raised(code: str) -> BaseException:
    """Return the exception that a snippet raises."""
    try:
        exec(compile(program(code), "<string>", "exec"), {"__name__": "__main__"})
    except BaseException as exc:  # noqa: BLE001
        return exc
    raise AssertionError("nothing was raised")


def summary(found: list) -> list[tuple[str | None, str]]:
    """Return class and message of each occurrence."""
    return [(item.error_class, item.message) for item in found]


@pytest.mark.parametrize("name", SNIPPETS)
def test_print_and_exception_are_read_alike(name: str) -> None:
    """The occurrences of the printed traceback are those of the exception, in the same order."""
    code = SNIPPETS[name]
    printed, live = occurrences(run(code)), from_exception(raised(code))
    expected = summary(live)
    if name == "an attribute with a hint":  # only the printer adds the hint
        assert printed[0].message.startswith(live[0].message)
        return
    assert summary(printed) == expected
    assert [item.role for item in printed] == [item.role for item in live]


def test_frames_are_those_of_the_traceback() -> None:
    """Frames of a printed and of a live traceback name the same files, lines and functions."""
    code = "def f():\n    g()\ndef g():\n    raise ValueError('x')\nf()"
    printed, live = occurrences(run(code))[0], from_exception(raised(code))[0]
    wanted = [("<string>", 5, "<module>"), ("<string>", 2, "f"), ("<string>", 4, "g")]
    assert [(f.file, f.line, f.function) for f in printed.frames] == wanted
    assert [(f.file, f.line, f.function) for f in live.frames][1:] == wanted


def test_notes_are_kept_apart() -> None:
    """Notes of a live exception are its notes, not its message."""
    exc = ValueError("no such unit")
    exc.add_note("while reading row 7")
    found = from_exception(exc)[0]
    assert found.message == "no such unit"
    assert found.notes == ("while reading row 7",)


def test_a_worker_process_is_read() -> None:
    """The remote traceback of a process pool is the cause, and the error is named once."""
    text = run(
        """
        from concurrent.futures import ProcessPoolExecutor
        import math
        if __name__ == '__main__':
            with ProcessPoolExecutor(1) as pool:
                pool.submit(math.sqrt, -1).result()
        """
    )
    found = occurrences(text)
    assert found[0].error_class == "ValueError"
    assert found[0].message in ("math domain error", "expected a nonnegative input, got -1.0")


def test_a_thread_is_read() -> None:
    """What ends a thread is an occurrence."""
    text = run("import threading\nt = threading.Thread(target=lambda: [][1])\nt.start()\nt.join()")
    assert summary(occurrences(text)) == [("IndexError", "list index out of range")]


def test_a_forgotten_task_is_read() -> None:
    """A task that nobody waited for is an occurrence, its repr in the header is none before it."""
    text = run(
        """
        import asyncio, gc
        async def f():
            raise ValueError('nobody waits')
        async def main():
            t = asyncio.create_task(f())
            await asyncio.sleep(0.01)
            del t
            gc.collect()
        asyncio.run(main())
        """
    )
    assert summary(occurrences(text))[0] == ("ValueError", "nobody waits")


def test_an_ignored_exception_is_read() -> None:
    """What Python ignores in a destructor is an occurrence."""
    text = run("class A:\n    def __del__(self):\n        raise ValueError('too late')\na = A()\ndel a")
    assert summary(occurrences(text)) == [("ValueError", "too late")]


def test_a_warning_is_read() -> None:
    """A warning on standard error is an occurrence of role log."""
    found = occurrences(run("import warnings\nwarnings.warn('old spelling', FutureWarning)"))
    assert (found[0].error_class, found[0].message, found[0].role) == ("FutureWarning", "old spelling", Role.LOG)


def test_a_fatal_error_is_read() -> None:
    """What faulthandler prints is an occurrence, with its frames outermost first."""
    found = occurrences(run("import faulthandler, os\nfaulthandler.enable()\ndef f():\n    os.abort()\nf()"))
    assert found[0].message == "Aborted"
    assert [frame.function for frame in found[0].frames][-2:] == ["<module>", "f"]


def test_a_cycle_ends() -> None:
    """An exception that is its own cause is read once."""
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert summary(from_exception(first)) == [("ValueError", "a"), ("ValueError", "b")]


def test_a_broken_str_is_survived() -> None:
    """An exception whose message cannot be made is read with Python's own words for that."""

    class BrokenError(Exception):
        def __str__(self) -> str:
            raise ZeroDivisionError

    assert from_exception(BrokenError())[0].message == "<exception str() failed>"


def test_a_validation_report_is_read_from_the_message() -> None:
    """The errors of a validation report are read from a live exception as from a text."""

    class ValidationError(ValueError):
        pass

    message = (
        "2 validation errors for Job\nname\n  Field required [type=missing, input_value={}, input_type=dict]\n"
        "size\n  Value error, size must be even [type=value_error, input_value=3, input_type=int]\n"
        "    For further information visit https://errors.pydantic.dev/2.9/v/value_error"
    )
    found = from_exception(ValidationError(message))
    assert [(item.message, item.location, item.role.value) for item in found[:2]] == [
        ("Field required", "name", "wrapped"),
        ("size must be even", "size", "wrapped"),
    ]
    assert found[1].error_class == "ValueError"
    assert found[2].message.startswith("2 validation errors for Job")
    for item in found:
        assert 0 <= item.span[0] <= item.span[1] <= len(message)
