"""Providers of OpenID Connect on the admin surface."""

from typing import Annotated

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET, Struct, UnsetType, structs

from api.disconnect import EndsWithClient
from api.shape import Shape
from api.wire import WireId, required_id
from application.identity.oidc.provider import (
    ChangeOidcProvider,
    CreateOidcProvider,
    OidcProviderService,
    OidcProviderView,
    OidcTrial,
    RoleOfGroup,
)
from application.shared.page import Whole
from application.shared.projection import By
from domain.shared.access import Principal, Role
from domain.shared.secret import Secret


class GroupRoleItem(Struct, frozen=True, kw_only=True):
    """What a group of the provider is in a workspace."""

    group: str
    """The group as the provider's claim names it."""
    workspace_id: str
    """Id of a workspace."""
    role: Role
    """Role of its people there."""

    @classmethod
    def each(cls, roles: tuple[RoleOfGroup, ...]) -> "list[GroupRoleItem]":
        """Spell all."""
        return [
            cls(group=each.group, workspace_id=str(each.space_id), role=each.role) for each in roles
        ]


class GroupRoleBody(Struct, frozen=True, kw_only=True):
    """What a group of the provider is to be in a workspace."""

    group: str
    """The group as the provider's claim names it."""
    workspace_id: WireId
    """Id of a workspace."""
    role: Role
    """Role of its people there; owners are made by owners."""


class OidcProviderItem(Shape, of=OidcProviderView):
    """A provider without its secret, and the addresses that it has to be told."""

    roles: Annotated[list[GroupRoleItem], By(GroupRoleItem.each)]
    """What groups are in workspaces, at each sign-in."""


class OidcProviderItems(Whole[OidcProviderItem]):
    """All providers, those of the configuration file first."""


class OidcTrialItem(Shape, of=OidcTrial):
    """What a provider says of itself at this moment."""


class CreateOidcProviderBody(Struct, frozen=True, kw_only=True):
    """A provider to add."""

    name: str
    """What its button says."""
    issuer: str
    """Address that the provider calls itself, to the letter."""
    client_id: str
    """What the provider calls this deployment."""
    client_secret: str | None = None
    """Secret of the client; absent for one without."""
    scopes: list[str] | None = None
    """What is asked for; absent: `openid`, `profile`, `email`."""
    groups_claim: str = ""
    trust_email: bool = False
    create_accounts: bool = True
    roles: list[GroupRoleBody] | None = None
    """What groups are in workspaces, at each sign-in."""


class ChangeOidcProviderBody(Struct, frozen=True, kw_only=True):
    """Changes of a provider; what is absent stays."""

    name: str | UnsetType = UNSET
    """What its button says."""
    issuer: str | UnsetType = UNSET
    """Address that the provider calls itself, to the letter; another one needs `client_secret`."""
    client_id: str | UnsetType = UNSET
    """What the provider calls this deployment."""
    client_secret: str | UnsetType | None = UNSET
    """Secret of the client; null: it has none."""
    scopes: list[str] | UnsetType = UNSET
    """What is asked for."""
    groups_claim: str | UnsetType = UNSET
    trust_email: bool | UnsetType = UNSET
    create_accounts: bool | UnsetType = UNSET
    roles: list[GroupRoleBody] | UnsetType = UNSET
    """What groups are in workspaces, at each sign-in."""


class AdminOidcProviderController(Controller):
    """By whom people sign in."""

    path = "/admin/v1/oidc-providers"

    @get("/", operation_id="admin.oidc_providers.list")
    async def list_providers(
        self,
        *,
        principal: NamedDependency[Principal],
        oidc_providers: NamedDependency[OidcProviderService],
    ) -> OidcProviderItems:
        """List all providers, those of the configuration file first."""
        found = await oidc_providers.list(principal)
        return OidcProviderItems(items=OidcProviderItem.each(found.items), total=found.total)

    @post("/", operation_id="admin.oidc_providers.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateOidcProviderBody],
        principal: NamedDependency[Principal],
        oidc_providers: NamedDependency[OidcProviderService],
    ) -> OidcProviderItem:
        """Let people sign in by another provider."""
        command = CreateOidcProvider(
            name=data.name,
            issuer=data.issuer,
            client_id=data.client_id,
            client_secret=Secret(data.client_secret or ""),
            groups_claim=data.groups_claim,
            trust_email=data.trust_email,
            create_accounts=data.create_accounts,
            roles=_roles(data.roles or []),
        )
        if data.scopes is not None:
            command = structs.replace(command, scopes=data.scopes)
        return OidcProviderItem.of(await oidc_providers.create(principal, command))

    @get("/{provider_id:str}", operation_id="admin.oidc_providers.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        oidc_providers: NamedDependency[OidcProviderService],
        provider_id: FromPath[str],
    ) -> OidcProviderItem:
        """Show a provider without its secret."""
        return OidcProviderItem.of(await oidc_providers.get(principal, provider_id))

    @patch("/{provider_id:str}", operation_id="admin.oidc_providers.update")
    async def update(
        self,
        *,
        data: JSONBody[ChangeOidcProviderBody],
        principal: NamedDependency[Principal],
        oidc_providers: NamedDependency[OidcProviderService],
        provider_id: FromPath[str],
    ) -> OidcProviderItem:
        """Change a provider; roles change at the next sign-in of each person."""
        secret = data.client_secret
        command = ChangeOidcProvider(
            name=data.name,
            issuer=data.issuer,
            client_id=data.client_id,
            client_secret=UNSET if secret is UNSET else Secret(secret or ""),
            scopes=data.scopes,
            groups_claim=data.groups_claim,
            trust_email=data.trust_email,
            create_accounts=data.create_accounts,
            roles=UNSET if data.roles is UNSET else _roles(data.roles),
        )
        return OidcProviderItem.of(await oidc_providers.change(principal, provider_id, command))

    @delete("/{provider_id:str}", operation_id="admin.oidc_providers.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        oidc_providers: NamedDependency[OidcProviderService],
        provider_id: FromPath[str],
    ) -> None:
        """Let nobody sign in by a provider any more; sessions and roles stay as they are."""
        await oidc_providers.delete(principal, provider_id)

    @post(
        "/{provider_id:str}/try",
        operation_id="admin.oidc_providers.test",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def try_out(
        self,
        *,
        principal: NamedDependency[Principal],
        oidc_providers: NamedDependency[OidcProviderService],
        provider_id: FromPath[str],
    ) -> OidcTrialItem:
        """Ask a provider what it publishes of itself, and say what is wrong with that."""
        return OidcTrialItem.of(await oidc_providers.try_out(principal, provider_id))


def _roles(items: list[GroupRoleBody]) -> tuple[RoleOfGroup, ...]:
    return tuple(
        RoleOfGroup(
            group=each.group,
            space_id=required_id(each.workspace_id, field="roles.workspace_id"),
            role=each.role,
        )
        for each in items
    )
