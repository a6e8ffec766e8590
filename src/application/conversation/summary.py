"""Keeps the rolling summaries of sections; work of the event bus after runs."""

import logging
from collections.abc import Sequence
from typing import Final

import msgspec

from application.conversation.summariser import Summariser
from crossdomain.conversation.contract import Rounds
from crossdomain.model.contract import ModelDescription, Models
from domain.conversation.event import RunAnswered
from domain.conversation.repository import ConversationStore
from domain.conversation.summary import SectionSummary, SpokenRound, leaving, spoken_rounds
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ModelCall
from domain.shared.error import AppError
from domain.shared.ids import ConversationId, RunId, SectionId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery

SUMMARISED: Final = frozenset({"run.answered"})
_READ_MESSAGES: Final = 400
_CALLS: Final = 4
"""Calls of a model after one run; what is left over waits for the next."""

_RECENT_SHARE: Final = 0.4
"""The part of the model's window that history gets beside instructions and knowledge."""

_log: Final = logging.getLogger(__name__)


class SummaryWorker:
    """Summarises what falls out of the context; a failure leaves the summary as it was."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        rounds: Rounds,
        models: Models,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._rounds = rounds
        self._models = models
        self._summariser = Summariser(models, limits)
        self._clock = clock
        self._limits = limits

    async def handle(self, delivery: Delivery) -> None:
        """Bring the summary of a run's section up to date; repeating it changes nothing."""
        event = msgspec.json.decode(delivery.payload, type=RunAnswered)
        if not event.summary:
            return
        space_id = SpaceId(event.space_id)
        scope = TenantScope(
            UserId(event.actor_id), frozenset({space_id, SpaceId(event.conversation_space_id)})
        )
        calls: list[ModelCall] = []
        context = CallContext(
            scope=scope,
            space_id=space_id,
            connector_id=0,
            run_id=RunId(event.aggregate_id),
            record_call=calls.append,
            account=await self._rounds.account(scope, space_id, event.aggregate_id),
        )
        try:
            model = await self._models.describe(event.model, space_id=space_id)
            if model.is_offline:
                return
            for _ in range(_CALLS):
                if not await self._step(context, event, model):
                    break
        except AppError as exc:  # the next run tries again, with what is then there
            _log.warning("The summary of section %d stays as it is: %r", event.section_id, exc)
        finally:
            await self._rounds.charge(scope, space_id, event.aggregate_id, calls)

    async def _step(
        self, context: CallContext, event: RunAnswered, model: ModelDescription
    ) -> bool:
        """Take in the next rounds that left the context; False if there are too few."""
        scope = context.scope
        section_id = SectionId(event.section_id)
        conversation_id = ConversationId(event.conversation_id)
        async with self._store.snapshot() as uow:
            before = await uow.summaries.get(scope, section_id)
            past = await uow.summaries.past(
                scope,
                conversation_id,
                section_id,
                after_seq=before.upto_seq if before else 0,
                limit=_READ_MESSAGES,
            )
            taken = self._taken(spoken_rounds(past), event, model)
            if not taken:
                return False
            upto_seq = taken[-1].upto_seq
            basis = await uow.summaries.basis(scope, conversation_id, section_id, upto_seq=upto_seq)
        text = await self._summariser.written(
            context,
            model,
            before=before.text if before else "",
            rounds=[each.text for each in taken],
        )
        if not text:
            return False
        summary = SectionSummary(
            section_id=section_id,
            conversation_id=conversation_id,
            space_id=SpaceId(event.conversation_space_id),
            upto_seq=upto_seq,
            text=text,
            tokens=self._summariser.tokens(model, text),
            basis=basis,
            updated_at=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            conversation = await uow.conversations.get(scope, conversation_id)
            now_there = await uow.summaries.get(scope, section_id)
            is_late = now_there is not None and now_there.upto_seq >= upto_seq
            if conversation.section_id != section_id or is_late:
                return False
            await uow.summaries.put(scope, summary)
            await uow.commit()
        return True

    def _taken(
        self, rounds: Sequence[SpokenRound], event: RunAnswered, model: ModelDescription
    ) -> list[SpokenRound]:
        """Return what goes into the next call: whole rounds, as many as the model can read."""

        def count(text: str) -> int:
            return self._summariser.tokens(model, text)

        gone = leaving(
            rounds,
            keep_rounds=event.rounds,
            keep_tokens=int(model.window * _RECENT_SHARE),
            count=count,
        )
        texts = [each.text for each in gone]
        if sum(map(count, texts)) < self._limits.summary_min_tokens:
            return []
        return list(gone[: self._summariser.fitting(model, texts)])
