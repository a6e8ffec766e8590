"""The prompt library in a SQL table, and drafts that have its texts."""

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

import sqlalchemy as sa

from domain.prompt.entity import Prompt, PromptId
from domain.prompt.error import PromptNotFound
from domain.prompt.repository import PromptQuery
from domain.prompt.value import PromptUse
from domain.shared.access import TenantScope
from infra.impl.repository.sql.agent.table import agents
from infra.impl.repository.sql.agent.table import visible as agents_in
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows, listed
from infra.impl.repository.sql.workflow.definition_table import canvases, workflows
from infra.impl.repository.sql.workflow.definition_table import visible as workflows_in

PROMPTS: Final = RowMapper(
    Prompt,
    "prompt",
    sa.Index(None, "space_id", "id"),
    flat={"content": ""},
    columns={"name": sa.String(200)},
)
prompts: Final = PROMPTS.table
_KINDS: Final[tuple[Literal["agent", "workflow"], ...]] = ("agent", "workflow")


PERSONAL.keep(OF_THE_WORKSPACE, prompts)


class SqlPromptRepository:
    """Prompts of spaces."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, PROMPTS, missing=_not_found)
        self._is_sqlite = uow.connection.dialect.name == "sqlite"

    async def get(self, scope: TenantScope, prompt_id: PromptId) -> Prompt:
        return await self._rows.get(scope, prompt_id)

    async def search(self, scope: TenantScope, query: PromptQuery) -> tuple[Sequence[Prompt], int]:
        wanted = listed(prompts, scope)
        if query.text:
            name = sa.func.lower(prompts.c.name)
            wanted.append(name.contains(query.text.lower(), autoescape=True))
        if query.tag:
            tags = sa.type_coerce(prompts.c.tags, sa.Text)
            wanted.append(_has(tags, f'"{_spelled(query.tag)}"', is_sqlite=self._is_sqlite))
        return await self._rows.page(
            scope,
            *wanted,
            beyond=None if query.after_id is None else prompts.c.id < query.after_id,
            order=[prompts.c.id.desc()],
            limit=query.limit,
        )

    async def tags(self, scope: TenantScope, *, limit: int) -> Sequence[str]:
        column = prompts.c.tags
        query = (
            sa.select(column)
            .distinct()
            .where(*listed(prompts, scope), sa.type_coerce(column, sa.Text) != "[]")
        )
        rows = await self._uow.connection.scalars(query)
        return sorted({tag for row in rows for tag in row})[:limit]

    async def uses(
        self, prompt: Prompt, *, agents: TenantScope, workflows: TenantScope | None, limit: int
    ) -> Sequence[PromptUse]:
        text = prompt.content.text.strip()
        queries = [_agents_with(text, agents, is_sqlite=self._is_sqlite)]
        if workflows is not None:
            queries.append(_workflows_with(text, workflows, is_sqlite=self._is_sqlite))
        found: list[PromptUse] = []
        for kind, query in zip(_KINDS, queries, strict=False):
            rows = await self._uow.connection.execute(query.limit(limit - len(found)))
            found.extend(PromptUse(type=kind, id=row.id, name=row.name) for row in rows)
        return found

    async def save(self, scope: TenantScope, prompt: Prompt) -> None:
        await self._rows.save(scope, prompt)

    async def delete(self, scope: TenantScope, prompt: Prompt) -> None:
        if not await self._rows.delete(scope, prompts.c.id == prompt.id):
            raise _not_found(prompt.id)
        self._uow.removed(prompts, prompt)


class SqlPromptUnitOfWork(SqlUnitOfWork):
    """The prompt library on one connection."""

    @property
    def prompts(self) -> SqlPromptRepository:
        return SqlPromptRepository(self)


class SqlPromptStore(SqlStore[SqlPromptUnitOfWork]):
    """Opens transactions of the prompt library."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlPromptUnitOfWork)


def _agents_with(text: str, scope: TenantScope, *, is_sqlite: bool) -> sa.Select[Any]:
    config = sa.type_coerce(agents.c.config, sa.Text)
    return (
        sa.select(agents.c.id, agents.c.name)
        .where(
            agents_in(scope),
            *listed(agents, scope),
            _has(config, _spelled(text), is_sqlite=is_sqlite),
        )
        .order_by(agents.c.name, agents.c.id)
    )


def _workflows_with(text: str, scope: TenantScope, *, is_sqlite: bool) -> sa.Select[Any]:
    """Canvases keep every byte of an imported file: letters beyond ASCII may be escaped."""
    draft = (canvases.c.workflow_id == workflows.c.id) & (
        canvases.c.digest == workflows.c.draft_digest
    )
    spellings = {_spelled(text), json.dumps(text)[1:-1]}
    return (
        sa.select(workflows.c.id, workflows.c.name)
        .join(canvases, draft)
        .where(
            workflows_in(scope),
            *listed(workflows, scope),
            sa.or_(*(_has(canvases.c.text, each, is_sqlite=is_sqlite) for each in spellings)),
        )
        .order_by(workflows.c.name, workflows.c.id)
    )


def _spelled(text: str) -> str:
    """Return a text as it stands between the quotes of JSON."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _has(column: sa.ColumnElement[Any], part: str, *, is_sqlite: bool) -> sa.ColumnElement[bool]:
    # Not by LIKE: on SQLite that would take texts for one that differ in case.
    place = sa.func.instr if is_sqlite else sa.func.strpos
    return place(column, part) > 0


def _not_found(prompt_id: int) -> PromptNotFound:
    return PromptNotFound(f"No prompt {prompt_id}.", prompt_id=prompt_id)
