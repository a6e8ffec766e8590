"""The admin API as MCP tools: one per operation, made from the interface description."""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.status_codes import HTTP_200_OK

from api.mcp.events import EventStreams
from api.mcp.gateway import McpGateway
from application.mcp.offer import OfferedTool, ToolAnswer, ToolCall, ToolSays
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest, NotFound

_PREFIX: Final = "/admin/v1/"
_SURFACE: Final = "admin."
_OF_PEOPLE: Final = "admin.auth."
_JSON: Final = "application/json"
_COMPONENTS: Final = "#/components/schemas/"
_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_FAILED: Final = 400
_FORWARDED: Final = frozenset({b"authorization", b"host"})
_NAME_CHARS: Final = 64
_FORMER: Final[Mapping[str, str]] = {
    "documents_batch": "documents_batch_update",
    "grants_put": "grants_set",
    "group_members_put": "group_members_add",
    "oauth_requests_find_device": "oauth_requests_find_by_user_code",
    "tokens_issue": "tokens_issue_for_browser",
}
"""Names of before, which clients may have written down; they are not listed any more."""


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One operation and the tool that stands for it."""

    tool: OfferedTool
    method: str
    path: str
    query: tuple[str, ...]
    has_body: bool


class AdminOperations:
    """The operations of the admin API, read from the description when they are first wanted."""

    def __init__(self, describe: Callable[[], Mapping[str, Any]]) -> None:
        self._describe = describe
        self._lock = asyncio.Lock()
        self._found: dict[str, Operation] = {}

    async def all(self) -> Mapping[str, Operation]:
        """Return the operations by the names of their tools."""
        async with self._lock:
            if not self._found:
                self._found = await asyncio.to_thread(self._read)
        return self._found

    def _read(self) -> dict[str, Operation]:
        return {each.tool.name: each for each in _operations(self._describe())}


class _Tools:
    """The admin API for one caller, whose credentials go along with every call."""

    title: Final = "Administration"

    def __init__(self, operations: AdminOperations, request: Request[Any, Any, Any]) -> None:
        self._operations = operations
        self._request = request

    async def offered(self) -> Sequence[OfferedTool]:
        return [each.tool for each in (await self._operations.all()).values()]

    async def call(self, call: ToolCall) -> AsyncGenerator[ToolSays, None]:
        name = _FORMER.get(call.name, call.name)
        operation = (await self._operations.all()).get(name)
        if operation is None:
            raise NotFound(f"There is no tool {call.name[:64]!r} here; list the tools.")
        target = _target(operation, call.arguments)
        body = b""
        if operation.has_body and "body" in call.arguments:
            body = msgspec.json.encode(call.arguments["body"])
        return self._send(operation.method, *target, body)

    async def _send(
        self, method: str, path: str, query: str, body: bytes
    ) -> AsyncGenerator[ToolSays, None]:
        """Ask the application as a client would, so that every check applies."""
        scope = self._request.scope
        headers = [(name, value) for name, value in scope["headers"] if name in _FORWARDED]
        if body:
            headers += [
                (b"content-type", _JSON.encode()),
                (b"content-length", str(len(body)).encode()),
            ]
        inner: Any = {
            "type": "http",
            "asgi": scope["asgi"],
            "http_version": "1.1",
            "method": method.upper(),
            "scheme": scope["scheme"],
            "path": path,
            "raw_path": quote(path).encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
            "client": scope["client"],
            "server": scope["server"],
            "state": {},
        }
        status, answer = await _ask(self._request.app, inner, body)
        try:
            said = msgspec.json.decode(answer) if answer else {}
        except msgspec.DecodeError:
            said = None
        yield ToolAnswer(
            text=answer.decode("utf-8", "replace") or "Done.",
            structured=said if isinstance(said, dict) else None,
            is_error=status >= _FAILED,
        )


class AdminMcpController(Controller):
    """The admin API as tools, with the rights of the caller's token."""

    path = "/mcp/admin"
    include_in_schema = False

    @post(status_code=HTTP_200_OK)
    async def ask(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        mcp_gateway: NamedDependency[McpGateway],
        admin_operations: NamedDependency[AdminOperations],
    ) -> Response[Any]:
        """Answer one message."""
        return await mcp_gateway.answer(request, principal, _Tools(admin_operations, request))

    @get("/sse")
    async def listen(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        mcp_streams: NamedDependency[EventStreams],
    ) -> Response[Any]:
        """Open a stream for answers, for clients of the oldest transport."""
        return mcp_streams.open(request, principal)

    @post("/sse")
    async def tell(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        mcp_streams: NamedDependency[EventStreams],
        admin_operations: NamedDependency[AdminOperations],
    ) -> Response[Any]:
        """Take a message whose answer goes to an open stream."""
        return await mcp_streams.take(request, principal, _Tools(admin_operations, request))


