"""The MCP server as clients meet it: a process on pipes, and HTTP on the loopback interface."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

FOUNDING = (
    "ValueError: offload_prefetch_step (0) must be >= 1 when prefetch offloading is enabled (offload_group_size > 0)"
)
NAMES = ["explain_error", "search_error", "get_error", "list_repos", "refresh_dataset"]
CALLS: tuple[tuple[str, dict[str, Any], bool, int], ...] = (
    ("explain_error", {"text": FOUNDING}, False, 1),
    ("explain_error", {"text": FOUNDING, "full": True}, False, 2),
    ("search_error", {"message": FOUNDING}, False, 1),
    ("search_error", {"message": "no such words"}, False, 1),
    ("search_error", {}, True, 1),
    ("get_error", {"id": "73154bc6b02214fb"}, False, 2),
    ("get_error", {"id": "nothing"}, True, 1),
    ("list_repos", {}, False, 1),
    ("refresh_dataset", {}, False, 1),
    ("unknown", {}, True, 1),
)
"""Tool, arguments, whether the answer is an error, how many texts it has."""
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    """The request that calls a tool."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def talk(
    lines: list[bytes], wanted: set[int], environment: Mapping[str, str], *options: str
) -> tuple[dict[Any, Any], int]:
    """What a server answers, each line JSON, by id until the `wanted` ones are there; and its exit status then."""
    command = [sys.executable, "-m", "errkb", "mcp", *options]
    answers: dict[Any, Any] = {}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment)
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        guard = threading.Timer(60, server.kill)
        guard.start()
        server.stdin.write(b"".join(line + b"\n" for line in lines))
        server.stdin.flush()
        while not wanted <= set(answers) and (line := server.stdout.readline()):
            answer = json.loads(line.decode("utf-8"))
            answers[answer.get("id")] = answer
        server.stdin.close()
        rest = server.stdout.read()
        guard.cancel()
    assert rest == b""
    return answers, server.returncode


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_of_the_official_sdk_calls_each_tool(environment: dict[str, str], mode: Any) -> None:
    """In the newest revision of the protocol and in those with a handshake."""

    async def run() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=["-m", "errkb", "mcp"], env=environment)
        async with Client(stdio_client(parameters), mode=mode) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == NAMES
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
            for name, arguments, is_error, texts in CALLS:
                result = await client.call_tool(name, arguments)
                assert (bool(result.is_error), len(result.content)) == (is_error, texts), name
                assert result.structured_content is None

    asyncio.run(run())


def test_stdout_holds_nothing_but_the_protocol(environment: dict[str, str], tmp_path: Path) -> None:
    """Broken datasets, a cache that cannot be written, bytes that are no UTF-8: the server says why, and lives."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": 7}\nno JSON\n')
    cache = tmp_path / "cache"
    cache.write_text("a file where a folder should be")
    lines = [json.dumps(HELLO).encode(), json.dumps(READY).encode()]
    lines += [b"\xff\xfe junk", b"{", b"[]", json.dumps(call(2, "explain_error", text=FOUNDING)).encode()]
    lines += [json.dumps(call(3, "search_error", message="\x00 \u202e \x1b[31m")).encode()]
    surroundings = environment | {"ERRKB_DATA": str(broken), "XDG_CACHE_HOME": str(cache)}
    by_id, status = talk(lines, {2, 3}, surroundings)
    assert "73154bc6b02214fb" in by_id[2]["result"]["content"][0]["text"]
    assert json.loads(by_id[3]["result"]["content"][0]["text"])["matches"] == []
    assert status == 0


def test_a_dataset_that_cannot_be_read_is_an_answer(environment: dict[str, str], tmp_path: Path) -> None:
    """With the flag of an error; the next call is answered as well."""
    lines = [HELLO, READY, call(2, "explain_error", text=FOUNDING), call(3, "list_repos")]
    sent = [json.dumps(one).encode() for one in lines]
    answers, status = talk(sent, {2, 3}, environment, "--data", str(tmp_path / "none"))
    results = {number: answers[number]["result"] for number in (2, 3)}
    assert all(results[number]["isError"] for number in (2, 3))
    assert "none" in results[2]["content"][0]["text"]
    assert status == 0


def test_without_the_extra_a_sentence_says_what_to_install(environment: dict[str, str]) -> None:
    """And the status is that of wrong use."""
    hidden = "import sys; sys.modules['mcp_types'] = sys.modules['mcp'] = None; from errkb.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", hidden, "mcp"], capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert result.returncode == 2
    assert "pip install 'errkb[mcp]'" in result.stderr
    assert result.stdout == ""


@contextmanager
def http_server(environment: dict[str, str]) -> Iterator[str]:
    """The address of a server on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "errkb", "mcp", "--http", str(port)]
    server = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    try:
        assert server.stderr is not None
        assert b"serving" in server.stderr.readline()
        while server.poll() is None:
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    break
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.communicate(timeout=30)


def post(url: str, **headers: str) -> int:
    """The status of a request with these headers."""
    accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, json.dumps(HELLO).encode(), {**accepted, **headers})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def test_http_answers_this_machine_and_refuses_pages_of_others(environment: dict[str, str]) -> None:
    """The same tools; a foreign origin or host is refused."""

    async def ask(url: str) -> Any:
        async with Client(url) as client:
            return await client.call_tool("explain_error", {"text": FOUNDING})

    with http_server(environment) as url:
        result = asyncio.run(ask(url))
        assert "73154bc6b02214fb" in result.content[0].text
        assert post(url) == 200
        assert post(url, Origin="http://127.0.0.1:8000") == 200
        assert post(url, Origin="https://evil.example") == 403
        assert post(url, Host="evil.example") in (403, 421)
