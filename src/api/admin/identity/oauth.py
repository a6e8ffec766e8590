"""Applications, consent and grants of OAuth on the admin surface."""

from typing import Literal

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from api.admin.query import Paging
from api.shape import Shape
from api.wire import WireId, optional_id, required_id
from application.identity.oauth.app import (
    ChangeOAuthApp,
    CreateOAuthApp,
    NewOAuthApp,
    OAuthAppOverview,
    OAuthAppService,
    OAuthAppView,
)
from application.identity.oauth.consent import (
    ConsentSpace,
    ConsentView,
    Decision,
    OAuthConsentService,
)
from application.identity.oauth.grant import OAuthGrantService, OAuthGrantView
from application.shared.page import Whole
from domain.identity.value import ClientType
from domain.shared.access import Permission, Principal


class OAuthAppItem(Shape, of=OAuthAppView, rename={"client_type": "type"}):
    """An application of a workspace, without its secret."""


class OAuthAppItems(Whole[OAuthAppItem]):
    """All applications of a workspace."""


class OAuthAppOverviewItem(Shape, of=OAuthAppOverview, rename={"client_type": "type"}):
    """An application of any workspace, without its secret."""


class OAuthAppOverviews(Struct, frozen=True, kw_only=True):
    """One page of the applications of all workspaces."""

    items: list[OAuthAppOverviewItem]
    next_cursor: str | None
    total: int | None = None
    """Always null: they are not counted."""


class OAuthAppCreated(OAuthAppItem):
    """An application with its secret, shown this once; only those of type web have one."""

    secret: str | None

    @classmethod
    def made(cls, made: NewOAuthApp) -> "OAuthAppCreated":
        """Spell an application that got a secret just now."""
        return cls.of(made.app, secret=None if made.secret is None else made.secret.reveal())


class CreateOAuthAppBody(Struct, frozen=True, kw_only=True):
    """An application to register."""

    name: str
    type: ClientType
    """How it gets tokens: `web` with a secret, `pkce` on the person's machine, `device` without a
    browser, `jwt` with a key, for the workspace itself."""
    permissions: list[Permission]
    """What it may get at most; `admin` is never granted."""
    redirect_uris: list[str] | None = None
    """Where browsers may go back to, letter by letter; for `web` and `pkce`."""
    allows_plain: bool = False
    public_key: str | None = None
    """Public key of RSA in PEM, 2048 bits at least; for `jwt`."""
    key_id: str | None = None
    """What the application calls its key (`kid`); absent: the key's thumbprint."""


class ChangeOAuthAppBody(Struct, frozen=True, kw_only=True):
    """Changes of an application; what is absent stays."""

    name: str | UnsetType = UNSET
    permissions: list[Permission] | UnsetType = UNSET
    """What it may get at most; `admin` is never granted."""
    redirect_uris: list[str] | UnsetType = UNSET
    """Where browsers may go back to, letter by letter; for `web` and `pkce`."""
    allows_plain: bool | UnsetType = UNSET
    public_key: str | UnsetType = UNSET
    """Public key of RSA in PEM, 2048 bits at least; for `jwt`. The former is useless at once."""
    key_id: str | UnsetType | None = UNSET
    """What the application calls its key (`kid`); null: the key's thumbprint."""
    disabled: bool | UnsetType = UNSET
    """`true` ends what it was granted and lets it in no more; only administrators of the
    deployment, members or not."""


class ConsentSpaceItem(Shape, of=ConsentSpace):
    """A workspace that the person may choose."""


class OAuthRequestItem(Shape, of=ConsentView, rename={"client_type": "type"}):
    """What an application asks a person for."""

    workspaces: list[ConsentSpaceItem]


class AnswerOAuthRequestBody(Struct, frozen=True, kw_only=True):
    """A person's answer to an application."""

    decision: Literal["approve", "deny"]
    workspace_id: WireId | None = None
    """Where the application may act; needed to approve."""


class OAuthRequestAnswered(Struct, frozen=True, kw_only=True):
    """Where the answer leads."""

    url: str | None
    """Address to go to; null for a device, which asks by itself."""


class FindOAuthRequestBody(Struct, frozen=True, kw_only=True):
    """A code that a device shows."""

    user_code: str


class OAuthGrantItem(Shape, of=OAuthGrantView):
    """What the caller granted an application, in one workspace."""


class OAuthGrantItems(Whole[OAuthGrantItem]):
    """All grants of the caller that are good."""


