"""Sign-in, sessions and one's own account on the admin surface."""

from typing import Any

import msgspec
from litestar import Controller, Request, Response, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from api.body.multipart import UploadOperation, open_upload
from api.entry.auth import peer_of
from api.entry.session import SESSION, BrowserSessions, Connection
from api.sign_in.shape import (
    AccountItem,
    AuthProvider,
    AuthWays,
    ConfirmBody,
    ExchangeTokenBody,
    LoginBody,
    PreferencesBody,
    RegisterBody,
    SessionAnswer,
    SessionItems,
    SessionUser,
    SessionWorkspace,
    SetPasswordBody,
    SpendTicketBody,
    UpdateMeBody,
)
from api.wire import required_id, seconds
from application.identity.account import AccountService
from application.identity.avatar import AvatarService
from application.identity.oidc.provider import KnownProviders
from application.identity.oidc.sign_in import OidcSignInService
from application.identity.registration import Registration, RegistrationService
from application.identity.sign_in import NewSession, SignInService, SignUp, Visit
from domain.identity.value import csrf_value
from domain.shared.access import Principal
from domain.shared.limits import Limits
from domain.shared.secret import Secret

AnyRequest = Request[Any, Any, Any]


class SessionAnswers:
    """What begins and shows a session: its description, and its cookie."""

    def __init__(
        self,
        *,
        deployment: str,
        version: str,
        browsers: BrowserSessions,
        sign_in: SignInService,
        account: AccountService,
        providers: KnownProviders,
    ) -> None:
        self._deployment = deployment
        self._version = version
        self._browsers = browsers
        self._sign_in = sign_in
        self._account = account
        self._providers = providers

    async def ways(self, scope: Any) -> AuthWays:
        """Tell how somebody can sign in over this connection."""
        found = await self._sign_in.ways()
        is_accepted = not self._browsers.is_refused(scope)
        return AuthWays(
            deployment=self._deployment,
            version=self._version,
            is_first_run=found.is_first_run,
            password=found.password and is_accepted,
            token=found.token and is_accepted,
            providers=[
                AuthProvider(id=each.id, name=each.name)
                for each in (await self._providers.buttons() if is_accepted else ())
            ],
            sign_up=found.sign_up if is_accepted else SignUp.CLOSED,
            is_insecure=self._browsers.connection(scope) is Connection.PLAIN,
        )

    def visit(self, request: AnyRequest, *, is_remembered: bool) -> Visit:
        """Read where somebody signs in; raise ``InsecureConnection``."""
        self._browsers.require_accepted(request.scope)
        return Visit(
            device=request.headers.get("user-agent", ""),
            peer=peer_of(request.scope),
            is_remembered=is_remembered,
        )

    async def of_new(self, request: AnyRequest, opened: NewSession) -> Response[SessionAnswer]:
        """Answer with a session that was opened just now."""
        text, is_remembered = opened.text.reveal(), opened.is_remembered
        return await self._answer(request, opened.principal, text, is_remembered=is_remembered)

    async def of_present(
        self, request: AnyRequest, principal: Principal
    ) -> Response[SessionAnswer]:
        """Answer with the session that the request came with."""
        scope: Any = request.scope
        text: str = scope[SESSION]
        return await self._answer(request, principal, text)

    async def _answer(
        self,
        request: AnyRequest,
        principal: Principal,
        text: str,
        *,
        is_remembered: bool | None = None,
    ) -> Response[SessionAnswer]:
        found = await self._account.overview(principal)
        ways = await self.ways(request.scope)
        user, preferences = found.user, found.preferences
        answer = SessionAnswer(
            user=SessionUser(
                id=str(user.id),
                name=user.name,
                nickname=user.nickname,
                avatar_url=user.avatar_url,
                is_admin=user.is_admin,
                language=preferences.language,
                zone=preferences.zone,
            ),
            csrf=csrf_value(text),
            signed_in_at=seconds(found.signed_in_at),
            expires_at=seconds(found.expires_at),
            workspaces=[SessionWorkspace.of(space) for space in found.spaces],
            features={"password": ways.password, "is_insecure": ways.is_insecure},
            version=self._version,
        )
        is_kept = found.is_remembered if is_remembered is None else is_remembered
        cookie = self._browsers.cookie(request.scope, text, is_remembered=is_kept)
        headers = {"set-cookie": cookie, "cache-control": "no-store"}
        return Response(answer, headers=headers)


