"""The audit log and its chain in SQL."""

from dataclasses import asdict
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.identity.audit import AuditEntry, AuditQuery, Chain
from domain.shared.access import TenantScope
from domain.shared.act import Act
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.query import LIKE_ESCAPE, count_rows, escaped
from infra.impl.repository.sql.identity.table import (
    AUDIT_LOG,
    audit_chain,
    audit_log,
    audit_stream,
)
from infra.impl.repository.sql.mapping.upsert import upsert

_THE_CHAIN: Final = 1
_IS_OPEN: Final = audit_log.c.position.is_(None)


class SqlAuditRepository:
    """Reads the audit log."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def page(
        self,
        scope: TenantScope,
        query: AuditQuery,
        *,
        deployment: bool,
        before: int | None,
        limit: int,
    ) -> tuple[list[AuditEntry], int]:
        places = [*scope.space_ids, *([0] if deployment else [])]
        where = sa.and_(audit_log.c.space_id.in_(places), *_wanted(query))
        total = await count_rows(self._unit, audit_log, where)
        if before is not None:
            where &= audit_log.c.id < before
        found = sa.select(audit_log).where(where).order_by(audit_log.c.id.desc()).limit(limit)
        return await AUDIT_LOG.all(self._unit.connection, found), total


class SqlAuditTrail:
    """Writes the audit log."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def append(self, entry: AuditEntry) -> None:
        insert = upsert(self._unit.connection.dialect.name, audit_log)
        await self._unit.connection.execute(
            insert.values(AUDIT_LOG.row(entry)).on_conflict_do_nothing(index_elements=["event_id"])
        )

    async def tell(self, act: Act) -> None:
        await self._unit.tell(act)

    async def link(self, *, limit: int) -> int:
        connection = self._unit.connection
        query = sa.select(audit_log).where(_IS_OPEN).order_by(audit_log.c.id).limit(limit)
        entries = await AUDIT_LOG.all(connection, query)
        if not entries:
            return 0
        chain = await self.chain()
        position, digest = chain.position, chain.digest
        links = []
        for entry in entries:
            position, digest = position + 1, entry.digest_after(digest)
            links.append({"entry": entry.id, "place": position, "proof": digest})
        place: sa.BindParameter[int] = sa.bindparam("place")
        proof: sa.BindParameter[bytes] = sa.bindparam("proof")
        await connection.execute(
            sa.update(audit_log)
            .where(audit_log.c.id == sa.bindparam("entry"))
            .values(position=place, digest=proof),
            links,
        )
        await self._keep(
            Chain(
                position=position,
                digest=digest,
                cut_position=chain.cut_position,
                cut_digest=chain.cut_digest,
            )
        )
        return len(entries)

    async def chain(self) -> Chain:
        query = sa.select(audit_chain).where(audit_chain.c.id == _THE_CHAIN)
        row = (await self._unit.connection.execute(query)).mappings().one_or_none()
        if row is None:
            return Chain()
        return Chain(**{name: value for name, value in row.items() if name != "id"})

    async def links(self, *, after: int, limit: int) -> list[AuditEntry]:
        query = sa.select(audit_log).where(audit_log.c.position > after)
        found = query.order_by(audit_log.c.position).limit(limit)
        return await AUDIT_LOG.all(self._unit.connection, found)

    async def count_unchained(self) -> int:
        return await count_rows(self._unit, audit_log, _IS_OPEN)

    async def sent(self, target: str) -> int | None:
        query = sa.select(audit_stream.c.position).where(audit_stream.c.target == target)
        position: int | None = await self._unit.connection.scalar(query)
        return position

    async def note_sent(self, target: str, position: int) -> None:
        insert = upsert(self._unit.connection.dialect.name, audit_stream)
        await self._unit.connection.execute(
            insert.values(target=target, position=position).on_conflict_do_update(
                index_elements=["target"], set_={"position": position}
            )
        )

    async def cut(self, *, before: datetime, limit: int) -> int:
        chain = await self.chain()
        links = await self.links(after=chain.cut_position, limit=limit)
        old: list[AuditEntry] = []
        for entry in links:
            if entry.at >= before:
                break
            old.append(entry)
        if not old:
            return 0
        last = old[-1]
        await self._unit.connection.execute(
            sa.delete(audit_log).where(audit_log.c.position <= last.position)
        )
        await self._keep(
            Chain(
                position=chain.position,
                digest=chain.digest,
                cut_position=last.position or 0,
                cut_digest=last.digest or b"",
            )
        )
        return len(old)

    async def _keep(self, chain: Chain) -> None:
        values = asdict(chain)
        insert = upsert(self._unit.connection.dialect.name, audit_chain)
        await self._unit.connection.execute(
            insert.values(id=_THE_CHAIN, **values).on_conflict_do_update(
                index_elements=["id"], set_=values
            )
        )


def _wanted(query: AuditQuery) -> list[sa.ColumnElement[bool]]:
    wanted: list[sa.ColumnElement[bool]] = []
    if query.actor_id is not None:
        wanted.append(audit_log.c.actor_id == query.actor_id)
    if query.action:
        wanted.append(audit_log.c.action == query.action)
    if query.resource_type and query.resource_id is not None:
        wanted.append(audit_log.c.resource == f"{query.resource_type}:{query.resource_id}")
    elif query.resource_type:
        pattern = f"{escaped(query.resource_type)}:%"
        wanted.append(audit_log.c.resource.like(pattern, escape=LIKE_ESCAPE))
    elif query.resource_id is not None:
        wanted.append(audit_log.c.resource.like(f"%:{query.resource_id}"))
    if query.since is not None:
        wanted.append(audit_log.c.at >= query.since)
    if query.until is not None:
        wanted.append(audit_log.c.at < query.until)
    return wanted
