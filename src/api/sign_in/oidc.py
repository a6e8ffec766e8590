"""Where browsers go to a provider and come back, and where providers tell of sign-outs.

The cookie of a sign-in that has begun is sealed: it binds the state to the browser, and holds what
the exchange of the code needs.
"""

from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from api.body.plain import PlainRequest
from api.entry.auth import peer_of
from api.entry.session import BrowserSessions, Connection
from api.sign_in.url import SIGN_IN_PATH, SignInPages
from application.identity.account import AccountService
from application.identity.authentication import AuthService
from application.identity.oidc.sign_in import (
    FLOW_TTL,
    NotSignedIn,
    OidcSignInService,
    ProviderCallback,
)
from application.identity.sign_in import Visit
from domain.shared.error import AppError, InvalidRequest

AnyRequest = Request[Any, Any, Any]

OIDC_PATH: Final = "/admin/v1/auth/oidc"
COOKIE: Final = "coterie_oidc"
_PLACE_CHARS: Final = 1000
_PLACES: Final = ("/console/", "/s/")
_NOTICE_BYTES: Final = 64 * 1024
_NOT_KEPT: Final = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


class OidcController(Controller):
    """Sign-in by a provider; what browsers and providers do is nobody's to call by hand."""

    path = OIDC_PATH
    include_in_schema = False

    @get("/{provider:str}/start")
    async def start(
        self,
        *,
        request: AnyRequest,
        oidc: NamedDependency[OidcSignInService],
        browsers: NamedDependency[BrowserSessions],
        pages: NamedDependency[SignInPages],
        provider: FromPath[str],
    ) -> Response[None]:
        """Send somebody to a provider."""
        browsers.require_accepted(request.scope)
        asked = request.query_params
        begun = await oidc.begin(
            provider,
            return_to=own_page(asked.get("return_to", ""), usual=pages.home),
            is_remembered=asked.get("remember") == "true",
            is_confirming=asked.get("confirm") == "true",
        )
        if isinstance(begun, NotSignedIn):
            return _sent_back(begun)
        return _led(begun.url, _kept(browsers, request, begun.kept))

    @get("/{provider:str}/callback")
    async def callback(
        self,
        *,
        request: AnyRequest,
        oidc: NamedDependency[OidcSignInService],
        browsers: NamedDependency[BrowserSessions],
        authentication: NamedDependency[AuthService],
        account: NamedDependency[AccountService],
        provider: FromPath[str],
    ) -> Response[None]:
        """Sign somebody in who comes back from a provider."""
        browsers.require_accepted(request.scope)
        asked = request.query_params
        callback = ProviderCallback(
            kept=request.cookies.get(COOKIE, ""),
            state=asked.get("state", ""),
            code=asked.get("code", ""),
            error=asked.get("error", ""),
            issuer=asked.get("iss", ""),
        )
        visit = Visit(device=request.headers.get("user-agent", ""), peer=peer_of(request.scope))
        forgotten = _kept(browsers, request, "")
        done = await oidc.finish(provider, callback, visit)
        if isinstance(done, NotSignedIn):
            return _sent_back(done, forgotten)
        await _end_former(request, browsers, authentication, account)
        session = browsers.cookie(
            request.scope, done.opened.text.reveal(), is_remembered=done.opened.is_remembered
        )
        return _led(done.return_to, forgotten, session=session)

    @post("/{provider:str}/backchannel-logout", status_code=HTTP_200_OK, request_class=PlainRequest)
    async def backchannel_logout(
        self,
        *,
        request: AnyRequest,
        oidc: NamedDependency[OidcSignInService],
        provider: FromPath[str],
    ) -> Response[None]:
        """End the sessions of whom a provider has signed out (Back-Channel Logout 1.0)."""
        body = await request.body()
        if len(body) > _NOTICE_BYTES:
            raise InvalidRequest("logout_token: too long.", field="logout_token")
        try:
            form = parse_qs(body.decode("ascii"), max_num_fields=10)
        except ValueError as exc:
            raise InvalidRequest("logout_token: expected a form.", field="logout_token") from exc
        tokens = form.get("logout_token", [])
        if len(tokens) != 1:
            raise InvalidRequest("logout_token: expected one.", field="logout_token")
        await oidc.sign_out_there(provider, tokens[0])
        return Response(None, headers=_NOT_KEPT)


def own_page(wanted: str, *, usual: str) -> str:
    """Return where to go after signing in: a page of this server, whatever was asked for."""
    if len(wanted) > _PLACE_CHARS or not wanted.isprintable() or "\\" in wanted:
        return usual
    try:
        url = urlsplit(wanted)
    except ValueError:
        return usual
    is_own = not url.scheme and not url.netloc and url.path.startswith(_PLACES)
    return wanted if is_own and ".." not in url.path.split("/") else usual


async def _end_former(
    request: AnyRequest,
    browsers: BrowserSessions,
    authentication: AuthService,
    account: AccountService,
) -> None:
    """End the session that the browser had: it forgets its cookie now."""
    try:
        text = browsers.text(request.scope)
        if text is None:
            return
        principal = await authentication.authenticate_session(text, peer=peer_of(request.scope))
        await account.sign_out(principal, principal.token_id)
    except AppError:
        return


def _sent_back(refused: NotSignedIn, *cookies: Cookie) -> Response[None]:
    return _led(f"{SIGN_IN_PATH}?refused={refused.reason}", *cookies)


def _led(url: str, *cookies: Cookie, session: str = "") -> Response[None]:
    headers = {"location": url, **_NOT_KEPT}
    if session:
        headers["set-cookie"] = session
    return Response(None, status_code=HTTP_303_SEE_OTHER, headers=headers, cookies=list(cookies))


def _kept(browsers: BrowserSessions, request: AnyRequest, text: str) -> Cookie:
    """Keep a sign-in that has begun; an empty text forgets it."""
    return Cookie(
        key=COOKIE,
        value=text,
        path=OIDC_PATH,
        max_age=int(FLOW_TTL.total_seconds()) if text else 0,
        httponly=True,
        samesite="lax",
        secure=browsers.connection(request.scope) is Connection.ENCRYPTED,
    )
