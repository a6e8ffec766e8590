"""Session of a browser in a request: its cookie, and what shows that a page of ours sends it."""

import hmac
from collections.abc import Iterator
from enum import Enum
from http.cookies import SimpleCookie
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_415_UNSUPPORTED_MEDIA_TYPE

from api.entry.host import is_loopback_name
from domain.identity.value import csrf_value
from domain.shared.error import Forbidden, Unauthenticated

SESSION: Final = "coterie_session"
"""Key in the scope of a request that came with a valid session: the text of its cookie."""

CSRF_HEADER: Final = b"coterie-csrf"
REMEMBERED_S: Final = 30 * 24 * 3600
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PLACES: Final = ("/admin/v1/", "/console/", "/s/")
"""Where a session counts; everywhere else only a token does."""
_MEDIA_TYPES: Final = frozenset({b"application/json", b"multipart/form-data"})
"""Bodies that a page of ours sends; forms of foreign pages cannot send the first, nor a header."""


class Csrf(Forbidden):
    """A change without the value, or from a page that is not of this server."""


class InsecureConnection(Forbidden):
    """Sessions are not for plain HTTP between machines, where everybody on the way reads along."""


class Connection(Enum):
    """How a browser reaches the server."""

    ENCRYPTED = "encrypted"
    LOCAL = "local"
    """Plain, on the same machine."""
    PLAIN = "plain"
    """Plain, over a network."""


class BrowserSessions:
    """Where sessions are accepted, in which cookie, and what a request has to show besides.

    ``public_url`` says whether browsers come by HTTPS; otherwise the request does, whose scheme is
    that of a trusted proxy. Plain HTTP over a network is refused unless ``allow_http``. The cookie
    bears the port that browsers see: servers behind one address share their sessions.
    """

    def __init__(self, *, port: int, public_url: str = "", allow_http: bool = False) -> None:
        self._public = urlsplit(public_url)
        self._port = (self._public.port or 80) if public_url else port
        self._allow_http = allow_http

    def connection(self, scope: Any) -> Connection:
        """Tell how the browser reaches the server."""
        if self._public.scheme == "https" or scope["scheme"] == "https":
            return Connection.ENCRYPTED
        is_local = is_loopback_name(next(_values(scope, b"host"), b""))
        return Connection.LOCAL if is_local else Connection.PLAIN

    def is_refused(self, scope: Any) -> bool:
        """Tell whether nobody may sign in over this connection."""
        return self.connection(scope) is Connection.PLAIN and not self._allow_http

    def require_accepted(self, scope: Any) -> None:
        """Raise ``InsecureConnection`` where nobody may sign in."""
        if self.is_refused(scope):
            raise InsecureConnection(
                "Signing in needs HTTPS, or this machine: put a proxy with TLS in front and set "
                "public_url, or set console.allow_http in a closed network."
            )

    def text(self, scope: Any) -> str | None:
        """Return what the session's cookie holds, where a session counts.

        Raises:
            Unauthenticated: there are several, of which a foreign one may be the first.
        """
        if not scope["path"].startswith(_PLACES) or self.is_refused(scope):
            return None
        name = self._name(scope).encode()
        found = [
            value
            for header in _values(scope, b"cookie")
            for each in header.split(b";")
            for key, _, value in [each.strip().partition(b"=")]
            if key == name
        ]
        if len(found) > 1:
            raise Unauthenticated("Two sessions in one request; sign in again.")
        return found[0].decode("latin-1") if found and found[0] else None

    def require_own_page(self, scope: Any) -> None:
        """Raise ``Csrf`` unless a page of this server sends the request."""
        site = list(_values(scope, b"sec-fetch-site"))
        is_own = site == [b"same-origin"] if site else self._has_own_origin(scope)
        if not is_own:
            raise Csrf("This request does not come from a page of this server.")
        _require_media_type(scope)

    def require_intended(self, scope: Any, text: str) -> None:
        """Raise ``Csrf`` for a change that does not show the session's value."""
        if scope["method"] in _SAFE_METHODS:
            return
        self.require_own_page(scope)
        shown = list(_values(scope, CSRF_HEADER))
        if len(shown) != 1 or not hmac.compare_digest(shown[0], csrf_value(text).encode()):
            raise Csrf("Coterie-CSRF: fetch GET /admin/v1/auth/session and send its csrf.")

    def is_at_home(self, scope: Any) -> bool:
        """Tell whether a page of this server sends the request, or no page at all."""
        return not any(_values(scope, b"origin")) or self._has_own_origin(scope)

    def cookie(self, scope: Any, text: str, *, is_remembered: bool) -> str:
        """Write the header that keeps a session."""
        return self._header(scope, text, REMEMBERED_S if is_remembered else None)

    def no_cookie(self, scope: Any) -> str:
        """Write the header that makes the browser forget its session."""
        return self._header(scope, "", 0)

    def _header(self, scope: Any, text: str, max_age: int | None) -> str:
        name = self._name(scope)
        jar: SimpleCookie = SimpleCookie({name: text})
        morsel = jar[name]
        morsel["path"] = "/"
        morsel["httponly"] = True
        morsel["samesite"] = "Lax"
        if self.connection(scope) is Connection.ENCRYPTED:
            morsel["secure"] = True
        if max_age is not None:
            morsel["max-age"] = str(max_age)
        return morsel.OutputString()

    def _name(self, scope: Any) -> str:
        """Ports share cookies, and browsers take a ``__Host-`` cookie by HTTPS only."""
        is_encrypted = self.connection(scope) is Connection.ENCRYPTED
        return "__Host-coterie" if is_encrypted else f"coterie-{self._port}"

    def _has_own_origin(self, scope: Any) -> bool:
        origins = list(_values(scope, b"origin"))
        hosts = list(_values(scope, b"host"))
        if len(origins) != 1 or len(hosts) != 1:
            return False
        scheme = "https" if self.connection(scope) is Connection.ENCRYPTED else "http"
        own = {f"{scheme}://{hosts[0].decode('latin-1').lower()}"}
        if self._public.netloc:
            own.add(f"{self._public.scheme}://{self._public.netloc}".lower())
        return origins[0].decode("latin-1") in own


def _require_media_type(scope: Any) -> None:
    """Refuse what a form of a foreign page can send, where there is a body."""
    lengths = [value for value in _values(scope, b"content-length") if value != b"0"]
    if not lengths and not any(_values(scope, b"transfer-encoding")):
        return
    types = [value.partition(b";")[0].strip().lower() for value in _values(scope, b"content-type")]
    if len(types) != 1 or types[0] not in _MEDIA_TYPES:
        raise HTTPException(
            status_code=HTTP_415_UNSUPPORTED_MEDIA_TYPE,
            detail="Content-Type: application/json or multipart/form-data.",
        )


def _values(scope: Any, name: bytes) -> Iterator[bytes]:
    return (value for key, value in scope["headers"] if key == name)
