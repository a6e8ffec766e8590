"""Keys of repeated requests in SQL."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.access import TenantScope
from domain.shared.error import InvalidRequest
from domain.shared.repository import RequestKey
from infra.impl.repository.sql.mapping.column import Instant, Json, id_column, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL
from infra.impl.repository.sql.mapping.tenancy import OF_ACCOUNTS, TENANCY
from infra.impl.repository.sql.mapping.upsert import upsert

# The name is older than keys of other contexts; another one would break processes of the release
# before, which work on this database while they are replaced.
request_keys: Final = sa.Table(
    "knowledge_request_key",
    metadata,
    id_column("principal_id", primary_key=True),
    sa.Column("operation", sa.String(32), primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("ids", Json(tuple[int, ...]), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
)


PERSONAL.keep("Digests of requests, forgotten after a day.", request_keys)
TENANCY.apart(OF_ACCOUNTS, request_keys)


def stored_key(scope: TenantScope, key: str) -> str:
    """Return the key as it is stored: visitors who share an account share no keys.

    The end user goes into the text and not into a column of its own, which the release before
    would not fill while processes are replaced.
    """
    if not scope.end_user_id:
        return key
    name = f"{len(scope.end_user_id)}:{scope.end_user_id}:{key}"
    return f"visitor:{hashlib.sha256(name.encode()).hexdigest()}"


class SqlRequestKeys:
    """Keys of requests; the primary key decides between requests that race.

    ``refusal`` is what a key raises that stands for another request.
    """

    def __init__(self, connection: AsyncConnection, *, refusal: type[InvalidRequest]) -> None:
        self._connection = connection
        self._refusal = refusal

    async def find(
        self, scope: TenantScope, request: RequestKey, *, since: datetime
    ) -> tuple[int, ...] | None:
        query = sa.select(request_keys).where(
            _of(scope, request), request_keys.c.created_at >= since
        )
        row = (await self._connection.execute(query)).mappings().one_or_none()
        if row is None:
            return None
        if row["digest"] != request.digest:
            raise self._refusal(
                "Idempotency-Key: this key belongs to another request; use a new one.",
                field="Idempotency-Key",
            )
        ids: tuple[int, ...] = row["ids"]
        return ids

    async def claim(
        self,
        scope: TenantScope,
        request: RequestKey,
        ids: Sequence[int],
        *,
        now: datetime,
        since: datetime,
    ) -> tuple[int, ...]:
        await self._connection.execute(
            sa.delete(request_keys).where(
                request_keys.c.principal_id == scope.principal_id,
                request_keys.c.created_at < since,
            )
        )
        insert = upsert(self._connection.dialect.name, request_keys).values(
            principal_id=scope.principal_id,
            operation=request.operation,
            key=stored_key(scope, request.key),
            digest=request.digest,
            ids=tuple(ids),
            created_at=now,
        )
        # PostgreSQL waits here for a request that holds the same key, and then finds its row.
        await self._connection.execute(insert.on_conflict_do_nothing())
        return await self.find(scope, request, since=since) or tuple(ids)


def _of(scope: TenantScope, request: RequestKey) -> sa.ColumnElement[bool]:
    return (
        (request_keys.c.principal_id == scope.principal_id)
        & (request_keys.c.operation == request.operation)
        & (request_keys.c.key == stored_key(scope, request.key))
    )
