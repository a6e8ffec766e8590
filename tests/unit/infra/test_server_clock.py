"""A clock that goes by the database server's."""

import asyncio
from datetime import UTC, datetime, timedelta

from domain.shared.error import Unavailable
from infra.impl.clock.server import ServerClock
from tests.support.clock import FrozenClock

NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)


class World:
    """A machine and a server with clocks of their own."""

    def __init__(self) -> None:
        self.machine = FrozenClock(NOON + timedelta(hours=1))
        self.server = FrozenClock(NOON)
        self.ticks = 1000.0
        self.travel_s = 0.0
        self.is_away = False
        self.clock = ServerClock(self.ask, machine=self.machine, monotonic=lambda: self.ticks)

    async def ask(self) -> datetime:
        if self.is_away:
            raise Unavailable("The server does not answer.")
        self.pass_time(self.travel_s / 2)
        found = self.server.now()
        self.pass_time(self.travel_s / 2)
        return found

    def pass_time(self, seconds: float) -> None:
        self.ticks += seconds
        self.server.advance(seconds=seconds)
        self.machine.advance(seconds=seconds)

    @property
    def error_s(self) -> float:
        return abs((self.clock.now() - self.server.now()).total_seconds())


async def test_it_shows_the_servers_time_however_wrong_the_machine_is() -> None:
    world = World()
    assert world.clock.now() == world.machine.now()

    await world.clock.compare()
    world.machine.advance(hours=-5)
    world.pass_time(8)

    assert world.error_s < 0.001
    assert world.clock.now().tzinfo is UTC


async def test_a_slow_answer_does_not_move_it_further_than_it_can_be_trusted() -> None:
    world = World()
    await world.clock.compare()

    world.travel_s = 0.4
    await world.clock.compare()
    assert world.error_s < 0.001
    world.travel_s = 30.0
    world.server.advance(seconds=5)
    await world.clock.compare()

    assert 4.9 < world.error_s < 5.1


async def test_it_follows_when_the_servers_clock_is_set() -> None:
    world = World()
    await world.clock.compare()

    world.server.advance(hours=-1)
    await world.clock.compare()

    assert world.error_s < 0.001


async def test_it_goes_on_while_the_server_is_away() -> None:
    world = World()
    clock = ServerClock(world.ask, machine=world.machine, interval_s=0.001)
    await clock.start()
    world.is_away = True
    try:
        before = clock.now()
        await asyncio.sleep(0.05)
        after = clock.now()
        world.is_away = False
    finally:
        await clock.aclose()  # raises what ended the comparisons, if anything did

    assert after > before
