"""HTTP as it comes from the socket: what is none at all is refused in the words of the API."""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.context import new_log_id
from api.error import JSON_TYPE, Failure, encode_failure
from domain.shared.correlation import LOG_ID
from domain.shared.error import InvalidRequest

HEAD_S: Final = 60.0
"""How long a connection may take to send the head of a request."""


class Protocol(HttpToolsProtocol):
    """One connection. Bytes that are no request get an error body, and the connection ends.

    So does one that never sends a whole head; for the time between requests there is keep-alive.
    """

    _deadline: asyncio.TimerHandle | None = None
    _path = "/"
    """Which surface the request is for, as far as it is known."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
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

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what the parser refuses; nothing behind it on the connection can be trusted."""
        log_id = new_log_id()
        token = LOG_ID.set(log_id)
        try:
            failure = Failure.of(InvalidRequest(msg))
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
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{lines}\r\n".encode() + body)
        self.transport.close()

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
