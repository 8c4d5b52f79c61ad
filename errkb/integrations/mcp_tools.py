"""The tools that coding agents call, without the protocol: names, parameters, and what each answers.

Four of them have the names, parameters and JSON keys of the tools of `@standardbeagle/errlookup-mcp` 0.1.2, so that
a configuration for it works with this server in its place. All only read; none opens a connection.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from errkb.datasets.version import dataset_version
from errkb.errors import ErrkbError
from errkb.explanation import explain
from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind, Match
from errkb.records.record import Record
from errkb.render.secrets import masked

SHORT = 2400
"""Characters of a short answer, some 600 tokens."""
_LONG = 40_000
_MOST_REPOS = 200
_MOST_MATCHES = 50
_LONGEST_TEXT = 4_000_000
_NO_ERROR = "No error found in this text, or nothing is known about it."
_NOT_FOUND = "Error not found in index."
_MATCH_TYPES = {Kind.CODE: "exact-code", Kind.PARTIAL: "fuzzy", Kind.FUZZY: "fuzzy"}
"""All other kinds are `pattern`."""


class Answer(NamedTuple):
    """What a tool answers: texts, and whether they say what went wrong."""

    texts: tuple[str, ...]
    is_error: bool = False


class Tool(NamedTuple):
    """A tool: its name, what it does in a sentence, the JSON Schema of its parameters, and what it does."""

    name: str
    description: str
    parameters: dict[str, dict[str, str]]
    required: tuple[str, ...]
    call: Callable[["ErrorTools", Mapping[str, Any]], Answer]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the parameters."""
        required = {"required": list(self.required)} if self.required else {}
        return {"type": "object", "properties": self.parameters, **required}


