"""Runs of workspaces with limits of their own, as rows that all processes share."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.capacity.bucket import Bucket
from domain.shared.ids import SpaceId
from infra.contract.storage.run_count import RunKind
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.mapping.column import Instant, metadata
from infra.impl.repository.sql.mapping.upsert import upsert

rates: Final = sa.Table(
    "space_run_rate",
    metadata,
    sa.Column("space_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("remaining", sa.Float, nullable=False),
    sa.Column("refilled_at", Instant),
)
"""What may still begin in a workspace; its row is what processes wait for each other at."""

holds: Final = sa.Table(
    "space_run_hold",
    metadata,
    sa.Column("space_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), primary_key=True),
    sa.Column("owner", sa.String(32), primary_key=True),
    sa.Column("held", sa.Integer, nullable=False),
    sa.Column("renewed_at", Instant, nullable=False),
)


class SqlCountTurn:
    """The rows of one workspace, under the lock of the first."""

    def __init__(
        self, connection: AsyncConnection, space_id: SpaceId, owner: str, bucket: Bucket | None
    ) -> None:
        self.bucket = bucket
        self._connection = connection
        self._space_id = space_id
        self._owner = owner

    async def elsewhere(self, kind: RunKind, *, since: datetime) -> int:
        table = holds.c
        query = sa.select(sa.func.sum(table.held)).where(
            table.space_id == self._space_id,
            table.kind == kind,
            table.owner != self._owner,
            table.renewed_at > since,
        )
        return int(await self._connection.scalar(query) or 0)

    async def hold(self, kind: RunKind, count: int, *, now: datetime) -> None:
        key: dict[str, Any] = {"space_id": self._space_id, "kind": kind, "owner": self._owner}
        if not count:
            mine = sa.and_(*(holds.c[name] == value for name, value in key.items()))
            await self._connection.execute(sa.delete(holds).where(mine))
            return
        said = {"held": count, "renewed_at": now}
        await self._connection.execute(
            upsert(self._connection.dialect.name, holds)
            .values(**key, **said)
            .on_conflict_do_update(index_elements=list(holds.primary_key), set_=said)
        )

    async def keep(self, bucket: Bucket) -> None:
        await self._connection.execute(
            sa.update(rates)
            .where(rates.c.space_id == self._space_id)
            .values(remaining=bucket.left, refilled_at=bucket.since)
        )


class SqlRunCounts:
    """``RunCounts`` in the database that the processes share; ``owner`` names this one."""

    def __init__(self, database: Database, *, owner: str) -> None:
        self._database = database
        self._owner = owner

    @asynccontextmanager
    async def turn(self, space_id: SpaceId) -> AsyncGenerator[SqlCountTurn, None]:
        async with self._database.write() as connection:
            # What changes nothing still locks the row until the end.
            locked = (
                upsert(connection.dialect.name, rates)
                .values(space_id=space_id, remaining=0.0)
                .on_conflict_do_update(
                    index_elements=[rates.c.space_id], set_={"space_id": space_id}
                )
                .returning(rates.c.remaining, rates.c.refilled_at)
            )
            left, since = (await connection.execute(locked)).one()
            bucket = None if since is None else Bucket(left, since)
            yield SqlCountTurn(connection, space_id, self._owner, bucket)
            await connection.commit()

    async def leave(self) -> None:
        await self._delete(holds.c.owner == self._owner)

    async def clear(self) -> None:
        await self._delete(sa.true())

    async def _delete(self, which: sa.ColumnElement[bool]) -> None:
        async with self._database.write() as connection:
            await connection.execute(sa.delete(holds).where(which))
            await connection.commit()
