"""Channels, their credentials sealed at rest, and the messages that wait for their answer."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property, partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.channel.channel import Channel, ChannelId
from domain.channel.error import ChannelNotFound
from domain.channel.message import ChannelMessage, ChannelMessageId, Command, MessageState
from domain.privacy.value import Aging, Section
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from domain.shared.secret import Secret
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.fastpath.prepared import Prepared
from infra.impl.repository.sql.identity.table import IS_OPEN, spaces
from infra.impl.repository.sql.mapping.column import Instant, metadata
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.sealed_column import SealedColumn
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

CHANNELS: Final = RowMapper(
    Channel,
    "channel",
    sa.Index(None, "space_id", "id"),
    columns={
        "public_id": sa.Column(sa.String(22), unique=True),
        "platform": sa.String(32),
        "target_id": sa.BigInteger,
        "bot_id": sa.String(200),
    },
    omitted=["credentials"],
    extra=[sa.Column("sealed_credentials", sa.LargeBinary, nullable=False)],
)
channels: Final = CHANNELS.table
MESSAGES: Final = RowMapper(
    ChannelMessage,
    "channel_message",
    sa.Index(None, "state", "next_run_at"),
    sa.Index(None, "channel_id", "thread", "state"),
    sa.Index(None, "space_id", "state"),
    sa.Index(None, "channel_id", "platform_id", unique=True),
    columns={
        "platform_id": sa.String(200),
        "thread": sa.String(40),
        "end_user_id": sa.String(256),
        "run_id": sa.BigInteger,
        "live_id": sa.String(200),
        "lease_owner": sa.String(64),
        "last_error": sa.String(500),
    },
)
messages: Final = MESSAGES.table
threads: Final = sa.Table(
    "channel_thread",
    metadata,
    sa.Column("channel_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("thread", sa.String(40), primary_key=True),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("begun_by", sa.BigInteger, nullable=False),
)
SEALED_CREDENTIALS: Final = SealedColumn(
    channels.c.sealed_credentials, channels.c.id, "channel:{}:credentials"
)
_LEASE: Final = Lease(messages)


PERSONAL.add(
    PersonalTable(
        table=messages,
        section=Section.CONVERSATIONS,
        end_user=(messages.c.end_user_id,),
        aging=Aging.LOGS,
        since=messages.c.finished_at,
    )
)
PERSONAL.add(
    PersonalTable(
        table=threads,
        section=Section.CONVERSATIONS,
        end_user=(threads.c.end_user_id,),
    )
)
PERSONAL.keep(OF_THE_WORKSPACE, channels)


class SqlChannelRepository:
    """Channels of workspaces."""

    def __init__(self, uow: SqlUnitOfWork, box: SecretBox) -> None:
        self._box = box
        self._rows = TenantRows(uow, CHANNELS, missing=_not_found, read=partial(_read, box))

    async def get(self, scope: TenantScope, channel_id: ChannelId) -> Channel:
        return await self._rows.get(scope, channel_id)

    async def all(self, scope: TenantScope) -> Sequence[Channel]:
        return await self._rows.all(scope, order=[channels.c.id.desc()])

    async def save(self, scope: TenantScope, channel: Channel) -> None:
        more: dict[str, Any] = {}
        if channel.credentials:  # those that are unreadable stay until there are others
            sealed = SEALED_CREDENTIALS.seal(self._box, channel.id, _plain(channel.credentials))
            more["sealed_credentials"] = sealed
        elif not channel.revision or channel.deleted_at is not None:
            more["sealed_credentials"] = b""
        await self._rows.save(scope, channel, **more)


class SqlChannelDirectory:
    """What platforms and the worker look up."""

    def __init__(self, connection: AsyncConnection, box: SecretBox) -> None:
        self._connection = connection
        self._box = box

    async def find(self, public_id: str) -> Channel | None:
        return await self._one(channels.c.public_id == public_id)

    async def of(self, channel_id: ChannelId) -> Channel | None:
        return await self._one(channels.c.id == channel_id)

    async def _one(self, wanted: sa.ColumnElement[bool]) -> Channel | None:
        query = (
            sa.select(channels)
            .join(spaces, spaces.c.id == channels.c.space_id)
            .where(wanted, channels.c.deleted_at.is_(None), IS_OPEN)
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _read(self._box, row)


class SqlChannelQueue:
    """Messages by the order in which they came."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._connection = uow.connection

    async def add(self, message: ChannelMessage) -> bool:
        row = MESSAGES.row(message) | {"revision": 1}
        insert = upsert(self._connection.dialect.name, messages).values(**row)
        key = [messages.c.channel_id, messages.c.platform_id]
        found = await self._connection.execute(insert.on_conflict_do_nothing(index_elements=key))
        message.revision = 1
        return bool(found.rowcount)

    async def waiting(self, space_id: SpaceId) -> int:
        query = sa.select(sa.func.count()).where(
            messages.c.space_id == space_id, messages.c.state == MessageState.OPEN
        )
        return await self._connection.scalar(query) or 0

    async def due(
        self, *, now: datetime, limit: int, but: Collection[int] = ()
    ) -> Sequence[ChannelMessage]:
        values = {"now": now, "most": limit, "but": list(but)}
        found = await _due().rows(self._connection, values)
        return [MESSAGES.read(row) for row in found]

    async def find(self, message_id: ChannelMessageId) -> ChannelMessage | None:
        query = sa.select(messages).where(messages.c.id == message_id)
        return await MESSAGES.one(self._connection, query)

    async def before(self, message: ChannelMessage) -> Sequence[ChannelMessage]:
        query = (
            sa.select(messages)
            .where(
                messages.c.channel_id == message.channel_id,
                messages.c.thread == message.thread,
                messages.c.state == MessageState.OPEN,
                messages.c.id < message.id,
            )
            .order_by(messages.c.id)
        )
        return await MESSAGES.all(self._connection, query)

    async def save(self, message: ChannelMessage) -> None:
        await self._uow.save(messages, message, MESSAGES.row(message))

    async def renew(self, message_id: ChannelMessageId, owner: str, *, until: datetime) -> bool:
        which = messages.c.id == message_id
        return bool(await _LEASE.renew(self._connection, owner, which, until=until))

    async def release_all(self) -> None:
        held = sa.update(messages).where(messages.c.lease_until.is_not(None))
        await self._connection.execute(held.values(**_LEASE.released()))

    async def begin_anew(self, message: ChannelMessage) -> None:
        insert = upsert(self._connection.dialect.name, threads).values(
            channel_id=message.channel_id,
            thread=message.thread,
            space_id=message.space_id,
            end_user_id=message.end_user_id,
            begun_by=message.id,
        )
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[threads.c.channel_id, threads.c.thread],
                set_={"begun_by": message.id},
                where=threads.c.begun_by < message.id,
            )
        )

    async def conversation(self, message: ChannelMessage) -> int:
        query = sa.select(threads.c.begun_by).where(
            threads.c.channel_id == message.channel_id, threads.c.thread == message.thread
        )
        return await self._connection.scalar(query) or 0

    async def forget(self, *, before: datetime, limit: int) -> int:
        old = sa.select(messages.c.id).where(
            messages.c.state != MessageState.OPEN, messages.c.finished_at < before
        )
        found = await self._connection.execute(
            sa.delete(messages).where(messages.c.id.in_(old.limit(limit)))
        )
        return found.rowcount