class SignInController(Controller):
    """What sessions begin and end with."""

    path = "/admin/v1/auth"

    @get("/ways", operation_id="admin.auth.list_sign_in_methods")
    async def ways(
        self,
        *,
        request: AnyRequest,
        answers: NamedDependency[SessionAnswers],
    ) -> AuthWays:
        """Tell how somebody can sign in."""
        return await answers.ways(request.scope)

    @post("/login", operation_id="admin.auth.login", status_code=HTTP_200_OK)
    async def login(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[LoginBody],
        sign_in: NamedDependency[SignInService],
        answers: NamedDependency[SessionAnswers],
    ) -> Response[SessionAnswer]:
        """Sign in with name and password; the answer sets the session's cookie."""
        visit = answers.visit(request, is_remembered=data.remember)
        opened = await sign_in.with_password(data.name, Secret(data.password), visit)
        return await answers.of_new(request, opened)

    @post("/token", operation_id="admin.auth.exchange_token", status_code=HTTP_200_OK)
    async def exchange_token(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[ExchangeTokenBody],
        sign_in: NamedDependency[SignInService],
        answers: NamedDependency[SessionAnswers],
    ) -> Response[SessionAnswer]:
        """Exchange a personal token for a session; the answer sets the session's cookie."""
        visit = answers.visit(request, is_remembered=data.remember)
        return await answers.of_new(request, await sign_in.with_token(Secret(data.token), visit))

    @post("/ticket", operation_id="admin.auth.redeem_ticket", status_code=HTTP_200_OK)
    async def spend_ticket(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[SpendTicketBody],
        sign_in: NamedDependency[SignInService],
        answers: NamedDependency[SessionAnswers],
    ) -> Response[SessionAnswer]:
        """Sign in with a one-time link, which may set name and password."""
        opened = await sign_in.with_ticket(
            Secret(data.ticket),
            answers.visit(request, is_remembered=data.remember),
            nickname=data.name or "",
            password=None if data.password is None else Secret(data.password),
        )
        return await answers.of_new(request, opened)

    @post("/register", operation_id="admin.auth.register")
    async def register(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[RegisterBody],
        registration: NamedDependency[RegistrationService],
        answers: NamedDependency[SessionAnswers],
    ) -> Response[SessionAnswer]:
        """Open an account by an invitation or an address, and sign in."""
        asked = Registration(
            name=data.name,
            password=Secret(data.password),
            nickname=data.nickname or "",
            email=data.email or "",
            code=None if data.code is None else Secret(data.code),
        )
        visit = answers.visit(request, is_remembered=data.remember)
        return await answers.of_new(request, await registration.register(asked, visit))

    @get("/session", operation_id="admin.auth.get_session")
    async def session(
        self,
        *,
        request: AnyRequest,
        principal: NamedDependency[Principal],
        answers: NamedDependency[SessionAnswers],
    ) -> Response[SessionAnswer]:
        """Show who is signed in, and what a change has to show; prolongs a remembered session."""
        return await answers.of_present(request, principal)

    @post("/logout", operation_id="admin.auth.logout", status_code=HTTP_204_NO_CONTENT)
    async def logout(
        self,
        *,
        request: AnyRequest,
        principal: NamedDependency[Principal],
        account: NamedDependency[AccountService],
        browsers: NamedDependency[BrowserSessions],
        oidc: NamedDependency[OidcSignInService],
    ) -> Response[None]:
        """Sign this browser out; `Location`, if any, leads to the provider to sign out there."""
        await account.sign_out(principal, principal.token_id)
        headers = {
            "set-cookie": browsers.no_cookie(request.scope),
            "clear-site-data": '"storage"',
        }
        if provider := await oidc.sign_out_address(principal):
            headers["location"] = provider
        return Response(None, headers=headers)

    @post("/step-up", operation_id="admin.auth.confirm_password", status_code=HTTP_204_NO_CONTENT)
    async def confirm(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[ConfirmBody],
        principal: NamedDependency[Principal],
        sign_in: NamedDependency[SignInService],
    ) -> None:
        """Show once more who asks, for what needs a sign-in of the last ten minutes."""
        await sign_in.confirm(principal, Secret(data.password), peer=peer_of(request.scope))


