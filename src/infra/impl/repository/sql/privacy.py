"""Data rights in SQL: requests, what workspaces keep, and rows of people in all tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.conversation.value import RunStatus
from domain.privacy.error import DataRequestNotFound
from domain.privacy.repository import Selection
from domain.privacy.request import DataRequest
from domain.privacy.retention import Retention
from domain.privacy.value import (
    Aging,
    DataRequestId,
    DataRequestState,
    Section,
    StoreCount,
    Subject,
)
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from domain.usage.repository import ROLLUP_LOCK
from infra.impl.repository.sql.conversation.table import conversations, messages, runs
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.file.table import files
from infra.impl.repository.sql.identity.table import spaces
from infra.impl.repository.sql.knowledge.table import documents
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.column import metadata
from infra.impl.repository.sql.mapping.keyset import beyond
from infra.impl.repository.sql.mapping.personal import (
    OF_THE_WORKSPACE,
    PERSONAL,
    Condition,
    PersonalTable,
)
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.space_rules import SpaceRules
from infra.impl.repository.sql.mapping.tenancy import TENANCY
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.space_rows import SqlSpaceRows

REQUESTS: Final = RowMapper(
    DataRequest,
    "data_request",
    sa.Index(None, "space_id", "id"),
    sa.Index(None, "state", "id"),
    sa.Index(None, "subject_digest"),
    columns={
        "subject_digest": sa.String(64),
        "problem": sa.String(500),
        "object_key": sa.String(200),
        "size": sa.BigInteger,
    },
)
requests: Final = REQUESTS.table
RETENTIONS: Final = RowMapper(
    Retention,
    "retention",
    flat={"days": "days_"},
    columns={"id": sa.BigInteger, "updated_by": sa.BigInteger},
)
retentions: Final = RETENTIONS.table
PERSONAL.keep(OF_THE_WORKSPACE, retentions)
TENANCY.through(retentions.c.id, spaces.c.id)
TENANCY.keep_objects(requests.c.object_key)
PERSONAL.keep("The proof itself, which names nobody once it is done.", requests)

_OVER: Final = (DataRequestState.DONE, DataRequestState.FAILED)
_RUNNING: Final = (RunStatus.CREATED, RunStatus.IN_PROGRESS)
_LIVE: Final = sa.text("phase IN ('created', 'running')")
_AT_ONCE: Final = 500
_INTERNAL: Final = frozenset({"attempt", "lease_owner", "lease_until", "revision", "terms"})
"""Columns that say nothing to people; neither do bytes."""


class SqlDataRequestRepository:
    """Requests of workspaces."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, REQUESTS, missing=_not_found)

    async def get(self, scope: TenantScope, request_id: DataRequestId) -> DataRequest:
        return await self._rows.get(scope, request_id)

    async def newest(self, scope: TenantScope, *, limit: int) -> Sequence[DataRequest]:
        return await self._rows.all(scope, order=[requests.c.id.desc()], limit=limit)

    async def count_open(self, scope: TenantScope) -> int:
        query = sa.select(sa.func.count()).where(
            requests.c.space_id.in_(scope.space_ids), requests.c.state.not_in(_OVER)
        )
        return await self._connection.scalar(query) or 0

    async def save(self, scope: TenantScope, request: DataRequest) -> None:
        await self._rows.save(scope, request)


