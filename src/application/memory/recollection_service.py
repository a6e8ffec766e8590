"""What is remembered of an end user: shown, corrected and forgotten by people, read by agents."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Final

from application.memory.recollection_index import RecollectionIndex
from application.memory.variable_service import VariableQuery, VariableService
from application.shared.projection import At, Projection
from crossdomain.memory.contract import RememberedText, VariableHolder
from domain.memory.database import Side
from domain.memory.error import RecollectionNotFound
from domain.memory.recollection import Origin, RecollectionId
from domain.memory.relevance import Chosen, choose, rank
from domain.memory.repository import MemoryStore
from domain.memory.variable import Holder, Owner, OwnerKind
from domain.shared.access import Principal
from domain.shared.call import CallContext
from domain.shared.ids import Id
from domain.shared.limits import Limits
from domain.shared.tracing.span import SpanKind, begun
from infra.contract.clock import Clock

_QUERY_CHARS: Final = 2000


class RecollectionView(Projection):
    """One memory, with where it is from; 0 where a source is unknown."""

    id: Id
    kind: str
    text: str
    importance: float
    origin: str
    conversation_id: Id
    run_id: Id
    message_ids: tuple[Id, ...]
    created_at: Annotated[datetime, At("valid_from")]
    updated_at: datetime
    last_used_at: datetime


class RecollectionService:
    """What people do with memories; an end user's own token reaches the own ones only."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        variables: VariableService,
        index: RecollectionIndex,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._variables = variables
        self._index = index
        self._clock = clock
        self._limits = limits

    async def list(self, principal: Principal, query: VariableQuery) -> list[RecollectionView]:
        """Return what is remembered, newest first."""
        holder, _ = await self._variables.permitted(principal, query)
        async with self._store.snapshot() as uow:
            found = await uow.recollections.list(principal.scope, holder)
        return [RecollectionView.of(each) for each in reversed(found) if each.is_active]

    async def correct(
        self,
        principal: Principal,
        query: VariableQuery,
        item_id: int,
        *,
        text: str | None,
        importance: float | None,
    ) -> RecollectionView:
        """Change a memory; raise ``RecollectionNotFound``, ``RecollectionInvalid``."""
        holder, declared = await self._variables.permitted(principal, query)
        async with self._store.snapshot() as uow:
            found = await uow.recollections.get(principal.scope, holder, RecollectionId(item_id))
        wanted = found.text if text is None else text.strip()
        now = self._clock.now()
        changed = found.corrected(
            text=wanted,
            importance=importance,
            terms=self._index.terms(wanted),
            max_chars=self._limits.memory_item_chars,
            now=now,
        )
        if not changed.vector:
            context = CallContext(
                scope=principal.scope,
                space_id=declared.space_id,
                connector_id=holder.connector_id,
                end_user_id=holder.end_user_id,
            )
            made = await self._index.embed(context, [wanted])
            changed = replace(changed, vector=made.at(0), embedding=made.identity)
        async with self._store.transaction() as uow:
            await uow.serialise(holder.recollecting)
            await uow.recollections.get(principal.scope, holder, found.id)  # not deleted meanwhile
            await uow.recollections.put(principal.scope, [changed])
            await uow.commit()
        return RecollectionView.of(changed)

    async def forget(
        self, principal: Principal, query: VariableQuery, item_id: int | None = None
    ) -> None:
        """Delete one memory, or all; raise ``RecollectionNotFound``."""
        holder, _ = await self._variables.permitted(principal, query)
        wanted = None if item_id is None else {RecollectionId(item_id)}
        async with self._store.transaction() as uow:
            await uow.serialise(holder.recollecting)
            count = await uow.recollections.remove(principal.scope, holder, wanted)
            if wanted is not None and not count:
                raise RecollectionNotFound(f"No memory {item_id}.", memory_id=item_id)
            await uow.commit()

    async def is_enabled(self, principal: Principal, query: VariableQuery) -> bool:
        """Tell whether the end user wants to be remembered."""
        holder, _ = await self._variables.permitted(principal, query)
        async with self._store.snapshot() as uow:
            return not await uow.recollections.is_opted_out(principal.scope, holder)

    async def enable(self, principal: Principal, query: VariableQuery, *, is_enabled: bool) -> None:
        """Note whether the end user wants to be remembered; what is known stays until deleted."""
        holder, declared = await self._variables.permitted(principal, query)
        async with self._store.transaction() as uow:
            await uow.serialise(holder.recollecting)
            if is_enabled:
                await uow.recollections.opt_in(principal.scope, holder)
            else:
                await uow.recollections.opt_out(
                    principal.scope, declared.space_id, holder, now=self._clock.now()
                )
            await uow.commit()


class OfferedRecollections:
    """Implements ``crossdomain.memory.contract.Recollections``."""

    def __init__(self, *, store: MemoryStore, index: RecollectionIndex, clock: Clock) -> None:
        self._store = store
        self._index = index
        self._clock = clock

    async def recall(
        self, context: CallContext, holder: VariableHolder, query: str, *, max_tokens: int
    ) -> Sequence[RememberedText]:
        with begun(SpanKind.MEMORY, "recall") as span:
            span.given(query)
            found = await self._recalled(context, holder, query, max_tokens=max_tokens)
            span.note(count=len(found))
            span.gave(found)
            return found

    async def _recalled(
        self, context: CallContext, holder: VariableHolder, query: str, *, max_tokens: int
    ) -> Sequence[RememberedText]:
        mine = Holder(
            owner=Owner(kind=OwnerKind(holder.owner_kind), id=holder.owner_id),
            side=Side.DRAFT if holder.is_draft else Side.ONLINE,
            connector_id=holder.connector_id,
            end_user_id=holder.end_user_id,
        )
        async with self._store.snapshot() as uow:
            items = await uow.recollections.list(context.scope, mine)
            if not items or await uow.recollections.is_opted_out(context.scope, mine):
                return ()
        question = query[:_QUERY_CHARS]
        similarities = await self._index.similarities(context, question, items)
        now = self._clock.now()

        def selected() -> list[Chosen]:
            terms = self._index.terms(question)
            ranked = rank(items, terms=terms, similarities=similarities, now=now)
            return choose(
                ranked,
                terms=terms,
                room=max_tokens,
                count=self._index.count,
                likeness=self._index.likeness,
            )

        return tuple(
            RememberedText(
                id=each.item.id,
                kind=each.item.kind.value,
                text=each.text,
                as_of=each.item.updated_at,
                is_by_person=each.item.origin is Origin.PERSON,
            )
            for each in await asyncio.to_thread(selected)
        )