async def _ask(app: Any, scope: Any, body: bytes) -> tuple[int, bytes]:
    """Call the application in this process; return status and body."""
    status, pieces, is_sent = 0, bytearray(), False
    never = asyncio.Event()

    async def receive() -> Any:
        nonlocal is_sent
        if is_sent:
            await never.wait()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            pieces.extend(message.get("body", b""))

    await app(scope, receive, send)
    return status, bytes(pieces)


def _operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    components = document["components"]["schemas"]
    for path, item in document["paths"].items():
        if not path.startswith(_PREFIX):
            continue
        for method in _METHODS:
            if method in item and _is_tool(item[method]):
                yield _operation(path, method, item[method], components)


def _is_tool(said: Mapping[str, Any]) -> bool:
    """Whether an operation takes and gives JSON, and is not for people at a browser."""
    if said["operationId"].startswith(_OF_PEOPLE):
        return False
    bodies = [said["requestBody"]["content"]] if "requestBody" in said else []
    answers = [
        answer["content"]
        for status, answer in said["responses"].items()
        if status.startswith("2") and answer.get("content")
    ]
    return all(list(content) == [_JSON] for content in [*bodies, *answers])


def _operation(
    path: str, method: str, said: Mapping[str, Any], components: Mapping[str, Any]
) -> Operation:
    properties: dict[str, Any] = {}
    required: list[str] = []
    query: list[str] = []
    for parameter in said.get("parameters", ()):
        name, place = parameter["name"], parameter["in"]
        if place not in {"path", "query"}:
            continue
        if place == "query":
            query.append(name)
        if place == "path" or parameter.get("required"):
            required.append(name)
        properties[name] = {"type": "string"}
    body = said.get("requestBody")
    if body is not None:
        properties["body"] = body["content"][_JSON]["schema"]
        if body.get("required"):
            required.append("body")
    schema = {"type": "object", "properties": properties, "required": required}
    summary, description = said.get("summary", ""), said.get("description", "")
    return Operation(
        tool=OfferedTool(
            name=_tool_name(said["operationId"]),
            title=summary,
            description=f"{description or summary} ({method.upper()} {path})",
            input_schema=_closed(schema, components),
            output_schema=_answer(said, components),
        ),
        method=method,
        path=path,
        query=tuple(query),
        has_body=body is not None,
    )


def _tool_name(operation_id: str) -> str:
    """Return ``agents_create`` for ``admin.agents.create``: all tools here are of one surface."""
    return _NOT_PLAIN.sub("_", operation_id.removeprefix(_SURFACE))[:_NAME_CHARS]


def _answer(said: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the schema of what an operation answers, None unless that is an object."""
    for status, answer in said["responses"].items():
        if not status.startswith("2") or not answer.get("content"):
            continue
        schema = answer["content"][_JSON]["schema"]
        for name in _references(schema)[:1] if "$ref" in schema else ():
            schema = components[name]
        if schema.get("type") != "object":
            return None
        told: dict[str, Any] = _terse(_closed(dict(schema), components))
        return told
    return None


def _terse(node: Any) -> Any:
    """Leave out of a schema what its fields are for.

    With it the list of tools is longer than the megabyte that clients take as one event.
    """
    match node:
        case dict():
            return {
                key: _terse(value)
                for key, value in node.items()
                if not (key == "description" and isinstance(value, str))
            }
        case list():
            return [_terse(each) for each in node]
        case _:
            return node


def _closed(schema: dict[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    """Make a schema stand alone: what it refers to comes along."""
    needed: dict[str, Any] = {}
    waiting = _references(schema)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = components[name]
            waiting += _references(components[name])
    whole = {**schema, "$defs": needed} if needed else schema
    text = msgspec.json.encode(whole).replace(_COMPONENTS.encode(), b"#/$defs/")
    closed: dict[str, Any] = msgspec.json.decode(text)
    return closed


def _references(node: Any) -> list[str]:
    match node:
        case {"$ref": str(reference)}:
            return [reference.removeprefix(_COMPONENTS)]
        case dict():
            return [name for value in node.values() for name in _references(value)]
        case list():
            return [name for value in node for name in _references(value)]
        case _:
            return []


def _target(operation: Operation, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Return path and query of a call; raise ``InvalidRequest`` for what is missing."""
    for name in operation.tool.input_schema["required"]:
        if name not in arguments:
            raise InvalidRequest(f"{name}: required.", field=name)

    def fill(found: re.Match[str]) -> str:
        value = _text(arguments.get(found[1]), found[1])
        if not value or "/" in value or value in {".", ".."}:
            raise InvalidRequest(f"{found[1]}: not an id.", field=found[1])
        return value

    path = re.sub(r"{(\w+)}", fill, operation.path)
    given = {name: arguments[name] for name in operation.query if name in arguments}
    return path, urlencode({name: _text(value, name) for name, value in given.items()})


def _text(value: Any, name: str) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str() | int() | float():
            return str(value)
        case _:
            raise InvalidRequest(f"{name}: expected a text.", field=name)
