"""Agents, their versions and publications in SQL tables."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.agent.entity import Agent, AgentVersion, Publication, PublicationStatus
from domain.agent.error import AgentNotFound, AgentNotPublished, AliasTaken, RequestKeyReused
from domain.agent.repository import AgentListing, AgentQuery
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId
from infra.impl.repository.sql.agent_listing import find_page
from infra.impl.repository.sql.agent_table import (
    agents,
    displays,
    publications,
    to_agent,
    to_publication,
    to_row,
    to_version,
    versions,
    visible,
)
from infra.impl.repository.sql.database import Database, SqlUnitOfWork
from infra.impl.repository.sql.request_key import SqlRequestKeys
from infra.impl.repository.sql.upsert import upsert

_LABEL_CHARS: Final = 20


class SqlAgentRepository:
    """Agents that are not deleted."""

    def __init__(self, uow: "SqlAgentUnitOfWork") -> None:
        self._uow = uow
        self._connection = uow.connection

    async def get(self, scope: TenantScope, agent_id: AgentId) -> Agent:
        query = sa.select(agents).where(visible(scope), agents.c.id == agent_id)
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise AgentNotFound(f"No agent {agent_id}.", agent_id=agent_id)
        return to_agent(row)

    async def search(
        self, scope: TenantScope, query: AgentQuery
    ) -> tuple[Sequence[AgentListing], int]:
        return await find_page(self._connection, scope, query)

    async def find_by_alias(self, scope: TenantScope, alias: str) -> Agent | None:
        query = (
            sa.select(agents)
            .where(visible(scope), agents.c.alias == alias)
            .order_by(agents.c.id)
            .limit(1)
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else to_agent(row)

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        query = sa.select(agents.c.id, agents.c.name).where(
            visible(scope), agents.c.id.in_(agent_ids)
        )
        return {AgentId(row.id): row.name for row in await self._connection.execute(query)}

    async def bound_to(self, scope: TenantScope, dataset_id: int) -> dict[AgentId, str]:
        # The digits narrow it down to few rows; the decoded settings decide.
        text = sa.type_coerce(agents.c.config, sa.Text)
        query = (
            sa.select(agents.c.id, agents.c.name, agents.c.config)
            .where(visible(scope), text.contains(str(dataset_id)))
            .order_by(agents.c.id)
        )
        return {
            AgentId(row.id): row.name
            for row in await self._connection.execute(query)
            if dataset_id in row.config.knowledge.dataset_ids
        }

    async def count_bound(self, scope: TenantScope, dataset_ids: Collection[int]) -> dict[int, int]:
        # Most agents have no knowledge; what is left is decoded once for all bases.
        text = sa.type_coerce(agents.c.config, sa.Text)
        query = sa.select(agents.c.config).where(
            visible(scope), ~text.contains('"dataset_ids":[]', autoescape=True)
        )
        found = Counter(
            dataset_id
            for config in await self._connection.scalars(query)
            for dataset_id in set(config.knowledge.dataset_ids)
        )
        return {dataset_id: found[dataset_id] for dataset_id in dataset_ids}

    async def save(self, scope: TenantScope, agent: Agent) -> None:
        _refuse_foreign(scope, agent.space_id, agent.id)
        try:
            await self._uow.save(agents, agent, to_row(agent))
        except IntegrityError as exc:
            raise AliasTaken(
                f"alias: {agent.alias} belongs to another agent of this workspace."
            ) from exc


class SqlVersionRepository:
    """Immutable versions."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(self, scope: TenantScope, version: AgentVersion) -> None:
        content = version.content
        _refuse_foreign(scope, content.space_id, content.agent_id)
        await self._connection.execute(
            sa.insert(versions).values(
                id=version.id,
                space_id=content.space_id,
                agent_id=content.agent_id,
                label=version.label,
                note=version.note,
                creator_id=version.creator_id,
                name=content.name,
                description=content.description,
                icon_file_id=content.icon_file_id,
                mode=content.mode.value,
                config=content.config,
                created_at=version.created_at,
            )
        )

    async def get(self, scope: TenantScope, agent_id: AgentId, label: str) -> AgentVersion:
        query = (
            sa.select(versions)
            .join(agents, agents.c.id == versions.c.agent_id)
            .where(visible(scope), versions.c.agent_id == agent_id, versions.c.label == label)
        )
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            await self._require_agent(scope, agent_id)
            raise AgentNotPublished(
                f"The agent {agent_id} has no version {label[:_LABEL_CHARS]}.", agent_id=agent_id
            )
        return to_version(row)

    async def active(
        self, scope: TenantScope, agent_id: AgentId, connector_id: int
    ) -> AgentVersion:
        query = (
            sa.select(versions)
            .join(publications, publications.c.version_id == versions.c.id)
            .join(agents, agents.c.id == versions.c.agent_id)
            .where(
                visible(scope),
                publications.c.agent_id == agent_id,
                publications.c.connector_id == connector_id,
                publications.c.status == PublicationStatus.ACTIVE.value,
            )
        )
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            await self._require_agent(scope, agent_id)
            raise AgentNotPublished(
                f"The agent {agent_id} is not published to connector {connector_id}.",
                agent_id=agent_id,
            )
        return to_version(row)

    async def page(
        self,
        scope: TenantScope,
        agent_id: AgentId,
        *,
        offset: int,
        limit: int,
        connector_id: int | None = None,
    ) -> tuple[Sequence[AgentVersion], int]:
        source: sa.FromClause = versions.join(agents, agents.c.id == versions.c.agent_id)
        conditions = [visible(scope), versions.c.agent_id == agent_id]
        if connector_id is not None:
            source = source.join(publications, publications.c.version_id == versions.c.id)
            conditions += [
                publications.c.connector_id == connector_id,
                publications.c.status == PublicationStatus.ACTIVE.value,
            ]
        count = sa.select(sa.func.count()).select_from(source).where(*conditions)
        total = (await self._connection.execute(count)).scalar_one()
        page = (
            sa.select(versions)
            .select_from(source)
            .where(*conditions)
            .order_by(versions.c.id.desc())
            .limit(limit)
            .offset(offset)
        )
        return [to_version(row) for row in await self._connection.execute(page)], total

    async def _require_agent(self, scope: TenantScope, agent_id: AgentId) -> None:
        query = sa.select(agents.c.id).where(visible(scope), agents.c.id == agent_id)
        if (await self._connection.execute(query)).one_or_none() is None:
            raise AgentNotFound(f"No agent {agent_id}.", agent_id=agent_id)


