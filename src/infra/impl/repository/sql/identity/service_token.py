"""Service tokens in SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.identity.error import TokenNotFound
from domain.identity.service_token import ServiceToken
from domain.identity.value import RateClass
from domain.shared.access import TenantScope
from domain.shared.ids import TokenId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import IS_OPEN, spaces
from infra.impl.repository.sql.mapping.column import Instant
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import Condition, TenantRows

SERVICE_TOKENS: Final = RowMapper(
    ServiceToken,
    "service_token",
    sa.Index(None, "space_id", "id"),
    sa.Index(None, "expires_at"),
    columns={
        "name": sa.String(50),
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "former_digest": sa.Column(sa.LargeBinary(32), unique=True),
        "last4": sa.String(4),
        "rate_class": sa.Column(sa.String(16), server_default=RateClass.DEFAULT.value),
    },
    flat={"rights": ""},
    read_only=["last_used_at"],
)
service_tokens: Final = SERVICE_TOKENS.table


PERSONAL.keep(OF_THE_WORKSPACE, service_tokens)


class SqlServiceTokenRepository:
    """Service tokens of workspaces."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._rows = TenantRows(unit, SERVICE_TOKENS, missing=_not_found, visible=_alive)

    async def get(self, scope: TenantScope, token_id: TokenId) -> ServiceToken:
        return await self._rows.get(scope, token_id)

    async def all(self, scope: TenantScope) -> list[ServiceToken]:
        return await self._rows.all(scope, order=[service_tokens.c.id.desc()])

    async def save(self, scope: TenantScope, token: ServiceToken) -> None:
        await self._rows.save(scope, token)


class SqlServiceTokenDirectory:
    """Service tokens by digest and by age, for authentication and warnings."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def find(self, digest: bytes) -> ServiceToken | None:
        """Look at both digests in one statement each: an OR would read the table."""
        for column in (service_tokens.c.digest, service_tokens.c.former_digest):
            if found := await self._one(column == digest):
                return found
        return None

    async def find_by_id(self, token_id: TokenId) -> ServiceToken | None:
        return await self._one(service_tokens.c.id == token_id)

    async def names(self, token_ids: Sequence[int]) -> dict[int, str]:
        query = sa.select(service_tokens.c.id, service_tokens.c.name)
        rows = await self._unit.connection.execute(query.where(service_tokens.c.id.in_(token_ids)))
        return {row.id: row.name for row in rows}

    async def expiring(self, *, before: datetime, limit: int) -> list[ServiceToken]:
        query = (
            sa.select(service_tokens)
            .where(
                service_tokens.c.expires_at < before,
                service_tokens.c.warned_at.is_(None),
                service_tokens.c.revoked_at.is_(None),
            )
            .order_by(service_tokens.c.expires_at)
            .limit(limit)
        )
        return await SERVICE_TOKENS.all(self._unit.connection, query)

    async def save(self, token: ServiceToken) -> None:
        await self._unit.save(service_tokens, token, SERVICE_TOKENS.row(token))

    async def _one(self, wanted: Condition) -> ServiceToken | None:
        query = sa.select(service_tokens).join(spaces, spaces.c.id == service_tokens.c.space_id)
        query = query.where(wanted, IS_OPEN)
        return await SERVICE_TOKENS.one(self._unit.connection, query)


async def record_service_use(unit: SqlUnitOfWork, used_at: Mapping[TokenId, datetime]) -> None:
    """Write when service tokens were used; ids of other tokens change nothing."""
    id_: sa.BindParameter[int] = sa.bindparam("token_id")
    at: sa.BindParameter[datetime] = sa.bindparam("at", type_=Instant)
    column = service_tokens.c.last_used_at
    await unit.connection.execute(
        sa.update(service_tokens)
        .where(service_tokens.c.id == id_, column.is_(None) | (column < at))
        .values(last_used_at=at),
        [{"token_id": token_id, "at": moment} for token_id, moment in used_at.items()],
    )


def _alive(scope: TenantScope) -> Condition:
    return service_tokens.c.space_id.in_(scope.space_ids) & service_tokens.c.revoked_at.is_(None)


def _not_found(token_id: int) -> TokenNotFound:
    return TokenNotFound(f"No service token {token_id}.", token_id=token_id)
