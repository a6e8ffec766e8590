"""Agents, their versions and publications in SQL tables, and pages of what is online."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, assert_never

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.agent.entity import Agent, AgentVersion, Publication, PublicationStatus
from domain.agent.error import AgentNotFound, AgentNotPublished, AliasTaken, RequestKeyReused
from domain.agent.repository import AgentListing, AgentQuery, OnlineVersion
from domain.agent.value import Mode, PublishState, Use, UseKind
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId
from infra.impl.repository.sql.agent.table import (
    AGENTS,
    LABEL_CHARS,
    PUBLICATIONS,
    VERSIONS,
    agents,
    deleted,
    displays,
    publications,
    versions,
    visible,
)
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.column import Instant
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows, listed
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.request_key import SqlRequestKeys

_online_version: Final = versions.alias("online_version")
_config_text: Final = sa.type_coerce(agents.c.config, sa.Text)

_OWNED_BY: Final = (
    displays.c.agent_id,
    publications.c.agent_id,
    versions.c.agent_id,
    agents.c.id,
)
"""Columns by which the rows of an agent are found."""


class SqlAgentRepository:
    """Agents that are not deleted."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, AGENTS, missing=_not_found)
        self._deleted = TenantRows(uow, AGENTS, missing=_not_found, visible=deleted)

    async def get(self, scope: TenantScope, agent_id: AgentId) -> Agent:
        return await self._rows.get(scope, agent_id)

    async def get_deleted(self, scope: TenantScope, agent_id: AgentId, *, since: datetime) -> Agent:
        found = await self._deleted.find(
            scope, agents.c.id == agent_id, agents.c.deleted_at >= since
        )
        if found is None:
            raise _not_found(agent_id)
        return found

    async def search(
        self, scope: TenantScope, query: AgentQuery
    ) -> tuple[Sequence[AgentListing], int]:
        return await find_page(self._connection, scope, query)

    async def find_by_alias(self, scope: TenantScope, alias: str) -> Agent | None:
        wanted = [agents.c.alias == alias, *listed(agents, scope)]
        found = await self._rows.all(scope, *wanted, order=[agents.c.id], limit=1)
        return next(iter(found), None)

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        query = sa.select(agents.c.id, agents.c.name).where(
            visible(scope), agents.c.id.in_(agent_ids)
        )
        return {AgentId(row.id): row.name for row in await self._connection.execute(query)}

    async def bound_to(self, scope: TenantScope, dataset_id: int) -> dict[AgentId, str]:
        use = Use(kind=UseKind.DATASET, id=dataset_id)
        return await _drafts_with(self._connection, scope, use)

    async def count_bound(self, scope: TenantScope, dataset_ids: Collection[int]) -> dict[int, int]:
        # Most agents have no knowledge; what is left is decoded once for all bases.
        query = sa.select(agents.c.config).where(
            visible(scope), ~_config_text.contains('"dataset_ids":[]', autoescape=True)
        )
        found = Counter(
            dataset_id
            for config in await self._connection.scalars(query)
            for dataset_id in set(config.knowledge.dataset_ids)
        )
        return {dataset_id: found[dataset_id] for dataset_id in dataset_ids}

    async def save(self, scope: TenantScope, agent: Agent) -> None:
        try:
            await self._rows.save(scope, agent)
        except IntegrityError as exc:
            raise AliasTaken(
                f"alias: {agent.alias} belongs to another agent of this workspace."
            ) from exc


class SqlVersionRepository:
    """Immutable versions."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._agents = TenantRows(uow, AGENTS, missing=_not_found)
        self._rows = TenantRows(
            uow,
            VERSIONS,
            missing=_not_found,
            visible=visible,
            parent=(agents, agents.c.id == versions.c.agent_id),
        )

    async def add(self, scope: TenantScope, version: AgentVersion) -> None:
        await self._rows.add(scope, version)

    async def get(self, scope: TenantScope, agent_id: AgentId, label: str) -> AgentVersion:
        found = await self._rows.find(
            scope, versions.c.agent_id == agent_id, versions.c.label == label
        )
        if found is None:
            await self._agents.require(scope, agent_id)
            raise AgentNotPublished(
                f"The agent {agent_id} has no version {label[:LABEL_CHARS]}.", agent_id=agent_id
            )
        return found

    async def active(
        self, scope: TenantScope, agent_id: AgentId, connector_id: int
    ) -> AgentVersion:
        found = await self._rows.find(scope, _is_active(agent_id, connector_id))
        if found is None:
            await self._agents.require(scope, agent_id)
            raise AgentNotPublished(
                f"The agent {agent_id} is not published to connector {connector_id}.",
                agent_id=agent_id,
            )
        return found

    async def page(
        self,
        scope: TenantScope,
        agent_id: AgentId,
        *,
        offset: int,
        limit: int,
        connector_id: int | None = None,
    ) -> tuple[Sequence[AgentVersion], int]:
        wanted = [versions.c.agent_id == agent_id]
        if connector_id is not None:
            wanted.append(_is_active(agent_id, connector_id))
        newest = [versions.c.id.desc()]
        return await self._rows.page(scope, *wanted, order=newest, limit=limit, offset=offset)


class SqlPublicationRepository:
    """At most one publication per agent and connector."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(uow, PUBLICATIONS, missing=_not_found)

    async def put(self, scope: TenantScope, publication: Publication) -> None:
        await self._rows.put(scope, publication)

    async def of_agent(self, scope: TenantScope, agent_id: AgentId) -> Sequence[Publication]:
        return await self._rows.all(
            scope, publications.c.agent_id == agent_id, order=[publications.c.connector_id]
        )


