"""Service tokens of workspaces on the admin surface."""

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET, Struct, UnsetType

from api.admin.identity.shape import instant
from api.shape import Shape
from api.wire import WireId, required_id
from application.identity.service_token import (
    ChangeServiceToken,
    CreateServiceToken,
    ServiceTokenService,
    ServiceTokenView,
)
from application.shared.page import Whole
from domain.identity.value import RateClass
from domain.shared.access import Permission, Principal

_OF_WIRE = {"agent_ids": "bot_ids"}


class ServiceTokenItem(Shape, of=ServiceTokenView, rename=_OF_WIRE):
    """A token of a workspace, without its text; null among the limits means no limit."""


class ServiceTokenItems(Whole[ServiceTokenItem]):
    """All service tokens of a workspace."""


class ServiceTokenCreated(ServiceTokenItem):
    """A token of a workspace with its text, shown this once."""

    token: str


class CreateServiceTokenBody(Struct, frozen=True, kw_only=True):
    """A token of a workspace to make."""

    name: str
    permissions: list[Permission]
    """What the token may do, as an administrator of the workspace; `admin` is not for it."""
    bot_ids: list[WireId] | None = None
    networks: list[str] | None = None
    expires_at: int | UnsetType | None = UNSET
    """When it expires, in Unix seconds; null: never; absent: in 90 days."""
    rate_class: RateClass = RateClass.DEFAULT
    """How often it may ask: `default` as tokens of people, or a figure of the deployment's."""


class ChangeServiceTokenBody(Struct, frozen=True, kw_only=True):
    """Changes of a token of a workspace; what is absent stays."""

    name: str | UnsetType = UNSET
    permissions: list[Permission] | UnsetType = UNSET
    """What the token may do, as an administrator of the workspace; `admin` is not for it."""
    bot_ids: list[WireId] | UnsetType | None = UNSET
    networks: list[str] | UnsetType | None = UNSET
    expires_at: int | UnsetType | None = UNSET
    """When it expires, in Unix seconds; null: never."""
    rate_class: RateClass | UnsetType = UNSET
    """How often it may ask: `default` as tokens of people, or a figure of the deployment's."""

    def command(self) -> ChangeServiceToken:
        """Read the body."""
        agents = self.bot_ids
        return ChangeServiceToken(
            name=self.name,
            permissions=self.permissions,
            agent_ids=UNSET if agents is UNSET else _agents(agents),
            networks=self.networks,
            expires_at=(
                UNSET if self.expires_at is UNSET else instant(self.expires_at, field="expires_at")
            ),
            rate_class=self.rate_class,
        )


class RotateServiceTokenBody(Struct, frozen=True, kw_only=True):
    """How to go over to another text."""

    overlap_s: int
    """Seconds for which the former text goes on, 0 to 604800; 0 ends it at once."""


class AdminServiceTokenController(Controller):
    """Tokens of workspaces, with no person behind them."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/service-tokens", operation_id="admin.service_tokens.list")
    async def list_tokens(
        self,
        *,
        principal: NamedDependency[Principal],
        service_tokens: NamedDependency[ServiceTokenService],
        workspace_id: FromPath[str],
    ) -> ServiceTokenItems:
        """List the service tokens of a workspace, newest first."""
        found = await service_tokens.list(
            principal, required_id(workspace_id, field="workspace_id")
        )
        return ServiceTokenItems(items=ServiceTokenItem.each(found.items), total=found.total)

    @post(
        "/workspaces/{workspace_id:str}/service-tokens", operation_id="admin.service_tokens.create"
    )
    async def create(
        self,
        *,
        data: JSONBody[CreateServiceTokenBody],
        principal: NamedDependency[Principal],
        service_tokens: NamedDependency[ServiceTokenService],
        workspace_id: FromPath[str],
    ) -> ServiceTokenCreated:
        """Make a token of a workspace; its text is shown this once."""
        command = CreateServiceToken(
            space_id=required_id(workspace_id, field="workspace_id"),
            name=data.name,
            permissions=data.permissions,
            agent_ids=_agents(data.bot_ids),
            networks=data.networks,
            expires_at=(
                UNSET if data.expires_at is UNSET else instant(data.expires_at, field="expires_at")
            ),
            rate_class=data.rate_class,
        )
        made = await service_tokens.create(principal, command)
        return ServiceTokenCreated.of(made.token, token=made.text.reveal())

    @get("/service-tokens/{token_id:str}", operation_id="admin.service_tokens.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        service_tokens: NamedDependency[ServiceTokenService],
        token_id: FromPath[str],
    ) -> ServiceTokenItem:
        """Show a token of a workspace without its text."""
        return ServiceTokenItem.of(await service_tokens.get(principal, _token(token_id)))

    @patch("/service-tokens/{token_id:str}", operation_id="admin.service_tokens.update")
    async def update(
        self,
        *,
        data: JSONBody[ChangeServiceTokenBody],
        principal: NamedDependency[Principal],
        service_tokens: NamedDependency[ServiceTokenService],
        token_id: FromPath[str],
    ) -> ServiceTokenItem:
        """Rename a token of a workspace, or change what it may do and how long."""
        changed = await service_tokens.change(principal, _token(token_id), data.command())
        return ServiceTokenItem.of(changed)

    @post(
        "/service-tokens/{token_id:str}/rotate",
        operation_id="admin.service_tokens.rotate",
        status_code=HTTP_200_OK,
    )
    async def rotate(
        self,
        *,
        data: JSONBody[RotateServiceTokenBody],
        principal: NamedDependency[Principal],
        service_tokens: NamedDependency[ServiceTokenService],
        token_id: FromPath[str],
    ) -> ServiceTokenCreated:
        """Draw another text, shown this once; the former goes on for a while."""
        made = await service_tokens.rotate(principal, _token(token_id), overlap_s=data.overlap_s)
        return ServiceTokenCreated.of(made.token, token=made.text.reveal())

    @delete("/service-tokens/{token_id:str}", operation_id="admin.service_tokens.delete")
    async def revoke(
        self,
        *,
        principal: NamedDependency[Principal],
        service_tokens: NamedDependency[ServiceTokenService],
        token_id: FromPath[str],
    ) -> None:
        """Revoke a token of a workspace for good."""
        await service_tokens.revoke(principal, _token(token_id))


def _token(token_id: str) -> int:
    return required_id(token_id, field="token_id")


def _agents(given: list[WireId] | None) -> list[int] | None:
    return None if given is None else [required_id(each, field="bot_ids") for each in given]
