"""HTTP as it comes from the socket: what is none at all is refused in the words of the API."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.context import new_log_id
from api.error import JSON_TYPE, Failure, encode_failure
from domain.shared.correlation import LOG_ID
from domain.shared.error import InvalidRequest


class Protocol(HttpToolsProtocol):
    """One connection. Bytes that are no request get an error body, and the connection ends."""

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

    @property
    def _path(self) -> str:
        """Which surface was meant, if the parser came so far."""
        scope = getattr(self, "scope", None) or {}
        return str(scope.get("path", "/"))
