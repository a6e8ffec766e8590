"""Calls of models in runs of workflows: in the ledger once they ended, whatever their node does."""

from application.run.log import RunLog
from application.workflow.run.event import EVENTS
from application.workflow.run.recorder import RunRecorder, RunWriter
from domain.shared.access import CONNECTOR_API
from domain.shared.chat import ModelCall, Usage
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.workflow.engine.state import RunState
from domain.workflow.limit import WorkflowLimits
from domain.workflow.run.repository import RunWrite
from domain.workflow.run.workflow_run import RunKind, RunMode, WorkflowRun
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from infra.impl.repository.sql.workflow.run import SqlWorkflowRunStore
from infra.impl.signal.local import LocalSignals
from tests.support.clock import FrozenClock

SPACE, RUN = SpaceId(7), RunId(1)


async def test_a_call_that_ended_does_not_wait_for_its_node(
    database: Database, clock: FrozenClock
) -> None:
    store = SqlWorkflowRunStore(database)
    run = WorkflowRun(
        id=RUN,
        space_id=SPACE,
        workflow_id=5,
        version="v0.0.1",
        version_hash="hash",
        kind=RunKind.RELEASE,
        mode=RunMode.ASYNC,
        creator_id=UserId(3),
        connector_id=CONNECTOR_API,
        input={},
        created_at=clock.now(),
        updated_at=clock.now(),
    )
    run.begin("me", now=clock.now(), lease_s=30, limit_s=600)
    async with store.transaction() as uow:
        begins = RunWrite(run=run, revision=run.revision, saves=True, events=(*run.pull_events(),))
        await uow.queue.write([begins], is_repeated=False)
        await uow.commit()
    run.revision += 1
    writer = RunWriter(store=store, signals=LocalSignals())
    recorder = RunRecorder(
        run,
        RunState(run_id=str(RUN), version_hash="hash", input={}),
        log=RunLog(EVENTS, clock=clock, limits=Limits()),
        writer=writer,
        limits=WorkflowLimits(),
    )
    await writer.start()

    recorder.count(
        ModelCall(
            model="m",
            provider="p",
            attempt=1,
            purpose="chat",
            usage=Usage(input_tokens=5),
            outcome="ok",
            ended_at=clock.now(),
        )
    )
    await writer.aclose()

    async with database.transaction(SqlUnitOfWork)() as uow:
        kept = await SqlModelCallLedger(uow).of_run(SPACE, RUN)
    assert [call.usage.input_tokens for call in kept] == [5]
    assert recorder.failure is None
