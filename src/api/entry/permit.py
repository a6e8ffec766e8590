"""What ends an answer that takes long once its caller may not have it any more."""

import asyncio
from types import TracebackType
from typing import Any, Final

from litestar.types import Scope

from application.identity.following import Followers
from domain.shared.access import Principal
from domain.shared.error import Unauthenticated

PRINCIPAL: Final = "coterie_principal"
"""Key in the scope of a request whose caller is known."""

ENDED: Final = "The access token was revoked, its account disabled, or its rights taken away."


class WhilePermitted:
    """Context of a long answer; raises ``Unauthenticated`` out of it when the rights end.

    ``space_id`` is where what is answered lives, if that is known. Costs nothing meanwhile: whoever
    changes rights ends the context.
    """

    def __init__(self, scope: Scope, *, space_id: int | None = None) -> None:
        self._scope: Any = scope
        self._space_id = space_id
        self._timeout = asyncio.timeout(None)
        self._has_ended = False

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        principal: Principal | None = self._scope.get(PRINCIPAL)
        if principal is not None:
            followers: Followers = self._scope["litestar_app"].state.followers
            self._leave = followers.add(principal, self._space_id, self._end)
        else:
            self._leave = _nothing

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        leave, self._leave = self._leave, _nothing  # it refers to us
        leave()
        try:
            await self._timeout.__aexit__(kind, error, trace)
        except TimeoutError:
            if not self._has_ended:
                raise
            raise Unauthenticated(ENDED) from None

    def _end(self) -> None:
        self._has_ended = True
        if not self._timeout.expired():
            self._timeout.reschedule(asyncio.get_running_loop().time())


def _nothing() -> None:
    """Nobody is known who could lose rights."""
