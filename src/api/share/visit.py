"""What everybody may ask of a share link: how its page looks, and to be let in."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.entry.auth import peer_of
from api.entry.link import member_of, require_own_page
from api.entry.session import BrowserSessions
from api.shape import Shape
from api.wire import seconds
from application.agent.publishing import AgentPublishingService
from application.identity.authentication import AuthService
from application.identity.cache import peer_network
from application.share.dto import OpenLink, OpenVisit
from application.share.visit import VisitService
from application.shared.projection import At
from domain.agent.value.shortcut import Shortcut, ShortcutComponent
from domain.share.value import LinkAuth
from domain.shared.secret import Secret
from domain.shared.target import TargetKind

_PROOF_CHARS = 8192


class ShareShortcutField(
    Shape,
    of=ShortcutComponent,
    only=("name", "description", "input_type", "options", "default_value"),
):
    """What a visitor fills in."""


class ShareShortcut(
    Shape,
    of=Shortcut,
    only=("id", "name", "command", "description", "send_type", "template_query"),
):
    """A prepared question of the agent."""

    components: list[ShareShortcutField]


class ShareLinkCard(Shape, of=OpenLink, only=(), rename={"target_kind": "target_type"}):
    """How the page of a link looks; nothing of what it leads to but what everybody may see."""

    target_kind: TargetKind
    auth: LinkAuth
    name: Annotated[str, At("settings.name")]
    icon_url: str
    """Picture of the agent; empty for a chat flow."""
    welcome: str
    """What is said first."""
    suggestions: list[str]
    shortcuts: list[ShareShortcut]
    """Prepared questions of the agent, with what visitors fill in."""
    theme: Annotated[str, At("settings.theme")]
    accent: Annotated[str, At("settings.accent")]
    language: Annotated[str, At("settings.language")]
    footer: Annotated[str, At("settings.footer")]
    allows_files: Annotated[bool, At("settings.allows_files")]
    keeps_history: Annotated[bool, At("settings.keeps_history")]
    takes_feedback: Annotated[bool, At("settings.takes_feedback")]
    shows_citations: Annotated[bool, At("settings.shows_citations")]
    shows_steps: Annotated[bool, At("settings.shows_steps")]


class OpenSessionBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor shows."""

    source: Literal["share_link", "embed"] = "share_link"
    """Whether the page stands alone or in a frame."""
    key: str | None = None
    """`key` of an earlier session: the same visitor comes back."""
    password: str | None = None
    user_token: str | None = None
    """Token (JWT) signed by the site around: HS256 with the key of the link, or RS256. Where the
    link has a hook, whatever that knows people by."""


class ShareSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session of a visitor."""

    token: str
    """Opens the other routes of this link, as `Authorization: Bearer`."""
    expires_at: int
    key: str | None
    """To come back with within 30 days; null where the site around says who it is."""


class ShareVisitController(Controller):
    """The door of a share link."""

    path = "/s/{link_code:str}/api"

    @get("/link", operation_id="share.get_link")
    async def card(
        self,
        *,
        request: Request[Any, Any, Any],
        visits: NamedDependency[VisitService],
        agents: NamedDependency[AgentPublishingService],
        browsers: NamedDependency[BrowserSessions],
        link_code: FromPath[str],
    ) -> ShareLinkCard:
        """Show how the page of a link looks, and what it asks visitors for."""
        require_own_page(browsers, request.scope)
        return await card_of(await visits.look(link_code), agents)

    @post("/session", operation_id="share.open_session", status_code=HTTP_200_OK)
    async def open(
        self,
        *,
        request: Request[Any, Any, Any],
        data: JSONBody[OpenSessionBody | None] = None,
        visits: NamedDependency[VisitService],
        browsers: NamedDependency[BrowserSessions],
        authentication: NamedDependency[AuthService],
        link_code: FromPath[str],
    ) -> ShareSession:
        """Let a visitor in for a quarter of an hour.

        A link for members takes the session of a browser that somebody is signed in at.
        """
        require_own_page(browsers, request.scope)
        shown, peer = data or OpenSessionBody(), peer_of(request.scope)
        opened = await visits.open(
            link_code,
            OpenVisit(
                source=shown.source,
                key=(shown.key or "")[:_PROOF_CHARS],
                password=Secret(shown.password or ""),
                user_token=(shown.user_token or "")[:_PROOF_CHARS],
                member=await member_of(browsers, authentication, request.scope, peer=peer),
            ),
            peer=peer_network(peer),
        )
        return ShareSession(
            token=opened.token.reveal(),
            expires_at=seconds(opened.expires_at),
            key=opened.key or None,
        )


async def card_of(link: OpenLink, agents: AgentPublishingService) -> ShareLinkCard:
    """Show a link with what everybody may see of its agent."""
    settings = link.settings
    icon_url, welcome, suggestions = "", settings.welcome, list(settings.suggestions)
    shortcuts: list[ShareShortcut] = []
    if link.target_kind is TargetKind.AGENT:
        shown = await agents.get_public(
            link.principal, link.target_id, connector_id=link.connector_id
        )
        icon_url = shown.icon_url
        welcome = welcome or shown.onboarding.prologue
        suggestions = suggestions or list(shown.onboarding.suggested_questions)
        shortcuts = ShareShortcut.each(shown.shortcuts)
    return ShareLinkCard.of(
        link, icon_url=icon_url, welcome=welcome, suggestions=suggestions, shortcuts=shortcuts
    )
