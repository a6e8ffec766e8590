"""Claims are renewed while work goes on, and no longer."""

import asyncio

import pytest

from application.shared.heartbeat import with_heartbeat
from domain.shared.error import NotFound, Unavailable


async def test_renewals_survive_failures_and_end_with_the_work() -> None:
    calls = 0
    enough = asyncio.Event()

    async def renew() -> bool:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise Unavailable("busy")
        enough.set()
        return True

    async def work() -> None:
        await asyncio.wait_for(enough.wait(), 60)
        raise NotFound("of the work")

    with pytest.raises(NotFound, match="of the work"):
        await with_heartbeat(work, renew, every_s=0.001)
    before = calls
    await asyncio.sleep(0.02)
    assert calls == before


async def test_work_whose_lease_is_lost_is_cancelled() -> None:
    was_cancelled = False

    async def renew() -> bool:
        return False

    async def work() -> None:
        nonlocal was_cancelled
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            was_cancelled = True
            raise

    async with asyncio.timeout(60):
        assert not await with_heartbeat(work, renew, every_s=0.001)
    assert was_cancelled
