"""Consumers and what is stored for them: each event that somebody names, and no other."""

import importlib
import pkgutil
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import sqlalchemy as sa
from msgspec import inspect

import domain
from application.conversation.dto import StartRun
from application.conversation.run.event import RunCompleted
from bootstrap.compose.consumers import STORED, Consumer
from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.server.lifecycle import opened, subscribe, subscribe_work
from bootstrap.server.process import ensure_ready
from domain.shared.aggregate import DomainEvent
from infra.impl.repository.sql.engine.unit_of_work import AUDITED, SqlUnitOfWork
from infra.impl.repository.sql.event.table import outbox
from tests.support.conversation.harness import text_message

PROCESSES: Final = {"server": subscribe, "worker": subscribe_work}


_SAMPLES: Final[dict[type[inspect.Type], Any]] = {
    inspect.IntType: 1,
    inspect.StrType: "x",
    inspect.BoolType: False,
    inspect.DateTimeType: datetime(2026, 1, 1, tzinfo=UTC),
    inspect.VarTupleType: (),
}


def kinds(parent: type[DomainEvent] = DomainEvent) -> Iterator[type[DomainEvent]]:
    for child in parent.__subclasses__():
        yield child
        yield from kinds(child)


def topics_of_the_code() -> dict[str, type[DomainEvent]]:
    for module in pkgutil.walk_packages(domain.__path__, "domain."):
        importlib.import_module(module.name)
    ours = [kind for kind in kinds() if kind.__module__.startswith("domain.")]
    return {str(kind.__struct_config__.tag): kind for kind in ours}


def sample(kind: type[DomainEvent]) -> DomainEvent:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    fields = {each.name: _value(each.type) for each in info.fields if each.required}
    return msgspec.convert({"type": info.tag, **fields}, kind)


def _value(info: inspect.Type) -> Any:
    if isinstance(info, inspect.LiteralType):
        return info.values[0]
    if isinstance(info, inspect.EnumType):
        return next(iter(info.cls))
    if isinstance(info, inspect.UnionType):
        return None
    return _SAMPLES[type(info)]


@pytest.fixture
def unopened(tmp_path: Path) -> Container:
    settings = load({"COTERIE_DATA_DIR": str(tmp_path), "COTERIE_CODE__PREPARE": "false"})
    return Container(settings=settings)


@pytest.fixture
async def container(unopened: Container) -> AsyncGenerator[Container, None]:
    """The parts of a process that nobody subscribed yet, on an empty deployment."""
    async with opened(unopened):
        yield unopened


async def stored(container: Container) -> list[str]:
    async with container.database().read() as connection:
        return sorted(await connection.scalars(sa.select(outbox.c.topic)))


def test_each_stored_event_has_a_consumer_and_each_consumer_its_events() -> None:
    """The audit log is written with what changes; its consumer hears what was stored before."""
    others = [consumer for consumer in Consumer if consumer is not Consumer.AUDIT]

    assert {topic for consumer in others for topic in consumer.topics} == STORED
    assert topics_of_the_code().keys() >= STORED, "A consumer waits for what nobody records."
    assert all(consumer.topics for consumer in Consumer)


@pytest.mark.parametrize("process", PROCESSES)
async def test_a_process_routes_exactly_what_is_stored(container: Container, process: str) -> None:
    PROCESSES[process](container)

    routes = container.bus().routes
    assert routes == {consumer.subscription: consumer.topics for consumer in Consumer}
    assert container.database().stored == STORED


async def test_what_is_read_from_the_tail_is_stored(container: Container) -> None:
    followed = container.invalidation_poller().topics

    assert followed
    assert followed <= STORED


async def test_whoever_commits_stores_what_any_process_listens_to(container: Container) -> None:
    """As a command does, which knows no consumer, and a worker, which serves few."""
    before = await stored(container)
    samples = {topic: sample(kind) for topic, kind in topics_of_the_code().items()}
    told: list[str] = []
    container.database().listen(told.extend)

    async with container.database().transaction(SqlUnitOfWork)() as uow:
        uow.collect(*samples.values())
        await uow.commit()
    async with container.database().transaction(SqlUnitOfWork)() as uow:
        kinds_unheard = (
            kind for topic, kind in topics_of_the_code().items() if topic not in STORED
        )
        uow.collect(*map(sample, kinds_unheard))
        await uow.commit()

    assert samples.keys() > STORED
    assert await stored(container) == sorted([*before, *STORED])
    assert sorted(told) == sorted([*STORED, AUDITED, AUDITED]), "twice: each left rows to chain"


async def test_a_chat_stores_no_event_that_nobody_waits_for(unopened: Container) -> None:
    container = unopened
    async with opened(container, serving=True):
        ready = await ensure_ready(container)
        principal = await container.identity().bootstrap.operator()
        before = await stored(container)
        asked = StartRun(
            agent_id=ready.agent_id, end_user_id="eve", messages=(text_message("Hello"),)
        )
        runs = container.conversation().runs

        run = await runs.start(principal, asked)
        async with aclosing(runs.follow(principal, run.id)) as batches:
            ends = [record async for batch in batches for record in batch]

        assert isinstance(ends[-1].event, RunCompleted)
        assert await stored(container) == before
