"""The tools of errkb as an MCP server: the official SDK speaks the protocol, on stdio or over HTTP.

Needs the extra `errkb[mcp]`.
"""

from ipaddress import ip_address
from typing import Any

import anyio
import mcp_types as types
from anyio.to_thread import run_sync
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from errkb.integrations.mcp_tools import TOOLS, ErrorTools

_LARGEST_REQUEST = 8 * 1024 * 1024
_READS_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_INSTRUCTIONS = "Explains errors of Python programs, offline. Call explain_error first, with the whole traceback."


def make_server(tools: ErrorTools, version: str) -> Server[Any]:
    """A server that offers the tools; `version` is what it says of itself."""

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name, description=tool.description, input_schema=tool.schema, annotations=_READS_ONLY
                )
                for tool in TOOLS
            ]
        )

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        answer = await run_sync(tools.call, params.name, params.arguments)
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=text) for text in answer.texts]
        return types.CallToolResult(content=content, is_error=answer.is_error)

    return Server(
        "errkb", version=version, instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


def serve_stdio(server: Server[Any]) -> None:
    """Answer on stdin and stdout until the client closes them."""

    async def run() -> None:
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())

    anyio.run(run)


def serve_http(server: Server[Any], host: str, port: int, allowed_hosts: tuple[str, ...] = ()) -> None:
    """Answer at `http://host:port/mcp` until interrupted.

    Requests for other hosts than this one and `allowed_hosts`, and from pages of other origins, are refused.
    """
    import uvicorn

    app = server.streamable_http_app(
        host=host,
        json_response=True,
        stateless_http=True,
        max_request_body_size=_LARGEST_REQUEST,
        transport_security=security(host, allowed_hosts),
    )
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)


def security(host: str, allowed_hosts: tuple[str, ...]) -> TransportSecuritySettings:
    """Which `Host` and `Origin` headers are accepted."""
    names = ["127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host, *allowed_hosts]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in names for port in ("", ":*")
        ],
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
