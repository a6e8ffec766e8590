"""What is remembered for some seconds."""

import asyncio

import pytest

from domain.shared.memo import Memo
from tests.support.clock import FrozenClock

TTL_S = 5.0


class Source:
    """Counts how often it is read."""

    def __init__(self) -> None:
        self.reads = 0
        self.value = "first"
        self.is_broken = False
        self.open = asyncio.Event()
        self.open.set()

    async def load(self) -> str:
        self.reads += 1
        found = self.value
        await self.open.wait()
        if self.is_broken:
            raise KeyError(found)
        return found


def memo(clock: FrozenClock, *, size: int = 10) -> Memo[str, str]:
    return Memo(clock=clock, ttl_s=TTL_S, size=size)


async def test_a_value_is_loaded_once_until_it_is_too_old(clock: FrozenClock) -> None:
    known, source = memo(clock), Source()

    assert [await known.get("a", source.load) for _ in range(3)] == ["first"] * 3
    assert source.reads == 1

    source.value = "second"
    clock.advance(seconds=TTL_S)
    assert await known.get("a", source.load) == "second"


async def test_a_crowd_loads_once(clock: FrozenClock) -> None:
    known, source = memo(clock), Source()
    source.open.clear()

    async with asyncio.TaskGroup() as group:
        crowd = [group.create_task(known.get("a", source.load)) for _ in range(20)]
        await asyncio.sleep(0)
        crowd[0].cancel()  # the others must not wait for it for ever
        source.open.set()

    assert {each.result() for each in crowd[1:]} == {"first"}
    assert source.reads <= 2


async def test_failures_are_not_kept(clock: FrozenClock) -> None:
    known, source = memo(clock), Source()
    source.is_broken = True
    with pytest.raises(KeyError):
        await known.get("a", source.load)

    source.is_broken = False

    assert await known.get("a", source.load) == "first"


async def test_what_is_forgotten_while_it_is_loaded_is_not_kept(clock: FrozenClock) -> None:
    known, source = memo(clock), Source()
    source.open.clear()
    async with asyncio.TaskGroup() as group:
        loading = group.create_task(known.get("a", source.load))
        await asyncio.sleep(0)
        source.value = "second"
        known.forget(lambda key: key == "a")
        source.open.set()

    assert loading.result() == "first"
    assert await known.get("a", source.load) == "second"


async def test_only_the_newest_are_kept(clock: FrozenClock) -> None:
    known, source = memo(clock, size=2), Source()
    for key in ("a", "b", "c", "b", "c"):
        await known.get(key, source.load)
    assert source.reads == 3

    await known.get("a", source.load)

    assert source.reads == 4
