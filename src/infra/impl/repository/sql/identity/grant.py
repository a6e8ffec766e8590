"""Groups and grants in SQL."""

from collections.abc import Collection, Mapping
from typing import Final

import sqlalchemy as sa

from domain.identity.entity import User
from domain.identity.error import GrantNotFound, GroupNotFound, ResourceNotFound
from domain.identity.grant import Group, ResourceGrant
from domain.identity.value import SubjectType
from domain.shared.access import Resource, ResourceKind, TenantScope
from domain.shared.ids import SpaceId, UserId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.query import LIKE_ESCAPE, count_rows, escaped
from infra.impl.repository.sql.identity.table import (
    GRANTS,
    GROUPS,
    USERS,
    grants,
    group_members,
    groups,
    users,
)
from infra.impl.repository.sql.mapping.column import metadata
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

_TABLES: Final[Mapping[ResourceKind, str]] = {
    ResourceKind.AGENT: "agent",
    ResourceKind.APP: "app",
    ResourceKind.DATABASE: "memory_database",
    ResourceKind.DATASET: "knowledge_dataset",
    ResourceKind.PLUGIN: "plugin",
    ResourceKind.PROMPT: "prompt",
    ResourceKind.WORKFLOW: "workflow",
}


class SqlGroupMembershipRepository:
    """Members of groups, whoever's groups these are."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def hold(self, group_ids: Collection[int], user_id: UserId) -> bool:
        query = sa.select(sa.literal(1)).where(
            group_members.c.user_id == user_id, group_members.c.group_id.in_(group_ids)
        )
        return await self._unit.connection.scalar(query.limit(1)) is not None

    async def places(self, group_ids: Collection[int]) -> Mapping[int, SpaceId]:
        query = sa.select(groups.c.id, groups.c.space_id).where(groups.c.id.in_(group_ids))
        found = await self._unit.connection.execute(query)
        return {id_: SpaceId(space_id) for id_, space_id in found}


class SqlGroupRepository:
    """Groups with their members."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._rows = TenantRows(unit, GROUPS, missing=_no_group)

    async def get(self, scope: TenantScope, group_id: int) -> Group:
        return await self._rows.get(scope, group_id)

    async def page(
        self, scope: TenantScope, *, before: int | None, limit: int, text: str
    ) -> tuple[list[Group], int]:
        wanted = []
        if text:
            pattern = f"%{escaped(text.lower())}%"
            wanted.append(sa.func.lower(groups.c.name).like(pattern, escape=LIKE_ESCAPE))
        return await self._rows.page(
            scope,
            *wanted,
            order=[groups.c.id.desc()],
            limit=limit,
            beyond=None if before is None else groups.c.id < before,
        )

    async def members(self, scope: TenantScope, group_id: int) -> list[User]:
        query = (
            sa.select(users)
            .select_from(
                group_members.join(users, users.c.id == group_members.c.user_id).join(
                    groups, groups.c.id == group_members.c.group_id
                )
            )
            .where(groups.c.id == group_id, groups.c.space_id.in_(scope.space_ids))
            .order_by(users.c.name_key)
        )
        return await USERS.all(self._unit.connection, query)

    async def admit(self, scope: TenantScope, group: Group, user_id: UserId) -> bool:
        await self._rows.require(scope, group.id)
        insert = upsert(self._unit.connection.dialect.name, group_members)
        values = {"group_id": group.id, "user_id": user_id}
        added = await self._unit.connection.execute(insert.values(values).on_conflict_do_nothing())
        return added.rowcount > 0

    async def dismiss(self, scope: TenantScope, group: Group, user_id: UserId) -> bool:
        await self._rows.require(scope, group.id)
        mine = (group_members.c.group_id == group.id) & (group_members.c.user_id == user_id)
        removed = await self._unit.connection.execute(sa.delete(group_members).where(mine))
        return removed.rowcount > 0

    async def count_members(self, scope: TenantScope, group_id: int) -> int:
        await self._rows.require(scope, group_id)
        return await count_rows(self._unit, group_members, group_members.c.group_id == group_id)

    async def save(self, scope: TenantScope, group: Group) -> None:
        await self._rows.save(scope, group)

    async def remove(self, scope: TenantScope, group: Group) -> None:
        await self._rows.require(scope, group.id)
        connection = self._unit.connection
        await connection.execute(
            sa.delete(grants).where(
                grants.c.subject_type == SubjectType.GROUP, grants.c.subject_id == group.id
            )
        )
        await connection.execute(
            sa.delete(group_members).where(group_members.c.group_id == group.id)
        )
        await self._rows.delete(scope, groups.c.id == group.id)
        self._unit.collect(*group.pull_events())


class SqlGrantRepository:
    """Grants, and where what they are on is kept."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._rows = TenantRows(unit, GRANTS, missing=_no_grant)

    async def get(self, scope: TenantScope, grant_id: int) -> ResourceGrant:
        return await self._rows.get(scope, grant_id)

    async def of_resource(self, scope: TenantScope, resource: Resource) -> list[ResourceGrant]:
        return await self._rows.all(
            scope,
            grants.c.resource_type == resource.kind,
            grants.c.resource_id == resource.id,
            order=[grants.c.id],
        )

    async def of_account(self, scope: TenantScope) -> list[ResourceGrant]:
        return await self._rows.all(scope, granted_to(scope.principal_id), order=[grants.c.id])

    async def find(
        self, scope: TenantScope, resource: Resource, subject_type: SubjectType, subject_id: int
    ) -> ResourceGrant | None:
        return await self._rows.find(
            scope,
            grants.c.resource_type == resource.kind,
            grants.c.resource_id == resource.id,
            grants.c.subject_type == subject_type,
            grants.c.subject_id == subject_id,
        )

    async def save(self, scope: TenantScope, grant: ResourceGrant) -> None:
        await self._rows.save(scope, grant)

    async def remove(self, scope: TenantScope, grant: ResourceGrant) -> None:
        await self._rows.delete(scope, grants.c.id == grant.id)
        self._unit.collect(*grant.pull_events())

    async def place_of(self, scope: TenantScope, resource: Resource) -> SpaceId:
        """Look into the table of the kind: contexts do not know each other, columns are alike."""
        table = metadata.tables[_TABLES[resource.kind]]
        query = sa.select(table.c.space_id).where(
            table.c.id == resource.id, table.c.space_id.in_(scope.space_ids)
        )
        if "deleted_at" in table.c:
            query = query.where(table.c.deleted_at.is_(None))
        space_id = await self._unit.connection.scalar(query)
        if space_id is None:
            raise ResourceNotFound(f"No {resource.kind} {resource.id}.", resource_id=resource.id)
        return SpaceId(space_id)


def granted_to(user_id: UserId) -> sa.ColumnElement[bool]:
    """Return the condition of grants that an account has, itself or in a group."""
    mine = sa.select(group_members.c.group_id).where(group_members.c.user_id == user_id)
    return sa.or_(
        (grants.c.subject_type == SubjectType.USER) & (grants.c.subject_id == user_id),
        (grants.c.subject_type == SubjectType.GROUP) & grants.c.subject_id.in_(mine),
    )


def _no_group(group_id: int) -> GroupNotFound:
    return GroupNotFound(f"No group {group_id}.", group_id=group_id)


def _no_grant(grant_id: int) -> GrantNotFound:
    return GrantNotFound(f"No grant {grant_id}.", grant_id=grant_id)
