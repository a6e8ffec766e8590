"""Share links, their keys sealed at rest, and the sessions of their visitors."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.privacy.value import Section
from domain.share.error import ShareLinkNotFound
from domain.share.hook import HookNotice
from domain.share.link import ShareLink, ShareLinkId
from domain.share.visitor import Visit
from domain.shared.access import TenantScope
from domain.shared.ids import RunId
from domain.shared.secret import Secret
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import IS_OPEN, spaces
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.sealed_column import SealedColumn
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

LINKS: Final = RowMapper(
    ShareLink,
    "share_link",
    sa.Index(None, "space_id", "id"),
    columns={
        "code": sa.Column(sa.String(22), unique=True),
        "target_id": sa.BigInteger,
        "hook_url": sa.Column(sa.Text, server_default=""),
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
    omitted=["proof"],
    extra=[sa.Column("sealed_proof", sa.LargeBinary)],
)
visits: Final = VISITS.table
NOTICES: Final = RowMapper(
    HookNotice,
    "share_hook_notice",
    sa.Index(None, "due_at"),
    key=("run_id",),
    columns={"end_user_id": sa.String(256)},
    omitted=["proof"],
    extra=[sa.Column("sealed_proof", sa.LargeBinary, nullable=False)],
)
notices: Final = NOTICES.table
SEALED_VISIT_PROOF: Final = SealedColumn(visits.c.sealed_proof, visits.c.id, "share_visit:{}:proof")
SEALED_NOTICE_PROOF: Final = SealedColumn(
    notices.c.sealed_proof, notices.c.run_id, "share_hook_notice:{}:proof"
)
SEALED_USER_KEY: Final = SealedColumn(links.c.sealed_user_key, links.c.id, "share_link:{}:user_key")


PERSONAL.add(
    PersonalTable(
        table=visits,
        section=Section.ACCESS,
        end_user=(visits.c.end_user_id,),
    )
)
PERSONAL.add(
    PersonalTable(
        table=notices,
        section=Section.ACCESS,
        end_user=(notices.c.end_user_id,),
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
        return await self._one(links.c.code == code)

    async def of(self, link_id: ShareLinkId) -> ShareLink | None:
        return await self._one(links.c.id == link_id)

    async def visit(self, digest: bytes) -> Visit | None:
        query = sa.select(visits).where(visits.c.digest == digest)
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            return None
        return VISITS.read(row, proof=_proof(SEALED_VISIT_PROOF, self._box, row.id, row))

    async def add(self, visit: Visit) -> None:
        sealed = SEALED_VISIT_PROOF.seal(self._box, visit.id, visit.proof.reveal().encode())
        values = {**VISITS.row(visit), "sealed_proof": sealed}
        await self._connection.execute(sa.insert(visits).values(**values))

    async def forget(self, *, before: datetime, limit: int) -> int:
        old = sa.select(visits.c.id).where(visits.c.expires_at < before).limit(limit)
        found = await self._connection.execute(sa.delete(visits).where(visits.c.id.in_(old)))
        return found.rowcount

    async def _one(self, wanted: sa.ColumnElement[bool]) -> ShareLink | None:
        query = (
            sa.select(links)
            .join(spaces, spaces.c.id == links.c.space_id)
            .where(wanted, links.c.revoked_at.is_(None), IS_OPEN)
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _read(self._box, row)


class SqlHookNotices:
    """What hooks are still to be told."""

    def __init__(self, connection: AsyncConnection, box: SecretBox) -> None:
        self._connection = connection
        self._box = box

    async def add(self, notice: HookNotice) -> None:
        sealed = SEALED_NOTICE_PROOF.seal(self._box, notice.run_id, notice.proof.reveal().encode())
        row = {**NOTICES.row(notice), "sealed_proof": sealed}
        statement = upsert(self._connection.dialect.name, notices).values(**row)
        await self._connection.execute(statement.on_conflict_do_nothing())

    async def due(self, *, now: datetime, limit: int) -> Sequence[HookNotice]:
        query = (
            sa.select(notices)
            .where(notices.c.due_at <= now)
            .order_by(notices.c.due_at, notices.c.run_id)
            .limit(limit)
        )
        return [
            NOTICES.read(row, proof=_proof(SEALED_NOTICE_PROOF, self._box, row.run_id, row))
            for row in await self._connection.execute(query)
        ]

    async def put_off(self, notice: HookNotice) -> None:
        values = {"attempt": notice.attempt, "due_at": notice.due_at}
        await self._connection.execute(
            sa.update(notices).where(notices.c.run_id == notice.run_id).values(**values)
        )

    async def remove(self, run_id: RunId) -> None:
        await self._connection.execute(sa.delete(notices).where(notices.c.run_id == run_id))


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

    @cached_property
    def notices(self) -> SqlHookNotices:
        return SqlHookNotices(self.connection, self._box)


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


def _proof(column: SealedColumn, box: SecretBox, key: int, row: sa.Row[Any]) -> Secret:
    try:
        return Secret(column.open(box, key, row.sealed_proof or b"").decode())
    except SecretUnreadable:
        return Secret("")


def _not_found(link_id: int) -> ShareLinkNotFound:
    return ShareLinkNotFound(f"No share link {link_id}.", link_id=link_id)
