"""Providers of OpenID Connect, and whom they know, in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.identity.oidc.error import OidcProviderNotFound
from domain.identity.oidc.link import ExternalIdentity, GivenRole, ProviderSession
from domain.identity.oidc.provider import OidcProvider
from domain.shared.error import StaleRevision
from domain.shared.ids import OidcProviderId, SessionId, UserId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import sessions
from infra.impl.repository.sql.mapping.personal import OF_THE_ACCOUNT, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.sealed_column import SealedColumn
from infra.impl.repository.sql.mapping.tenancy import OF_ACCOUNTS, OF_DEPLOYMENT, TENANCY

_PROVIDER: Final = sa.String(40)

OIDC_PROVIDERS: Final = RowMapper(
    OidcProvider, "oidc_provider", columns={"name": sa.String(50)}, flat={"rules": ""}
)
OIDC_IDENTITIES: Final = RowMapper(
    ExternalIdentity,
    "oidc_identity",
    sa.Index(None, "user_id"),
    columns={
        "id": sa.BigInteger,
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "provider": _PROVIDER,
    },
)
OIDC_SESSIONS: Final = RowMapper(
    ProviderSession,
    "oidc_session",
    sa.Index(None, "provider", "digest"),
    sa.Index(None, "user_id"),
    key=("session_id",),
    columns={
        "provider": _PROVIDER,
        "digest": sa.LargeBinary(32),
        "provider_session": sa.String(255),
    },
)
OIDC_ROLES: Final = RowMapper(
    GivenRole, "oidc_role", key=("provider", "user_id", "space_id"), columns={"provider": _PROVIDER}
)
oidc_providers: Final = OIDC_PROVIDERS.table
oidc_identities: Final = OIDC_IDENTITIES.table
oidc_sessions: Final = OIDC_SESSIONS.table
oidc_roles: Final = OIDC_ROLES.table

SEALED_OIDC_SECRET: Final = SealedColumn(
    oidc_providers.c.sealed_secret, oidc_providers.c.id, "oidc_provider:{}:secret"
)
SEALED_ID_TOKEN: Final = SealedColumn(
    oidc_sessions.c.sealed_id_token, oidc_sessions.c.session_id, "oidc_session:{}:id_token"
)


PERSONAL.keep(OF_THE_ACCOUNT, oidc_identities, oidc_roles, oidc_sessions)
TENANCY.apart(OF_ACCOUNTS, oidc_identities, oidc_sessions)
TENANCY.apart(OF_DEPLOYMENT, OIDC_PROVIDERS.table)


class SqlOidcDirectory:
    """Providers, identities, and what came of sign-ins."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._connection = unit.connection

    async def provider(self, provider_id: OidcProviderId) -> OidcProvider:
        query = sa.select(oidc_providers).where(oidc_providers.c.id == provider_id)
        found = await OIDC_PROVIDERS.one(self._connection, query)
        if found is None:
            raise OidcProviderNotFound(f"No provider {provider_id}.", provider_id=provider_id)
        return found

    async def providers(self) -> list[OidcProvider]:
        query = sa.select(oidc_providers).order_by(oidc_providers.c.id)
        return await OIDC_PROVIDERS.all(self._connection, query)

    async def save_provider(self, provider: OidcProvider) -> None:
        await self._unit.save(oidc_providers, provider, OIDC_PROVIDERS.row(provider))

    async def delete_provider(self, provider: OidcProvider) -> None:
        same = (oidc_providers.c.id == provider.id) & (
            oidc_providers.c.revision == provider.revision
        )
        if not (await self._connection.execute(sa.delete(oidc_providers).where(same))).rowcount:
            raise StaleRevision("This provider changed meanwhile; read it again.")
        for table in (oidc_sessions, oidc_roles):
            await self._connection.execute(sa.delete(table).where(table.c.provider == provider.key))
        self._unit.collect(*provider.pull_events())

    async def identity(self, digest: bytes) -> ExternalIdentity | None:
        query = sa.select(oidc_identities).where(oidc_identities.c.digest == digest)
        return await OIDC_IDENTITIES.one(self._connection, query)

    async def identities_of(self, user_id: UserId) -> list[ExternalIdentity]:
        query = sa.select(oidc_identities).where(oidc_identities.c.user_id == user_id)
        return await OIDC_IDENTITIES.all(self._connection, query.order_by(oidc_identities.c.id))

    async def save_identity(self, identity: ExternalIdentity) -> None:
        await self._unit.save(oidc_identities, identity, OIDC_IDENTITIES.row(identity))

    async def roles_given(self, provider: str, user_id: UserId) -> list[GivenRole]:
        query = sa.select(oidc_roles).where(_given(provider, user_id))
        return await OIDC_ROLES.all(self._connection, query)

    async def replace_roles(
        self, provider: str, user_id: UserId, roles: Sequence[GivenRole]
    ) -> None:
        await self._connection.execute(sa.delete(oidc_roles).where(_given(provider, user_id)))
        if roles:
            rows = [OIDC_ROLES.row(each) for each in roles]
            await self._connection.execute(sa.insert(oidc_roles), rows)

    async def session(self, session_id: SessionId) -> ProviderSession | None:
        query = sa.select(oidc_sessions).where(oidc_sessions.c.session_id == session_id)
        return await OIDC_SESSIONS.one(self._connection, query)

    async def sessions(
        self, provider: str, *, digest: bytes = b"", provider_session: str = "", until: datetime
    ) -> list[ProviderSession]:
        where = [oidc_sessions.c.provider == provider, oidc_sessions.c.created_at <= until]
        if digest:
            where.append(oidc_sessions.c.digest == digest)
        if provider_session:
            where.append(oidc_sessions.c.provider_session == provider_session)
        query = sa.select(oidc_sessions).where(*where).order_by(oidc_sessions.c.session_id)
        return await OIDC_SESSIONS.all(self._connection, query)

    async def add_session(self, session: ProviderSession) -> None:
        is_there = sa.exists().where(sessions.c.id == oidc_sessions.c.session_id)
        await self._connection.execute(
            sa.delete(oidc_sessions).where(oidc_sessions.c.user_id == session.user_id, ~is_there)
        )
        await self._connection.execute(sa.insert(oidc_sessions), OIDC_SESSIONS.row(session))


def _given(provider: str, user_id: UserId) -> sa.ColumnElement[bool]:
    return (oidc_roles.c.provider == provider) & (oidc_roles.c.user_id == user_id)
