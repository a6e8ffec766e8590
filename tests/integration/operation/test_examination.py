"""The examination finds what is broken, and only that."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from application.conversation.run.event import MessageDelta, RunRecord
from application.operation.examination.doctor import Check, Examination
from application.operation.examination.rows import _WORDS, RowCheck
from application.operation.examination.runs import ChatLogCheck, JournalCheck, SpendCheck
from domain.shared.chat import Usage
from domain.workflow.engine.event import NodeFinished
from domain.workflow.engine.state import Outcome
from infra.contract.storage.inspection import CheckGroup, Retention
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.operation.inspection import SqlInspection
from tests.integration.operation.damage import (
    ANSWER,
    FLOW_RUN,
    RUN,
    TABLES,
    Break,
    breaks,
    broken,
    fill,
    journal,
    row,
    write,
)
from tests.support.clock import FrozenClock

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
RETENTION = Retention(event_log_s=3600, run_s=1800, request_key_s=24 * 3600)


@dataclass
class World:
    """A healthy deployment and those who examine it."""

    database: Database
    checks: list[Check]

    async def found(
        self, how: Examination | None = None, *, themes: Sequence[CheckGroup] | None = None
    ) -> list[str]:
        """Ids of all findings, or of those about some themes."""
        return [
            finding.id
            for check in self.checks
            if themes is None or check.name in themes
            for finding in await check.run(how or Examination())
        ]


@pytest.fixture
async def world(database: Database) -> World:
    return await healthy(database)


@pytest.fixture
async def near_world(sqlite_database: Database) -> World:
    """For what the database has no part in."""
    return await healthy(sqlite_database)


async def healthy(database: Database) -> World:
    """Fill an empty database."""
    await fill(database, NOW)
    inspection = SqlInspection(database)
    rows = [
        RowCheck(
            group,
            inspection,
            name=group.value,
            invariant="",
            clock=FrozenClock(NOW),
            retention=RETENTION,
        )
        for group in CheckGroup
    ]
    runs: list[Check] = [ChatLogCheck(inspection), JournalCheck(inspection), SpendCheck(inspection)]
    return World(database, [*rows, *runs])


async def test_a_healthy_deployment_has_no_findings(world: World) -> None:
    assert await world.found() == []
    assert await world.found(Examination(deep=True)) == []
    assert await world.found(Examination(quick=True)) == []


async def test_each_damage_to_rows_is_found_and_nothing_else(near_world: World) -> None:
    damages = breaks(NOW)

    for damage in damages:
        async with broken(near_world.database, damage, NOW):
            assert set(await near_world.found()) == {damage.finding, *_follows(damage)}, damage

    assert await near_world.found() == []
    assert {damage.finding for damage in damages} | {"old_generation"} == set(_WORDS)


@pytest.mark.long
async def test_each_damage_is_found_on_either_database(world: World) -> None:
    for damage in breaks(NOW):
        async with broken(world.database, damage, NOW):
            assert set(await world.found(themes=[damage.theme])) == {damage.finding}, damage


async def test_long_work_that_goes_on_is_not_left(near_world: World) -> None:
    held = {"next_run_at": NOW - timedelta(days=1), "lease_until": NOW + timedelta(seconds=30)}
    kinds: dict[str, dict[str, object]] = {
        "knowledge_rebuild": {"id": 46, "state": "building"},
        "knowledge_copy": {"id": 47, "status": 2},
        "knowledge_preview": {"id": 48, "expires_at": NOW + timedelta(days=6)},
    }
    rows = [
        sa.insert(TABLES[name]).values(**row(name, NOW, **values, **held))
        for name, values in kinds.items()
    ]
    await write(near_world.database, rows)

    assert await near_world.found() == []


def _follows(damage: Break) -> set[str]:
    """What else is wrong then, because the same rows say it."""
    return {"log_unreadable"} if damage.finding == "event_gap" else set()


async def test_slices_of_old_generations_are_found(near_world: World) -> None:
    slices, documents = TABLES["knowledge_slice"], TABLES["knowledge_document"]
    litter = row("knowledge_slice", NOW, id=77, document_id=9, dataset_id=8, generation=0)
    await write(
        near_world.database,
        [
            sa.insert(slices).values(**litter),
            sa.update(documents).values(updated_at=NOW - timedelta(days=1)),
        ],
    )

    assert await near_world.found() == ["old_generation"]


@pytest.mark.parametrize("case", ["order", "end", "answer", "unreadable", "late"])
async def test_what_a_chat_told_is_compared_with_what_is_stored(
    near_world: World, case: str
) -> None:
    events, messages = TABLES["run_event"], TABLES["message"]
    async with near_world.database.read() as connection:
        payload = bytes(await connection.scalar(sa.select(events.c.payload)) or b"")
    records = msgspec.json.decode(payload, type=list[RunRecord])
    if case == "order":
        records[2] = msgspec.structs.replace(records[2], seq=1)
    elif case == "end":
        records[3], records[4] = (
            msgspec.structs.replace(records[4], seq=4),
            msgspec.structs.replace(records[3], seq=5),
        )
    elif case == "answer":
        other = MessageDelta(message_id=ANSWER, text="Something else")
        records[2] = msgspec.structs.replace(records[2], event=other)
    elif case == "late":
        edited = {"updated_at": NOW, "finish_reason": "stop"}
        await write(
            near_world.database,
            [sa.update(messages).where(messages.c.id == ANSWER).values(**edited, parts=())],
        )
    data = b"[" if case == "unreadable" else msgspec.json.encode(records)
    await write(near_world.database, [sa.update(events).values(payload=data)])

    expected = {
        "order": ["log_order"],
        "end": ["log_end"],
        "answer": ["log_answer"],
        "unreadable": ["log_unreadable"],
        "late": [],  # its author edited it
    }
    assert await near_world.found() == expected[case]


async def test_a_log_without_its_beginning_is_not_compared(near_world: World) -> None:
    events, runs = TABLES["run_event"], TABLES["run"]
    async with near_world.database.read() as connection:
        payload = bytes(await connection.scalar(sa.select(events.c.payload)) or b"")
    records = msgspec.json.decode(payload, type=list[RunRecord])[2:]
    old = NOW - timedelta(hours=2)
    await write(
        near_world.database,
        [
            sa.update(events).values(first_seq=3, payload=msgspec.json.encode(records)),
            sa.update(runs).values(created_at=old),
        ],
    )

    assert await near_world.found() == []


@pytest.mark.parametrize("edges", [(), (1,)])
async def test_a_node_that_was_carried_out_twice_is_found(
    near_world: World, edges: tuple[int, ...]
) -> None:
    again = NodeFinished(path=("node 1",), outcome=Outcome(output={}), edges=edges)
    values = journal(NOW, 3, again)
    await write(near_world.database, [sa.insert(TABLES["workflow_run_log"]).values(**values)])

    assert await near_world.found() == ([] if edges else ["node_twice"])


async def test_a_journal_that_cannot_be_read_is_told(near_world: World) -> None:
    log = TABLES["workflow_run_log"]
    entries = msgspec.msgpack.encode([b"rubbish"])
    await write(
        near_world.database,
        [sa.update(log).where(log.c.run_id == FLOW_RUN, log.c.number == 1).values(entries=entries)],
    )

    assert await near_world.found() == ["journal_unreadable"]


@pytest.mark.parametrize(
    ("told", "expected"),
    [(Usage(input_tokens=8, output_tokens=3), "chat_unbooked"), (Usage(), "chat_untold")],
)
async def test_usage_is_compared_with_the_ledger(
    near_world: World, told: Usage, expected: str
) -> None:
    runs = TABLES["run"]
    await write(near_world.database, [sa.update(runs).where(runs.c.id == RUN).values(usage=told)])

    assert await near_world.found() == [expected]


async def test_large_tables_are_read_piece_by_piece(near_world: World) -> None:
    added: list[Any] = [
        row("message", NOW, id=1000 + number, conversation_id=99 if number % 50 == 0 else 4)
        for number in range(500)
    ]
    await write(near_world.database, [sa.insert(TABLES["message"]).values(added)])

    async def found(*, piece: int, quick: bool = False) -> tuple[int, int]:
        inspection = SqlInspection(near_world.database, piece=piece, newest=100)
        (oddity,) = await inspection.violations(
            CheckGroup.REFERENCES, now=NOW, retention=RETENTION, quick=quick
        )
        return oddity.count, len(oddity.examples)

    assert [await found(piece=piece) for piece in (7, 100, 10_000)] == [(10, 5)] * 3
    assert await found(piece=7, quick=True) == (2, 2)