class AdminOAuthAppController(Controller):
    """Applications that a workspace registered."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/oauth-apps", operation_id="admin.oauth_apps.list")
    async def list_apps(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_apps: NamedDependency[OAuthAppService],
        workspace_id: FromPath[str],
    ) -> OAuthAppItems:
        """List the applications of a workspace, newest first."""
        found = await oauth_apps.list(principal, required_id(workspace_id, field="workspace_id"))
        return OAuthAppItems(items=OAuthAppItem.each(found.items), total=found.total)

    @get("/oauth-apps", operation_id="admin.oauth_apps.list_all")
    async def list_all(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_apps: NamedDependency[OAuthAppService],
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> OAuthAppOverviews:
        """List the applications of all workspaces of the deployment, newest first."""
        found = await oauth_apps.overview(
            principal, before=paging.last_id, limit=paging.size + 1, text=q or ""
        )
        shown, next_cursor = paging.cut(found)
        return OAuthAppOverviews(
            items=OAuthAppOverviewItem.each(shown),
            next_cursor=next_cursor,
        )

    @post("/workspaces/{workspace_id:str}/oauth-apps", operation_id="admin.oauth_apps.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateOAuthAppBody],
        principal: NamedDependency[Principal],
        oauth_apps: NamedDependency[OAuthAppService],
        workspace_id: FromPath[str],
    ) -> OAuthAppCreated:
        """Register an application; its secret is shown this once."""
        command = CreateOAuthApp(
            space_id=required_id(workspace_id, field="workspace_id"),
            name=data.name,
            client_type=data.type,
            permissions=data.permissions,
            redirect_uris=data.redirect_uris or (),
            allows_plain=data.allows_plain,
            public_key=data.public_key,
            key_id=data.key_id,
        )
        return OAuthAppCreated.made(await oauth_apps.create(principal, command))

    @get("/oauth-apps/{app_id:str}", operation_id="admin.oauth_apps.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_apps: NamedDependency[OAuthAppService],
        app_id: FromPath[str],
    ) -> OAuthAppItem:
        """Show an application without its secret."""
        return OAuthAppItem.of(await oauth_apps.get(principal, _app(app_id)))

    @patch("/oauth-apps/{app_id:str}", operation_id="admin.oauth_apps.update")
    async def update(
        self,
        *,
        data: JSONBody[ChangeOAuthAppBody],
        principal: NamedDependency[Principal],
        oauth_apps: NamedDependency[OAuthAppService],
        app_id: FromPath[str],
    ) -> OAuthAppItem:
        """Change an application; what it was granted is cut to what it may have now.

        Administrators of the deployment disable it, and need no role in its workspace for that.
        """
        if data.disabled is not UNSET:
            changed = await oauth_apps.set_disabled(
                principal, _app(app_id), is_disabled=data.disabled
            )
            if replace(data, disabled=UNSET) == ChangeOAuthAppBody():
                return OAuthAppItem.of(changed)
        command = ChangeOAuthApp(
            name=data.name,
            permissions=data.permissions,
            redirect_uris=data.redirect_uris,
            allows_plain=data.allows_plain,
            public_key=data.public_key,
            key_id=data.key_id,
        )
        return OAuthAppItem.of(await oauth_apps.change(principal, _app(app_id), command))

    @post(
        "/oauth-apps/{app_id:str}/secret",
        operation_id="admin.oauth_apps.reset_secret",
        status_code=HTTP_200_OK,
    )
    async def reset_secret(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_apps: NamedDependency[OAuthAppService],
        app_id: FromPath[str],
    ) -> OAuthAppCreated:
        """Draw another secret, shown this once; the former is useless at once."""
        return OAuthAppCreated.made(await oauth_apps.new_secret(principal, _app(app_id)))

    @delete("/oauth-apps/{app_id:str}", operation_id="admin.oauth_apps.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_apps: NamedDependency[OAuthAppService],
        app_id: FromPath[str],
    ) -> None:
        """Remove an application with all that it was granted, here or as administrator of all."""
        await oauth_apps.delete(principal, _app(app_id))


class AdminOAuthConsentController(Controller):
    """What applications ask the person at the browser for."""

    path = "/admin/v1"

    @get("/oauth-requests/{request_id:str}", operation_id="admin.oauth_requests.get")
    async def show(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_consent: NamedDependency[OAuthConsentService],
        request_id: FromPath[str],
    ) -> OAuthRequestItem:
        """Show what an application asks for."""
        return OAuthRequestItem.of(await oauth_consent.show(principal, request_id))

    @post(
        "/oauth-requests/{request_id:str}",
        operation_id="admin.oauth_requests.answer",
        status_code=HTTP_200_OK,
    )
    async def answer(
        self,
        *,
        data: JSONBody[AnswerOAuthRequestBody],
        principal: NamedDependency[Principal],
        oauth_consent: NamedDependency[OAuthConsentService],
        request_id: FromPath[str],
    ) -> OAuthRequestAnswered:
        """Let an application act for oneself in a workspace, or refuse."""
        decision = Decision(
            is_approved=data.decision == "approve",
            space_id=optional_id(data.workspace_id, field="workspace_id"),
        )
        url = await oauth_consent.answer(principal, request_id, decision)
        return OAuthRequestAnswered(url=url or None)

    @post(
        "/oauth-requests:device",
        operation_id="admin.oauth_requests.find_by_user_code",
        status_code=HTTP_200_OK,
    )
    async def find_device(
        self,
        *,
        data: JSONBody[FindOAuthRequestBody],
        principal: NamedDependency[Principal],
        oauth_consent: NamedDependency[OAuthConsentService],
    ) -> OAuthRequestItem:
        """Find what a device asks for, by the code that it shows."""
        return OAuthRequestItem.of(await oauth_consent.show(principal, data.user_code))


class AdminOAuthGrantController(Controller):
    """What the caller granted applications."""

    path = "/admin/v1/oauth-grants"

    @get("/", operation_id="admin.oauth_grants.list")
    async def list_grants(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_grants: NamedDependency[OAuthGrantService],
    ) -> OAuthGrantItems:
        """List what one granted applications, newest first."""
        found = await oauth_grants.list(principal)
        return OAuthGrantItems(items=OAuthGrantItem.each(found.items), total=found.total)

    @delete("/{grant_id:str}", operation_id="admin.oauth_grants.delete")
    async def revoke(
        self,
        *,
        principal: NamedDependency[Principal],
        oauth_grants: NamedDependency[OAuthGrantService],
        grant_id: FromPath[str],
    ) -> None:
        """Take back what one granted; its tokens are useless at once."""
        await oauth_grants.revoke(principal, required_id(grant_id, field="grant_id"))


def _app(app_id: str) -> int:
    return required_id(app_id, field="app_id")