class AccountController(Controller):
    """One's own account."""

    path = "/admin/v1/auth"

    @get("/sessions", operation_id="admin.auth.list_sessions")
    async def sessions(
        self, *, principal: NamedDependency[Principal], account: NamedDependency[AccountService]
    ) -> SessionItems:
        """List where the account is signed in, the latest first."""
        return SessionItems.of_page(await account.sessions(principal))

    @delete("/sessions", operation_id="admin.auth.delete_sessions")
    async def end_others(
        self, *, principal: NamedDependency[Principal], account: NamedDependency[AccountService]
    ) -> None:
        """Sign the account out everywhere else."""
        await account.sign_out(principal)

    @delete("/sessions/{session_id:str}", operation_id="admin.auth.delete_session")
    async def end(
        self,
        *,
        principal: NamedDependency[Principal],
        account: NamedDependency[AccountService],
        session_id: FromPath[str],
    ) -> None:
        """Sign one browser out."""
        await account.sign_out(principal, required_id(session_id, field="session_id"))

    @get("/me", operation_id="admin.auth.get_me")
    async def me(
        self, *, principal: NamedDependency[Principal], account: NamedDependency[AccountService]
    ) -> AccountItem:
        """Show one's own account."""
        return AccountItem.of(await account.me(principal))

    @patch("/me", operation_id="admin.auth.update_me")
    async def update_me(
        self,
        *,
        data: JSONBody[UpdateMeBody],
        principal: NamedDependency[Principal],
        account: NamedDependency[AccountService],
    ) -> AccountItem:
        """Change what others see of one's account."""
        nickname = None if data.nickname is msgspec.UNSET else data.nickname
        return AccountItem.of(await account.describe(principal, nickname=nickname))

    @put(
        "/me/avatar",
        operation_id="admin.auth.set_avatar",
        operation_class=UploadOperation,
        status_code=HTTP_200_OK,
    )
    async def set_avatar(
        self,
        *,
        request: AnyRequest,
        principal: NamedDependency[Principal],
        avatars: NamedDependency[AvatarService],
        limits: NamedDependency[Limits],
    ) -> AccountItem:
        """Show the picture of a multipart form to others: PNG, JPEG, GIF or WebP."""
        incoming = await open_upload(request, limits=limits)
        return AccountItem.of(await avatars.set(principal, incoming))

    @delete("/me/avatar", operation_id="admin.auth.delete_avatar", status_code=HTTP_200_OK)
    async def clear_avatar(
        self, *, principal: NamedDependency[Principal], avatars: NamedDependency[AvatarService]
    ) -> AccountItem:
        """Show no picture to others any more."""
        return AccountItem.of(await avatars.clear(principal))

    @put("/password", operation_id="admin.auth.set_password", status_code=HTTP_204_NO_CONTENT)
    async def set_password(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[SetPasswordBody],
        principal: NamedDependency[Principal],
        account: NamedDependency[AccountService],
    ) -> None:
        """Change one's password; everywhere else the account is signed out."""
        await account.set_password(
            principal,
            Secret(data.password),
            current=None if data.current is None else Secret(data.current),
            peer=peer_of(request.scope),
        )

    @get("/preferences", operation_id="admin.auth.get_preferences")
    async def preferences(
        self, *, principal: NamedDependency[Principal], account: NamedDependency[AccountService]
    ) -> PreferencesBody:
        """Show how one wants to be shown things."""
        return PreferencesBody.of(await account.preferences(principal))

    @put("/preferences", operation_id="admin.auth.set_preferences")
    async def set_preferences(
        self,
        *,
        data: JSONBody[PreferencesBody],
        principal: NamedDependency[Principal],
        account: NamedDependency[AccountService],
    ) -> PreferencesBody:
        """Replace how one wants to be shown things; what is left out is as at first."""
        return PreferencesBody.of(await account.prefer(principal, data.value("")))
