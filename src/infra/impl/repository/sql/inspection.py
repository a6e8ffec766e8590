"""Looks for rows that break what the product promises about its data."""

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from domain.conversation.value import RunStatus
from domain.file.entity import FileStatus
from domain.knowledge.job import JobState
from domain.knowledge.value import DocumentStatus
from domain.workflow.workflow_run import RunPhase
from infra.contract.inspection import Oddity
from infra.impl.repository.sql.agent_table import agents, publications
from infra.impl.repository.sql.agent_table import versions as agent_versions
from infra.impl.repository.sql.conversation_schema import conversations, messages, run_events, runs
from infra.impl.repository.sql.database import Database
from infra.impl.repository.sql.file import files
from infra.impl.repository.sql.identity_table import memberships, spaces, users
from infra.impl.repository.sql.knowledge_table import datasets, documents, jobs, objects, slices
from infra.impl.repository.sql.migrate import current
from infra.impl.repository.sql.outbox import inbox, is_open
from infra.impl.repository.sql.plugin_table import plugins, tools
from infra.impl.repository.sql.schema import outbox
from infra.impl.repository.sql.workflow_run_table import run_log, run_states, workflow_runs
from infra.impl.repository.sql.workflow_table import versions as workflow_versions
from infra.impl.repository.sql.workflow_table import workflows

_EXAMPLES: Final = 5
_KEYS_AT_ONCE: Final = 1000

REFERENCES: Final[Sequence[tuple[sa.Column[Any], sa.Column[Any]]]] = (
    (memberships.c.space_id, spaces.c.id),
    (memberships.c.user_id, users.c.id),
    (agent_versions.c.agent_id, agents.c.id),
    (publications.c.agent_id, agents.c.id),
    (workflow_versions.c.workflow_id, workflows.c.id),
    (tools.c.plugin_id, plugins.c.id),
    (messages.c.conversation_id, conversations.c.id),
    (runs.c.conversation_id, conversations.c.id),
    (run_events.c.run_id, runs.c.id),
    (run_log.c.run_id, workflow_runs.c.id),
    (run_states.c.run_id, workflow_runs.c.id),
    (documents.c.dataset_id, datasets.c.id),
    (slices.c.document_id, documents.c.id),
    (jobs.c.document_id, documents.c.id),
)
"""Columns whose values must be keys of another table; what is deleted in two steps is not here."""


class SqlInspection:
    """Implements ``Inspection``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def revision(self) -> str | None:
        return await current(self._database)

    async def damage(self) -> Sequence[str]:
        if not self._database.is_sqlite:
            return []
        async with self._database.read() as connection:
            found = await connection.scalars(sa.text("PRAGMA quick_check(10)"))
            return [str(line) for line in found if line != "ok"]

    async def dangling(self) -> Sequence[Oddity]:
        found = []
        for child, parent in REFERENCES:
            missing = (
                sa.select(child)
                .outerjoin(parent.table, parent == child)
                .where(child.is_not(None), parent.is_(None))
            )
            found.append(await self._oddity(f"{child.table.name}.{child.name}", missing))
        undelivered = (
            sa.select(inbox.c.event_id)
            .outerjoin(outbox, outbox.c.event_id == inbox.c.event_id)
            .where(is_open, outbox.c.event_id.is_(None))
        )
        found.append(await self._oddity("inbox.event_id", undelivered))
        return [each for each in found if each.count]

    async def overdue(self, *, before: datetime) -> Sequence[Oddity]:
        live = (RunStatus.CREATED.value, RunStatus.IN_PROGRESS.value)
        answers = sa.select(runs.c.id).where(
            runs.c.status.in_(live), runs.c.deleted_at.is_(None), _is_left(runs, before)
        )
        phases = (RunPhase.CREATED.value, RunPhase.RUNNING.value)
        executions = sa.select(workflow_runs.c.id).where(
            workflow_runs.c.phase.in_(phases), _is_left(workflow_runs, before)
        )
        claimed = sa.select(jobs.c.id).where(
            jobs.c.state == JobState.RUNNING.value, jobs.c.lease_until < before
        )
        forgotten = (
            sa.select(documents.c.id)
            .outerjoin(
                jobs,
                (jobs.c.document_id == documents.c.id)
                & jobs.c.state.in_((JobState.WAITING.value, JobState.RUNNING.value)),
            )
            .where(
                documents.c.status == DocumentStatus.CHUNKING,
                documents.c.updated_at < before,
                jobs.c.id.is_(None),
            )
        )
        undelivered = sa.select(outbox.c.event_id).where(
            outbox.c.published_at.is_(None), outbox.c.created_at < before
        )
        found = [
            await self._oddity("Runs of agents", answers),
            await self._oddity("Runs of workflows", executions),
            await self._oddity("Jobs of documents", claimed),
            await self._oddity("Documents without a job", forgotten),
            await self._oddity("Events", undelivered),
        ]
        return [each for each in found if each.count]

    async def gaps(self) -> Sequence[Oddity]:
        found = []
        for table in (run_events, run_log):
            previous = (
                sa.func.lag(table.c.last_seq)
                .over(partition_by=table.c.run_id, order_by=(table.c.last_seq, table.c.first_seq))
                .label("previous")
            )
            numbered = sa.select(
                table.c.run_id, table.c.first_seq, table.c.last_seq, previous
            ).where(table.c.last_seq >= table.c.first_seq)
            inner = numbered.subquery()
            broken = (
                sa.select(inner.c.run_id)
                .where(inner.c.previous.is_not(None), inner.c.first_seq != inner.c.previous + 1)
                .distinct()
            )
            found.append(await self._oddity(table.name, broken))
        return [each for each in found if each.count]

    async def object_keys(self) -> AsyncGenerator[Sequence[str], None]:
        ready = files.c.status == FileStatus.READY.value
        for column, condition in (
            (files.c.object_key, ready),
            (objects.c.object_key, sa.true()),
        ):
            after = ""
            while True:
                query = (
                    sa.select(column)
                    .where(condition, column > after)
                    .distinct()
                    .order_by(column)
                    .limit(_KEYS_AT_ONCE)
                )
                async with self._database.read() as connection:
                    keys = [str(key) for key in await connection.scalars(query)]
                if not keys:
                    break
                after = keys[-1]
                yield keys

    async def _oddity(self, what: str, query: sa.Select[Any]) -> Oddity:
        counted = sa.select(sa.func.count()).select_from(query.subquery())
        async with self._database.read() as connection:
            count = int(await connection.scalar(counted) or 0)
            keys = await connection.scalars(query.limit(_EXAMPLES)) if count else ()
            return Oddity(what=what, count=count, examples=tuple(str(key) for key in keys))


def _is_left(table: sa.Table, before: datetime) -> sa.ColumnElement[bool]:
    """Nobody holds it, or its holder stopped renewing its lease."""
    held_until = sa.func.coalesce(table.c.lease_until, table.c.created_at)
    return sa.type_coerce(held_until, table.c.created_at.type) < before
