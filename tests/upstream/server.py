"""The server itself: an asyncio protocol that plays answers step by step."""

import asyncio
import base64
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import httptools
import msgspec

from tests.upstream import cased as _cased  # noqa: F401 - so do its
from tests.upstream import planned as _planned  # noqa: F401 - so do its
from tests.upstream import team as _team  # noqa: F401 - its behaviours register themselves
from tests.upstream.anthropic import answer_messages
from tests.upstream.behaviour import answer_chat
from tests.upstream.embedding import answer_embeddings
from tests.upstream.gemini import answer_gemini
from tests.upstream.ollama import answer_ollama, answer_ollama_embeddings
from tests.upstream.rerank import answer_rerank
from tests.upstream.steps import (
    EVENT_STREAM,
    Answer,
    Reset,
    Send,
    Stall,
    Step,
    Wait,
    error_answer,
    event,
    json_answer,
)

_END = b"0\r\n\r\n"


class Recorded(msgspec.Struct, kw_only=True):
    """One request; times are those of the server's event loop (monotonic seconds)."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    body: Any
    raw: bytes = b""
    """The body as it came."""
    connection: int
    at: float
    writes: int = 0
    answered_at: float | None = None
    """When the answer was complete; None if the client left before."""
    closed_at: float | None = None
    """When the client's socket closed."""


class Script(msgspec.Struct, kw_only=True):
    """A registered answer; see the package's documentation for the steps."""

    model: str
    steps: list[dict[str, Any]] = []
    status: int = 200
    headers: dict[str, str] = msgspec.field(default_factory=lambda: dict(EVENT_STREAM))

    def answer(self) -> Answer:
        steps: list[Step] = []
        for step in self.steps:
            match step:
                case {"send": str(text)}:
                    steps.append(Send(text.encode()))
                case {"send_base64": str(text)}:
                    steps.append(Send(base64.b64decode(text)))
                case {"event": body}:
                    steps.append(Send(event(body)))
                case {"wait_ms": int() | float() as milliseconds}:
                    steps.append(Wait(milliseconds / 1000))
                case {"reset": True}:
                    steps.append(Reset())
                case {"stall": True}:
                    steps.append(Stall())
                case {"end": True}:
                    break
                case _:
                    raise ValueError(f"Unknown step: {step}")
        return Answer(status=self.status, headers=self.headers, steps=steps)


def _unknown(request: dict[str, Any]) -> Answer:
    return error_answer(404, "No such route.")


_OPERATIONS = {
    "completions": answer_chat,
    "embeddings": answer_embeddings,
    "messages": answer_messages,
    "chat": answer_ollama,
    "embed": answer_ollama_embeddings,
    "rerank": answer_rerank,
}


class Upstream:
    """Requests so far and registered scripts; shared by all connections."""

    def __init__(self) -> None:
        self.requests: list[Recorded] = []
        self.scripts: dict[str, list[Script]] = {}
        self.connections = 0
        self._seen: Counter[str] = Counter()
        self.recording = True

    def script(self, script: Script) -> None:
        """Answer the next request of this model so; the last script of a model stays."""
        self.scripts.setdefault(script.model, []).append(script)

    def forget(self) -> None:
        self.requests.clear()
        self.scripts.clear()
        self._seen.clear()

    def answer(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answer:
        route = path.partition("?")[0].rstrip("/")
        if route.startswith("/_control"):
            return self._control(method, route, body)
        if route.endswith("/models"):
            data = [{"id": name, "object": "model"} for name in ("echo", "tool-call", "embed-8")]
            return json_answer({"object": "list", "data": data})
        if not isinstance(body, dict):
            return error_answer(400, "The body is not a JSON object.")
        model = str(body.get("model", ""))
        operation = route.rpartition("/")[2]
        if ":" in operation:  # Gemini names the model in the path
            model = operation.partition(":")[0]
        request = body | {
            "_seen": self._seen[model],
            "_authorization": headers.get("authorization", ""),
        }
        self._seen[model] += 1
        if scripts := self.scripts.get(model):
            return (scripts.pop(0) if len(scripts) > 1 else scripts[0]).answer()
        if ":" in operation:
            return answer_gemini(model, operation.partition(":")[2], body)
        return _OPERATIONS.get(operation, _unknown)(request)

    def _control(self, method: str, route: str, body: Any) -> Answer:
        if method == "GET" and route == "/_control/requests":
            return json_answer(msgspec.to_builtins(self.requests))
        if method == "POST" and route == "/_control/scripts":
            self.script(msgspec.convert(body, Script))
            return json_answer({"ok": True})
        if method == "DELETE":
            self.forget()
            return json_answer({"ok": True})
        return error_answer(404, "No such control.")


class Connection(asyncio.Protocol):
    """One client; plays one answer after the other."""

    def __init__(self, upstream: Upstream) -> None:
        upstream.connections += 1
        self._upstream = upstream
        self._number = upstream.connections
        self._loop = asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self._path = ""
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []
        self._record: Recorded | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._paused: Iterator[Step] | None = None
        self._is_writable = True
        self._answer = Answer()
        self._in_body = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by inheritance

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._record is not None:
            self._record.closed_at = self._loop.time()

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._transport.abort()

    def pause_writing(self) -> None:
        self._is_writable = False

    def resume_writing(self) -> None:
        self._is_writable = True
        if self._paused is not None:
            steps, self._paused = self._paused, None
            self._play(steps)

    def on_message_begin(self) -> None:
        self._path = ""
        self._headers = {}
        self._body = []

    def on_url(self, url: bytes) -> None:
        self._path += url.decode()  # it comes in as many pieces as it was received in

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        raw = b"".join(self._body)
        try:
            body = msgspec.json.decode(raw) if raw else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            body = raw.decode("latin-1")
        method = self._parser.get_method().decode()
        if self._upstream.recording and not self._path.startswith("/_control"):
            self._record = Recorded(
                number=len(self._upstream.requests),
                method=method,
                path=self._path,
                headers=self._headers,
                body=body,
                raw=raw,
                connection=self._number,
                at=self._loop.time(),
            )
            self._upstream.requests.append(self._record)
        self._answer = self._upstream.answer(method, self._path, self._headers, body)
        self._in_body = False
        self._due = self._loop.time()
        self._play(self._steps())

    def _steps(self) -> Iterator[Step]:
        yield from self._answer.before
        lines = [f"HTTP/1.1 {self._answer.status} Scripted", "transfer-encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in self._answer.headers.items()]
        yield Send(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._in_body = True
        yield from self._answer.steps

    def _play(self, steps: Iterator[Step]) -> None:
        """Go on until a wait, a full socket or the end."""
        for step in steps:
            match step:
                case Send(data):
                    self._write(data)
                    if not self._is_writable:
                        self._paused = steps
                        return
                case Wait(seconds):
                    self._due = max(self._due + seconds, self._loop.time() - 1)
                    self._timer = self._loop.call_at(self._due, self._play, steps)
                    return
                case Reset():
                    self._transport.abort()
                    return
                case Stall():
                    return
        if self._answer.has_end:
            self._transport.write(_END)
        if self._record is not None:
            self._record.answered_at = self._loop.time()

    def _write(self, data: bytes) -> None:
        if self._in_body and data:
            data = b"%x\r\n%b\r\n" % (len(data), data)
        self._transport.write(data)
        if self._record is not None and self._in_body:
            self._record.writes += 1


async def serve(upstream: Upstream, *, host: str = "127.0.0.1", port: int = 0) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: Connection(upstream), host, port, backlog=2048)
