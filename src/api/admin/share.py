"""Share links on the admin surface."""

from typing import Annotated

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET, Struct, UnsetType

from api.admin.identity.shape import instant
from api.shape import Changes, Fields, Shape
from api.wire import WireId, required_id
from application.share.dto import (
    Admission,
    ChangeShareLink,
    CreateShareLink,
    ShareLinkView,
)
from application.share.link import ShareLinkService
from application.shared.page import Whole
from application.shared.patch import Patch
from application.shared.projection import At
from domain.share.value import LinkAuth, LinkSettings
from domain.shared.access import Principal
from domain.shared.secret import Secret
from domain.shared.target import TargetKind


class ShareLinkLook(Fields, of=LinkSettings, without=("expires_at",)):
    """How the page of a link looks, and what visitors may do there."""


class ShareLinkLookChanges(Changes, of=LinkSettings, without=("expires_at",)):
    """Changes of how a page looks; what is absent stays, null resets it."""


class ShareLinkItem(
    Shape, of=ShareLinkView, without=("settings",), rename={"target_kind": "target_type"}
):
    """A link; its password and its key are never told."""

    expires_at: Annotated[int | None, At("settings.expires_at")]
    """When it stops, in Unix seconds; null: never."""
    settings: ShareLinkLook


class ShareLinkItems(Whole[ShareLinkItem]):
    """All links of a workspace, newest first."""


class ShareLinkKey(ShareLinkItem):
    """A link with the key of its users' tokens, shown this once."""

    key: str


class CreateShareLinkBody(Struct, frozen=True, kw_only=True):
    """A link to make."""

    target_type: TargetKind
    """`agent`, or `workflow` for a chat flow."""
    target_id: WireId
    settings: ShareLinkLook
    auth: LinkAuth = LinkAuth.NONE
    """What visitors show: nothing, the password, a token that the site around signs, a token that
    the hook of the link knows, or that they are signed in as members of the workspace."""
    password: str | None = None
    public_key: str | None = None
    """Of tokens signed with RS256, in PEM."""
    hook_url: str | None = None
    """Of the server that says who visitors are, for `hook`: `/shareAuth/init`, `/start` and
    `/finish` are added."""
    expires_at: int | None = None
    """When it stops, in Unix seconds; null: never."""


class ChangeShareLinkBody(Struct, frozen=True, kw_only=True):
    """Changes of a link; what is absent stays."""

    settings: ShareLinkLookChanges | UnsetType = UNSET
    auth: LinkAuth | UnsetType = UNSET
    """What visitors show: nothing, the password, a token that the site around signs, a token that
    the hook of the link knows, or that they are signed in as members of the workspace."""
    password: str | UnsetType | None = UNSET
    public_key: str | UnsetType | None = UNSET
    """Of tokens signed with RS256, in PEM; null: none."""
    hook_url: str | UnsetType | None = UNSET
    """Of the server that says who visitors are, for `hook`; null: none."""
    expires_at: int | UnsetType | None = UNSET
    """When it stops, in Unix seconds; null: never."""


class AdminShareLinkController(Controller):
    """Links under which strangers talk to agents and chat flows."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/share-links", operation_id="admin.share_links.list")
    async def list_links(
        self,
        *,
        principal: NamedDependency[Principal],
        share_links: NamedDependency[ShareLinkService],
        workspace_id: FromPath[str],
    ) -> ShareLinkItems:
        """List the share links of a workspace, newest first."""
        found = await share_links.list(principal, required_id(workspace_id, field="workspace_id"))
        return ShareLinkItems(items=ShareLinkItem.each(found.items), total=found.total)

    @post("/workspaces/{workspace_id:str}/share-links", operation_id="admin.share_links.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateShareLinkBody],
        principal: NamedDependency[Principal],
        share_links: NamedDependency[ShareLinkService],
        workspace_id: FromPath[str],
    ) -> ShareLinkItem:
        """Let strangers talk to a published agent or chat flow."""
        settings: LinkSettings = data.settings.value("settings")
        until = instant(data.expires_at, field="expires_at")
        made = await share_links.create(
            principal,
            CreateShareLink(
                space_id=required_id(workspace_id, field="workspace_id"),
                target_kind=data.target_type,
                target_id=required_id(data.target_id, field="target_id"),
                settings=Patch[LinkSettings]({"expires_at": until}).applied(settings),
                admission=Admission(
                    auth=data.auth,
                    password=Secret(data.password or ""),
                    public_key=data.public_key or "",
                    hook_url=data.hook_url or "",
                ),
            ),
        )
        return ShareLinkItem.of(made)

    @get("/share-links/{link_id:str}", operation_id="admin.share_links.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        share_links: NamedDependency[ShareLinkService],
        link_id: FromPath[str],
    ) -> ShareLinkItem:
        """Show a share link without its secrets."""
        return ShareLinkItem.of(await share_links.get(principal, _link(link_id)))

    @patch("/share-links/{link_id:str}", operation_id="admin.share_links.update")
    async def update(
        self,
        *,
        data: JSONBody[ChangeShareLinkBody],
        principal: NamedDependency[Principal],
        share_links: NamedDependency[ShareLinkService],
        link_id: FromPath[str],
    ) -> ShareLinkItem:
        """Change how a link looks and whom it lets in; those who are in show it anew."""
        looks = {} if data.settings is UNSET else dict(data.settings.patch("settings").values)
        if data.expires_at is not UNSET:
            looks["expires_at"] = instant(data.expires_at, field="expires_at")
        given, key, hook = data.password, data.public_key, data.hook_url
        changed = await share_links.change(
            principal,
            _link(link_id),
            ChangeShareLink(
                settings=Patch(looks),
                admission=Admission(
                    auth=data.auth,
                    password=UNSET if given is UNSET else Secret(given or ""),
                    public_key=UNSET if key is UNSET else key or "",
                    hook_url=UNSET if hook is UNSET else hook or "",
                ),
            ),
        )
        return ShareLinkItem.of(changed)

    @post(
        "/share-links/{link_id:str}/key",
        operation_id="admin.share_links.reset_key",
        status_code=HTTP_200_OK,
    )
    async def reset_key(
        self,
        *,
        principal: NamedDependency[Principal],
        share_links: NamedDependency[ShareLinkService],
        link_id: FromPath[str],
    ) -> ShareLinkKey:
        """Draw the key by which a site signs who its users are (HS256), shown this once."""
        made = await share_links.new_key(principal, _link(link_id))
        return ShareLinkKey.of(made.link, key=made.key.reveal())

    @delete("/share-links/{link_id:str}", operation_id="admin.share_links.delete")
    async def revoke(
        self,
        *,
        principal: NamedDependency[Principal],
        share_links: NamedDependency[ShareLinkService],
        link_id: FromPath[str],
    ) -> None:
        """Revoke a share link for good; answers under way end."""
        await share_links.revoke(principal, _link(link_id))


def _link(link_id: str) -> int:
    return required_id(link_id, field="link_id")
