"""Share links, their keys sealed at rest, and the sessions of their visitors."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.privacy.value import Section
from domain.share.error import ShareLinkNotFound
from domain.share.link import ShareLink, ShareLinkId
from domain.share.visitor import Visit
from domain.shared.access import TenantScope
from domain.shared.secret import Secret
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.engine.database import Database, SqlStore, SqlUnitOfWork
from infra.impl.repository.sql.identity.table import IS_OPEN, spaces
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.sealed_column import SealedColumn
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows

LINKS: Final = RowMapper(
    ShareLink,
    "share_link",
    sa.Index(None, "space_id", "id"),
    columns={
        "code": sa.Column(sa.String(22), unique=True),
        "target_id": sa.BigInteger,
    },
    omitted=["user_key"],
    extra=[sa.Column("sealed_user_key", sa.LargeBinary, nullable=False)],
)
links: Final = LINKS.table
VISITS: Final = RowMapper(
    Visit,
    "share_visit",
    sa.Index(None, "expires_at"),
    columns={
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "end_user_id": sa.String(256),
        "source": sa.String(16),
    },
)
visits: Final = VISITS.table
SEALED_USER_KEY: Final = SealedColumn(links.c.sealed_user_key, links.c.id, "share_link:{}:user_key")


PERSONAL.add(
    PersonalTable(
        table=visits,
        section=Section.ACCESS,
        end_user=(visits.c.end_user_id,),
    )
)
PERSONAL.keep(OF_THE_WORKSPACE, links)


class SqlShareLinkRepository:
    """Links of workspaces."""

    def __init__(self, uow: SqlUnitOfWork, box: SecretBox) -> None:
        self._box = box
        self._rows = TenantRows(uow, LINKS, missing=_not_found, read=partial(_read, box))

    async def get(self, scope: TenantScope, link_id: ShareLinkId) -> ShareLink:
        found = await self._rows.find(scope, links.c.id == link_id, links.c.revoked_at.is_(None))
        if found is None:
            raise _not_found(link_id)
        return found

    async def all(self, scope: TenantScope) -> Sequence[ShareLink]:
        return await self._rows.all(scope, links.c.revoked_at.is_(None), order=[links.c.id.desc()])

    async def save(self, scope: TenantScope, link: ShareLink) -> None:
        more: dict[str, Any] = {}
        if link.user_key:  # one that is unreadable stays until there is another
            key = link.user_key.reveal().encode()
            more["sealed_user_key"] = SEALED_USER_KEY.seal(self._box, link.id, key)
        elif not link.revision:
            more["sealed_user_key"] = b""
        await self._rows.save(scope, link, **more)


class SqlShareDirectory:
    """What visitors are looked up by."""

    def __init__(self, connection: AsyncConnection, box: SecretBox) -> None:
        self._connection = connection
        self._box = box

    async def find(self, code: str) -> ShareLink | None:
        query = (
            sa.select(links)
            .join(spaces, spaces.c.id == links.c.space_id)
            .where(
                links.c.code == code,
                links.c.revoked_at.is_(None),
                IS_OPEN,
            )
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _read(self._box, row)

    async def visit(self, digest: bytes) -> Visit | None:
        query = sa.select(visits).where(visits.c.digest == digest)
        return await VISITS.one(self._connection, query)

    async def add(self, visit: Visit) -> None:
        await self._connection.execute(sa.insert(visits).values(**VISITS.row(visit)))

    async def forget(self, *, before: datetime, limit: int) -> int:
        old = sa.select(visits.c.id).where(visits.c.expires_at < before).limit(limit)
        found = await self._connection.execute(sa.delete(visits).where(visits.c.id.in_(old)))
        return found.rowcount


class SqlShareUnitOfWork(SqlUnitOfWork):
    """Links and visits on one connection."""

    def __init__(self, connection: AsyncConnection, *, box: SecretBox, **options: Any) -> None:
        super().__init__(connection, **options)
        self._box = box

    @cached_property
    def links(self) -> SqlShareLinkRepository:
        return SqlShareLinkRepository(self, self._box)

    @cached_property
    def directory(self) -> SqlShareDirectory:
        return SqlShareDirectory(self.connection, self._box)


class SqlShareStore(SqlStore[SqlShareUnitOfWork]):
    """Opens transactions on share links; ``box`` seals their keys."""

    def __init__(self, database: Database, box: SecretBox) -> None:
        super().__init__(database, partial(SqlShareUnitOfWork, box=box))


def _read(box: SecretBox, row: sa.Row[Any]) -> ShareLink:
    try:
        key = SEALED_USER_KEY.open(box, row.id, row.sealed_user_key).decode()
    except SecretUnreadable:
        key = ""
    return LINKS.read(row, user_key=Secret(key))


def _not_found(link_id: int) -> ShareLinkNotFound:
    return ShareLinkNotFound(f"No share link {link_id}.", link_id=link_id)
