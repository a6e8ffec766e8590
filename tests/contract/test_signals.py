"""Wake-ups between processes; every adapter passes these."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from infra.impl.signal.local import LocalSignals


class Ear:
    """Remembers what it heard, and lets tests wait for it."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def __call__(self, key: str) -> None:
        self.heard.append(key)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(15.0):
        while not condition():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def started(signals: LocalSignals) -> AsyncGenerator[LocalSignals, None]:
    await signals.start()
    try:
        yield signals
    finally:
        await signals.aclose()


async def test_a_sender_hears_its_own_signals_in_order() -> None:
    ear, signals = Ear(), LocalSignals()
    signals.listen("run.cancel", ear)
    async with started(signals):
        for key in ("1", "2", "3"):
            signals.send("run.cancel", key)
        await until(lambda: len(ear.heard) == 3)

    assert ear.heard == ["1", "2", "3"]


async def test_every_listener_of_a_subject_hears_and_no_other() -> None:
    one, two, other, signals = Ear(), Ear(), Ear(), LocalSignals()
    for subject, ear in (("run.event", one), ("run.event", two), ("run.cancel", other)):
        signals.listen(subject, ear)
    async with started(signals):
        signals.send("run.event", "7")
        await until(lambda: one.heard == two.heard == ["7"])

    assert other.heard == []


async def test_a_listener_that_fails_keeps_nobody_from_hearing() -> None:
    def broken(_: str) -> None:
        raise ValueError("broken")

    ear, signals = Ear(), LocalSignals()
    signals.listen("run.event", broken)
    signals.listen("run.event", ear)
    async with started(signals):
        signals.send("run.event", "1")
        signals.send("run.event", "2")
        await until(lambda: ear.heard == ["1", "2"])


async def test_signals_outside_the_life_of_the_adapter_are_dropped() -> None:
    ear, signals = Ear(), LocalSignals()
    signals.listen("run.event", ear)
    signals.send("run.event", "early")
    async with started(signals):
        signals.send("run.event", "in time")
        await until(lambda: bool(ear.heard))
    signals.send("run.event", "late")

    assert ear.heard == ["in time"]


async def test_listeners_register_before_the_start() -> None:
    signals = LocalSignals()
    async with started(signals):
        with pytest.raises(RuntimeError):
            signals.listen("run.event", Ear())
