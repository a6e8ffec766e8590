"""Turns at the tables: a statement of one workspace never waits for all those of another."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from domain.shared.capacity.fair_share import FairShare, ShareRefused
from domain.shared.capacity.share_meter import ShareFigures
from infra.contract.table.store import TableStoreUnavailable

AT_ONCE: Final = 4
"""Statements that run at the same time, and as many that write."""

BUSY: Final = "The table store is busy; try again."
_KEPT: Final = 2
"""Half is enough for one workspace: its statements may all take as long as they may."""

_WAITING: Final = 64


class TableTurns:
    """Shares what runs statements; ``wait_s`` bounds a wait that names no other."""

    def __init__(self, *, wait_s: float, figures: ShareFigures | None = None) -> None:
        self.queries, self.changes = (
            FairShare("tables", capacity=AT_ONCE, kept=_KEPT, waiting=_WAITING, wait_s=wait_s)
            for _ in range(2)
        )
        if figures is not None:
            figures.show("table queries", self.queries)
            figures.show("table changes", self.changes)


@asynccontextmanager
async def turn(
    share: FairShare, space_id: int, *, max_wait_s: float | None = None
) -> AsyncGenerator[None, None]:
    """Have a turn inside; raise ``TableStoreUnavailable`` if there is none in time."""
    try:
        await share.acquire(space_id, max_wait_s=max_wait_s)
    except ShareRefused as exc:
        raise TableStoreUnavailable(BUSY, retry_after_s=exc.retry_after_s) from exc
    try:
        yield
    finally:
        share.release(space_id)
