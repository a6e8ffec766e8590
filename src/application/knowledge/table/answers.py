"""Questions to table bases: a query by a model or by our own reading, guarded, read-only."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Final

from application.knowledge.table.channel import SqlHit, SqlHits
from application.knowledge.table.storage import RowTables
from crossdomain.model.contract import Models
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.tables.nl2sql_answer import (
    AnswerKind,
    QueryableTable,
    SqlWriter,
    TableAnswer,
    TableQuestions,
)
from domain.knowledge.value import Page, SliceId
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    OutputFormat,
    Sampling,
    TextDelta,
    Usage,
    UsageReported,
)
from domain.shared.error import AppError, NotFound, Unavailable
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.table.sql_guard import SqlGuard
from infra.contract.table.store import TableStore

ASKED_AT_ONCE: Final = 4
"""Tables of one question."""
_DOCUMENTS_LOOKED_AT: Final = 100
_MODEL_S: Final = 30.0
_OUTPUT_TOKENS: Final = 1000


_NO_QUERY: Final = "No query was found for this question."


class TableAnswers:
    """Asks every table base by itself; one that fails does not touch the others."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        tables: TableStore,
        rows: RowTables,
        models: Models,
        open_guard: Callable[[], SqlGuard],
        clock: Clock,
        limits: Limits,
    ) -> None:
        """``open_guard`` is called in a thread with the first question: it loads much."""
        self._store = store
        self._tables = tables
        self._rows = rows
        self._models = models
        self._open_guard = open_guard
        self._guard: SqlGuard | None = None
        self._opening = asyncio.Lock()
        self._clock = clock
        self._limits = limits

    async def answer(
        self, context: CallContext, datasets: Sequence[Dataset], question: str
    ) -> SqlHits:
        """Ask each table base; a table that fails gives nothing, the others still count.

        The gate belongs to this question: it only keeps one from asking all its tables at once.
        """
        if not datasets or not question.strip():
            return SqlHits()
        guard = await self._opened_guard()
        has_model = await self._has_model(context)
        gate = asyncio.Semaphore(ASKED_AT_ONCE)

        async def ask(dataset: Dataset) -> SqlHits:
            writer = _ModelWriter(self._models, context) if has_model else None
            async with gate:
                try:
                    items = await self._ask(context.scope, dataset, question, guard, writer)
                except AppError as exc:
                    return SqlHits(failed=(f"{dataset.name}: {exc.message}",), usage=_used(writer))
            return SqlHits(items=items[0], failed=items[1], usage=_used(writer))

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(ask(dataset)) for dataset in datasets]
        answers = [task.result() for task in tasks]
        return SqlHits(
            items=tuple(item for answer in answers for item in answer.items),
            failed=tuple(reason for answer in answers for reason in answer.failed),
            usage=sum((answer.usage for answer in answers), Usage()),
        )

    async def _ask(
        self,
        scope: TenantScope,
        dataset: Dataset,
        question: str,
        guard: SqlGuard,
        writer: SqlWriter | None,
    ) -> tuple[tuple[SqlHit, ...], tuple[str, ...]]:
        document = await self._table_of(scope, dataset)
        if document is None:
            return (), ()
        answer = await self._put(question, dataset, document, guard, writer)
        if answer.kind is AnswerKind.FAILED:
            newer = await self._table_of(scope, dataset)
            if newer is not None and newer.active_generation != document.active_generation:
                # The table was indexed anew and the old one dropped under our hands.
                document = newer
                answer = await self._put(question, dataset, document, guard, writer)
        if answer.kind is AnswerKind.FAILED or (
            answer.kind is AnswerKind.NOTHING and not answer.sql
        ):
            return (), (f"{dataset.name}: {answer.reason or _NO_QUERY}",)
        return await self._hits(scope, document, answer), ()

    async def _put(
        self,
        question: str,
        dataset: Dataset,
        document: Document,
        guard: SqlGuard,
        writer: SqlWriter | None,
    ) -> TableAnswer:
        questions = TableQuestions(
            writer=writer, guard=guard, store=self._tables, limits=self._limits
        )
        table = QueryableTable(
            ref=self._rows.active(document),
            schema=document.schema,
            name=dataset.name,
            description=dataset.description,
        )
        return await questions.ask(question, [table], now=self._clock.now())

    async def _hits(
        self, scope: TenantScope, document: Document, answer: TableAnswer
    ) -> tuple[SqlHit, ...]:
        """Turn an answer into hits; a row whose slice may not be shown is none."""

        def hit(slice_id: int, content: str) -> SqlHit:
            return SqlHit(
                slice_id=slice_id,
                document_id=document.id,
                dataset_id=document.dataset_id,
                content=content,
                sql=answer.sql,
            )

        if answer.kind is AnswerKind.COMPUTED:
            return (hit(0, answer.table),)
        ids = [SliceId(row.slice_id) for row in answer.rows]
        if not ids:
            return ()
        async with self._store.snapshot() as uow:
            shown = {item.id for item in await uow.retrieval.hydrate(scope, ids)}
        return tuple(hit(row.slice_id, row.content) for row in answer.rows if row.slice_id in shown)

    async def _table_of(self, scope: TenantScope, dataset: Dataset) -> Document | None:
        """Return the table of a base; a disabled one is not even described to a model."""
        async with self._store.snapshot() as uow:
            page = Page(number=1, size=_DOCUMENTS_LOOKED_AT)
            found, _ = await uow.documents.page(scope, dataset.id, page=page)
        return next((item for item in found if item.is_searchable and item.columns), None)

    async def _has_model(self, context: CallContext) -> bool:
        try:
            return not (await self._models.describe("", space_id=context.space_id)).is_offline
        except NotFound:
            return False

    async def _opened_guard(self) -> SqlGuard:
        async with self._opening:
            if self._guard is None:
                self._guard = await asyncio.to_thread(self._open_guard)
            return self._guard


class _ModelWriter:
    """Has the default model write queries on behalf of a caller, and counts its tokens."""

    def __init__(self, models: Models, context: CallContext) -> None:
        self._models = models
        self._context = context
        self.usage = Usage()

    async def write(self, messages: Sequence[ChatMessage]) -> str:
        """Return the whole reply; raise ``ModelCallFailed``, ``Unavailable`` if it takes long."""
        request = ChatRequest(
            messages=tuple(messages),
            output=OutputFormat.JSON,
            sampling=Sampling(temperature=0.0),
            max_output_tokens=_OUTPUT_TOKENS,
        )
        texts: list[str] = []
        try:
            async with asyncio.timeout(_MODEL_S):
                stream = self._models.stream(self._context, request, purpose="nl2sql")
                async with aclosing(stream) as events:
                    async for event in events:
                        if isinstance(event, TextDelta):
                            texts.append(event.text)
                        elif isinstance(event, UsageReported):
                            self.usage += event.usage
        except TimeoutError as exc:
            raise Unavailable("The model took too long to write a query.") from exc
        return "".join(texts)


def _used(writer: _ModelWriter | None) -> Usage:
    return writer.usage if writer is not None else Usage()
