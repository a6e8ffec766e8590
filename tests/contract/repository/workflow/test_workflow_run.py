"""What the storage of workflow runs promises, on every database."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import RunId, SpaceId, UserId
from domain.workflow.canvas.text import Canvas
from domain.workflow.engine.interrupt import Interrupt, InterruptKind
from domain.workflow.run.repository import (
    LogBatch,
    RunQuery,
    RunWrite,
    Snapshot,
    WorkflowRunStore,
)
from domain.workflow.run.workflow_run import (
    RunFault,
    RunKind,
    RunMode,
    RunPhase,
    WorkflowRun,
    WorkflowRunNotFound,
)
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.workflow.run import SqlWorkflowRunStore
from tests.support.clock import FrozenClock

SPACE, OTHER = SpaceId(7), SpaceId(8)
OWNER = UserId(3)
SCOPE = TenantScope(OWNER, frozenset({SPACE}))
FOREIGN = TenantScope(UserId(4), frozenset({OTHER}))
QUESTION = Interrupt(
    id="9", kind=InterruptKind.QUESTION, path=("a",), node_id="a", node_title="A", data="{}"
)


@pytest.fixture
def store(database: Database) -> WorkflowRunStore:
    return SqlWorkflowRunStore(database)


def new_run(clock: FrozenClock, number: int = 1, **changes: object) -> WorkflowRun:
    values: dict[str, object] = {
        "id": RunId(number),
        "space_id": SPACE,
        "workflow_id": 5,
        "version": "v0.0.1",
        "version_hash": "hash",
        "kind": RunKind.RELEASE,
        "mode": RunMode.ASYNC,
        "creator_id": OWNER,
        "connector_id": CONNECTOR_API,
        "input": {"q": "x\u0000y"},
        "created_at": clock.now(),
        "updated_at": clock.now(),
        **changes,
    }
    return WorkflowRun(**values)  # type: ignore[arg-type]


def begun(clock: FrozenClock, number: int = 1, owner: str = "me") -> WorkflowRun:
    run = new_run(clock, number)
    run.begin(owner, now=clock.now(), lease_s=30, limit_s=600)
    return run


def batch(number: int, *, after: int = 0, to: int = 0, seqs: tuple[int, int] = (0, 0)) -> LogBatch:
    return LogBatch(
        number=number,
        entries_after=after,
        entries_to=to,
        entries=b"e%d" % number,
        first_seq=seqs[0],
        last_seq=seqs[1],
        events=b"v%d" % number,
    )


def write_of(run: WorkflowRun, *, saves: bool = True, **rest: object) -> RunWrite:
    events = tuple(run.pull_events())
    return RunWrite(run=run, revision=run.revision, saves=saves, events=events, **rest)  # type: ignore[arg-type]


async def commit(
    store: WorkflowRunStore, *writes: RunWrite, is_repeated: bool = False
) -> set[RunId]:
    async with store.transaction() as uow:
        lost = await uow.queue.write(writes, is_repeated=is_repeated)
        await uow.commit()
    for each in writes:
        if each.saves and each.run.id not in lost:
            each.run.revision = each.revision + 1
    return lost


async def load(store: WorkflowRunStore, number: int = 1, scope: TenantScope = SCOPE) -> WorkflowRun:
    async with store.snapshot() as uow:
        return await uow.runs.get(scope, RunId(number))


async def test_a_run_comes_back_as_it_was(store: WorkflowRunStore, clock: FrozenClock) -> None:
    run = begun(clock)
    run.pending = (QUESTION,)
    run.fault = RunFault(code=1, internal_code=2, message="m", node_id="n")
    await commit(store, write_of(run))
    found = await load(store)

    assert vars(found) == vars(run)
    with pytest.raises(WorkflowRunNotFound):
        await load(store, scope=FOREIGN)


async def test_runs_of_another_end_user_stay_hidden(
    store: WorkflowRunStore, clock: FrozenClock
) -> None:
    run = new_run(clock, end_user_id="ann")
    await commit(store, write_of(run))

    assert (await load(store, scope=TenantScope(OWNER, frozenset({SPACE}), "ann"))).id == run.id
    with pytest.raises(WorkflowRunNotFound):
        await load(store, scope=TenantScope(OWNER, frozenset({SPACE}), "bob"))


async def test_the_newest_run_of_each_workflow_is_found(
    store: WorkflowRunStore, clock: FrozenClock
) -> None:
    await commit(store, *(write_of(begun(clock, each)) for each in (1, 2)))
    other = new_run(clock, 3, workflow_id=11)
    await commit(store, write_of(other))

    async with store.snapshot() as uow:
        found = await uow.runs.newest(SCOPE, [5, 11, 12])
        assert await uow.runs.newest(FOREIGN, [5, 11]) == []
        assert await uow.runs.newest(SCOPE, []) == []

    assert [(each.workflow_id, each.id) for each in found] == [(5, 2), (11, 3)]


async def test_many_runs_are_written_at_once(
    store: WorkflowRunStore, clock: FrozenClock, database: Database
) -> None:
    runs = [begun(clock, number) for number in range(1, 6)]
    await commit(store, *(write_of(run, batch=batch(1, to=2, seqs=(1, 3))) for run in runs))
    for run in runs[:3]:
        run.succeed('{"a":1}', now=clock.now())
    lost = await commit(
        store,
        *(write_of(run, batch=batch(2, after=2, to=3, seqs=(4, 4))) for run in runs[:3]),
        *(write_of(run, saves=False, batch=batch(2, after=2, to=3)) for run in runs[3:]),
    )
    async with store.snapshot() as uow:
        page = await uow.runs.page(SCOPE, RunQuery(workflow_id=5, phase=RunPhase.SUCCESS))
        log = await uow.runs.log(SCOPE, runs[0].id, after=3)
        state = await uow.runs.state(SCOPE, runs[4].id)
        hidden = await uow.runs.log(FOREIGN, runs[0].id, after=0)
    async with database.read() as connection:
        topics = list(await connection.scalars(sa.select(outbox.c.topic)))

    assert not lost
    assert [run.id for run in page] == [3, 2, 1]
    assert [each.number for each in log] == [2]
    assert (state.last_number, state.last_seq, len(state.batches)) == (2, 3, 2)
    assert not hidden
    assert topics == ["workflow.run_ended"] * 3


async def test_who_lost_the_run_writes_nothing(store: WorkflowRunStore, clock: FrozenClock) -> None:
    mine, other = begun(clock, 1), begun(clock, 2)
    await commit(store, write_of(mine), write_of(other))
    theirs = await load(store)
    theirs.take_over("them", now=clock.now(), lease_s=30)
    async with store.transaction() as uow:
        await uow.queue.save(theirs)
        await uow.commit()

    lost = await commit(
        store,
        write_of(mine, saves=False, batch=batch(1, to=1)),
        write_of(other, saves=False, batch=batch(1, to=1)),
    )
    async with store.snapshot() as uow:
        state = await uow.runs.state(SCOPE, mine.id)
        kept = await uow.runs.state(SCOPE, other.id)

    assert lost == {mine.id}
    assert not state.batches
    assert len(kept.batches) == 1


async def test_a_repeated_write_counts_once(store: WorkflowRunStore, clock: FrozenClock) -> None:
    run = begun(clock)
    write = write_of(run, batch=batch(1, to=1))
    await commit(store, write)

    assert not await commit(store, write, is_repeated=True)
    more = write_of(run, saves=False, batch=batch(2, after=1, to=2))
    await commit(store, more)
    assert not await commit(store, more, is_repeated=True)
    async with store.snapshot() as uow:
        assert len((await uow.runs.state(SCOPE, run.id)).batches) == 2


async def test_a_snapshot_hides_what_it_contains(
    store: WorkflowRunStore, clock: FrozenClock
) -> None:
    run = begun(clock)
    await commit(store, write_of(run, batch=batch(1, to=2)))
    snapshot = Snapshot(sequence=3, state=b"state")
    await commit(
        store, write_of(run, saves=False, batch=batch(2, after=2, to=3), snapshot=snapshot)
    )
    later = Snapshot(sequence=4, state=b"later")
    await commit(store, write_of(run, saves=False, batch=batch(3, after=3, to=4), snapshot=later))
    await commit(store, write_of(run, saves=False, batch=batch(4, after=4, to=5)))
    async with store.snapshot() as uow:
        state = await uow.runs.state(SCOPE, run.id)

    assert state.snapshot == later
    assert [each.number for each in state.batches] == [4]


async def test_one_key_stands_for_one_run(store: WorkflowRunStore, clock: FrozenClock) -> None:
    async def put(number: int) -> None:
        async with store.transaction() as uow:
            run = new_run(clock, number)
            await uow.runs.save(SCOPE, run)
            await uow.runs.remember_request(SCOPE, run, "key", "digest")
            await uow.commit()

    await put(1)
    with pytest.raises(StaleRevision):
        await put(2)
    async with store.snapshot() as uow:
        found = await uow.runs.find_request(SCOPE, "key")
        nothing = await uow.runs.find_request(FOREIGN, "key")
    assert found is not None
    assert (found[0].id, found[1], nothing) == (1, "digest", None)


async def test_runs_without_a_worker_are_due(store: WorkflowRunStore, clock: FrozenClock) -> None:
    queued, held, ended = new_run(clock, 1), begun(clock, 2, "them"), begun(clock, 3)
    ended.cancel(now=clock.now())
    await commit(store, *(write_of(run) for run in (queued, held, ended)))

    async def due(*, is_alone: bool) -> list[int]:
        async with store.transaction() as uow:
            found = await uow.queue.due("me", now=clock.now(), is_alone=is_alone, limit=10)
            told = await uow.queue.has_due("me", now=clock.now(), is_alone=is_alone)
        assert told == bool(found)
        return [run.id for run in found]

    assert await due(is_alone=False) == [1]
    assert await due(is_alone=True) == [1, 2]
    clock.advance(seconds=31)
    assert await due(is_alone=False) == [1, 2]


async def test_spaces_have_turns_in_the_queue(store: WorkflowRunStore, clock: FrozenClock) -> None:
    flood = [new_run(clock, number) for number in range(1, 5)]
    others = [new_run(clock, 9, space_id=OTHER), new_run(clock, 10, space_id=SpaceId(9))]
    await commit(store, *(write_of(run) for run in (*flood, *others)))

    async def due(**how: Any) -> list[int]:
        async with store.transaction() as uow:
            found = await uow.queue.due("me", now=clock.now(), is_alone=False, **how)
        return [run.id for run in found]

    assert await due(limit=4) == [1, 9, 10, 2]
    assert await due(limit=10, but=frozenset({SPACE})) == [9, 10]


async def test_leases_are_renewed_and_cancel_requests_heard(
    store: WorkflowRunStore, clock: FrozenClock
) -> None:
    mine, theirs = begun(clock, 1), begun(clock, 2, "them")
    await commit(store, write_of(mine), write_of(theirs))
    until = clock.now() + timedelta(hours=1)
    async with store.transaction() as uow:
        kept = await uow.queue.renew("me", [mine.id, theirs.id], until=until)
        await uow.runs.request_cancel(SCOPE, mine.id, now=clock.now())
        await uow.runs.request_cancel(FOREIGN, theirs.id, now=clock.now())
        await uow.commit()
    async with store.snapshot() as uow:
        asked = [*await uow.queue.cancel_requested("me"), *await uow.queue.cancel_requested("them")]

    assert kept == {mine.id}
    assert (await load(store)).lease_until == until
    assert asked == [mine.id]


async def test_questions_lapse_and_old_logs_go(store: WorkflowRunStore, clock: FrozenClock) -> None:
    run = begun(clock)
    run.interrupt([QUESTION], now=clock.now(), ttl_s=60)
    ended = begun(clock, 2)
    ended.succeed("{}", now=clock.now())
    await commit(store, write_of(run), write_of(ended, batch=batch(1, seqs=(1, 1))))
    clock.advance(seconds=61)
    async with store.transaction() as uow:
        lapsed = await uow.queue.lapsed(now=clock.now(), limit=10)
        purged = await uow.queue.purge(before=clock.now(), limit=10)
        again = await uow.queue.purge(before=clock.now(), limit=10)
        await uow.commit()
    async with store.snapshot() as uow:
        log = await uow.runs.log(SCOPE, ended.id, after=0)

    assert [each.id for each in lapsed] == [run.id]
    assert lapsed[0].pending == (QUESTION,)
    assert (purged, again) == (1, 0)
    assert not log
    assert (await load(store, 2)).output == "{}"


async def test_canvases_of_drafts_are_kept_while_a_run_may_need_them(
    store: WorkflowRunStore, clock: FrozenClock
) -> None:
    canvas = Canvas.of('{"nodes": []}')
    ended, other = begun(clock), begun(clock, 2)
    ended.canvas_digest = other.canvas_digest = canvas.stamp.digest
    ended.succeed("{}", now=clock.now())
    await commit(store, write_of(ended), write_of(other))
    clock.advance(seconds=1)
    async with store.transaction() as uow:
        await uow.runs.put_canvas(SCOPE, SPACE, canvas)
        await uow.runs.put_canvas(SCOPE, SPACE, canvas)
        await uow.commit()
    async with store.snapshot() as uow:
        assert await uow.runs.canvas(SCOPE, SPACE, canvas.stamp.digest) == canvas
        assert await uow.runs.canvas(SCOPE, SPACE, "other") is None
        with pytest.raises(WorkflowRunNotFound):
            await uow.runs.canvas(FOREIGN, SPACE, canvas.stamp.digest)

    async def is_kept_after_purge() -> bool:
        async with store.transaction() as uow:
            await uow.queue.purge(before=clock.now(), limit=10)
            await uow.commit()
        async with store.snapshot() as uow:
            return await uow.runs.canvas(SCOPE, SPACE, canvas.stamp.digest) is not None

    assert await is_kept_after_purge()
    other.cancel(now=clock.now())
    await commit(store, write_of(other))
    clock.advance(seconds=1)
    assert not await is_kept_after_purge()


async def test_a_viewer_looks_into_no_run_of_others(
    store: WorkflowRunStore, clock: FrozenClock
) -> None:
    viewer = UserId(4)
    sees = TenantScope(viewer, frozenset({SPACE}), own_runs_in=frozenset({SPACE}))
    async with store.transaction() as uow:
        await uow.runs.save(SCOPE, new_run(clock, 1))
        await uow.runs.save(sees, new_run(clock, 2, creator_id=viewer))
        batch = LogBatch(
            number=1,
            entries_after=0,
            entries_to=0,
            entries=b"",
            first_seq=1,
            last_seq=1,
            events=b"[]",
        )
        for number in (1, 2):
            await uow.runs.append(SCOPE, RunId(number), batch)
        await uow.commit()

    async with store.transaction() as uow:
        with pytest.raises(WorkflowRunNotFound):
            await uow.runs.get(sees, RunId(1))
        assert (await uow.runs.get(sees, RunId(2))).creator_id == viewer
        page = await uow.runs.page(sees, RunQuery(workflow_id=5, limit=9))
        assert [each.id for each in page] == [2]
        assert await uow.runs.log(sees, RunId(1), after=0) == []
        assert len(await uow.runs.log(sees, RunId(2), after=0)) == 1
        await uow.runs.request_cancel(sees, RunId(1), now=clock.now())
        assert (await uow.runs.get(SCOPE, RunId(2))).creator_id == viewer
        assert len(await uow.runs.page(SCOPE, RunQuery(workflow_id=5, limit=9))) == 2
