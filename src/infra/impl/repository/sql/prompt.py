"""The prompt library in a SQL table."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import sqlalchemy as sa

from domain.prompt.entity import Prompt, PromptContent, PromptId
from domain.prompt.error import PromptNotFound
from domain.prompt.repository import PromptQuery
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from infra.impl.repository.sql.database import Database, SqlUnitOfWork
from infra.impl.repository.sql.schema import Instant, id_column, metadata

prompts: Final = sa.Table(
    "prompt",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "space_id", "id"),
)


class SqlPromptRepository:
    """Prompts of spaces."""

    def __init__(self, uow: "SqlPromptUnitOfWork") -> None:
        self._uow = uow
        self._connection = uow.connection

    async def get(self, scope: TenantScope, prompt_id: PromptId) -> Prompt:
        query = sa.select(prompts).where(_visible(scope), prompts.c.id == prompt_id)
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise _not_found(prompt_id)
        return _to_prompt(row)

    async def search(self, scope: TenantScope, query: PromptQuery) -> tuple[Sequence[Prompt], int]:
        wanted = [_visible(scope)]
        if query.text:
            name = sa.func.lower(prompts.c.name)
            wanted.append(name.contains(query.text.lower(), autoescape=True))
        count = sa.select(sa.func.count()).select_from(prompts).where(*wanted)
        total = (await self._connection.execute(count)).scalar_one()
        if query.after_id is not None:
            wanted.append(prompts.c.id < query.after_id)
        page = sa.select(prompts).where(*wanted).order_by(prompts.c.id.desc()).limit(query.limit)
        return [_to_prompt(row) for row in await self._connection.execute(page)], total

    async def save(self, scope: TenantScope, prompt: Prompt) -> None:
        _refuse_foreign(scope, prompt)
        await self._uow.save(
            prompts,
            prompt,
            {
                "id": prompt.id,
                "space_id": prompt.space_id,
                "creator_id": prompt.creator_id,
                "name": prompt.content.name,
                "description": prompt.content.description,
                "text": prompt.content.text,
                "created_at": prompt.created_at,
                "updated_at": prompt.updated_at,
            },
        )

    async def delete(self, scope: TenantScope, prompt: Prompt) -> None:
        statement = sa.delete(prompts).where(_visible(scope), prompts.c.id == prompt.id)
        if (await self._connection.execute(statement)).rowcount == 0:
            raise _not_found(prompt.id)
        self._uow.collect(*prompt.pull_events())


class SqlPromptUnitOfWork(SqlUnitOfWork):
    """The prompt library on one connection."""

    @property
    def prompts(self) -> SqlPromptRepository:
        return SqlPromptRepository(self)


class SqlPromptStore:
    """Opens transactions of the prompt library."""

    def __init__(self, database: Database) -> None:
        self._transaction: Callable[[], AbstractAsyncContextManager[SqlPromptUnitOfWork]] = (
            database.transaction(SqlPromptUnitOfWork)
        )
        self._snapshot: Callable[[], AbstractAsyncContextManager[SqlPromptUnitOfWork]] = (
            database.snapshot(SqlPromptUnitOfWork)
        )

    def transaction(self) -> AbstractAsyncContextManager[SqlPromptUnitOfWork]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[SqlPromptUnitOfWork]:
        return self._snapshot()


def _visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    return prompts.c.space_id.in_(scope.space_ids)


def _refuse_foreign(scope: TenantScope, prompt: Prompt) -> None:
    if prompt.space_id not in scope.space_ids:
        raise _not_found(prompt.id)


def _not_found(prompt_id: PromptId) -> PromptNotFound:
    return PromptNotFound(f"No prompt {prompt_id}.", prompt_id=prompt_id)


def _to_prompt(row: sa.Row[Any]) -> Prompt:
    return Prompt(
        id=PromptId(row.id),
        space_id=SpaceId(row.space_id),
        creator_id=UserId(row.creator_id),
        content=PromptContent(name=row.name, description=row.description, text=row.text),
        created_at=row.created_at,
        updated_at=row.updated_at,
        revision=row.revision,
    )