class SqlDisplayRepository:
    """Layouts of the editor."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def get(self, scope: TenantScope, agent_id: AgentId) -> bytes | None:
        query = sa.select(displays.c.state).where(
            displays.c.space_id.in_(scope.space_ids), displays.c.agent_id == agent_id
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else bytes(row.state)

    async def put(self, scope: TenantScope, agent: Agent, state: bytes, *, now: datetime) -> None:
        if agent.space_id not in scope.space_ids:
            raise _not_found(agent.id)
        values = {"space_id": agent.space_id, "state": state, "updated_at": now}
        insert = upsert(self._connection.dialect.name, displays).values(agent_id=agent.id, **values)
        await self._connection.execute(
            insert.on_conflict_do_update(index_elements=[displays.c.agent_id], set_=values)
        )


class SqlAgentJanitor:
    """Removes agents of all workspaces."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def purge(self, *, before: datetime, limit: int, but: Collection[SpaceId] = ()) -> int:
        due = sa.select(agents.c.id).where(agents.c.deleted_at < before)
        if but:
            due = due.where(agents.c.space_id.not_in(but))
        ids = list(await self._connection.scalars(due.limit(limit)))
        if ids:
            for column in _OWNED_BY:
                await self._connection.execute(sa.delete(column.table).where(column.in_(ids)))
        return len(ids)


class SqlAgentUnitOfWork(SqlUnitOfWork):
    """The agent context's repositories on one connection."""

    @property
    def agents(self) -> SqlAgentRepository:
        return SqlAgentRepository(self)

    @property
    def versions(self) -> SqlVersionRepository:
        return SqlVersionRepository(self)

    @property
    def publications(self) -> SqlPublicationRepository:
        return SqlPublicationRepository(self)

    @property
    def displays(self) -> SqlDisplayRepository:
        return SqlDisplayRepository(self)

    @property
    def janitor(self) -> SqlAgentJanitor:
        return SqlAgentJanitor(self)

    @property
    def request_keys(self) -> SqlRequestKeys:
        return SqlRequestKeys(self.connection, refusal=RequestKeyReused)


