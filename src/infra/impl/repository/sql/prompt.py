"""The prompt library in a SQL table."""

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from domain.prompt.entity import Prompt, PromptId
from domain.prompt.error import PromptNotFound
from domain.prompt.repository import PromptQuery
from domain.shared.access import TenantScope
from infra.impl.repository.sql.engine.database import Database, SqlStore, SqlUnitOfWork
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows, listed

PROMPTS: Final = RowMapper(
    Prompt,
    "prompt",
    sa.Index(None, "space_id", "id"),
    flat={"content": ""},
    columns={"name": sa.String(200)},
)
prompts: Final = PROMPTS.table


PERSONAL.keep(OF_THE_WORKSPACE, prompts)


class SqlPromptRepository:
    """Prompts of spaces."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, PROMPTS, missing=_not_found)

    async def get(self, scope: TenantScope, prompt_id: PromptId) -> Prompt:
        return await self._rows.get(scope, prompt_id)

    async def search(self, scope: TenantScope, query: PromptQuery) -> tuple[Sequence[Prompt], int]:
        wanted = listed(prompts, scope)
        if query.text:
            name = sa.func.lower(prompts.c.name)
            wanted.append(name.contains(query.text.lower(), autoescape=True))
        return await self._rows.page(
            scope,
            *wanted,
            beyond=None if query.after_id is None else prompts.c.id < query.after_id,
            order=[prompts.c.id.desc()],
            limit=query.limit,
        )

    async def save(self, scope: TenantScope, prompt: Prompt) -> None:
        await self._rows.save(scope, prompt)

    async def delete(self, scope: TenantScope, prompt: Prompt) -> None:
        if not await self._rows.delete(scope, prompts.c.id == prompt.id):
            raise _not_found(prompt.id)
        self._uow.collect(*prompt.pull_events())


class SqlPromptUnitOfWork(SqlUnitOfWork):
    """The prompt library on one connection."""

    @property
    def prompts(self) -> SqlPromptRepository:
        return SqlPromptRepository(self)


class SqlPromptStore(SqlStore[SqlPromptUnitOfWork]):
    """Opens transactions of the prompt library."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlPromptUnitOfWork)


def _not_found(prompt_id: int) -> PromptNotFound:
    return PromptNotFound(f"No prompt {prompt_id}.", prompt_id=prompt_id)
