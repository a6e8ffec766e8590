"""Applications, requests, grants and tokens of OAuth in SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.identity.oauth.app import OAuthApp
from domain.identity.oauth.error import ClientAppNotFound
from domain.identity.oauth.grant import OAuthCredential, OAuthGrant, OAuthToken
from domain.identity.oauth.request import OAuthRequest, RequestState
from domain.identity.value import TokenKind
from domain.privacy.value import Section
from domain.shared.access import Role, TenantScope
from domain.shared.ids import OAuthAppId, OAuthGrantId, SpaceId, TokenId, UserId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.query import LIKE_ESCAPE, escaped
from infra.impl.repository.sql.identity.table import IS_OPEN, USERS, memberships, spaces, users
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import (
    OF_THE_ACCOUNT,
    OF_THE_WORKSPACE,
    PERSONAL,
    PersonalTable,
)
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenancy import TENANCY
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

OAUTH_APPS: Final = RowMapper(
    OAuthApp,
    "oauth_app",
    sa.Index(None, "space_id", "id"),
    columns={
        "name": sa.String(50),
        "secret_digest": sa.LargeBinary(32),
        "secret_last4": sa.String(4),
    },
    flat={"rules": ""},
    read_only=["last_used_at"],
)
OAUTH_REQUESTS: Final = RowMapper(
    OAuthRequest,
    "oauth_request",
    sa.Index(None, "app_id", "expires_at"),
    columns={
        "handle": sa.Column(sa.LargeBinary(32), unique=True),
        "code": sa.Column(sa.LargeBinary(32), unique=True),
        "challenge": sa.String(128),
    },
)
OAUTH_GRANTS: Final = RowMapper(
    OAuthGrant,
    "oauth_grant",
    sa.Index(None, "user_id", "id"),
    sa.Index(None, "app_id", "expires_at"),
    read_only=["last_used_at"],
)
OAUTH_TOKENS: Final = RowMapper(
    OAuthToken,
    "oauth_token",
    sa.Index(None, "app_id", "expires_at"),
    sa.Index(None, "grant_id"),
    columns={
        "id": sa.BigInteger,
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "end_user_id": sa.String(256),
    },
)
oauth_apps: Final = OAUTH_APPS.table
oauth_requests: Final = OAUTH_REQUESTS.table
oauth_grants: Final = OAUTH_GRANTS.table
oauth_tokens: Final = OAUTH_TOKENS.table

oauth_assertions: Final = sa.Table(
    "oauth_assertion",
    metadata,
    id_column("app_id", primary_key=True),
    sa.Column("name", sa.LargeBinary(32), primary_key=True),
    sa.Column("expires_at", Instant, nullable=False),
)
"""Names of assertions that were taken; each is taken once."""

_OF_APP: Final = (oauth_requests, oauth_tokens, oauth_grants, oauth_assertions)


PERSONAL.add(
    PersonalTable(
        table=oauth_tokens,
        section=Section.ACCESS,
        end_user=(oauth_tokens.c.end_user_id,),
        within=(oauth_tokens.c.app_id, oauth_apps.c.id),
        is_shown=False,
    )
)
PERSONAL.keep(OF_THE_WORKSPACE, oauth_apps)
PERSONAL.keep(OF_THE_ACCOUNT, oauth_grants, oauth_requests)
TENANCY.through(oauth_tokens.c.app_id, oauth_apps.c.id)
TENANCY.through(oauth_assertions.c.app_id, oauth_apps.c.id)


class SqlOAuthAppRepository:
    """Applications of workspaces."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._rows = TenantRows(unit, OAUTH_APPS, missing=_not_found)

    async def get(self, scope: TenantScope, app_id: OAuthAppId) -> OAuthApp:
        return await self._rows.get(scope, app_id)

    async def all(self, scope: TenantScope) -> list[OAuthApp]:
        return await self._rows.all(scope, order=[oauth_apps.c.id.desc()])

    async def save(self, scope: TenantScope, app: OAuthApp) -> None:
        await self._rows.save(scope, app)

    async def delete(self, scope: TenantScope, app: OAuthApp) -> None:
        if not await self._rows.delete(scope, oauth_apps.c.id == app.id):
            raise _not_found(app.id)
        for table in _OF_APP:
            await self._unit.connection.execute(sa.delete(table).where(table.c.app_id == app.id))
        self._unit.collect(*app.pull_events())


