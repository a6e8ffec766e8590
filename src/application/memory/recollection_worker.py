"""What is remembered after runs, and forgotten with what it came from; work of the event bus."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from application.memory.recollection_index import RecollectionIndex
from application.memory.recollection_lesson import Lesson, LessonKeeper, episode_of, is_learnt
from application.memory.recollection_reading import RoundReader
from crossdomain.conversation.contract import FinishedRound, Rounds
from domain.memory.database import Side
from domain.memory.recollection import Recollection
from domain.memory.relevance import rank
from domain.memory.repository import MemoryStore
from domain.memory.variable import Holder, Owner, OwnerKind
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ModelCall
from domain.shared.error import AppError
from domain.shared.ids import AgentId, RunId, SpaceId, UserId
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery

LEARNT: Final = frozenset({"run.answered"})
FORGOTTEN: Final = frozenset({"conversation.deleted", "message.deleted", "agent.deleted"})
_KNOWN: Final = 20
"""Statements that the model is reminded of."""

_RENEWED: Final = 32
_LAST_ATTEMPT: Final = 3
_LOG: Final = logging.getLogger(__name__)


class _Answered(msgspec.Struct, frozen=True, kw_only=True):
    """``run.answered`` as far as it matters here."""

    space_id: int
    aggregate_id: int
    actor_id: int
    conversation_space_id: int
    model: str
    long_term: bool


class _Gone(msgspec.Struct, frozen=True, kw_only=True):
    """Any of the events after which something is forgotten."""

    aggregate_id: int
    message_id: int = 0


class RecollectionWorker:
    """Learns from rounds, once each, however often it is told; and forgets."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        rounds: Rounds,
        index: RecollectionIndex,
        reader: RoundReader,
        keeper: LessonKeeper,
        clock: Clock,
    ) -> None:
        self._store = store
        self._rounds = rounds
        self._index = index
        self._reader = reader
        self._keeper = keeper
        self._clock = clock

    async def learn(self, delivery: Delivery) -> None:
        """Take what a round says about its user; a model that fails is asked again later."""
        event = msgspec.json.decode(delivery.payload, type=_Answered)
        if not event.long_term:
            return
        spaces = frozenset({SpaceId(event.space_id), SpaceId(event.conversation_space_id)})
        scope = TenantScope(UserId(event.actor_id), spaces)
        spoken = await self._rounds.find(scope, event.aggregate_id)
        if spoken is None or not spoken.end_user_id:
            return
        space_id = SpaceId(event.space_id)
        calls: list[ModelCall] = []
        context = CallContext(
            scope=scope,
            space_id=space_id,
            connector_id=spoken.connector_id,
            end_user_id=spoken.end_user_id,
            run_id=RunId(spoken.run_id),
            record_call=calls.append,
            account=await self._rounds.account(scope, space_id, spoken.run_id),
        )
        try:
            is_last = delivery.attempt >= _LAST_ATTEMPT
            lesson = await self._lesson(context, spoken, model=event.model, is_last=is_last)
        finally:
            await self._rounds.charge(scope, space_id, spoken.run_id, calls)
        if lesson is None:
            return
        await self._keeper.keep(scope, lesson)
        left = await self._rounds.find(scope, spoken.run_id)
        await self._forget_messages(  # those deleted while we were reading
            spoken.conversation_id,
            sorted(set(spoken.message_ids) - set(left.message_ids if left else ())),
        )

    async def forget(self, delivery: Delivery) -> None:
        """Drop what came from a conversation, message or agent that is gone."""
        event = msgspec.json.decode(delivery.payload, type=_Gone)
        match delivery.topic:
            case "conversation.deleted":
                async with self._store.transaction() as uow:
                    await uow.cleanup.forget_episodes(event.aggregate_id)
                    await uow.commit()
            case "message.deleted":
                await self._forget_messages(event.aggregate_id, [event.message_id])
            case _:
                async with self._store.transaction() as uow:
                    await uow.cleanup.forget_agent(AgentId(event.aggregate_id))
                    await uow.commit()

    async def _forget_messages(self, conversation_id: int, message_ids: Sequence[int]) -> None:
        if not message_ids:
            return
        async with self._store.transaction() as uow:
            for message_id in message_ids:
                await uow.cleanup.forget_message(conversation_id, message_id)
            await uow.commit()

    async def _lesson(
        self, context: CallContext, spoken: FinishedRound, *, model: str, is_last: bool
    ) -> Lesson | None:
        """Ask the models; None if there is nothing to learn, or it was learnt already."""
        holder = _holder(spoken)
        async with self._store.snapshot() as uow:
            if await uow.recollections.is_opted_out(context.scope, holder):
                return None
            items = await uow.recollections.list(context.scope, holder)
        if is_learnt(spoken, items):
            return None
        now = self._clock.now()
        reminded = await self._reminded(context, spoken.question, items, now=now)
        try:
            statements = await self._reader.read(context, spoken, reminded, model=model)
        except AppError as exc:
            if not is_last:
                raise
            _LOG.warning("Nothing was learnt from run %d: %r", spoken.run_id, exc)
            statements = ()
        texts = [episode_of(spoken), *(each.text for each in statements)]
        return Lesson(
            spoken=spoken,
            holder=holder,
            space_id=context.space_id,
            statements=statements,
            reminded=reminded,
            embedded=await self._index.embed(context, texts),
            renewed=tuple(await self._index.renewed(context, items, limit=_RENEWED)),
            now=now,
        )

    async def _reminded(
        self,
        context: CallContext,
        question: str,
        items: Sequence[Recollection],
        *,
        now: datetime,
    ) -> tuple[Recollection, ...]:
        statements = [each for each in items if not each.is_episode]
        ranked = rank(
            statements,
            terms=self._index.terms(question),
            similarities=await self._index.similarities(context, question, statements),
            now=now,
        )
        return tuple(each.item for each in ranked[:_KNOWN])


def _holder(spoken: FinishedRound) -> Holder:
    return Holder(
        owner=Owner(kind=OwnerKind.AGENT, id=spoken.agent_id),
        side=Side.DRAFT if spoken.is_draft else Side.ONLINE,
        connector_id=spoken.connector_id,
        end_user_id=spoken.end_user_id,
    )