class SqlPrivacyJobs:
    """Implements ``PrivacyJobs``."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def waiting(self, *, limit: int) -> Sequence[DataRequest]:
        query = (
            sa.select(requests)
            .where(requests.c.state.not_in(_OVER))
            .order_by(requests.c.id)
            .limit(limit)
        )
        return await REQUESTS.all(self._connection, query)

    async def archived(
        self, *, digest: str | None = None, expired_at: datetime | None = None, limit: int
    ) -> Sequence[DataRequest]:
        wanted = [requests.c.object_key != ""]
        if digest is not None:
            wanted.append(requests.c.subject_digest == digest)
        if expired_at is not None:
            wanted.append(requests.c.expires_at < expired_at)
        query = sa.select(requests).where(*wanted).order_by(requests.c.id).limit(limit)
        return await REQUESTS.all(self._connection, query)

    async def all(self) -> Sequence[Retention]:
        return await RETENTIONS.all(self._connection, sa.select(retentions))

    async def is_held(self, space_id: SpaceId) -> bool:
        query = sa.select(retentions.c.is_held).where(retentions.c.id == space_id)
        return bool(await self._connection.scalar(query))


class SqlPersonalRows:
    """Goes through all tables that are registered; see ``mapping.personal``."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        complete_metadata()
        self._uow = uow
        self._connection = uow.connection

    async def stop(self, subject: Subject, *, now: datetime) -> Sequence[tuple[str, int]]:
        left: list[tuple[str, int]] = []
        for name, live in (("run", runs.c.status.in_(_RUNNING)), ("workflow_run", _LIVE)):
            entry = PERSONAL[name]
            mine = PERSONAL.condition(entry, lambda each: each.of(subject))
            if mine is None:
                continue
            asked = (
                sa.update(entry.table)
                .where(mine, live, entry.table.c.cancel_requested_at.is_(None))
                .values(cancel_requested_at=now)
            )
            await self._connection.execute(asked)
            running = await self._connection.scalars(sa.select(entry.table.c.id).where(mine, live))
            left += [(name, run_id) for run_id in running]
        return left

    async def of(self, subject: Subject) -> Selection:
        return Selection(
            space_id=subject.space_id,
            subject=subject,
            ids=frozenset(await self._files_of(subject)),
        )

    async def aged(
        self, space_id: SpaceId, aging: Aging, *, before: datetime, limit: int
    ) -> Selection | None:
        for entry in PERSONAL:
            if entry.aging is not aging:
                continue
            ids, after = set[int](), 0
            while len(ids) < limit:
                found = await self._old(entry, space_id, before=before, after=after, limit=limit)
                used = await self._used(found) if entry.table is files else set()
                ids |= set(found) - used
                if len(found) < limit:
                    break
                after = found[-1]
            if ids:
                return Selection(space_id=space_id, aging=aging, ids=frozenset(ids))
        return None

    async def count(self, selection: Selection) -> Sequence[StoreCount]:
        counts = []
        for entry in PERSONAL:
            where = self._where(entry, selection)
            found = 0
            if where is not None:
                query = sa.select(sa.func.count()).select_from(entry.table).where(where)
                found = await self._connection.scalar(query) or 0
            counts.append(StoreCount(store=entry.name, section=entry.section, found=found))
        return counts

    async def objects(self, selection: Selection) -> Collection[str]:
        keys: list[str] = []
        for entry in PERSONAL:
            where = self._where(entry, selection)
            if entry.objects is not None and where is not None:
                query = sa.select(entry.objects).where(where, entry.objects != "")
                keys += await self._connection.scalars(query)
        return keys

    def stores(self) -> Sequence[tuple[str, Section]]:
        return [(entry.name, entry.section) for entry in PERSONAL if entry.is_shown]

    async def page(
        self, selection: Selection, store: str, *, after: Sequence[Any] | None, limit: int
    ) -> tuple[Sequence[Mapping[str, Any]], Sequence[Any] | None]:
        entry = PERSONAL[store]
        where = self._where(entry, selection)
        if where is None:
            return (), None
        key = list(entry.table.primary_key)
        query = sa.select(entry.table).where(where).order_by(*key).limit(limit)
        if after is not None:
            query = query.where(beyond(entry.table, after))
        rows = (await self._connection.execute(query)).mappings().all()
        shown = [_shown(dict(row)) for row in rows]
        last = [rows[-1][column.name] for column in key] if len(rows) == limit else None
        return shown, last

    async def forget(self, selection: Selection) -> Mapping[str, int]:
        await self._uow.serialise(ROLLUP_LOCK)
        done: dict[str, int] = {}
        for entry in PERSONAL:
            where = self._where(entry, selection)
            if where is None:
                continue
            if entry.disown is not None:
                if selection.subject is not None:
                    count = await entry.disown(self._connection, where, selection.subject)
                    done[entry.name] = count
                continue
            gone = await self._connection.execute(sa.delete(entry.table).where(where))
            done[entry.name] = gone.rowcount
        return done

    def _where(self, entry: PersonalTable, selection: Selection) -> Condition | None:
        return PERSONAL.condition(entry, partial(_root, selection))

    async def _old(
        self, entry: PersonalTable, space_id: SpaceId, *, before: datetime, after: int, limit: int
    ) -> list[int]:
        table, since = entry.table.c, entry.since
        if since is None:
            return []
        wanted = [table.space_id == space_id, table.id > after, since < before]
        if entry.is_over is not None:
            wanted.append(entry.is_over)
        query = sa.select(table.id).where(*wanted).order_by(table.id).limit(limit)
        return list(await self._connection.scalars(query))

    async def _files_of(self, subject: Subject) -> set[int]:
        """Files that are somebody's own, and those sent in their chats and nowhere else."""
        mine = PERSONAL["file"].of(subject)
        said = PERSONAL.condition(PERSONAL["message"], lambda each: each.of(subject))
        if mine is None or said is None:
            return set()
        own = set(await self._connection.scalars(sa.select(files.c.id).where(mine)))
        sent = set[int]()
        for parts in await self._connection.scalars(sa.select(messages.c.parts).where(said)):
            sent |= {part.file_id for part in parts if getattr(part, "file_id", 0)}
        found = set(own)
        for ids in _pieces(sent - own):
            # They may lie in another workspace: uploads go where the token is at home.
            query = sa.select(files.c.id).where(files.c.id.in_(ids), files.c.end_user_id == "")
            found |= set(await self._connection.scalars(query))
        # What an account uploads may be sent in chats of others; what is an end user's, is theirs.
        for each in sorted(found if subject.account_id else found - own):
            theirs = (
                sa.select(conversations.c.id)
                .join(files, files.c.creator_id == conversations.c.creator_id)
                .where(files.c.id == each)
            )
            elsewhere = sa.select(messages.c.id).where(
                messages.c.conversation_id.in_(theirs),
                sa.type_coerce(messages.c.parts, sa.Text).contains(str(each)),
                sa.not_(said),
            )
            if await self._connection.scalar(elsewhere.limit(1)):
                found.discard(each)
        return found - await self._used(found)

    async def _used(self, ids: Collection[int]) -> set[int]:
        """Those of some files that are pictures of things, or what documents were made of."""
        if not ids:
            return set()
        used = set[int]()
        for table in metadata.tables.values():
            if "icon_file_id" in table.c:
                icon = table.c.icon_file_id
                for piece in _pieces(ids):
                    query = sa.select(icon).where(icon.in_(piece))
                    used |= set(await self._connection.scalars(query))
        homes = set[int]()
        for piece in _pieces(ids):
            query = sa.select(files.c.space_id).where(files.c.id.in_(piece)).distinct()
            homes |= set(await self._connection.scalars(query))
        of_documents = sa.select(documents.c.source).where(documents.c.space_id.in_(homes))
        sources = await self._connection.scalars(of_documents)
        return used | {source.file_id for source in sources if source.file_id in ids}


