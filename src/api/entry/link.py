"""Visitors of share links in a request: whom the token of a link stands for."""

from typing import Any, Final

from api.entry.session import BrowserSessions
from application.identity.authentication import AuthService
from application.share.dto import Visitor
from application.share.visit import VisitService
from domain.shared.access import Principal
from domain.shared.error import Forbidden, Unauthenticated

VISITOR: Final = "coterie_visitor"
"""Key in the scope of a request of a visitor."""


class ForeignPage(Forbidden):
    """A page of another site asks in the place of the page of the link."""


class LinkEntry:
    """Lets visitors in, from pages of this server and from programs."""

    def __init__(
        self, visits: VisitService, browsers: BrowserSessions, sessions: AuthService
    ) -> None:
        self._visits = visits
        self._sessions = sessions
        self._browsers = browsers

    async def caller(self, scope: Any, header: str | None, *, peer: str) -> Visitor:
        """Return who visits the link that the path names; raise ``Unauthenticated``."""
        require_own_page(self._browsers, scope)
        code = str(scope["path_params"].get("link_code", ""))
        visitor = await self._visits.authenticate(header, code=code)
        if visitor.needs_member:
            member = await member_of(self._browsers, self._sessions, scope, peer=peer)
            visitor = self._visits.as_member(visitor, member)
        scope[VISITOR] = visitor
        return visitor


async def member_of(
    browsers: BrowserSessions, sessions: AuthService, scope: Any, *, peer: str
) -> Principal | None:
    """Return who is signed in at the browser of a request from a page of ours; None if nobody is.

    The session opens nothing by itself here: a visitor has the token of the link besides.
    """
    try:
        text = browsers.text(scope)
        if text is None:
            return None
        return await sessions.authenticate_session(text, peer=peer)
    except Unauthenticated:
        return None


def require_own_page(browsers: BrowserSessions, scope: Any) -> None:
    """Raise ``ForeignPage`` for a page of another site; programs name no origin at all."""
    if not browsers.is_at_home(scope):
        raise ForeignPage("Pages of other sites show the chat in a frame: use /embed.js.")


def visitor_of(request: Any) -> Visitor:
    """Return the visitor of a route of links."""
    visitor: Visitor | None = request.scope.get(VISITOR)
    if visitor is None:
        raise Unauthenticated("This needs the token of a share link.")
    return visitor
