"""Commands and views of share links."""

from datetime import datetime
from typing import Annotated

import msgspec

from application.shared.page import Listed
from application.shared.patch import Patch
from application.shared.projection import At, By, Projection
from domain.share.link import ShareLink
from domain.share.value import LinkAuth, LinkSettings
from domain.share.visitor import VisitSource
from domain.shared.access import Principal
from domain.shared.ids import Id
from domain.shared.secret import Secret
from domain.shared.target import TargetKind


class ShareLinkView(Projection, of=ShareLink, only=()):
    """A link as those see it who may change it; never its secrets."""

    id: Id
    space_id: Id
    creator_id: Id
    code: str
    target_kind: TargetKind
    target_id: Id
    settings: LinkSettings
    auth: LinkAuth
    has_password: Annotated[bool, At("password_hash"), By(bool)]
    key_last4: Annotated[str, At("user_key"), By(lambda key: key.reveal()[-4:])]
    public_key: str
    hook_url: str
    created_at: datetime
    updated_at: datetime


class ShareLinkList(Listed[ShareLinkView]):
    """All links of a workspace."""


class NewLinkKey(msgspec.Struct, frozen=True, kw_only=True):
    """A link with the key of its users' tokens, which is shown this once."""

    link: ShareLinkView
    key: Secret


class Admission(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a link lets in: what is left out stays; an empty key means none."""

    auth: LinkAuth | msgspec.UnsetType = msgspec.UNSET
    password: Secret | msgspec.UnsetType = msgspec.UNSET
    public_key: str | msgspec.UnsetType = msgspec.UNSET
    hook_url: str | msgspec.UnsetType = msgspec.UNSET


class CreateShareLink(msgspec.Struct, frozen=True, kw_only=True):
    """Let strangers talk to a published agent or workflow."""

    space_id: int
    target_kind: TargetKind
    target_id: int
    settings: LinkSettings
    admission: Admission = Admission()


class ChangeShareLink(msgspec.Struct, frozen=True, kw_only=True):
    """Change how a link looks and whom it lets in."""

    settings: Patch[LinkSettings] = Patch()
    admission: Admission = Admission()


class OpenVisit(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor shows to be let in; ``key`` is that of an earlier visit."""

    source: VisitSource = "share_link"
    key: str = ""
    password: Secret = Secret("")
    user_token: str = ""
    member: Principal | None = None
    """Who is signed in at the browser, if anybody is."""


class OpenedVisit(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor gets: a token for a quarter of an hour, and a key to come back with."""

    token: Secret
    expires_at: datetime
    end_user_id: str
    key: str
    """Empty where the visitor has to show something each time."""


class OpenLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link that answers: whom to ask, through which connector, and for whom."""

    id: int
    code: str
    space_id: int
    target_kind: TargetKind
    target_id: int
    target_name: str
    connector_id: int
    settings: LinkSettings
    auth: LinkAuth
    principal: Principal


class Visitor(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was let in, as the routes of a link know them."""

    link_id: int
    principal: Principal
    source: VisitSource
    proof: Secret = Secret("")
    """What they showed, for the hook of the link."""
    needs_member: bool = False
    """Only while the member of the workspace is signed in who was let in."""