def _root(selection: Selection, entry: PersonalTable) -> Condition | None:
    """Return which rows a selection begins with; the others belong to these."""
    if selection.subject is None:
        is_meant = entry.aging is selection.aging
    elif entry.table is files:  # which ones those are was found out before
        is_meant = True
    else:
        return entry.of(selection.subject)
    if not is_meant:
        return None
    ids: sa.BindParameter[Any] = sa.bindparam(
        None, sorted(selection.ids), expanding=True, literal_execute=True
    )
    return entry.table.c.id.in_(ids)


def _pieces(ids: Iterable[int]) -> list[list[int]]:
    every = sorted(ids)
    return [every[at : at + _AT_ONCE] for at in range(0, len(every), _AT_ONCE)]


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as people may read it: ids as texts, times as dates."""
    shown: dict[str, Any] = {}
    for name, value in row.items():
        if name in _INTERNAL or isinstance(value, bytes | bytearray | memoryview):
            continue
        is_id = isinstance(value, int) and (name == "id" or name.endswith(("_id", "_by")))
        # Names of columns are a type of their own, which nobody encodes.
        shown[str(name)] = str(value) if is_id else msgspec.to_builtins(value, enc_hook=str)
    return shown


def _not_found(request_id: int) -> DataRequestNotFound:
    return DataRequestNotFound(f"No data request {request_id}.", request_id=request_id)


class SqlPrivacyUnitOfWork(SqlUnitOfWork):
    """Implements ``PrivacyUnitOfWork``."""

    @cached_property
    def requests(self) -> SqlDataRequestRepository:
        return SqlDataRequestRepository(self)

    @cached_property
    def retention(self) -> SpaceRules[Retention]:
        return SpaceRules(self, RETENTIONS, unsaid=lambda space_id: Retention(id=space_id))

    @cached_property
    def jobs(self) -> SqlPrivacyJobs:
        return SqlPrivacyJobs(self)

    @cached_property
    def people(self) -> SqlPersonalRows:
        return SqlPersonalRows(self)

    @cached_property
    def space_rows(self) -> SqlSpaceRows:
        return SqlSpaceRows(self, RETENTIONS)


class SqlPrivacyStore(SqlStore[SqlPrivacyUnitOfWork]):
    """Opens transactions on data rights."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlPrivacyUnitOfWork)
