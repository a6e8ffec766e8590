"""Traces under another key: what is still sealed under a former one is sealed anew."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from application.trace.body import TraceBodies
from domain.trace.error import TraceUnreadable
from domain.trace.repository import TraceStore
from domain.trace.value import TraceBody

_BATCH: Final = 200
_BEGIN: Final = (0, datetime(1970, 1, 1, tzinfo=UTC))


class Resealed(msgspec.Struct, frozen=True, kw_only=True):
    """How many bodies were sealed anew, and how many no key opens."""

    count: int
    unreadable: int


class TraceResealing:
    """Goes through all bodies, also while servers write others; may be repeated at any time."""

    def __init__(self, *, store: TraceStore, bodies: TraceBodies) -> None:
        self._store = store
        self._bodies = bodies

    async def run(self) -> Resealed:
        """Seal everything under the present key."""
        place, count, unreadable = _BEGIN, 0, 0
        while page := await self._page(place):
            for body in page:
                try:
                    count += await self._reseal(body)
                except TraceUnreadable:
                    unreadable += 1
            place = page[-1].run_id, page[-1].began_at
        return Resealed(count=count, unreadable=unreadable)

    async def _page(self, place: tuple[int, datetime]) -> Sequence[TraceBody]:
        async with self._store.snapshot() as uow:
            return await uow.janitor.bodies_after(place, limit=_BATCH)

    async def _reseal(self, body: TraceBody) -> bool:
        anew = await self._bodies.reseal(body)
        if anew is None:
            return False
        async with self._store.transaction() as uow:
            is_replaced = await uow.janitor.replace_body(body, anew)
            await uow.commit()
        await self._bodies.drop(body if is_replaced else anew)
        return is_replaced
