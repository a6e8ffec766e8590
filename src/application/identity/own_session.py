"""Session of the caller, as it is stored now: another process may have ended it a moment ago."""

from typing import Final

from domain.identity.error import SessionNotFound
from domain.identity.repository import IdentityUnitOfWork
from domain.identity.session import BrowserSession
from domain.shared.access import Principal
from domain.shared.error import Unauthenticated
from domain.shared.ids import SessionId

SIGNED_OUT: Final = "The session has ended; sign in again."


async def own_session(uow: IdentityUnitOfWork, principal: Principal) -> BrowserSession:
    """Return the session that asks; raise ``Unauthenticated`` if it has ended."""
    try:
        return await uow.sessions.get(principal.user_id, SessionId(principal.token_id))
    except SessionNotFound as exc:
        raise Unauthenticated(SIGNED_OUT) from exc
