"""The directory in SQL: reads over the tables of many contexts, and what people opened."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa

from domain.conversation.value import RunStatus
from domain.directory.value import (
    OPENED,
    Change,
    ChangeType,
    Counts,
    Entry,
    EntryType,
    Notice,
    NoticeType,
    Waiting,
    WaitingCall,
    WaitingType,
)
from domain.identity.value import TokenKind
from domain.knowledge.value import DocumentStatus
from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.ids import SpaceId, UserId
from domain.usage.budget import BudgetReached
from domain.workflow.run.workflow_run import RunPhase
from infra.impl.repository.sql.agent.table import agents
from infra.impl.repository.sql.conversation.table import conversations, runs
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SavedRow, SqlUnitOfWork, Watch
from infra.impl.repository.sql.identity.table import api_tokens, memberships, users
from infra.impl.repository.sql.knowledge.table import datasets, documents, jobs
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import OF_THE_ACCOUNT, PERSONAL
from infra.impl.repository.sql.mapping.tenant_rows import in_spaces
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.memory.database import databases, imports
from infra.impl.repository.sql.plugin.table import plugins
from infra.impl.repository.sql.prompt import prompts
from infra.impl.repository.sql.trace.table import traces
from infra.impl.repository.sql.workflow.definition_table import workflows
from infra.impl.repository.sql.workflow.run_table import workflow_runs

_KEPT: Final = 50
"""What somebody opened before that is forgotten."""

opened: Final = sa.Table(
    "opened_resource",
    metadata,
    id_column("user_id", primary_key=True),
    sa.Column("type", sa.String(16), primary_key=True),
    id_column("resource_id", primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("opened_at", Instant, nullable=False),
    sa.Index(None, "user_id", "opened_at"),
)

PERSONAL.keep(OF_THE_ACCOUNT, opened)

_PUBLICATIONS: Final = frozenset({"agent.published", "plugin.published", "workflow.published"})
"""Topics by which something has a new version that others use."""
_RUN_TOPICS: Final = frozenset(
    {
        "run.answered",
        "run.canceled",
        "run.completed",
        "run.created",
        "run.failed",
        "run.suspended",
        "workflow.run_ended",
        "workflow.run_interrupted",
    }
)
"""Topics by which a run is in another state for whoever looks at runs, or waits for one."""
_NO_TEXT: Final = sa.literal("", sa.Text)
_NO_ID: Final = sa.literal(0, sa.BigInteger)
_NO: Final = sa.false()
Condition = sa.ColumnElement[bool]


@dataclass(frozen=True, kw_only=True)
class _Source:
    """Where entries of one type are, and which columns say what."""

    table: sa.Table
    name: sa.ColumnElement[Any]
    description: sa.ColumnElement[Any] = _NO_TEXT
    parent: sa.ColumnElement[Any] = _NO_ID
    version: sa.ColumnElement[Any] = _NO_TEXT
    changed: sa.ColumnElement[Any] = _NO
    at: sa.ColumnElement[Any]
    alive: Callable[[TenantScope], Condition]


def _own(table: sa.Table, **columns: Any) -> _Source:
    """Describe a table whose rows are what is found."""
    columns = {"name": table.c.name, "at": table.c.updated_at} | columns
    return _Source(table=table, alive=columns.pop("alive", in_spaces(table)), **columns)


def _documents_of(scope: TenantScope) -> Condition:
    bases = sa.select(datasets.c.id).where(in_spaces(datasets)(scope))
    return documents.c.dataset_id.in_(bases) & documents.c.deleted_at.is_(None)


_VERSION: Final = sa.case(
    (agents.c.last_version == 0, ""), else_=sa.cast(agents.c.last_version, sa.Text)
)
_SOURCES: Final[Mapping[EntryType, _Source]] = {
    EntryType.AGENT: _own(
        agents,
        description=agents.c.description,
        version=_VERSION,
        changed=agents.c.is_draft_changed,
    ),
    EntryType.WORKFLOW: _own(
        workflows,
        description=workflows.c.description,
        version=workflows.c.latest_version,
        changed=workflows.c.draft_digest != workflows.c.published_digest,
    ),
    EntryType.DATASET: _own(datasets, description=datasets.c.description),
    EntryType.DOCUMENT: _own(documents, parent=documents.c.dataset_id, alive=_documents_of),
    EntryType.PLUGIN: _own(
        plugins,
        description=plugins.c.description,
        version=plugins.c.latest_version,
        changed=plugins.c.is_draft_changed,
    ),
    EntryType.DATABASE: _own(databases, description=databases.c.description),
    EntryType.PROMPT: _own(prompts, description=prompts.c.description),
}


class SqlDirectory:
    """Everything of some workspaces."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._connection = unit.connection

    async def find(
        self, scopes: Mapping[EntryType, TenantScope], text: str, *, limit: int
    ) -> Sequence[Entry]:
        found: list[Entry] = []
        for type_, scope in scopes.items():
            if type_ is EntryType.MEMBER:
                found += await self._members(scope, text, limit=limit)
                continue
            source = _SOURCES[type_]
            name, wanted = sa.func.lower(source.name), text.lower()
            query = (
                _select(type_, source.alive(scope), name.contains(wanted, autoescape=True))
                .order_by(
                    sa.case((name.startswith(wanted, autoescape=True), 0), else_=1),
                    source.at.desc(),
                )
                .limit(limit)
            )
            found += await self._entries(type_, query)
        return found

    async def by_id(self, scopes: Mapping[EntryType, TenantScope], id_: int) -> Sequence[Entry]:
        found: list[Entry] = []
        for type_, scope in scopes.items():
            if source := _SOURCES.get(type_):
                query = _select(type_, source.alive(scope), source.table.c.id == id_)
                found += await self._entries(type_, query)
            elif type_ is EntryType.RUN:
                found += await self._runs(scope, traces.c.run_id == id_)
            elif type_ is EntryType.CONVERSATION:
                found += await self._conversations(scope, id_)
        return found

    async def by_log_id(self, scope: TenantScope, log_id: str) -> Sequence[Entry]:
        begun = sa.select(workflow_runs.c.id).where(
            workflow_runs.c.log_id == log_id, workflow_runs.c.space_id.in_(scope.space_ids)
        )
        return await self._runs(scope, traces.c.run_id.in_(begun))

    async def tokens(self, scope: TenantScope, last4: str) -> Sequence[Entry]:
        query = sa.select(api_tokens.c.id, api_tokens.c.name, api_tokens.c.updated_at).where(
            _own_tokens(scope.principal_id), api_tokens.c.last4 == last4
        )
        return [
            Entry(type=EntryType.TOKEN, id=row.id, space_id=SpaceId(0), name=row.name, at=at)
            for row in await self._connection.execute(query)
            for at in [row.updated_at]
        ]

    async def opened(
        self,
        scopes: Mapping[EntryType, TenantScope],
        user_id: UserId,
        space_id: SpaceId,
        *,
        limit: int,
    ) -> Sequence[Entry]:
        found: list[Entry] = []
        for type_, scope in scopes.items():
            source = _SOURCES[type_]
            here = (
                (opened.c.resource_id == source.table.c.id)
                & (opened.c.user_id == user_id)
                & (opened.c.type == type_.value)
                & (opened.c.space_id == space_id)
            )
            query = (
                _select(type_, source.alive(scope), at=opened.c.opened_at)
                .join(opened, here)
                .order_by(opened.c.opened_at.desc())
                .limit(limit)
            )
            found += await self._entries(type_, query)
        return _newest(found, limit)

    async def made(
        self, scopes: Mapping[EntryType, TenantScope], user_id: UserId, *, limit: int
    ) -> Sequence[Entry]:
        found: list[Entry] = []
        for type_, scope in scopes.items():
            source = _SOURCES[type_]
            is_mine = source.table.c.creator_id == user_id
            query = _select(type_, source.alive(scope), is_mine)
            found += await self._entries(type_, query.order_by(source.at.desc()).limit(limit))
        return _newest(found, limit)

    async def open(
        self, scope: TenantScope, space_id: SpaceId, type_: EntryType, id_: int, *, now: datetime
    ) -> None:
        insert = upsert(self._connection.dialect.name, opened).values(
            user_id=scope.principal_id,
            type=type_.value,
            resource_id=id_,
            space_id=space_id,
            opened_at=now,
        )
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[opened.c.user_id, opened.c.type, opened.c.resource_id],
                set_={"opened_at": now, "space_id": space_id},
            )
        )
        is_mine = opened.c.user_id == scope.principal_id
        kept = (
            sa.select(opened.c.opened_at)
            .where(is_mine)
            .order_by(opened.c.opened_at.desc())
            .offset(_KEPT)
            .limit(1)
        )
        if (oldest := await self._connection.scalar(kept)) is not None:
            await self._connection.execute(
                sa.delete(opened).where(is_mine, opened.c.opened_at <= oldest)
            )

    async def runs_waiting(self, scope: TenantScope, *, limit: int) -> Sequence[Waiting]:
        chats = (
            sa.select(
                runs.c.id,
                runs.c.agent_id,
                runs.c.conversation_id,
                runs.c.waits_for,
                runs.c.started_at,
                runs.c.created_at,
                agents.c.name,
                agents.c.config,
            )
            .join(conversations, conversations.c.id == runs.c.conversation_id)
            .join(agents, agents.c.id == runs.c.agent_id)
            .where(
                runs.c.status == RunStatus.REQUIRES_ACTION,
                runs.c.space_id.in_(scope.space_ids),
                runs.c.creator_id == scope.principal_id,
                runs.c.deleted_at.is_(None),
                conversations.c.deleted_at.is_(None),
            )
            .order_by(runs.c.id.desc())
            .limit(limit)
        )
        found = [_waiting_chat(row) for row in await self._connection.execute(chats)]
        flows = (
            sa.select(
                workflow_runs.c.id,
                workflow_runs.c.workflow_id,
                workflow_runs.c.created_at,
                workflows.c.name,
            )
            .join(workflows, workflows.c.id == workflow_runs.c.workflow_id)
            .where(
                workflow_runs.c.phase == RunPhase.INTERRUPTED,
                workflow_runs.c.expires_at.is_not(None),  # which has an index
                workflow_runs.c.agent_id == 0,
                workflow_runs.c.space_id.in_(scope.space_ids),
                workflow_runs.c.creator_id == scope.principal_id,
                workflows.c.deleted_at.is_(None),
            )
            .order_by(workflow_runs.c.id.desc())
            .limit(limit)
        )
        found += [
            Waiting(
                type=WaitingType.QUESTION,
                id=row.id,
                name=row.name,
                parent_id=row.workflow_id,
                parent_type=EntryType.WORKFLOW,
                workflow_run_id=row.id,
                at=row.created_at,
            )
            for row in await self._connection.execute(flows)
        ]
        return sorted(found, key=lambda each: each.at, reverse=True)[:limit]

    async def documents_failed(
        self, scope: TenantScope, *, since: datetime, limit: int
    ) -> Sequence[Waiting]:
        query = (
            sa.select(
                documents.c.id,
                documents.c.name,
                documents.c.dataset_id,
                documents.c.fail_reason,
                documents.c.updated_at,
            )
            .where(
                _documents_of(scope),
                documents.c.status == DocumentStatus.FAILED,
                documents.c.updated_at >= since,
            )
            .order_by(documents.c.updated_at.desc())
            .limit(limit)
        )
        return [
            Waiting(
                type=WaitingType.DOCUMENT,
                id=row.id,
                name=row.name,
                parent_id=row.dataset_id,
                parent_type=EntryType.DATASET,
                reason=row.fail_reason,
                at=row.updated_at,
            )
            for row in await self._connection.execute(query)
        ]

    async def tokens_ending(
        self, scope: TenantScope, *, after: datetime, before: datetime
    ) -> Sequence[Waiting]:
        query = (
            sa.select(api_tokens.c.id, api_tokens.c.name, api_tokens.c.expires_at)
            .where(
                _own_tokens(scope.principal_id),
                api_tokens.c.expires_at > after,
                api_tokens.c.expires_at < before,
            )
            .order_by(api_tokens.c.expires_at)
        )
        return [
            Waiting(type=WaitingType.TOKEN, id=row.id, name=row.name, at=row.expires_at)
            for row in await self._connection.execute(query)
        ]

    async def counts(self, scope: TenantScope, types: Collection[EntryType]) -> Counts:
        def number(type_: EntryType, source: _Source) -> sa.ColumnElement[Any]:
            if (EntryType.DATASET if type_ is EntryType.DOCUMENT else type_) not in types:
                return _NO_ID
            counted = sa.select(sa.func.count()).select_from(source.table)
            return counted.where(source.alive(scope)).scalar_subquery()

        ran = sa.select(sa.literal(1)).where(
            traces.c.space_id.in_(scope.space_ids), traces.c.parent_run_id == 0
        )
        columns = [number(*each).label(each[0]) for each in _SOURCES.items()]
        has_run = sa.case((ran.exists(), 1), else_=0).label("runs")
        row = (await self._connection.execute(sa.select(*columns, has_run))).one()
        return Counts(
            agents=row.agent,
            workflows=row.workflow,
            datasets=row.dataset,
            documents=row.document,
            plugins=row.plugin,
            databases=row.database,
            prompts=row.prompt,
            runs=row.runs,
        )

    async def _entries(self, type_: EntryType, query: sa.Select[Any]) -> list[Entry]:
        return [
            Entry(
                type=type_,
                id=row.id,
                space_id=SpaceId(row.space_id),
                name=row.name,
                description=row.description,
                parent_id=row.parent_id,
                version=row.version,
                has_unpublished_changes=bool(row.changed),
                at=row.at,
            )
            for row in await self._connection.execute(query)
        ]

    async def _members(self, scope: TenantScope, text: str, *, limit: int) -> list[Entry]:
        wanted = text.lower()
        query = (
            sa.select(users.c.id, users.c.name, users.c.nickname, memberships)
            .join(memberships, memberships.c.user_id == users.c.id)
            .where(
                memberships.c.space_id.in_(scope.space_ids),
                sa.func.lower(users.c.name).contains(wanted, autoescape=True)
                | sa.func.lower(users.c.nickname).contains(wanted, autoescape=True),
            )
            .order_by(users.c.name)
            .limit(limit)
        )
        return [
            Entry(
                type=EntryType.MEMBER,
                id=row.id,
                space_id=SpaceId(row.space_id),
                name=row.nickname or row.name,
                description=row.name,
                at=row.joined_at,
            )
            for row in await self._connection.execute(query)
        ]

    async def _runs(self, scope: TenantScope, *wanted: Condition) -> list[Entry]:
        query = sa.select(
            traces.c.run_id, traces.c.space_id, traces.c.name, traces.c.started_at
        ).where(traces.c.space_id.in_(scope.space_ids), *wanted)
        return [
            Entry(
                type=EntryType.RUN,
                id=row.run_id,
                space_id=SpaceId(row.space_id),
                name=row.name,
                at=row.started_at,
            )
            for row in await self._connection.execute(query)
        ]

    async def _conversations(self, scope: TenantScope, id_: int) -> list[Entry]:
        query = sa.select(conversations).where(
            conversations.c.id == id_,
            conversations.c.space_id.in_(scope.space_ids),
            conversations.c.deleted_at.is_(None),
        )
        return [
            Entry(
                type=EntryType.CONVERSATION,
                id=row.id,
                space_id=SpaceId(row.space_id),
                name=row.name,
                parent_id=row.agent_id or 0,
                at=row.updated_at,
            )
            for row in await self._connection.execute(query)
        ]


