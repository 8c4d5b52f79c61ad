"""The tools of the MCP server, called without the protocol."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errkb
from errkb.integrations.mcp_tools import SHORT, TOOLS, ErrorTools
from errkb.records.template import fill, placeholders

KEY = "sk-proj-a8Kd03jfLq92mXz7Qw5tYv1uB6nR4eG0"
FOUNDING = (
    "ValueError: offload_prefetch_step (0) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"
)
HIT = {"id", "repo", "code", "message", "score", "matchType", "url"}
"""The keys of a match in the tools of errlookup-mcp 0.1.2."""


@pytest.fixture(scope="module")
def tools() -> ErrorTools:
    """Tools over the bundled dataset."""
    return ErrorTools(lambda: errkb.load(bundled=True))


def answer(tools: ErrorTools, name: str, **arguments: Any) -> Any:
    """The JSON that a tool answers."""
    found = tools.call(name, arguments)
    assert not found.is_error
    return json.loads(found.texts[0])


def test_the_four_tools_of_the_peer_have_its_names_and_required_parameters() -> None:
    """A client that was set up for errlookup-mcp finds what it knows."""
    known = {tool.name: (set(tool.parameters), tool.required) for tool in TOOLS}
    assert known["search_error"] == ({"message", "repo", "limit"}, ("message",))
    assert known["get_error"] == ({"id", "repo", "slug"}, ())
    assert known["list_repos"] == (set(), ())
    assert known["refresh_dataset"] == (set(), ())


def test_the_definitions_of_the_tools_are_short() -> None:
    """They stand in the context of an agent all the time."""
    assert len(json.dumps([(tool.name, tool.description, tool.schema) for tool in TOOLS])) < 2200


def test_search_error_has_the_keys_of_the_peer(tools: ErrorTools) -> None:
    """And more may stand beside them."""
    found = answer(tools, "search_error", message=FOUNDING, limit=3)
    assert set(found) == {"matches", "datasetVersion", "stale"}
    first = found["matches"][0]
    assert set(first) >= HIT
    assert (first["id"], first["matchType"]) == ("73154bc6b02214fb", "pattern")
    assert len(found["matches"]) <= 3


@pytest.mark.parametrize(
    ("message", "arguments", "expected"),
    [
        ("nothing that any record has", {}, 0),
        (FOUNDING, {"repo": "nobody/nothing"}, 0),
        (FOUNDING, {"repo": "vllm-project/vllm"}, 1),
        (FOUNDING, {"limit": 1}, 1),
        (FOUNDING, {"limit": -3}, 1),
        (FOUNDING, {"limit": "many"}, 1),
        (FOUNDING, {"limit": float("nan")}, 1),
    ],
)
def test_search_error_takes_any_repo_and_limit(
    tools: ErrorTools, message: str, arguments: dict[str, Any], expected: int
) -> None:
    """What makes no sense counts as not given."""
    assert len(answer(tools, "search_error", message=message, **arguments)["matches"]) == expected


def test_the_address_of_a_record_is_on_the_site_that_is_named(
    tools: ErrorTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it is that of the source."""
    url = answer(tools, "search_error", message=FOUNDING)["matches"][0]["url"]
    assert url.startswith("https://github.com/vllm-project/vllm/blob/")
    monkeypatch.setenv("ERRLOOKUP_BASE_URL", "https://errors.example.com/")
    url = answer(tools, "search_error", message=FOUNDING)["matches"][0]["url"]
    assert url.startswith("https://errors.example.com/vllm-project/vllm/offload-prefetch-step-")


@pytest.mark.parametrize(
    "arguments",
    [
        {"id": "73154bc6b02214fb"},
        {"repo": "vllm-project/vllm", "slug": "offload-prefetch-step-self-prefetch-offload-pref"},
        {"slug": "vllm-project/vllm/offload-prefetch-step-self-prefetch-offload-pref"},
    ],
)
def test_get_error_gives_the_record_and_its_address(tools: ErrorTools, arguments: dict[str, str]) -> None:
    """By id, by repo and slug, or by both in one."""
    found = tools.call("get_error", arguments)
    assert not found.is_error
    document, source = found.texts
    assert "**Repo:** vllm-project/vllm" in document
    assert "## Solutions" in document
    assert source.startswith("Source: https://")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("get_error", {}, "Error not found in index."),
        ("get_error", {"id": "0" * 16}, "Error not found in index."),
        ("get_error", {"id": 7, "slug": ["x"]}, "Error not found in index."),
        ("search_error", {}, "'message'"),
        ("search_error", {"message": 7}, "'message'"),
        ("explain_error", None, "'text'"),
        ("explain_error", {"text": FOUNDING, "python": "/nowhere"}, "/nowhere"),
        ("other", {}, "unknown tool: other"),
    ],
)
def test_what_goes_wrong_is_said(tools: ErrorTools, name: str, arguments: Any, said: str) -> None:
    """With the flag of an error; nothing is raised."""
    found = tools.call(name, arguments)
    assert found.is_error
    assert said in found.texts[0]


def test_list_repos_counts_the_records_of_each_project(tools: ErrorTools) -> None:
    """The most frequent first, never more than 200."""
    found = answer(tools, "list_repos")
    counts = [one["errorCount"] for one in found["repos"]]
    assert counts == sorted(counts, reverse=True)
    assert set(found["repos"][0]) == {"repo", "description", "errorCount"}
    assert len(counts) <= 200


def test_refresh_dataset_reads_what_was_added(tmp_path: Path, make_document: Callable[..., dict[str, Any]]) -> None:
    """And says whether anything changed."""
    dataset = tmp_path / "own.jsonl"
    dataset.write_text(json.dumps(make_document("The first drawer {name} is stuck")) + "\n")
    tools = ErrorTools(lambda: errkb.load(dataset))
    assert answer(tools, "refresh_dataset")["errors"] == 1
    assert answer(tools, "refresh_dataset")["updated"] is False
    with dataset.open("a") as file:
        file.write(json.dumps(make_document("The second drawer {name} is stuck")) + "\n")
    found = answer(tools, "refresh_dataset")
    assert (found["updated"], found["errors"]) == (True, 2)


def test_an_explanation_is_short_for_every_record(tools: ErrorTools) -> None:
    """Some 600 tokens at the most, even of a long message with many values."""
    for record in tools.kb:
        message = fill(record.error_message, ["value " * 40] * len(placeholders(record.error_message)))
        found = tools.call("explain_error", {"text": f"{record.error_class}: {message}"})
        assert len(found.texts[0]) <= SHORT, record.id


def test_a_full_explanation_adds_the_record(tools: ErrorTools) -> None:
    """As a second text."""
    assert len(tools.call("explain_error", {"text": FOUNDING, "full": True}).texts) == 2


def test_a_text_without_an_error_is_answered(tools: ErrorTools) -> None:
    """In a sentence, and it is no fault."""
    found = tools.call("explain_error", {"text": "All 7 tests passed."})
    assert not found.is_error
    assert found.texts[0].startswith("No error found")


def test_secrets_are_masked(tools: ErrorTools) -> None:
    """Wherever they stand in an answer."""
    text = (
        f"openai.AuthenticationError: Error code: 401 - {{'error': {{'message': 'Incorrect API key provided: {KEY}'}}}}"
    )
    for arguments in ({"text": text}, {"text": text, "full": True}, {"text": f"RuntimeError: {KEY} is not known"}):
        assert all(KEY not in text for text in tools.call("explain_error", arguments).texts)


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'hunter2'",
        "ValueError: could not convert string to float: 'hunter2'",
        "requests.exceptions.InvalidSchema: No connection adapters were found for 'hunter2'",
        "ValueError: hunter2 is not a word that anybody knows",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'hunter2'\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: math domain error',
    ],
)
def test_values_are_left_out_where_they_may_be_secrets(text: str) -> None:
    """Names stand where values stood, and a message that nothing is known of is not repeated."""
    tools = ErrorTools(lambda: errkb.load(bundled=True), show_values=False)
    found = tools.call("explain_error", {"text": text})
    assert not found.is_error
    assert "hunter2" not in found.texts[0]
    assert found.texts[0].startswith("###")
