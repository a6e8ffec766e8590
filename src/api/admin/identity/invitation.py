"""Invitations to workspaces on the admin surface."""

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import Struct

from api.admin.identity.shape import WorkspaceItem, instant
from api.shape import Shape
from api.sign_in.url import SignInPages
from api.wire import required_id
from application.identity.invitation import InvitationOffer, InvitationService, InvitationView
from application.shared.page import Whole
from domain.shared.access import Principal, Role
from domain.shared.secret import Secret


class InvitationItem(Shape, of=InvitationView):
    """A link into a workspace, without what stands in it; null `max_uses`: for any number."""


class InvitationItems(Whole[InvitationItem]):
    """All invitations to a workspace that still let somebody in, newest first."""


class InvitationCreated(InvitationItem):
    """An invitation with its link, which is shown this once."""

    url: str
    """Address of the page that lets people in, to hand over."""
    code: str
    """What stands in the address."""


class CreateInvitationBody(Struct, frozen=True, kw_only=True):
    """Whom to let into a workspace."""

    role: Role
    """Role of whoever comes; owners are made of members."""
    max_uses: int | None = 1
    """How many people come in by it, 1 to 1000; null: any number."""
    expires_at: int | None = None
    """Until when, in Unix seconds, within 90 days; null: for a week."""


class InvitationOfferItem(Shape, of=InvitationOffer, rename={"space_name": "workspace_name"}):
    """What somebody is invited to."""


class AcceptInvitationBody(Struct, frozen=True, kw_only=True):
    """The invitation to follow."""

    code: str
    """What stands behind `invite=` in the link."""


class AdminInvitationController(Controller):
    """Links that make whoever has them a member of a workspace."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/invitations", operation_id="admin.invitations.list")
    async def list_invitations(
        self,
        *,
        principal: NamedDependency[Principal],
        invitations: NamedDependency[InvitationService],
        workspace_id: FromPath[str],
    ) -> InvitationItems:
        """List the invitations to a workspace that still let somebody in, newest first."""
        found = await invitations.list(principal, required_id(workspace_id, field="workspace_id"))
        return InvitationItems(items=InvitationItem.each(found.items), total=found.total)

    @post("/workspaces/{workspace_id:str}/invitations", operation_id="admin.invitations.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateInvitationBody],
        principal: NamedDependency[Principal],
        invitations: NamedDependency[InvitationService],
        pages: NamedDependency[SignInPages],
        workspace_id: FromPath[str],
    ) -> InvitationCreated:
        """Make a link that lets people into a team workspace; it is shown this once."""
        made = await invitations.create(
            principal,
            required_id(workspace_id, field="workspace_id"),
            data.role,
            max_uses=data.max_uses,
            expires_at=instant(data.expires_at, field="expires_at"),
        )
        code = made.code.reveal()
        return InvitationCreated.of(made.invitation, code=code, url=pages.invitation_url(code))

    @delete("/invitations/{invitation_id:str}", operation_id="admin.invitations.delete")
    async def revoke(
        self,
        *,
        principal: NamedDependency[Principal],
        invitations: NamedDependency[InvitationService],
        invitation_id: FromPath[str],
    ) -> None:
        """Let nobody in by an invitation any more; who came by it stays."""
        await invitations.revoke(principal, required_id(invitation_id, field="invitation_id"))

    @get("/invitations:lookup", operation_id="admin.invitations.look_up")
    async def look_up(
        self,
        *,
        invitations: NamedDependency[InvitationService],
        code: FromQuery[str],
    ) -> Response[InvitationOfferItem]:
        """Tell whoever has a link what it leads to."""
        offer = await invitations.look_up(Secret(code))
        return Response(InvitationOfferItem.of(offer), headers={"cache-control": "no-store"})

    @post("/invitations:accept", operation_id="admin.invitations.accept", status_code=HTTP_200_OK)
    async def accept(
        self,
        *,
        data: JSONBody[AcceptInvitationBody],
        principal: NamedDependency[Principal],
        invitations: NamedDependency[InvitationService],
    ) -> WorkspaceItem:
        """Become a member of the workspace; whoever is one already stays what they are."""
        return WorkspaceItem.of(await invitations.accept(principal, Secret(data.code)))