class SqlDirectoryUnitOfWork(SqlUnitOfWork):
    """The directory on one connection."""

    @cached_property
    def directory(self) -> SqlDirectory:
        return SqlDirectory(self)


class SqlDirectoryStore(SqlStore[SqlDirectoryUnitOfWork]):
    """Opens transactions of the directory."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlDirectoryUnitOfWork)
        self._database = database

    def watch(
        self, on_change: Callable[[Change], None], on_notice: Callable[[Notice], None]
    ) -> None:
        """Call these after each commit that people see something of; they must not block."""
        types = {_SOURCES[type_].table: type_ for type_ in OPENED}

        def on_saved(rows: Collection[SavedRow]) -> None:
            for row in rows:
                known = types.get(row.table)
                on_change(_progress(row) if known is None else _change(known, row))

        def on_facts(facts: Sequence[DomainEvent]) -> None:
            for fact in facts:
                if isinstance(fact, BudgetReached):
                    on_notice(_notice(fact))
                    continue
                on_change(
                    Change(
                        type=EntryType.RUN,
                        id=fact.aggregate_id,
                        space_id=SpaceId(fact.space_id),
                        what=ChangeType.STATE,
                    )
                )

        self._database.watch(
            Watch(
                tables=dict.fromkeys(types, "") | _PARTS,
                on_saved=on_saved,
                topics=_RUN_TOPICS | {"budget.reached"},
                on_facts=on_facts,
            )
        )


_PARTS: Final = {documents: "dataset_id", jobs: "dataset_id", imports: "database_id"}
"""What is read into something, with the column of what that is."""


def _change(type_: EntryType, row: SavedRow) -> Change:
    return Change(
        type=type_,
        id=row.id,
        space_id=SpaceId(row.space_id),
        revision=row.revision,
        what=_what(row),
    )


def _progress(row: SavedRow) -> Change:
    """Tell of what is read what it means for the base or the table that it is read into."""
    return Change(
        type=EntryType.DATABASE if row.table is imports else EntryType.DATASET,
        id=row.parent_id,
        space_id=SpaceId(row.space_id),
        what=ChangeType.PROGRESS,
    )


def _notice(fact: BudgetReached) -> Notice:
    return Notice(
        workspace_id=SpaceId(fact.space_id),
        what=NoticeType.BUDGET_REACHED,
        resource_id=fact.aggregate_id,
        percent=fact.percent,
    )


def _what(row: SavedRow) -> ChangeType:
    if row.is_deleted:
        return ChangeType.DELETED
    if not row.topics.isdisjoint(_PUBLICATIONS):
        return ChangeType.PUBLISHED
    return ChangeType.CREATED if row.is_new else ChangeType.CHANGED


def _select(
    type_: EntryType, *wanted: Condition, at: sa.ColumnElement[Any] | None = None
) -> sa.Select[Any]:
    source = _SOURCES[type_]
    return (
        sa.select(
            source.table.c.id,
            source.table.c.space_id,
            source.name.label("name"),
            source.description.label("description"),
            source.parent.label("parent_id"),
            source.version.label("version"),
            source.changed.label("changed"),
            (source.at if at is None else at).label("at"),
        )
        .select_from(source.table)
        .where(*wanted)
    )


def _newest(found: Sequence[Entry], limit: int) -> list[Entry]:
    return sorted(found, key=lambda each: each.at, reverse=True)[:limit]


def _own_tokens(user_id: UserId) -> Condition:
    return (
        (api_tokens.c.user_id == user_id)
        & (api_tokens.c.kind == TokenKind.PERSONAL)
        & api_tokens.c.revoked_at.is_(None)
    )


def _waiting_chat(row: Any) -> Waiting:
    waits_for = row.waits_for
    calls = () if waits_for is None else waits_for.calls
    declared = {each.name for each in row.config.client_tools}
    is_consent = bool(calls) and all(each.name not in declared for each in calls)
    return Waiting(
        type=WaitingType.CONSENT if is_consent else WaitingType.QUESTION,
        id=row.id,
        name=row.name,
        parent_id=row.agent_id,
        parent_type=EntryType.AGENT,
        conversation_id=row.conversation_id,
        workflow_run_id=0 if waits_for is None or calls else waits_for.workflow_run_id,
        calls=tuple(
            WaitingCall(id=each.id, name=each.name, arguments=each.arguments)
            for each in calls
            if is_consent
        ),
        at=row.started_at or row.created_at,
    )
