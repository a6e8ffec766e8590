"""The audit log in SQL."""

import sqlalchemy as sa

from domain.identity.repository import AuditEntry
from domain.shared.access import TenantScope
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import AUDIT_LOG, audit_log
from infra.impl.repository.sql.mapping.upsert import upsert


class SqlAuditRepository:
    """Reads the audit log."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def page(
        self, scope: TenantScope, *, deployment: bool, before: int | None, limit: int
    ) -> tuple[list[AuditEntry], int]:
        places = [*scope.space_ids, *([0] if deployment else [])]
        where: sa.ColumnElement[bool] = audit_log.c.space_id.in_(places)
        total = await count_rows(self._unit, audit_log, where)
        if before is not None:
            where = where & (audit_log.c.id < before)
        query = sa.select(audit_log).where(where).order_by(audit_log.c.id.desc()).limit(limit)
        return await AUDIT_LOG.all(self._unit.connection, query), total


class SqlAuditTrail:
    """Writes the audit log."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def append(self, entry: AuditEntry) -> None:
        insert = upsert(self._unit.connection.dialect.name, audit_log)
        await self._unit.connection.execute(
            insert.values(AUDIT_LOG.row(entry)).on_conflict_do_nothing(index_elements=["event_id"])
        )


async def count_rows(
    unit: SqlUnitOfWork, source: sa.FromClause, where: sa.ColumnElement[bool]
) -> int:
    """Count the rows of a table or join."""
    query = sa.select(sa.func.count()).select_from(source).where(where)
    return int(await unit.connection.scalar(query) or 0)
