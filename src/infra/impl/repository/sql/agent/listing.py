"""Pages of agents together with what is online of them."""

from collections.abc import Sequence
from typing import Any, Final, assert_never

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.agent.entity import PublicationStatus
from domain.agent.repository import AgentListing, AgentQuery, OnlineVersion
from domain.agent.value import PublishState
from domain.shared.access import TenantScope
from infra.impl.repository.sql.agent.table import (
    AGENTS,
    VERSIONS,
    agents,
    publications,
    versions,
    visible,
)
from infra.impl.repository.sql.mapping.column import Instant

_online_version: Final = versions.alias("online_version")


async def find_page(
    connection: AsyncConnection, scope: TenantScope, query: AgentQuery
) -> tuple[Sequence[AgentListing], int]:
    """Return one page and the number of all matches."""
    source, conditions, published_at = _matches(scope, query)
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
    conditions = [visible(scope), *_state(query.state, online.c.version_id)]
    if query.text:
        conditions.append(agents.c.name.icontains(query.text, autoescape=True))
    if query.creator_id is not None:
        conditions.append(agents.c.creator_id == query.creator_id)
    if query.agent_ids is not None:
        conditions.append(agents.c.id.in_(query.agent_ids))
    return source, conditions, online.c.published_at


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