class SqlPublicationRepository:
    """At most one publication per agent and connector."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def put(self, scope: TenantScope, publication: Publication) -> None:
        _refuse_foreign(scope, publication.space_id, publication.agent_id)
        values = {
            "space_id": publication.space_id,
            "version_id": publication.version_id,
            "version": publication.version,
            "status": publication.status.value,
            "published_at": publication.published_at,
            "reason": publication.reason,
        }
        key = {"agent_id": publication.agent_id, "connector_id": publication.connector_id}
        await _upsert(self._connection, publications, key, values)

    async def of_agent(self, scope: TenantScope, agent_id: AgentId) -> Sequence[Publication]:
        query = (
            sa.select(publications)
            .where(
                publications.c.space_id.in_(scope.space_ids), publications.c.agent_id == agent_id
            )
            .order_by(publications.c.connector_id)
        )
        return [to_publication(row) for row in await self._connection.execute(query)]


class SqlDisplayRepository:
    """Layouts of the editor."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def get(self, scope: TenantScope, agent_id: AgentId) -> bytes | None:
        query = sa.select(displays.c.state).where(
            displays.c.space_id.in_(scope.space_ids), displays.c.agent_id == agent_id
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else bytes(row.state)

    async def put(self, scope: TenantScope, agent: Agent, state: bytes, *, now: datetime) -> None:
        _refuse_foreign(scope, agent.space_id, agent.id)
        values = {"space_id": agent.space_id, "state": state, "updated_at": now}
        await _upsert(self._connection, displays, {"agent_id": agent.id}, values)


class SqlAgentUnitOfWork(SqlUnitOfWork):
    """The agent context's repositories on one connection."""

    @property
    def agents(self) -> SqlAgentRepository:
        return SqlAgentRepository(self)

    @property
    def versions(self) -> SqlVersionRepository:
        return SqlVersionRepository(self.connection)

    @property
    def publications(self) -> SqlPublicationRepository:
        return SqlPublicationRepository(self.connection)

    @property
    def displays(self) -> SqlDisplayRepository:
        return SqlDisplayRepository(self.connection)

    @property
    def request_keys(self) -> SqlRequestKeys:
        return SqlRequestKeys(self.connection, refusal=RequestKeyReused)


class SqlAgentStore:
    """Opens transactions of the agent context."""

    def __init__(self, database: Database) -> None:
        self._transaction: Callable[[], AbstractAsyncContextManager[SqlAgentUnitOfWork]] = (
            database.transaction(SqlAgentUnitOfWork)
        )
        self._snapshot: Callable[[], AbstractAsyncContextManager[SqlAgentUnitOfWork]] = (
            database.snapshot(SqlAgentUnitOfWork)
        )

    def transaction(self) -> AbstractAsyncContextManager[SqlAgentUnitOfWork]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[SqlAgentUnitOfWork]:
        return self._snapshot()


def _refuse_foreign(scope: TenantScope, space_id: SpaceId, agent_id: AgentId) -> None:
    if space_id not in scope.space_ids:
        raise AgentNotFound(f"No agent {agent_id}.", agent_id=agent_id)


async def _upsert(
    connection: AsyncConnection, table: sa.Table, key: dict[str, Any], values: dict[str, Any]
) -> None:
    statement = upsert(connection.dialect.name, table).values(**key, **values)
    await connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=values))
