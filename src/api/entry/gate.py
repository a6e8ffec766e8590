"""The outermost layer: names, measures and bounds every request before anything else sees it."""

import logging
import re
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import nullcontext
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from api.context import BODY_WRITER, IS_HEAD, new_log_id
from api.entry.host import ANY, Hosts
from api.entry.traffic import traffic_of
from api.error import CLIENT_GONE, JSON_TYPE, Failure, encode_failure, is_openai_path
from application.operation.admission import Admission
from application.shared.rate import begin_rate_statuses, current_rate_statuses
from domain.shared.act import ACT, Act, current_act
from domain.shared.capacity.processor import STRANGERS, ProcessorShare, work_for, working_for
from domain.shared.error import InvalidRequest, Overloaded, ShuttingDown
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import LOG_ID

_logger: Final = logging.getLogger(__name__)
_TRACEPARENT: Final = re.compile(rb"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_CORS_METHODS: Final = b"GET, POST, PUT, PATCH, DELETE, OPTIONS"
_CORS_HEADERS: Final = (
    b"Authorization, Content-Type, X-Coze-Client-User-Agent, Agw-Js-Conv, Idempotency-Key,"
    b" If-Match, Last-Event-ID"
)
_CORS_EXPOSED: Final = (
    b"X-Tt-Logid, X-Log-ID, X-Request-Id, X-Conversation-Id, X-Chat-Id, Retry-After, "
    b"RateLimit, RateLimit-Policy, Coterie-Version"
)
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SERVED_WHILE_DRAINING: Final = frozenset(
    {
        "/v3/chat/cancel",
        "/v3/chat/retrieve",
        "/v3/chat/message/list",
        "/v1/conversation/message/list",
    }
)
"""POST routes that only read or stop; everything else unsafe counts as new work."""

_BAD_TARGET: Final = Failure.of(
    InvalidRequest("The request's address or headers are too long or contain control characters.")
)
_FOREIGN_NAME: Final = Failure.of(
    InvalidRequest(
        "The server does not know the name in the Host header for its own. Its operator can add it "
        "to serve.hosts, or set public_url."
    )
)
_FAILURES: Final = 400
"""Status from which nothing was done."""

_SENDERS: Final = 10_000
_ANY_HOST: Final = Hosts((ANY,))
_DRAINING: Final = Failure.of(ShuttingDown("The server is shutting down; try again."))


class AccessRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One served request, for logs and metrics; holds no query string and no credential."""

    method: str
    path: str
    template: str
    """Route with placeholders; empty if no route matched. Use it as a metric label."""
    status: int
    duration_s: float
    bytes_sent: int
    peer: str
    log_id: str
    traceparent: str


def _ignore(_: AccessRecord) -> None:
    """Observer of a gate that nobody watches."""


def _never() -> bool:
    return False


class Gate:
    """ASGI middleware around the whole application.

    Gives each request its log id, in a context variable and in the response's headers, which also
    name the ``version`` of the product: client libraries warn of a server that is too old. Answers
    CORS and ``HEAD``; accepts a trailing slash; refuses oversized targets and headers, foreign
    names, new work while the process drains, and what ``admission`` says. While it leaves, before
    that, no connection is used again. A failure that escapes the application becomes the error
    body.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Limits,
        version: str = "",
        hosts: Hosts = _ANY_HOST,
        cors_origins: Collection[str] = (),
        is_leaving: Callable[[], bool] = _never,
        is_draining: Callable[[], bool] = _never,
        admission: Admission | None = None,
        processor: ProcessorShare | None = None,
        on_response: Callable[[AccessRecord], None] = _ignore,
        on_act: Callable[[Act], Awaitable[None]] | None = None,
    ) -> None:
        if "*" in cors_origins:
            raise ValueError("CORS origins are listed one by one; '*' is not accepted.")
        self._app = app
        self._limits = limits
        self._version = version.encode()
        self._hosts = hosts
        self._origins = frozenset(origin.encode() for origin in cors_origins)
        self._is_leaving = is_leaving
        self._is_draining = is_draining
        self._admission = admission
        self._processor = processor
        self._spaces: dict[int, int] = {}
        self._on_response = on_response
        self._on_act = on_act

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        log_id = new_log_id()
        token, act = LOG_ID.set(log_id), ACT.set(None)
        begin_rate_statuses()
        exchange = _Exchange(scope, send, log_id, version=self._version)
        sender = self._begin(scope)
        try:
            with self._admission.counting() if self._admission else nullcontext():
                try:
                    await self._answer(exchange, receive)
                except Exception:
                    _logger.exception("A failure escaped the application")
                    if not exchange.status:
                        await exchange.refuse(Failure.unexpected(), 500)
                else:
                    await self._end_act(exchange.status)
        finally:
            if (left := current_act()) is not None:
                left.has_ended = True
            LOG_ID.reset(token)
            ACT.reset(act)
            self._spaces[sender] = working_for()
            self._on_response(exchange.record())
            exchange.scope.pop(BODY_WRITER, None)  # it refers to the exchange

    async def _end_act(self, status: int) -> None:
        """Have the audit log tell of what succeeded and was told of by no transaction."""
        act = current_act()
        if act is None:
            return
        act.has_ended = True
        is_possible = status < _FAILURES or act.is_cut_short
        if self._on_act is not None and not act.rows and is_possible:
            try:
                await self._on_act(act)
            except Exception:
                _logger.exception("The audit log misses %s", act.action)

    def _begin(self, scope: HTTPScope) -> int:
        """Count the request for the workspace that its token had before; return the token's hash.

        What a token may do is found out later: this decides who waits for whom until then.
        """
        sender = 0
        for name, value in scope["headers"]:
            if name == b"authorization":
                # Only its hash is kept: this table must not hold credentials.
                sender = hash(value)
        if len(self._spaces) > _SENDERS:
            self._spaces.clear()
        space = self._spaces.get(sender, STRANGERS)
        work_for(space)
        if self._processor is not None:
            self._processor.begin(space)
        return sender

    def _answer(self, exchange: "_Exchange", receive: Receive) -> Awaitable[None]:
        """Return what answers a request: the application, unless something stands against it."""
        scope = exchange.scope
        exchange.add_cors(self._origins)
        if self._is_leaving():
            exchange.end_connection()
        if status := self._refusal_status(scope):
            return exchange.refuse(_BAD_TARGET, status)
        if not self._is_own_name(scope):
            return exchange.refuse(_FOREIGN_NAME, 400)
        if scope["method"] == "OPTIONS" and exchange.is_preflight:
            return exchange.answer_preflight()
        if self._is_draining() and _is_new_work(scope):
            return exchange.refuse(_DRAINING, 503)
        if overloaded := self._overload(scope):
            return exchange.refuse(overloaded, 503)
        return self._app(scope, receive, exchange.send)

    def _is_own_name(self, scope: HTTPScope) -> bool:
        return all(self._hosts.has(value) for name, value in scope["headers"] if name == b"host")

    def _overload(self, scope: HTTPScope) -> Failure | None:
        if self._admission is not None and self._admission.is_refusing:
            try:
                self._admission.require(traffic_of(scope["method"], scope["path"]))
            except Overloaded as exc:
                return Failure.of(exc)
        return None

    def _refusal_status(self, scope: HTTPScope) -> int:
        target = len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"])
        if target > self._limits.url_bytes:
            return 414
        size, hosts = 0, 0
        for name, value in scope["headers"]:
            size += len(name) + len(value) + 4
            hosts += name == b"host"
        if size > self._limits.header_bytes:
            return 431
        has_control = _CONTROL.search(scope["path"]) or b"%00" in scope["query_string"]
        is_nameless = not hosts and scope["http_version"] == "1.1"  # RFC 9112, 3.2
        # Of two names a proxy may take the one, and we the other.
        return 400 if hosts > 1 or is_nameless or has_control else 0


