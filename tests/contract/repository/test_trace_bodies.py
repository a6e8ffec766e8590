"""Bodies of traces on both databases, in the row of their trace or in one of their own."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.trace.repository import Readers, TracePart
from domain.trace.value import Capture, TraceBody, TraceQuery, TraceSummary
from infra.impl.repository.sql.engine import migrate
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.trace.repository import SqlTraceStore
from infra.impl.repository.sql.trace.table import MOST_IN_ROW_BYTES, bodies, traces

NOW: Final = datetime(2026, 11, 29, tzinfo=UTC)
SPACE: Final = SpaceId(1)
SCOPE: Final = TenantScope(UserId(9), frozenset({SPACE}))
ELSEWHERE: Final = TenantScope(UserId(9), frozenset({SpaceId(2)}))
SHORT: Final = b"\x01 short"
LONG: Final = b"\x01" + b"x" * MOST_IN_ROW_BYTES


def part(
    run_id: int, sealed: bytes, *, minute: int = 0, is_first: bool = True, object_key: str = ""
) -> TracePart:
    began_at = NOW + timedelta(minutes=minute)
    return TracePart(
        summary=TraceSummary(
            run_id=run_id,
            space_id=SPACE,
            kind="chat",
            source="api",
            creator_id=UserId(9),
            capture=Capture.CONTENT,
            status="completed",
            started_at=began_at,
            ended_at=began_at + timedelta(seconds=1),
            spans=1,
        ),
        body=TraceBody(
            run_id=run_id, space_id=SPACE, began_at=began_at, object_key=object_key, sealed=sealed
        ),
        is_first=is_first,
    )


PARTS: Final = (
    part(1, SHORT + b"1"),
    part(2, LONG),
    part(3, b"", object_key="traces/1/3/7"),
    part(4, SHORT + b"4"),
    part(4, SHORT + b"5", minute=1, is_first=False),
    part(5, SHORT + b"6", is_first=False),  # before it waited nobody wanted a trace
    part(6, SHORT + b"7"),
)
BODIES: Final = [each.body for each in PARTS]


@pytest.fixture
async def store(database: Database) -> SqlTraceStore:
    store = SqlTraceStore(database)
    for each in PARTS:
        async with store.transaction() as uow:
            await uow.settle([each])
            await uow.commit()
    return store


async def all_of(store: SqlTraceStore) -> Sequence[TraceBody]:
    async with store.snapshot() as uow:
        return await uow.traces.bodies(SCOPE, range(1, 7))


async def test_only_a_short_first_one_is_in_the_row_of_its_trace(
    store: SqlTraceStore, database: Database
) -> None:
    async with database.read() as connection:
        in_row = await connection.execute(
            sa.select(traces.c.run_id, traces.c.body).where(traces.c.body.is_not(None))
        )
        own = await connection.scalars(sa.select(bodies.c.run_id))

        assert {row.run_id: row.body for row in in_row} == {
            1: SHORT + b"1",
            4: SHORT + b"4",
            6: SHORT + b"7",
        }
        assert sorted(own) == [2, 3, 4, 5]


async def test_wherever_they_are_they_are_read_in_order(store: SqlTraceStore) -> None:
    assert await all_of(store) == BODIES
    async with store.snapshot() as uow:
        assert await uow.traces.bodies(ELSEWHERE, range(1, 7)) == []
        assert await uow.janitor.bodies(range(1, 7)) == BODIES
        assert await uow.texts.bodies(range(1, 7)) == BODIES
        counts = [await uow.traces.stretches(SCOPE, each) for each in range(8)]
        assert counts == [0, 1, 1, 1, 2, 1, 1, 0]
        assert await uow.traces.stretches(ELSEWHERE, 4) == 0


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
async def test_pages_of_all_of_them_miss_none(store: SqlTraceStore, limit: int) -> None:
    found: list[TraceBody] = []
    place = 0, datetime(1970, 1, 1, tzinfo=UTC)
    async with store.snapshot() as uow:
        while page := await uow.janitor.bodies_after(place, limit=limit):
            assert len(page) <= limit
            found += page
            place = page[-1].run_id, page[-1].began_at
    assert found == BODIES


async def test_each_is_replaced_where_it_is_while_it_is_as_it_was(store: SqlTraceStore) -> None:
    anew = [replace(body, sealed=b"\x02" + body.sealed[1:]) for body in BODIES]
    async with store.transaction() as uow:
        for former, body in zip(BODIES, anew, strict=True):
            assert await uow.janitor.replace_body(former, body)
            assert not await uow.janitor.replace_body(former, body)
        await uow.commit()

    assert await all_of(store) == anew


async def test_without_what_was_said_each_stretch_keeps_its_own(store: SqlTraceStore) -> None:
    bare = [replace(body, sealed=b"\x03", object_key="") for body in BODIES]
    async with store.transaction() as uow:
        for each in PARTS:
            mine = [body for body in bare if body.run_id == each.summary.run_id]
            summary = replace(each.summary, capture=Capture.METADATA)
            await uow.janitor.rewrite(summary, mine)
        await uow.commit()

    assert await all_of(store) == bare
    async with store.snapshot() as uow:
        assert not await uow.texts.bodies(range(1, 7))


async def test_with_its_trace_each_is_gone(store: SqlTraceStore) -> None:
    async with store.transaction() as uow:
        await uow.janitor.remove([1, 2, 4])
        await uow.commit()

    assert [body.run_id for body in await all_of(store)] == [3, 5, 6]


async def test_a_list_reads_no_bodies(store: SqlTraceStore, database: Database) -> None:
    asked: list[str] = []

    @sa.event.listens_for(sa.Engine, "before_cursor_execute")
    def note(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(statement)

    try:
        async with store.snapshot() as uow:
            due = await uow.janitor.expired(
                before=NOW + timedelta(days=1), content_only=True, limit=10
            )
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)

    assert [summary.run_id for summary in due][:1] == [1]
    assert not [text for text in asked if "trace.body" in text]
    assert all(a.started_at <= b.started_at for a, b in pairwise(due))


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (TraceQuery(agent_id=11), "ix_trace_of_agent"),
        (TraceQuery(workflow_id=21), "ix_trace_of_workflow"),
        (TraceQuery(), "ix_trace_space_id_started_at"),
    ],
    ids=["agent", "workflow", "workspace"],
)
async def test_a_list_is_read_from_its_index(tmp_path: Path, query: TraceQuery, index: str) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'new.db'}")
    await migrate.upgrade(database)
    asked: list[tuple[str, Any]] = []

    @sa.event.listens_for(sa.Engine, "before_cursor_execute")
    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        asked.append((statement, parameters))

    readers = Readers(space_ids=SCOPE.space_ids, own_space_ids=frozenset(), user_id=UserId(9))
    try:
        async with SqlTraceStore(database).snapshot() as uow:
            await uow.traces.page(SCOPE, query, readers=readers)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)

    statement, parameters = asked[-1]
    async with database.read() as connection:
        plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        assert index in "\n".join(str(row) for row in plan)
    await database.aclose()
