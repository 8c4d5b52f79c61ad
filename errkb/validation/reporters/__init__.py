"""Findings of validation, for people and for programs: one module for each form."""

from importlib import import_module

from errkb.validation.report import Report

FORMATS = ("text", "json", "github", "sarif", "junit")


def render(report: Report, form: str) -> str:
    """The report in one of `FORMATS`."""
    text: str = import_module(f"errkb.validation.reporters.{form}").render(report)
    return text