class SqlAgentStore(SqlStore[SqlAgentUnitOfWork]):
    """Opens transactions of the agent context."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlAgentUnitOfWork)


def _is_active(agent_id: AgentId, connector_id: int) -> sa.ColumnElement[bool]:
    return versions.c.id.in_(
        sa.select(publications.c.version_id).where(
            publications.c.agent_id == agent_id,
            publications.c.connector_id == connector_id,
            publications.c.status == PublicationStatus.ACTIVE,
        )
    )


def _not_found(agent_id: int) -> AgentNotFound:
    return AgentNotFound(f"No agent {agent_id}.", agent_id=agent_id)


async def find_page(
    connection: AsyncConnection, scope: TenantScope, query: AgentQuery
) -> tuple[Sequence[AgentListing], int]:
    """Return one page and the number of all matches."""
    source, conditions, published_at = _matches(scope, query)
    if query.uses is not None:
        conditions.append(agents.c.id.in_(await _drafts_with(connection, scope, query.uses)))
    count = sa.select(sa.func.count()).select_from(source).where(*conditions)
    total = (await connection.execute(count)).scalar_one()
    page = (
        sa.select(agents, published_at, _online_version)
        .select_from(source)
        .where(*conditions, *_after(query))
        .order_by(*_order(query, published_at))
        .limit(query.limit)
        .offset(query.offset)
    )
    return [_to_listing(row) for row in await connection.execute(page)], total


def _matches(
    scope: TenantScope, query: AgentQuery
) -> tuple[sa.FromClause, list[sa.ColumnElement[bool]], sa.ColumnElement[Any]]:
    """Join agents with what is online of them where the query looks, and filter."""
    looked_at = publications.c.status == PublicationStatus.ACTIVE.value
    if query.connector_id is not None:
        looked_at &= publications.c.connector_id == query.connector_id
    online = (
        sa.select(
            publications.c.agent_id,
            sa.func.max(publications.c.version_id).label("version_id"),
            sa.func.max(publications.c.published_at, type_=Instant).label("published_at"),
        )
        .where(publications.c.space_id.in_(scope.space_ids), looked_at)
        .group_by(publications.c.agent_id)
        .subquery("online")
    )
    source = agents.outerjoin(online, online.c.agent_id == agents.c.id).outerjoin(
        _online_version, _online_version.c.id == online.c.version_id
    )
    conditions = [visible(scope), *listed(agents, scope), *_state(query.state, online.c.version_id)]
    if query.text:
        conditions.append(agents.c.name.icontains(query.text, autoescape=True))
    if query.creator_id is not None:
        conditions.append(agents.c.creator_id == query.creator_id)
    if query.agent_ids is not None:
        conditions.append(agents.c.id.in_(query.agent_ids))
    if query.mode is not None:
        conditions += _mode(query.mode)
    if query.models is not None:
        conditions.append(sa.or_(*map(_names_model, query.models)))
    if query.is_template:
        conditions.append(agents.c.template_category.is_not(None))
    return source, conditions, online.c.published_at


async def _drafts_with(
    connection: AsyncConnection, scope: TenantScope, use: Use
) -> dict[AgentId, str]:
    """Names of the agents whose drafts are bound to this."""
    # The digits narrow it down to few rows; the decoded settings decide.
    query = (
        sa.select(agents.c.id, agents.c.name, agents.c.config)
        .where(visible(scope), _config_text.contains(str(use.id)))
        .order_by(agents.c.id)
    )
    rows = await connection.execute(query)
    return {AgentId(row.id): row.name for row in rows if row.config.uses(use)}


def _mode(mode: Mode) -> tuple[sa.ColumnElement[bool], ...]:
    # Quotes inside of texts are escaped, so this is the list of the team and no word about one.
    is_team = _config_text.contains('"agents":[{', autoescape=True)
    match mode:
        case Mode.WORKFLOW:
            return (agents.c.mode == Mode.WORKFLOW.value,)
        case Mode.MULTI:
            return (agents.c.mode != Mode.WORKFLOW.value, is_team)
        case Mode.SINGLE:
            return (agents.c.mode != Mode.WORKFLOW.value, ~is_team)
        case _:
            assert_never(mode)


def _names_model(name: str) -> sa.ColumnElement[bool]:
    named = '"model":{"model_id":'  # the settings of the model begin with it where it is named
    if not name:
        return ~_config_text.contains(named, autoescape=True)
    return _config_text.contains(named + msgspec.json.encode(name).decode(), autoescape=True)


def _state(
    state: PublishState, online: sa.ColumnElement[Any]
) -> tuple[sa.ColumnElement[bool], ...]:
    match state:
        case PublishState.ALL:
            return ()
        case PublishState.ONLINE:
            return (online.is_not(None),)
        case PublishState.CHANGED:
            return (online.is_not(None), agents.c.is_draft_changed.is_(True))
        case PublishState.OFFLINE:
            return (online.is_(None),)
        case _:
            assert_never(state)


def _after(query: AgentQuery) -> tuple[sa.ColumnElement[bool], ...]:
    if query.after_id is None:
        return ()
    return (agents.c.id < query.after_id if query.descending else agents.c.id > query.after_id,)


def _order(
    query: AgentQuery, published_at: sa.ColumnElement[Any]
) -> tuple[sa.ColumnElement[Any], ...]:
    if query.by_id:
        return (agents.c.id.desc() if query.descending else agents.c.id.asc(),)
    newest = published_at if query.state is PublishState.ONLINE else agents.c.updated_at
    return (newest.desc(), agents.c.id.desc())


def _to_listing(row: sa.Row[Any]) -> AgentListing:
    agent = AGENTS.read(row)
    published_at, *version = row[len(agents.c) :]
    if published_at is None:
        return AgentListing(agent=agent, online=None)
    content = VERSIONS.read(version).content
    return AgentListing(
        agent=agent, online=OnlineVersion(content=content, published_at=published_at)
    )
