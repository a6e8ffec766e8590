"""HTTP as it comes from the socket: what is none at all is refused in the words of the API."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.context import new_log_id
from api.error import JSON_TYPE, Failure, encode_failure
from domain.shared.error import InvalidRequest
from domain.shared.limits import MIB, Limits
from domain.shared.tracing.correlation import LOG_ID

HEAD_S: Final = 60.0
"""How long a connection may take to send the head of a request."""
LOOKS: Final = 8
"""How often a slow body is looked at before it has been silent for too long."""
_HEAD: Final = b"HTTP/"
FRAMING: Final = frozenset({b"connection", b"content-length", b"transfer-encoding"})
"""Fields of a head that say where its message ends, and whether another one follows."""
LINGER_S: Final = 10.0
LINGER_BYTES: Final = 16 * MIB
"""What a client may go on sending after it has its answer and the connection is to end."""


class Connection:
    """A transport whose end waits for what the client still sends; all that answers need of one.

    The system resets a connection that is closed while bytes wait to be read, and a reset destroys
    an answer that has not been read either (RFC 9112, 9.6). Whoever still works on an earlier
    request of a connection that has ended writes for nobody.

    A head goes out with the beginning of its body if that follows in the same step: each call of
    the system costs more than what makes a small answer.
    """

    def __init__(
        self, transport: asyncio.Transport, *, end: Callable[[], None], is_over: Callable[[], bool]
    ) -> None:
        self._transport = transport
        self._head = b""
        self.close = end
        self.is_closing = is_over

    def write(self, data: bytes) -> None:
        if self._head:
            data, self._head = self._head + data, b""
        elif data.startswith(_HEAD):  # a body that looks like one may wait as well
            self._head = data
            asyncio.get_running_loop().call_soon(self.flush)
            return
        if not self.is_closing():
            self._transport.write(data)

    def flush(self) -> None:
        """Write the head whose body is not there yet."""
        if self._head:
            self.write(b"")


class Protocol(HttpToolsProtocol):
    """One connection. Bytes that are no request get an error body, and the connection ends.

    So does one that never sends a whole head, or whose body stops or trickles, whatever its type
    and whether or not anybody reads it; for the time between requests there is keep-alive.
    """

    _deadline: asyncio.TimerHandle | None = None
    _path = "/"
    """Which surface the request is for, as far as it is known."""
    _body: "_Body | None" = None
    """The body that is on its way."""
    _room = 0
    """How much more is read and thrown away before the connection is closed; 0 before that."""

    def __init__(self, *args: Any, limits: Limits, **options: Any) -> None:
        super().__init__(*args, **options)
        self._limits = limits

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._socket = transport
        self.transport: Any = Connection(transport, end=self._end, is_over=self._is_over)
        self._await_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._path = "/"
        if self._deadline is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        self._cancel_deadline()
        super().on_headers_complete()
        self._path = self.scope["path"]
        self._body = _Body(self.loop.time())

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self._body is not None:
            self._body.received += len(body)

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():  # says the parser at the end of the head already
            return
        self._cancel_deadline()
        self._body = None
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        if self._room:
            self._room -= len(data)
            if self._room <= 0:
                self._socket.close()
            return
        self._unset_keepalive_if_required()
        try:
            self._feed(data)
        except HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
            return
        if self._body is not None and self._deadline is None:  # most come with their head
            self._await_body()

    def _feed(self, data: bytes) -> None:
        """Parse; an offer to go on in another protocol is not taken (RFC 9110, 7.8).

        The parser stops behind the head of such a request, as if the rest were the other protocol.
        The next one goes on where it stopped.
        """
        rest = memoryview(data)
        while True:
            try:
                return self.parser.feed_data(rest)
            except HttpParserUpgrade as stopped:
                rest = rest[stopped.args[0] :]
                self.parser = HttpRequestParser(_Continuation(self))
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn
                framing = b"".join(
                    b"%s: %s\r\n" % field for field in self.headers if field[0] in FRAMING
                )
                version = self.scope["http_version"].encode()
                self.parser.feed_data(b"POST / HTTP/%s\r\n%s\r\n" % (version, framing))

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        self._body = None
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what the parser refuses; nothing behind it on the connection can be trusted."""
        self._refuse("400 Bad Request", msg)

    def _refuse(self, status: str, message: str) -> None:
        log_id = new_log_id()
        token = LOG_ID.set(log_id)
        try:
            failure = Failure.of(InvalidRequest(message))
            _, headers, body = encode_failure(failure, path=self._path)
        finally:
            LOG_ID.reset(token)
        headers |= {
            "content-type": JSON_TYPE,
            "content-length": str(len(body)),
            "connection": "close",
            "x-log-id": log_id,
            "x-tt-logid": log_id,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body)
        self._linger()

    def _end(self) -> None:
        """Close the connection, at once if the client has nothing more to say."""
        self.transport.flush()
        if self._body is None or self._is_over():
            self._socket.close()
        else:
            self._linger()

    def _is_over(self) -> bool:
        return bool(self._room) or self._socket.is_closing()

    def _linger(self) -> None:
        """End the answer; read on until the client closes as well, or has had enough time."""
        self.transport.flush()
        if self._is_over():
            return
        self._cancel_deadline()
        self._body, self._room = None, LINGER_BYTES
        self._socket.write_eof()
        self.flow.resume_reading()
        self._deadline = self.loop.call_later(LINGER_S, self._socket.close)

    def _await_body(self) -> None:
        self._deadline = self.loop.call_later(self._limits.upload_idle_s / LOOKS, self._look)

    def _look(self) -> None:
        """Give a body up that has stopped or is too slow, unless it is us who do not read it."""
        self._deadline = None
        body = self._body
        if body is None:
            return
        if not body.is_late(self.loop.time(), self._limits, is_paused=self.flow.read_paused):
            self._await_body()
        elif self.cycle.response_started:
            self.transport.close()
        else:
            self._refuse("408 Request Timeout", "The request body came too slowly; try again.")

    def _await_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_S, self._give_up)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        """Close without an answer, unless an earlier request is still being answered."""
        self._deadline = None
        if getattr(self.cycle, "response_complete", True):  # None before the first request
            self.transport.close()


class _Continuation:
    """What a second parser reports to the protocol: all but the head that is known already."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._is_known = True
        self.on_body = protocol.on_body
        self.on_message_complete = protocol.on_message_complete

    def on_message_begin(self) -> None:
        if not self._is_known:
            self._protocol.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self._is_known:
            self._protocol.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_known:
            self._protocol.on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._is_known:
            self._is_known = False
        else:
            self._protocol.on_headers_complete()


class _Body:
    """A body on its way, and how it gets on."""

    __slots__ = ("_began_at", "_moved_at", "_seen", "received")

    def __init__(self, now: float) -> None:
        self.received = 0
        self._seen = 0
        self._began_at = self._moved_at = now

    def is_late(self, now: float, limits: Limits, *, is_paused: bool) -> bool:
        """Tell whether nothing came for too long, or too little all the time; not while paused."""
        if is_paused:
            self._began_at += now - self._moved_at
        if is_paused or self.received > self._seen:
            self._seen, self._moved_at = self.received, now
            due = (now - self._began_at - limits.upload_idle_s) * limits.body_bytes_per_s
            return not is_paused and self.received < due
        return now - self._moved_at >= limits.upload_idle_s
