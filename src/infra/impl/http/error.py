"""Transport failures under names that adapters catch without importing the HTTP library."""

import httpx

TransportError = httpx.TransportError
"""Root of everything below."""
TimeoutException = httpx.TimeoutException
ConnectTimeout = httpx.ConnectTimeout
ConnectError = httpx.ConnectError
ReadTimeout = httpx.ReadTimeout
ReadError = httpx.ReadError
RemoteProtocolError = httpx.RemoteProtocolError
LocalProtocolError = httpx.LocalProtocolError
"""The request itself cannot be written, for instance a header value with a line break."""


class ReplyTooLarge(httpx.RemoteProtocolError):
    """The body exceeds the cap given by the reader; the connection is closed, not drained."""
