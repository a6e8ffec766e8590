"""Wake-ups between processes; every adapter passes these."""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol
from uuid import uuid4

import pytest

from infra.contract.adapter import Channel
from infra.contract.lifecycle import Managed
from infra.contract.messaging.signal import Signals
from infra.impl.nats.connection import NatsConnection, NatsOptions
from infra.impl.signal.local import LocalSignals
from infra.impl.signal.nats import NatsSignals
from infra.impl.signal.siblings import SiblingSignals
from tests.support.service.nats import NatsServer, running_nats
from tests.support.wait import until_so


class ManagedSignals(Signals, Managed, Protocol):
    """Signals with a life cycle."""


class Ear:
    """Remembers what it heard."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def __call__(self, key: str) -> None:
        self.heard.append(key)


@contextmanager
def siblings(count: int) -> Iterator[list[SiblingSignals]]:
    """As many as share a parent."""
    ends = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(count)]
    for end in (end for pair in ends for end in pair):
        end.setblocking(False)
    yield [
        SiblingSignals(
            Channel(
                receiver=ear.fileno(),
                senders=[each.fileno() for _, each in ends if each is not own],
            )
        )
        for ear, own in ends
    ]
    for end in (end for pair in ends for end in pair):
        end.close()


def on(server: NatsServer, prefix: str) -> NatsSignals:
    return NatsSignals(NatsConnection(NatsOptions(servers=(server.url,))), prefix=prefix)


@pytest.fixture(params=["local", "siblings", "nats"])
def signals(request: pytest.FixtureRequest) -> Iterator[ManagedSignals]:
    """Signals of each kind in turn, not started yet."""
    match request.param:
        case "local":
            yield LocalSignals()
        case "siblings":
            with siblings(3) as (one, _, _):
                yield one
        case _:
            yield on(request.getfixturevalue("nats_server"), uuid4().hex)


@pytest.fixture(params=["siblings", "nats"])
def three(
    request: pytest.FixtureRequest,
) -> Iterator[tuple[ManagedSignals, ManagedSignals, ManagedSignals]]:
    """Signals of two processes of a deployment and of one of another, for each kind in turn."""
    if request.param == "siblings":
        with siblings(2) as (here, there), siblings(1) as (elsewhere,):
            yield here, there, elsewhere
        return
    server, prefix = request.getfixturevalue("nats_server"), uuid4().hex
    yield on(server, prefix), on(server, prefix), on(server, uuid4().hex)


@asynccontextmanager
async def started(*signals: ManagedSignals) -> AsyncGenerator[None, None]:
    for each in signals:
        await each.start()
    try:
        yield
    finally:
        for each in signals:
            await each.aclose()


async def test_a_sender_hears_its_own_signals_once_and_in_order(signals: ManagedSignals) -> None:
    ear = Ear()
    signals.listen("run.cancel", ear)
    async with started(signals):
        for key in ("1", "2", "3"):
            signals.send("run.cancel", key)
        await until_so(lambda: len(ear.heard) >= 3)

    assert ear.heard == ["1", "2", "3"]


async def test_every_listener_of_a_subject_hears_and_no_other(signals: ManagedSignals) -> None:
    one, two, other = Ear(), Ear(), Ear()
    for subject, ear in (("run.event", one), ("run.event", two), ("run.cancel", other)):
        signals.listen(subject, ear)
    async with started(signals):
        signals.send("run.event", "7")
        await until_so(lambda: one.heard == two.heard == ["7"])

    assert other.heard == []


async def test_a_listener_that_fails_keeps_nobody_from_hearing(signals: ManagedSignals) -> None:
    def broken(_: str) -> None:
        raise ValueError("broken")

    ear = Ear()
    signals.listen("run.event", broken)
    signals.listen("run.event", ear)
    async with started(signals):
        signals.send("run.event", "1")
        signals.send("run.event", "2")
        await until_so(lambda: ear.heard == ["1", "2"])


async def test_signals_outside_the_life_of_the_adapter_are_dropped(
    signals: ManagedSignals,
) -> None:
    ear = Ear()
    signals.listen("run.event", ear)
    signals.send("run.event", "early")
    async with started(signals):
        signals.send("run.event", "in time")
        await until_so(lambda: bool(ear.heard))
    signals.send("run.event", "late")

    assert ear.heard == ["in time"]


async def test_listeners_register_before_the_start(signals: ManagedSignals) -> None:
    async with started(signals):
        with pytest.raises(RuntimeError):
            signals.listen("run.event", Ear())


async def test_other_processes_hear_but_not_other_deployments(
    three: tuple[ManagedSignals, ManagedSignals, ManagedSignals],
) -> None:
    here, there, elsewhere = three
    ear, stranger = Ear(), Ear()
    there.listen("run.cancel", ear)
    elsewhere.listen("run.cancel", stranger)
    async with started(there, elsewhere, here):
        for key in range(100):
            here.send("run.cancel", str(key))
        await until_so(lambda: len(ear.heard) >= 100)

    assert sorted(map(int, ear.heard)) == list(range(100))
    assert stranger.heard == []


async def test_what_is_not_a_signal_is_passed_over(nats_server: NatsServer) -> None:
    prefix = uuid4().hex
    here, there = on(nats_server, prefix), on(nats_server, prefix)
    ear = Ear()
    there.listen("run.cancel", ear)
    connection = NatsConnection(NatsOptions(servers=(nats_server.url,)))
    async with started(there, here):
        await connection.start()
        await connection.client.publish(f"{prefix}.signals.run.cancel", b"{}")
        await connection.client.flush()
        await connection.aclose()
        here.send("run.cancel", "1")
        await until_so(lambda: ear.heard == ["1"])


async def test_a_sibling_that_hears_nothing_holds_nobody_up() -> None:
    with siblings(3) as (here, deaf, there):
        theirs = Ear()
        there.listen("run.event", theirs)
        async with started(here, there):
            for number in range(20_000):  # more than any queue between processes holds
                here.send("run.event", str(number))
                if not number % 1000:
                    await asyncio.sleep(0)

            def heard() -> bool:
                here.send("run.event", "last")
                return "last" in theirs.heard

            await until_so(heard)
            stale = Ear()
            deaf.listen("run.event", stale)
            async with started(deaf):
                here.send("run.event", "new")
                await until_so(lambda: "new" in stale.heard)

    assert not [key for key in stale.heard if key.isdecimal()], "That was for who was there."


async def test_what_is_no_signal_of_a_sibling_is_passed_over() -> None:
    with siblings(2) as (here, there):
        ear = Ear()
        there.listen("run.event", ear)
        async with started(here, there):
            os.write(here._channel.senders[0], b"{}")
            here.send("run.event", "1")
            await until_so(lambda: ear.heard == ["1"])


async def test_without_the_server_this_process_hears_and_later_the_others_again() -> None:
    with running_nats() as server:
        here, there = on(server, "x"), on(server, "x")
        mine, theirs = Ear(), Ear()
        here.listen("run.event", mine)
        there.listen("run.event", theirs)
        async with started(here, there):
            await asyncio.to_thread(server.kill)
            here.send("run.event", "alone")
            await until_so(lambda: mine.heard == ["alone"])
            await asyncio.to_thread(server.start)

            def heard() -> bool:
                here.send("run.event", "again")
                return "again" in theirs.heard

            await until_so(heard)
