"""How long the queues of a deployment are, over the tables of all contexts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from domain.channel.message import MessageState
from domain.knowledge.copying import CopyStatus
from domain.knowledge.job import JobState
from domain.knowledge.preview import PreviewState
from domain.knowledge.rebuild import RebuildState
from domain.memory.database import ImportStatus
from domain.privacy.value import DataRequestState
from domain.workflow.run.workflow_run import RunPhase
from infra.contract.observability.process_report import QueueState
from infra.impl.repository.sql.channel import MESSAGES
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.outbox import dead_letter, inbox, is_open
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.knowledge.table import jobs
from infra.impl.repository.sql.knowledge.upkeep_table import COPIES, PREVIEWS, REBUILDS
from infra.impl.repository.sql.memory.database import IMPORTS
from infra.impl.repository.sql.privacy import REQUESTS
from infra.impl.repository.sql.workflow.run_table import workflow_runs


@dataclass(frozen=True, slots=True)
class _Queue:
    """A table whose rows are work; a row somebody has under a lease is in work."""

    name: str
    state: "sa.Column[Any]"
    waiting: Sequence[Any]
    in_work: Sequence[Any]
    failed: Sequence[Any] = ()
    """Of tables that keep their failures for those who ask."""

    def query(self) -> sa.Select[int, int, int, datetime | None]:
        table = self.state.table
        waits: sa.ColumnElement[bool] = self.state.in_(self.waiting)
        works: sa.ColumnElement[bool] = self.state.in_(self.in_work)
        if self.waiting == self.in_work:  # only the lease tells
            works &= table.c.lease_owner.is_not(None)
            waits &= table.c.lease_owner.is_(None)
        return sa.select(
            sa.func.count().filter(waits),
            sa.func.count().filter(works),
            sa.func.count().filter(self.state.in_(self.failed)),
            sa.func.min(table.c.created_at).filter(waits),
        ).where(self.state.in_([*self.waiting, *self.in_work, *self.failed]))


_OPEN_REBUILD: Final = (RebuildState.BUILDING, RebuildState.SWITCHED)
_QUEUES: Final = (
    _Queue("documents", jobs.c.state, [JobState.WAITING], [JobState.RUNNING], [JobState.FAILED]),
    _Queue("rebuilds", REBUILDS.table.c.state, _OPEN_REBUILD, _OPEN_REBUILD, [RebuildState.FAILED]),
    _Queue(
        "copies",
        COPIES.table.c.status,
        [CopyStatus.PROCESSING],
        [CopyStatus.PROCESSING],
        [CopyStatus.FAILED],
    ),
    _Queue(
        "previews",
        PREVIEWS.table.c.state,
        [PreviewState.PROCESSING],
        [PreviewState.PROCESSING],
    ),
    _Queue("workflow_runs", workflow_runs.c.phase, [RunPhase.CREATED], [RunPhase.RUNNING]),
    _Queue("table_imports", IMPORTS.table.c.status, [ImportStatus.WAITING], [ImportStatus.RUNNING]),
    _Queue("channel_messages", MESSAGES.table.c.state, [MessageState.OPEN], [MessageState.OPEN]),
    _Queue(
        "data_requests",
        REQUESTS.table.c.state,
        [DataRequestState.PENDING],
        [DataRequestState.RUNNING],
    ),
)


class SqlQueueStates:
    """A ``QueueStates`` that counts rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def documents_waiting(self) -> int:
        waiting = sa.select(sa.func.count()).where(jobs.c.state == JobState.WAITING)
        async with self._database.read() as connection:
            return await connection.scalar(waiting) or 0

    async def read(self) -> list[QueueState]:
        states = []
        async with self._database.read() as connection:
            for queue in _QUEUES:
                row = (await connection.execute(queue.query())).one()
                states.append(
                    QueueState(
                        name=queue.name,
                        waiting=row[0],
                        in_work=row[1],
                        failed=row[2],
                        oldest_at=row[3],
                    )
                )
            delivered = (
                await connection.execute(
                    sa.select(
                        sa.func.count().filter(inbox.c.owner.is_(None)),
                        sa.func.count().filter(inbox.c.owner.is_not(None)),
                        sa.func.min(outbox.c.created_at).filter(inbox.c.owner.is_(None)),
                    )
                    .select_from(inbox.join(outbox, outbox.c.event_id == inbox.c.event_id))
                    .where(is_open)
                )
            ).one()
            dead = await connection.scalar(sa.select(sa.func.count()).select_from(dead_letter))
        states.append(
            QueueState(
                name="events",
                waiting=delivered[0],
                in_work=delivered[1],
                failed=dead or 0,
                oldest_at=delivered[2],
            )
        )
        return states
