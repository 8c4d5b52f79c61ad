"""What errkb knows of a failure, in the report of the test that failed.

A module of its own, so that pytest rewrites no module of errkb, and a run in which all tests pass imports none.
"""

import os

import pytest

MODES = ("off", "brief", "full")
_SECTION = "errkb"
_REMEMBERED = 4096


def pytest_addoption(parser):
    """Add `--errkb`, `--no-errkb` and the setting `errkb`."""
    group = parser.getgroup("errkb", "explanations of failures")
    group.addoption("--errkb", dest="errkb", action="store_const", const="full", help="explain failures in full")
    group.addoption("--no-errkb", dest="errkb", action="store_const", const="off", help="do not explain failures")
    parser.addini("errkb", "how to explain failures: off, brief or full", default="")


def pytest_configure(config):
    """Take part in the run unless it is switched off."""
    chosen = config.getoption("errkb") or os.environ.get("ERRKB_PYTEST") or config.getini("errkb") or "brief"
    if chosen not in MODES:
        raise pytest.UsageError(f"errkb must be one of {', '.join(MODES)}, not {chosen!r}")
    if chosen != "off":
        config.pluginmanager.register(Explanations(config, chosen), "errkb-explanations")


class Explanations:
    """Looks failures up where they happen, and shows what was found where results are reported."""

    def __init__(self, config, mode):
        self._mode = mode
        self._is_worker = hasattr(config, "workerinput")
        self._is_silent = config.getoption("verbose") <= -2 or config.getoption("tbstyle", "auto") == "no"
        self._known = {}
        self._first = {}
        self._counts = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        """Look a failed test up."""
        report = yield
        found = self._look_up(report, call.excinfo)
        if found and ("errkb", found["id"]) not in item.user_properties:
            item.user_properties.append(("errkb", found["id"]))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):  # noqa: ARG002  # pytest passes arguments by their names
        """Look an error of the collection up."""
        report = yield
        self._look_up(report, getattr(getattr(report, "call", None), "excinfo", None))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        """Show what is known of a failed test."""
        self._show(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report):
        """Show what is known of an error of the collection."""
        self._show(report)

    def pytest_terminal_summary(self, terminalreporter):
        """Count the tests that failed alike."""
        counts = {key: number for key, number in self._counts.items() if number > 1}
        if not counts or self._is_silent:
            return
        terminalreporter.section(_SECTION)
        for key, number in sorted(counts.items(), key=lambda one: -one[1]):
            name, first = self._first[key]
            terminalreporter.write_line(f"{number} failures: {name} (first: {first})")

    def _look_up(self, report, excinfo):
        """Put what is known of a failure on its report, as plain data that other processes can read."""
        try:
            if excinfo is None or report.outcome != "failed" or hasattr(report, "wasxfail"):
                return None
            found = self._explained(excinfo.value)
            if found is not None:
                report.errkb = found
        except Exception:  # noqa: BLE001  # the failure is the test's, and stays what it is
            return None
        return found

    def _explained(self, error):
        outcomes = (pytest.fail.Exception, pytest.skip.Exception, pytest.exit.Exception, KeyboardInterrupt, SystemExit)
        if isinstance(error, outcomes) or (isinstance(error, AssertionError) and str(error)[:7] in ("", "assert ")):
            return None
        traceback = error.__traceback__
        while traceback is not None and traceback.tb_next is not None:
            traceback = traceback.tb_next
        line = (traceback.tb_frame.f_code, traceback.tb_lineno) if traceback is not None else None
        place = (type(error), line, _masked(str(error)))
        if place not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[place] = self._asked(error)
        return self._known[place]

    def _asked(self, error):
        import errkb

        # An error of the collection is the text of a traceback, wrapped in an exception of pytest's own.
        is_wrapped = isinstance(error, pytest.Collector.CollectError)
        explanation = errkb.explain(str(error) if is_wrapped else error)
        text = explanation and (explanation.text() if self._mode == "full" else explanation.short())
        if not text:
            return None
        if explanation.match is not None:
            record = explanation.match.record
            return {"id": record.id, "name": f"{record.repo}/{record.slug}", "text": text}
        site = explanation.raised
        place = f"{site.distribution}:{site.site.file}:{site.site.line}"
        return {"id": place, "name": place, "text": text}

    def _show(self, report):
        found = getattr(report, "errkb", None)
        if self._is_worker or not found or report.outcome != "failed":
            return
        key = found["id"]
        is_first = key not in self._first
        self._first.setdefault(key, (found["name"], report.nodeid))
        self._counts[key] = self._counts.get(key, 0) + 1
        try:
            _add(report, found["text"] if is_first else f"as in {self._first[key][1]}")
        except Exception:  # noqa: BLE001  # a report of another kind: it stays as it is
            return


def _masked(message):
    import re

    return re.sub(r"\d+|'[^'\n]{0,100}'|\"[^\"\n]{0,100}\"", "*", message[:300])


def _add(report, text):
    """A section below the traceback of a report."""
    shown = report.longrepr
    if hasattr(shown, "addsection"):
        shown.addsection(_SECTION, text.rstrip("\n"))
    elif isinstance(shown, str):
        report.longrepr = f"{shown}\n\n{_SECTION}\n{text}"
    elif isinstance(getattr(shown, "longrepr", None), str):
        shown.longrepr += f"\n\n{_SECTION}\n{text}"
