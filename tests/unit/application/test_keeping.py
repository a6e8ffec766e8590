"""Claims are renewed while work goes on, and no longer."""

import asyncio

import pytest

from application.shared.heartbeat import keeping
from domain.shared.error import NotFound, Unavailable


async def test_renewals_survive_failures_and_end_with_the_work() -> None:
    calls = 0
    enough = asyncio.Event()

    async def renew() -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise Unavailable("busy")
        enough.set()

    async def work() -> None:
        await asyncio.wait_for(enough.wait(), 60)
        raise NotFound("of the work")

    with pytest.raises(NotFound, match="of the work"):
        await keeping(work, renew, every_s=0.001)
    before = calls
    await asyncio.sleep(0.02)
    assert calls == before
