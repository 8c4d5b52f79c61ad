"""The MCP server beside the founding peer's (`@standardbeagle/errlookup-mcp`), over the same records in one run.

    npm install --prefix DIR @standardbeagle/errlookup-mcp@0.1.2
    python benchmarks/agents.py --peer DIR [--size 150000] [--calls 20]

The dataset is published on the loopback interface as the peer reads it, and read by errkb from the same folder. First
ten calls are made to both: tool names, required parameters, JSON keys and error flags must agree. Then the time to the
first answer and the time of a call, warm, are printed, and their ratio.
"""

import argparse
import asyncio
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from datasets import write_dataset
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

PEER_TOOLS = ("search_error", "get_error", "list_repos", "refresh_dataset")


def main() -> None:
    """Compare, then time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, required=True, help="The folder that npm installed into.")
    parser.add_argument("--size", type=int, default=150_000)
    parser.add_argument("--calls", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        published, records = publish(Path(folder), options.size)
        address = serve(Path(folder))
        entry = options.peer / "node_modules/@standardbeagle/errlookup-mcp/dist/index.js"
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("ERR")}
        surroundings |= {"ERRLOOKUP_BASE_URL": address, "ERRLOOKUP_CACHE_DIR": f"{folder}/peer-cache"}
        surroundings |= {"XDG_CACHE_HOME": f"{folder}/cache"}
        servers = {
            "peer": StdioServerParameters(command="node", args=[str(entry)], env=surroundings),
            "errkb": StdioServerParameters(
                command=sys.executable, args=["-m", "errkb", "mcp", "--data", str(published)], env=surroundings
            ),
        }
        asyncio.run(compare(servers, records))
        measure(servers, records, options.calls)


def publish(folder: Path, size: int) -> tuple[Path, list[dict[str, Any]]]:
    """A dataset in the layout that the peer reads: manifest, index, a file for each repo."""
    source = folder / "records.jsonl"
    write_dataset(source, size)
    records = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
    source.unlink()
    data = folder / "data"
    data.mkdir()
    short = {"id": "id", "repo": "repo", "slug": "slug", "code": "errorCode", "msg": "errorMessage"}
    short |= {"pattern": "messagePattern", "type": "errorType", "cls": "errorClass", "tags": "tags", "sev": "severity"}
    errors = [{key: record[field] for key, field in short.items()} for record in records]
    index = json.dumps({"datasetVersion": "1", "errors": errors}).encode()
    (data / "index.json").write_bytes(index)
    by_repo: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_repo.setdefault(record["repo"], []).append(record)
    for repo, own in by_repo.items():
        path = data / "repos" / f"{repo}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(own), "utf-8")
    repos = [{"repo": repo, "description": None, "errorCount": len(own)} for repo, own in by_repo.items()]
    (data / "repos.json").write_text(json.dumps(repos), "utf-8")
    described = {"path": "index.json", "bytes": len(index), "sha256": hashlib.sha256(index).hexdigest()}
    manifest = {"schemaVersion": 2, "datasetVersion": "1", "counts": {"errors": size}, "files": {"index": described}}
    (data / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return data, records


def serve(folder: Path) -> str:
    """The address at which a folder is served, on the loopback interface."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


async def compare(servers: dict[str, StdioServerParameters], records: list[dict[str, Any]]) -> None:
    """Ten calls to both servers, compared by what a client relies on. Raises SystemExit where they differ."""
    seen = {}
    for name, parameters in servers.items():
        async with Client(stdio_client(parameters), mode="legacy") as client:
            tools = {tool.name: tool.input_schema.get("required", []) for tool in (await client.list_tools()).tools}
            shapes = [shape(await client.call_tool(tool, given)) for tool, given in calls(records)]
            seen[name] = ({tool: tools[tool] for tool in PEER_TOOLS}, shapes)
    for (tool, given), peer, ours in zip(calls(records), seen["peer"][1], seen["errkb"][1], strict=True):
        agrees = peer[:2] == ours[:2] and peer[2] <= ours[2]
        print(f"{'same' if agrees else 'DIFFERS'}  {tool} {json.dumps(given)[:60]}")
        if not agrees:
            raise SystemExit(f"peer: {peer}\nerrkb: {ours}")
    if seen["peer"][0] != seen["errkb"][0]:
        raise SystemExit(f"tools differ: {seen['peer'][0]} and {seen['errkb'][0]}")


def calls(records: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Ten calls that both servers answer."""
    first, last = records[0], records[-1]
    return [
        ("search_error", {"message": first["errorMessage"]}),
        ("search_error", {"message": last["errorMessage"], "limit": 1}),
        ("search_error", {"message": last["errorMessage"], "repo": last["repo"]}),
        ("search_error", {"message": "zzz qqq"}),
        ("get_error", {"id": first["id"]}),
        ("get_error", {"repo": last["repo"], "slug": last["slug"]}),
        ("get_error", {"id": "0" * 16}),
        ("list_repos", {}),
        ("refresh_dataset", {}),
        ("no_such_tool", {}),
    ]


def shape(result: Any) -> tuple[bool, int, set[str]]:
    """What a client relies on in an answer: the error flag, the number of texts, the keys of the JSON."""
    text = result.content[0].text
    keys: set[str] = set()
    if text.startswith("{"):
        document = json.loads(text)
        keys = set(document)
        for inner in ("matches", "repos"):
            keys |= {f"{inner}.{key}" for one in document.get(inner, [])[:1] for key in one}
    return bool(result.is_error), len(result.content), keys


class Pipes:
    """A server on pipes, asked by a client that costs nothing."""

    def __init__(self, parameters: StdioServerParameters) -> None:
        command = [parameters.command, *parameters.args]
        self._server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=parameters.env
        )
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}
        self._number = 0
        self.ask("initialize", client)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to a request."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._server.stdout is not None
        while line := self._server.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == self._number:
                return answer
        raise SystemExit("the server has ended")

    def _send(self, document: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(document).encode() + b"\n")
        self._server.stdin.flush()

    def close(self) -> None:
        """End the server."""
        self._server.kill()
        self._server.communicate()


def measure(servers: dict[str, StdioServerParameters], records: list[dict[str, Any]], number: int) -> None:
    """The time to the first answer and of further calls."""
    step = max(1, len(records) // (number + 1))
    messages = [record["errorMessage"] for record in records[::step]][: number + 1]
    warm = {}
    for name, parameters in servers.items():
        start = time.perf_counter()
        pipes = Pipes(parameters)
        pipes.ask("tools/call", {"name": "search_error", "arguments": {"message": messages[0]}})
        first = time.perf_counter() - start
        taken = []
        for message in messages[1:]:
            began = time.perf_counter()
            pipes.ask("tools/call", {"name": "search_error", "arguments": {"message": message}})
            taken.append(time.perf_counter() - began)
        pipes.close()
        warm[name] = statistics.median(taken)
        print(f"{name:6} start to first answer {first:6.2f} s, a call {warm[name] * 1000:9.2f} ms (median of {number})")
    print(f"a call of the peer takes {warm['peer'] / warm['errkb']:.0f} times as long")


if __name__ == "__main__":
    main()
