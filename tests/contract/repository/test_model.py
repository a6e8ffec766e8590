"""Model entries and the ledger of model calls, on SQLite and PostgreSQL."""

import asyncio
from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import pytest
import sqlalchemy as sa

from domain.model.entity import ModelEntry, ModelId
from domain.model.error import ModelNameTaken, ModelNotFound
from domain.model.price import PriceTable, PriceTier
from domain.model.value import ModelSpec
from domain.shared.account import Account
from domain.shared.chat import Capabilities, ModelCall, Usage
from domain.shared.error import StaleRevision
from domain.shared.ids import RunId, SpaceId
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ParameterMapping
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from infra.impl.repository.sql.model.repository import SqlModelStore, model_entry
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
BOX = AesGcmSecretBox(bytes(32))
KEY = Secret("sk-0123456789abcdef")
SPEC = ModelSpec(
    name="main",
    model="vendor-large",
    base_url="https://models.test/v1",
    aliases=("fast",),
    headers={"X-Team": "a"},
    window=128_000,
    capabilities=Capabilities(vision=True),
    mapping=ParameterMapping(rename={"max_tokens": "max_completion_tokens"}),
    prices=PriceTable(tiers=(PriceTier(input=Decimal("0.25")),)),
    fallbacks=("other",),
)


@pytest.fixture
def store(database: Database) -> SqlModelStore:
    return SqlModelStore(database, BOX)


def entry(number: int = 1, name: str = "main") -> ModelEntry:
    spec = msgspec.structs.replace(SPEC, name=name)
    return ModelEntry.create(ModelId(number), spec=spec, api_key=KEY, now=NOW)


async def save(store: SqlModelStore, *entries: ModelEntry) -> None:
    async with store.transaction() as uow:
        for each in entries:
            await uow.models.save(each)
        await uow.commit()


async def load(store: SqlModelStore, number: int = 1) -> ModelEntry:
    async with store.snapshot() as uow:
        return await uow.models.get(ModelId(number))


async def test_an_entry_comes_back_as_it_was_saved(store: SqlModelStore) -> None:
    saved = entry()
    saved.appoint(is_default=True, is_vision_default=True, now=NOW)
    await save(store, saved)
    assert (await load(store)).to_model() == saved.to_model()


async def test_the_key_is_sealed_at_rest(store: SqlModelStore, database: Database) -> None:
    await save(store, entry())
    async with database.read() as connection:
        row = (await connection.execute(sa.select(model_entry))).one()
        events = (await connection.execute(sa.select(outbox.c.payload))).scalars().all()
    assert KEY.reveal().encode() not in row.sealed_key
    assert KEY.reveal() not in str(row)
    assert len(events) == 1
    assert KEY.reveal().encode() not in events[0]


async def test_another_master_key_leaves_the_rest_readable(
    store: SqlModelStore, database: Database
) -> None:
    await save(store, entry())
    other = SqlModelStore(database, AesGcmSecretBox(b"\x01" * 32))
    found = await load(other)
    assert not found.is_key_readable
    found.switch(is_enabled=False, now=NOW)
    await save(other, found)
    restored = await load(store)
    assert (restored.api_key, restored.is_enabled) == (KEY, False)


async def test_entries_are_listed_oldest_first(store: SqlModelStore) -> None:
    await save(store, entry(2, "two"), entry(1, "one"))
    async with store.snapshot() as uow:
        assert [each.spec.name for each in await uow.models.all()] == ["one", "two"]


async def test_a_name_belongs_to_one_entry(store: SqlModelStore) -> None:
    await save(store, entry())
    with pytest.raises(ModelNameTaken, match="main"):
        await save(store, entry(2))


async def test_a_stale_change_is_refused(store: SqlModelStore) -> None:
    await save(store, entry())
    one, other = await load(store), await load(store)
    one.switch(is_enabled=False, now=NOW)
    await save(store, one)
    other.switch(is_enabled=False, now=NOW)
    with pytest.raises(StaleRevision):
        await save(store, other)


async def test_a_removed_entry_is_gone(store: SqlModelStore, database: Database) -> None:
    await save(store, entry())
    found = await load(store)
    found.retire(now=NOW)
    async with store.transaction() as uow:
        await uow.models.remove(found)
        await uow.commit()
    with pytest.raises(ModelNotFound):
        await load(store)
    async with database.read() as connection:
        topics = (await connection.execute(sa.select(outbox.c.topic))).scalars().all()
    assert topics == ["model.changed"] * 2


async def test_one_of_two_simultaneous_entries_of_a_name_wins(store: SqlModelStore) -> None:
    outcomes = await asyncio.gather(
        save(store, entry(1)), save(store, entry(2)), return_exceptions=True
    )
    assert sum(outcome is None for outcome in outcomes) == 1
    assert any(isinstance(outcome, ModelNameTaken | StaleRevision) for outcome in outcomes)


CALL = ModelCall(
    model="main",
    provider="openai",
    attempt=1,
    purpose="chat",
    usage=Usage(input_tokens=10, output_tokens=5, cached_tokens=2, reasoning_tokens=1),
    outcome="ok",
    finish_reason="stop",
    first_token_ms=12,
    total_ms=80,
    cost="0.00000001",
    ended_at=NOW,
)


async def test_the_ledger_keeps_every_call_of_a_run(database: Database) -> None:
    failed = msgspec.structs.replace(
        CALL, outcome="failed", error="timeout: " + "x" * 400, first_token_ms=None, cost="0"
    )
    async with database.transaction(SqlUnitOfWork)() as uow:
        ledger = SqlModelCallLedger(uow)
        await ledger.append(SpaceId(2), RunId(3), 1, [failed, CALL], Account())
        await ledger.append(SpaceId(2), RunId(3), 3, [], Account())
        await uow.commit()
    async with database.snapshot(SqlUnitOfWork)() as uow:
        ledger = SqlModelCallLedger(uow)
        first, second = await ledger.of_run(SpaceId(2), RunId(3))
        assert await ledger.of_run(SpaceId(9), RunId(3)) == []
    assert second == CALL
    assert (first.outcome, len(first.error), first.cost) == ("failed", 300, "0.00000000")


async def append_once(database: Database) -> None:
    async with database.transaction(SqlUnitOfWork)() as uow:
        await SqlModelCallLedger(uow).append(SpaceId(2), RunId(3), 1, [CALL], Account())
        await uow.commit()


async def test_a_call_number_is_used_once(database: Database) -> None:
    await append_once(database)

    with pytest.raises(sa.exc.IntegrityError):
        await append_once(database)