class SqlOAuthDirectory:
    """What flows look up by digests and names."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._connection = unit.connection

    async def app(self, app_id: OAuthAppId) -> OAuthApp | None:
        query = sa.select(oauth_apps).join(spaces, spaces.c.id == oauth_apps.c.space_id)
        query = query.where(oauth_apps.c.id == app_id, oauth_apps.c.disabled_at.is_(None), IS_OPEN)
        return await OAUTH_APPS.one(self._connection, query)

    async def apps(self, app_ids: Sequence[OAuthAppId]) -> dict[OAuthAppId, OAuthApp]:
        query = sa.select(oauth_apps).where(oauth_apps.c.id.in_(app_ids))
        return {app.id: app for app in await OAUTH_APPS.all(self._connection, query)}

    async def page(
        self, *, before: OAuthAppId | None, limit: int, text: str = ""
    ) -> list[tuple[OAuthApp, str]]:
        query = (
            sa.select(oauth_apps, spaces.c.name.label("space_name"))
            .join(spaces, spaces.c.id == oauth_apps.c.space_id)
            .order_by(oauth_apps.c.id.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(oauth_apps.c.id < before)
        if text:
            pattern = f"%{escaped(text.lower())}%"
            query = query.where(sa.func.lower(oauth_apps.c.name).like(pattern, escape=LIKE_ESCAPE))
        rows = await self._connection.execute(query)
        return [(OAUTH_APPS.read(row), row.space_name) for row in rows]

    async def request_of(self, handle: bytes) -> OAuthRequest | None:
        query = sa.select(oauth_requests).where(oauth_requests.c.handle == handle)
        return await OAUTH_REQUESTS.one(self._connection, query)

    async def request_by_code(self, code: bytes) -> OAuthRequest | None:
        query = sa.select(oauth_requests).where(oauth_requests.c.code == code)
        return await OAUTH_REQUESTS.one(self._connection, query)

    async def count_pending(self, app_id: OAuthAppId, *, now: datetime) -> int:
        query = sa.select(sa.func.count()).select_from(oauth_requests)
        query = query.where(
            oauth_requests.c.app_id == app_id,
            oauth_requests.c.expires_at > now,
            oauth_requests.c.state == RequestState.PENDING.value,
        )
        return await self._connection.scalar(query) or 0

    async def save_request(self, request: OAuthRequest) -> None:
        await self._unit.save(oauth_requests, request, OAUTH_REQUESTS.row(request))

    async def grant(self, grant_id: OAuthGrantId) -> OAuthGrant | None:
        query = sa.select(oauth_grants).where(oauth_grants.c.id == grant_id)
        return await OAUTH_GRANTS.one(self._connection, query)

    async def grants_of(self, user_id: UserId, *, now: datetime) -> list[OAuthGrant]:
        query = (
            sa.select(oauth_grants)
            .where(oauth_grants.c.user_id == user_id, oauth_grants.c.expires_at > now)
            .order_by(oauth_grants.c.id.desc())
        )
        return await OAUTH_GRANTS.all(self._connection, query)

    async def grants_to(self, app_id: OAuthAppId) -> list[OAuthGrant]:
        query = sa.select(oauth_grants).where(oauth_grants.c.app_id == app_id)
        return await OAUTH_GRANTS.all(self._connection, query)

    async def save_grant(self, grant: OAuthGrant) -> None:
        await self._unit.save(oauth_grants, grant, OAUTH_GRANTS.row(grant))

    async def delete_grant(self, grant: OAuthGrant) -> None:
        of_family = oauth_tokens.c.grant_id == grant.id
        await self._connection.execute(sa.delete(oauth_tokens).where(of_family))
        await self._connection.execute(sa.delete(oauth_grants).where(oauth_grants.c.id == grant.id))
        self._unit.collect(*grant.pull_events())

    async def token(self, digest: bytes) -> OAuthToken | None:
        query = sa.select(oauth_tokens).where(oauth_tokens.c.digest == digest)
        return await OAUTH_TOKENS.one(self._connection, query)

    async def save_token(self, token: OAuthToken) -> None:
        await self._unit.save(oauth_tokens, token, OAUTH_TOKENS.row(token))

    async def credential(self, digest: bytes) -> OAuthCredential | None:
        token = await self.token(digest)
        if token is None or token.kind is not TokenKind.OAUTH:
            return None
        app = await self.app(token.app_id)
        if app is None:
            return None
        if token.grant_id is None:
            return OAuthCredential(token=token, app=app, grant=None, user=None, roles={})
        grant = await self.grant(token.grant_id)
        if grant is None:
            return None
        user = await USERS.one(
            self._connection, sa.select(users).where(users.c.id == grant.user_id)
        )
        role = await self._role(grant.space_id, grant.user_id)
        roles = {} if role is None else {grant.space_id: role}
        return OAuthCredential(token=token, app=app, grant=grant, user=user, roles=roles)

    async def take_assertion(
        self, app_id: OAuthAppId, name: bytes, *, expires_at: datetime
    ) -> bool:
        insert = upsert(self._connection.dialect.name, oauth_assertions)
        row = {"app_id": app_id, "name": name, "expires_at": expires_at}
        taken = await self._connection.execute(insert.values(**row).on_conflict_do_nothing())
        return bool(taken.rowcount)

    async def forget_expired(self, app_id: OAuthAppId, *, before: datetime) -> None:
        for table in _OF_APP:
            await self._connection.execute(
                sa.delete(table).where(table.c.app_id == app_id, table.c.expires_at < before)
            )

    async def _role(self, space_id: SpaceId, user_id: UserId) -> Role | None:
        query = (
            sa.select(memberships.c.role)
            .join(spaces, spaces.c.id == memberships.c.space_id)
            .where(
                memberships.c.space_id == space_id,
                memberships.c.user_id == user_id,
                IS_OPEN,
            )
        )
        found = await self._connection.scalar(query)
        return None if found is None else Role(found)


async def record_oauth_use(unit: SqlUnitOfWork, used_at: Mapping[TokenId, datetime]) -> None:
    """Write when grants, and applications that act for workspaces, were used."""
    id_: sa.BindParameter[int] = sa.bindparam("token_id")
    at: sa.BindParameter[datetime] = sa.bindparam("at", type_=Instant)
    for table in (oauth_grants, oauth_apps):
        column = table.c.last_used_at
        await unit.connection.execute(
            sa.update(table)
            .where(table.c.id == id_, column.is_(None) | (column < at))
            .values(last_used_at=at),
            [{"token_id": token_id, "at": moment} for token_id, moment in used_at.items()],
        )


def _not_found(app_id: int) -> ClientAppNotFound:
    return ClientAppNotFound(f"No application {app_id}.", app_id=app_id)