def _is_new_work(scope: HTTPScope) -> bool:
    return scope["method"] not in _SAFE_METHODS and scope["path"] not in _SERVED_WHILE_DRAINING


def _rate_headers() -> list[tuple[bytes, bytes]]:
    """Tell how the limits stand (draft-ietf-httpapi-ratelimit-headers, since its version 8)."""
    told = current_rate_statuses()
    if not told:
        return []
    policies = ", ".join(f'"{each.name}";q={each.quota};w=60' for each in told)
    standings = ", ".join(f'"{each.name}";r={each.left};t={each.again_s}' for each in told)
    return [(b"ratelimit-policy", policies.encode()), (b"ratelimit", standings.encode())]


class _Exchange:
    """One request and what has been answered so far."""

    def __init__(self, scope: Any, send: Send, log_id: str, *, version: bytes) -> None:
        self.log_id = log_id
        self.status = 0
        self.is_preflight = False
        self._send = send
        self._is_head = scope["method"] == "HEAD"
        self._sent = 0
        self._started = time.perf_counter()
        path = scope["path"]
        if len(path) > 1 and path.endswith("/"):
            path = path.rstrip("/") or "/"
        self.scope: Any = {**scope, "path": path}
        if self._is_head:
            self.scope["method"] = "GET"
            self.scope[IS_HEAD] = True
        else:
            self.scope[BODY_WRITER] = self.write
        self._method: str = scope["method"]
        self._is_openai = is_openai_path(path)
        encoded = log_id.encode()
        self._headers: list[tuple[bytes, bytes]] = [
            (b"x-tt-logid", encoded),
            (b"x-log-id", encoded),
            (b"x-content-type-options", b"nosniff"),
        ]
        if version:
            self._headers.append((b"coterie-version", version))
        if self._is_openai:
            self._headers.append((b"x-request-id", encoded))

    def add_cors(self, origins: frozenset[bytes]) -> None:
        """Name the caller's origin back if, and only if, it is on the list."""
        if not origins:
            return
        self._headers.append((b"vary", b"Origin"))
        sent = [value for name, value in self.scope["headers"] if name == b"origin"]
        if len(sent) == 1 and sent[0] in origins:
            self._headers.append((b"access-control-allow-origin", sent[0]))
            self._headers.append((b"access-control-expose-headers", _CORS_EXPOSED))
            self.is_preflight = any(
                name == b"access-control-request-method" for name, _ in self.scope["headers"]
            )

    def end_connection(self) -> None:
        """Have the client use another connection for its next request."""
        self._headers.append((b"connection", b"close"))

    async def send(self, message: Message) -> None:
        """Pass one message of the application on, with the headers every response carries."""
        if message["type"] == "http.response.start":
            # An answer that has begun cannot be taken back.
            if self.status:
                return
            self.status = message["status"]
            headers = [*message.get("headers", ()), *self._headers, *_rate_headers()]
            await self._send({**message, "headers": headers})
            if self._is_head:
                await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        elif not self._is_head:
            body: Any = message.get("body", b"")
            self._sent += len(body)
            await self._send(message)

    def write(self, piece: bytes) -> Awaitable[None]:
        """Pass a piece of a body on; the layers that ``send`` goes through ask for the head only.

        A stream has thousands of pieces, and each layer costs each of them a coroutine.
        """
        self._sent += len(piece)
        return self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def refuse(self, failure: Failure, status: int) -> None:
        """Answer an error that no handler has seen."""
        _, headers, body = encode_failure(failure, path=self.scope["path"])
        lines = [(name.encode(), value.encode()) for name, value in headers.items()]
        lines.append((b"content-type", JSON_TYPE.encode()))
        await self._answer(status, lines, body)

    async def answer_preflight(self) -> None:
        """Tell a browser what a listed origin may send."""
        lines = [
            (b"access-control-allow-methods", _CORS_METHODS),
            (b"access-control-allow-headers", _CORS_HEADERS),
            (b"access-control-max-age", b"600"),
        ]
        await self._answer(200, lines, b"")

    async def _answer(self, status: int, lines: list[tuple[bytes, bytes]], body: bytes) -> None:
        lines.append((b"content-length", str(len(body)).encode()))
        await self.send({"type": "http.response.start", "status": status, "headers": lines})
        await self.send({"type": "http.response.body", "body": body, "more_body": False})

    def record(self) -> AccessRecord:
        """Sum the exchange up."""
        scope = self.scope
        client = scope.get("client")
        parent = next((v for k, v in scope["headers"] if k == b"traceparent"), b"")
        return AccessRecord(
            method=self._method,
            path=scope["path"],
            template=scope.get("path_template", ""),
            status=self.status or CLIENT_GONE,
            duration_s=time.perf_counter() - self._started,
            bytes_sent=self._sent,
            peer=client[0] if client else "",
            log_id=self.log_id,
            traceparent=parent.decode() if _TRACEPARENT.fullmatch(parent) else "",
        )