class ErrorTools:
    """The tools over a knowledge base, which is opened at the first call and again when its datasets changed.

    `open_kb` opens it. With `show_values` false no value of a message is repeated in an answer.
    """

    def __init__(self, open_kb: Callable[[], KnowledgeBase], *, show_values: bool = True) -> None:
        self._open_kb = open_kb
        self._show_values = show_values
        self._kb: KnowledgeBase | None = None
        self._version: str | None = None
        self._repos: list[dict[str, Any]] | None = None

    def call(self, name: str, arguments: Mapping[str, Any] | None) -> Answer:
        """What the tool of this name answers. Never raises: what goes wrong is an answer too."""
        tool = BY_NAME.get(name)
        if tool is None:
            return Answer((f"unknown tool: {name}",), is_error=True)
        arguments = arguments or {}
        try:
            if missing := [one for one in tool.required if not isinstance(arguments.get(one), str)]:
                return Answer((f"{name} needs {missing[0]!r}, a string.",), is_error=True)
            texts, is_error = tool.call(self, arguments)
        except (ErrkbError, OSError) as error:
            return Answer((masked(f"errkb: {error}"),), is_error=True)
        except Exception as error:  # noqa: BLE001  # the server lives, and its client is told
            return Answer((masked(f"errkb: unexpected {type(error).__name__}: {error}"),), is_error=True)
        return Answer(tuple(masked(text) for text in texts), is_error)

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base."""
        if self._kb is None:
            self._kb = self._open_kb()
            self._version = dataset_version(self._kb.datasets)
        return self._kb

    def search_error(self, arguments: Mapping[str, Any]) -> Answer:
        """Records for a message, best first, as JSON."""
        limit = _number(arguments.get("limit"), 5, _MOST_MATCHES)
        matches = self.kb.search(arguments["message"][:_LONGEST_TEXT], limit=limit, repo=_text(arguments, "repo"))
        return _json({"matches": [_hit(one) for one in matches], "datasetVersion": self._version, "stale": False})

    def get_error(self, arguments: Mapping[str, Any]) -> Answer:
        """A whole record as Markdown, and its address."""
        from errkb.render.record_markdown import record_markdown

        record = self._record(arguments)
        if record is None:
            return Answer((_NOT_FOUND,), is_error=True)
        return Answer((record_markdown(record, self.kb.supplement(record.id))[:_LONG], f"Source: {_address(record)}"))

    def _record(self, arguments: Mapping[str, Any]) -> Record | None:
        name, repo, slug = (_text(arguments, key) for key in ("id", "repo", "slug"))
        if not name and slug:
            name = slug if slug.count("/") == 2 else f"{repo}/{slug}" if repo else None
        return self.kb.get(name) if name else None

    def list_repos(self, _arguments: Mapping[str, Any]) -> Answer:
        """The projects with most records and how many each has, as JSON."""
        kb = self.kb
        if self._repos is None:
            counts: dict[str, int] = {}
            for record in kb.records():
                counts[record.repo] = counts.get(record.repo, 0) + 1
            ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
            self._repos = [{"repo": repo, "description": None, "errorCount": count} for repo, count in ordered]
        more = {"more": len(self._repos) - _MOST_REPOS} if len(self._repos) > _MOST_REPOS else {}
        return _json({"repos": self._repos[:_MOST_REPOS], "datasetVersion": self._version, **more})

    def refresh_dataset(self, _arguments: Mapping[str, Any]) -> Answer:
        """Opens the datasets again; says whether they changed."""
        before, had = self._version, self._kb is not None
        self._kb, self._repos = None, None
        count = len(self.kb)
        return _json({"updated": had and self._version != before, "datasetVersion": self._version, "errors": count})

    def explain_error(self, arguments: Mapping[str, Any]) -> Answer:
        """The cause and the cure of an error, or the place that raises it, as Markdown."""
        from errkb.integrations.redaction import without_values
        from errkb.render.markdown import render_markdown

        full, python = bool(arguments.get("full")), _text(arguments, "python")
        explanation = explain(arguments["text"][:_LONGEST_TEXT], kb=self.kb, python=Path(python) if python else None)
        if explanation is None:
            return Answer((_NO_ERROR,))
        shown = explanation if self._show_values else without_values(explanation, self.kb)
        text = render_markdown(shown, most=_LONG if full else SHORT)
        answer = explanation.answer
        if full and answer and answer.match:
            from errkb.render.record_markdown import record_markdown

            record = answer.match.record
            return Answer((text, record_markdown(record, self.kb.supplement(record.id))[:_LONG]))
        return Answer((text,))


def _text(arguments: Mapping[str, Any], name: str) -> str | None:
    value = arguments.get(name)
    return value if isinstance(value, str) and value else None


def _number(value: object, default: int, most: int) -> int:
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
        return default
    return int(min(value, most))


def _json(value: dict[str, Any]) -> Answer:
    return Answer((json.dumps(value, ensure_ascii=False, separators=(",", ":")),))


def _hit(match: Match) -> dict[str, Any]:
    record = match.record
    return {
        "id": record.id,
        "repo": record.repo,
        "code": record.error_code,
        "message": record.error_message,
        "score": round(match.score, 3),
        "matchType": _MATCH_TYPES.get(match.kind, "pattern"),
        "url": _address(record),
        "tied": match.tied,
    }


def _address(record: Record) -> str:
    """The page of a record on the site that `ERRLOOKUP_BASE_URL` names, else the lines that raise its error."""
    base = os.environ.get("ERRLOOKUP_BASE_URL", "").rstrip("/")
    return f"{base}/{record.repo}/{record.slug}/" if base else record.github_url


TOOLS = (
    Tool(
        "explain_error",
        "Explain an error of a Python program: the cause by the values in the message, what to do, an example that was "
        "run; where no record is known, the place in the installed packages that raises it. Pass the whole traceback.",
        {
            "text": {"type": "string", "description": "The error text: a message, a log or a whole traceback."},
            "python": {"type": "string", "description": "Interpreter or virtual environment that the error is from."},
            "full": {"type": "boolean", "description": "Add the whole record (default false)."},
        },
        ("text",),
        ErrorTools.explain_error,
    ),
    Tool(
        "search_error",
        "Find the records for an error message, with scores. Pass the message as it stands.",
        {
            "message": {"type": "string", "description": "The error message, verbatim."},
            "repo": {"type": "string", "description": "Only records of this project, owner/name."},
            "limit": {"type": "number", "description": "How many records at the most (default 5)."},
        },
        ("message",),
        ErrorTools.search_error,
    ),
    Tool(
        "get_error",
        "The whole record of an error by its id, or by repo and slug.",
        {"id": {"type": "string"}, "repo": {"type": "string"}, "slug": {"type": "string"}},
        (),
        ErrorTools.get_error,
    ),
    Tool("list_repos", "The projects that records are about.", {}, (), ErrorTools.list_repos),
    Tool("refresh_dataset", "Open the datasets again after they changed.", {}, (), ErrorTools.refresh_dataset),
)
BY_NAME = {tool.name: tool for tool in TOOLS}
