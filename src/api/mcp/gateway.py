"""Answers MCP messages with what a set of tools says; knows nothing of what the tools are."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final, Protocol

import msgspec
from litestar import Request, Response

from api.disconnect import while_connected
from api.error import JSON_TYPE, Failure
from api.mcp import protocol
from api.mcp.protocol import Incoming, RpcError
from api.sse import EventStreamResponse
from application.mcp.offer import OfferedTool, ToolAnswer, ToolCall, ToolSays, ToolStep
from domain.shared.access import Principal
from domain.shared.error import AppError, Forbidden, InvalidRequest, NotFound
from domain.shared.limits import Limits

_EVENTS: Final = "text/event-stream"
_END_USER: Final = "mcp"


class Toolset(Protocol):
    """The tools behind one address, for one caller."""

    @property
    def title(self) -> str: ...

    async def offered(self) -> Sequence[OfferedTool]: ...

    async def call(self, call: ToolCall) -> AsyncGenerator[ToolSays, None]:
        """Raise ``NotFound`` for an unknown tool, ``InvalidRequest`` for wrong arguments."""
        ...


class Said(msgspec.Struct, frozen=True):
    """One message to the client."""

    message: Mapping[str, Any]


class LastSaid(Said, frozen=True):
    """The answer of the request; nothing follows."""


class Spoken(msgspec.Struct, frozen=True):
    """A message in a stream."""

    event: Said


class McpRenderer:
    """Writes messages as events."""

    content_type = _EVENTS
    keepalive = b": alive\r\n\r\n"
    holds_headers = False

    def __init__(self, asked: Incoming) -> None:
        self._asked = asked

    def render(self, batch: Sequence[Spoken]) -> bytes:
        return b"".join(frame(spoken.event.message) for spoken in batch)

    def fail(self, failure: Failure) -> bytes:
        return frame(RpcError(-32603, failure.message).body(self._asked.number))


class McpGateway:
    """Speaks the protocol over streamable HTTP, without keeping anything between requests."""

    def __init__(self, *, limits: Limits, version: str, origins: Collection[str]) -> None:
        self._limits = limits
        self._version = version
        self._origins = frozenset(origins)

    def check_origin(self, request: Request[Any, Any, Any]) -> None:
        """Refuse pages of foreign sites; raise ``Forbidden``."""
        origin = request.headers.get("origin")
        if origin is not None and origin not in self._origins:
            raise Forbidden("This origin may not call; the operator lists origins under cors.")

    async def read(self, request: Request[Any, Any, Any]) -> Incoming:
        """Read the message of a request; raise ``RpcError``."""
        try:
            document = await request.json()
        except InvalidRequest as exc:
            raise RpcError(protocol.PARSE_ERROR, exc.message) from exc
        return Incoming.of(document, request.headers)

    async def answer(
        self, request: Request[Any, Any, Any], principal: Principal, tools: Toolset
    ) -> Response[Any]:
        """Answer a POST to the address of the tools."""
        self.check_origin(request)
        try:
            asked = await self.read(request)
        except RpcError as exc:
            return _json(exc.body(None), exc.status)
        if asked.number is None:
            return Response(b"", status_code=202)
        try:
            spoken = await self.speak(asked, principal, tools)
        except RpcError as exc:
            return _json(exc.body(asked.number), exc.status if asked.is_modern else 200)
        if asked.method == "tools/call" and _EVENTS in request.headers.get("accept", ""):
            return EventStreamResponse(
                _batches(spoken), McpRenderer(asked), limits=self._limits, endings=(LastSaid,)
            )
        last = await while_connected(request, _last(spoken))
        return _json(last.message)

    async def speak(
        self, asked: Incoming, principal: Principal, tools: Toolset
    ) -> AsyncGenerator[Said, None]:
        """Check a request and return what is said about it; the last one is ``LastSaid``.

        Raises:
            RpcError: the request is refused as a whole.
        """
        match asked.method:
            case "initialize" if not asked.is_modern:
                wanted = asked.params.get("protocolVersion")
                agreed = wanted if wanted in protocol.HANDSHAKE else protocol.HANDSHAKE[0]
                return _once(asked.reply({"protocolVersion": agreed, **self._about(tools)}))
            case "server/discover" if asked.is_modern:
                about = {"supportedVersions": list(protocol.SUPPORTED), **self._about(tools)}
                return _once(asked.reply(about, is_cacheable=True))
            case "ping" if not asked.is_modern:
                return _once(asked.reply({}))
            case "tools/list":
                offered = [_tool(each) for each in await tools.offered()]
                return _once(asked.reply({"tools": offered}, is_cacheable=True))
            case "tools/call":
                return await self._call(asked, principal, tools)
            case unknown:
                raise RpcError(protocol.METHOD_NOT_FOUND, f"There is no method {unknown[:64]!r}.")

    def _about(self, tools: Toolset) -> dict[str, Any]:
        return {
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "coterie", "title": tools.title, "version": self._version},
        }

    async def _call(
        self, asked: Incoming, principal: Principal, tools: Toolset
    ) -> AsyncGenerator[Said, None]:
        name, arguments = asked.params.get("name"), asked.params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise RpcError(protocol.INVALID_PARAMS, "A call needs a name and arguments.")
        call = ToolCall(
            name=name, arguments=arguments, end_user_id=principal.end_user_id or _END_USER
        )
        try:
            says = await tools.call(call)
        except NotFound as exc:
            raise RpcError(protocol.INVALID_PARAMS, exc.message) from exc
        except AppError as exc:  # something the model can do better
            return _once(asked.reply(_result(ToolAnswer(text=exc.message, is_error=True))))
        return _follow(asked, says)


def frame(message: Mapping[str, Any]) -> bytes:
    """Write a message as an event; JSON has no line breaks of its own."""
    return b"event: message\r\ndata: " + msgspec.json.encode(message) + b"\r\n\r\n"


async def _once(message: Mapping[str, Any]) -> AsyncGenerator[Said, None]:
    yield LastSaid(message)


async def _follow(
    asked: Incoming, says: AsyncGenerator[ToolSays, None]
) -> AsyncGenerator[Said, None]:
    """Turn what a tool says into messages, its failure into a result that tells of it."""
    steps = 0
    answer = ToolAnswer(text="The tool ended without an answer.", is_error=True)
    try:
        async with aclosing(says) as found:
            async for said in found:
                match said:
                    case ToolStep(text=text):
                        steps += 1
                        if asked.progress_token is not None:
                            yield Said(asked.progress(steps, text))
                    case ToolAnswer():
                        answer = said
    except AppError as exc:
        answer = ToolAnswer(text=exc.message, is_error=True)
    yield LastSaid(asked.reply(_result(answer)))


async def _batches(spoken: AsyncGenerator[Said, None]) -> AsyncGenerator[list[Spoken], None]:
    async with aclosing(spoken) as found:
        async for said in found:
            yield [Spoken(said)]


async def _last(spoken: AsyncGenerator[Said, None]) -> Said:
    last = Said({})
    async with aclosing(spoken) as found:
        async for said in found:
            last = said
    return last


def _tool(offered: OfferedTool) -> dict[str, Any]:
    shown = {
        "name": offered.name,
        "title": offered.title,
        "description": offered.description,
        "inputSchema": offered.input_schema,
    }
    if offered.output_schema is not None:
        shown["outputSchema"] = offered.output_schema
    return shown


def _result(answer: ToolAnswer) -> dict[str, Any]:
    result: dict[str, Any] = {"content": [{"type": "text", "text": answer.text}]}
    if answer.structured is not None:
        result["structuredContent"] = answer.structured
    return {**result, "isError": answer.is_error}


def _json(body: Mapping[str, Any], status: int = 200) -> Response[bytes]:
    return Response(msgspec.json.encode(body), status_code=status, media_type=JSON_TYPE)
