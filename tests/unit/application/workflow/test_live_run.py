"""A run while this process works on it."""

from datetime import UTC, datetime

import pytest

from application.run.log import RunLog
from application.workflow.run.event import EVENTS
from application.workflow.run.live import LiveRun
from domain.shared.access import CONNECTOR_API
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.workflow.engine.error import JournalClosed, LeaseLost, RunNotRecorded
from domain.workflow.run.workflow_run import RunKind, RunMode, WorkflowRun
from tests.support.clock import FrozenClock

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def live_run() -> LiveRun:
    run = WorkflowRun(
        id=RunId(1),
        space_id=SpaceId(2),
        workflow_id=3,
        version="v0.0.1",
        version_hash="h",
        kind=RunKind.RELEASE,
        mode=RunMode.ASYNC,
        creator_id=UserId(4),
        connector_id=CONNECTOR_API,
        created_at=NOW,
        updated_at=NOW,
    )
    return LiveRun(run, log=RunLog(EVENTS, clock=FrozenClock(NOW), limits=Limits()))


@pytest.mark.parametrize("failure", [LeaseLost, RunNotRecorded])
async def test_who_reads_a_run_gets_what_is_stored_of_it_when_its_worker_lost_it(
    failure: type[JournalClosed],
) -> None:
    live = live_run()

    async def lost() -> None:
        raise failure("Storage does not answer.", run_id=1)

    live.flush = lost
    await live.flush_for_readers()

    with pytest.raises(failure):
        await live.flush()