class SqlChannelUnitOfWork(SqlUnitOfWork):
    """Channels and messages on one connection."""

    def __init__(self, connection: AsyncConnection, *, box: SecretBox, **options: Any) -> None:
        super().__init__(connection, **options)
        self._box = box

    @cached_property
    def channels(self) -> SqlChannelRepository:
        return SqlChannelRepository(self, self._box)

    @cached_property
    def directory(self) -> SqlChannelDirectory:
        return SqlChannelDirectory(self.connection, self._box)

    @cached_property
    def queue(self) -> SqlChannelQueue:
        return SqlChannelQueue(self)


class SqlChannelStore(SqlStore[SqlChannelUnitOfWork]):
    """Opens transactions on channels; ``box`` seals their credentials."""

    def __init__(self, database: Database, box: SecretBox) -> None:
        super().__init__(database, partial(SqlChannelUnitOfWork, box=box))


def _plain(credentials: Mapping[str, Secret]) -> bytes:
    return json.dumps({name: each.reveal() for name, each in credentials.items()}).encode()


def _read(box: SecretBox, row: sa.Row[Any]) -> Channel:
    try:
        plain = SEALED_CREDENTIALS.open(box, row.id, row.sealed_credentials)
    except SecretUnreadable:
        plain = b""
    found = json.loads(plain) if plain else {}
    return CHANNELS.read(row, credentials={name: Secret(text) for name, text in found.items()})


def _not_found(channel_id: int) -> ChannelNotFound:
    return ChannelNotFound(f"No channel {channel_id}.", channel_id=channel_id)


@cache
def _due() -> Prepared:
    """Take what may be worked on, in turn of workspaces: of a thread the first, and any stop."""
    now: Any = sa.bindparam("now", type_=Instant())
    earlier = messages.alias()
    is_blocked = sa.exists().where(
        earlier.c.channel_id == messages.c.channel_id,
        earlier.c.thread == messages.c.thread,
        earlier.c.state == MessageState.OPEN,
        earlier.c.command != Command.STOP,
        earlier.c.id < messages.c.id,
    )
    turn = sa.func.row_number().over(partition_by=messages.c.space_id, order_by=messages.c.id)
    ready = (
        sa.select(messages.c.id, turn.label("turn"))
        .where(
            messages.c.state == MessageState.OPEN,
            messages.c.next_run_at <= now,
            _LEASE.is_free(now),
            sa.or_(messages.c.command == Command.STOP, ~is_blocked),
            messages.c.space_id.not_in(sa.bindparam("but", type_=sa.BigInteger(), expanding=True)),
        )
        .subquery()
    )
    return Prepared(
        sa.select(messages)
        .join(ready, ready.c.id == messages.c.id)
        .order_by(ready.c.turn, messages.c.id)
        .limit(sa.bindparam("most", type_=sa.Integer))
    )
