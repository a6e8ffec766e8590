"""The short transactions of a run in progress, repeated while the database does not answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from application.conversation.run.checkpoint import write_calls
from application.conversation.run.ending import Settled, has_same_end, is_over, settled
from application.conversation.run.job import CallLedger, NumberedCalls, RunJob
from domain.conversation.client_wait import ClientWait
from domain.conversation.event import RunAnswered
from domain.conversation.history import PastMessage
from domain.conversation.message import Message
from domain.conversation.repository import (
    ActiveAgent,
    ConversationStore,
    ConversationUnitOfWork,
    FlowVariables,
)
from domain.conversation.run import Run
from domain.conversation.value import RunPhase, RunStatus
from domain.shared.chat import Usage
from domain.shared.crashpoint import crashpoint
from domain.shared.error import Conflict, StaleRevision, Unavailable
from domain.shared.settlement import SettlementPart
from infra.contract.clock import Clock

SEQS_PER_RUN: Final = 32
"""Sequence numbers reserved at a time for what a run produces; gaps do no harm."""

_SPARE_SEQS: Final = 3
"""An answer that moves behind its tools takes two, and the end of the answers one."""

_PAUSES_S: Final = (0.1, 0.2, 0.4)


class RunSettledElsewhere(Conflict):
    """Somebody else brought the run to its end; the job holds that state."""


Kept = Callable[[Run], Awaitable[Sequence[SettlementPart]]]
"""Makes what is stored with the end of a run, of the run as it will be."""


async def nothing_kept(_: Run) -> Sequence[SettlementPart]:
    """Keep nothing beside the run."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ends:
    """What is stored with the end of a run alone."""

    waits: Sequence[ClientWait] = ()
    parts: Sequence[SettlementPart] = ()


class RunStorage:
    """Writes through the job: its ``run`` is always the state that was stored last."""

    def __init__(self, *, store: ConversationStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def past(self, job: RunJob) -> Sequence[PastMessage]:
        """Return the messages of the section that came before this request."""
        run = job.run
        async with self._store.snapshot() as uow:
            return await uow.messages.history(
                job.scope,
                run.conversation_id,
                run.section_id,
                before_seq=job.first_seq,
                rounds=job.definition.history_rounds,
            )

    async def summary(self, job: RunJob) -> str:
        """Return what was said before the history, if the agent wants to know."""
        if not (job.has_past and job.definition.memory.summary):
            return ""
        async with self._store.snapshot() as uow:
            found = await uow.summaries.get(job.scope, job.run.section_id)
        return found.text if found else ""

    async def active_path(self, job: RunJob) -> tuple[int, ...]:
        """Return the agents that the section was handed to, one by the other."""
        run = job.run
        if not (job.definition.hands_over and job.has_past):
            return ()
        async with self._store.snapshot() as uow:
            return await uow.active_agents.path(job.scope, run.section_id, run.agent_id)

    async def activate(self, job: RunJob, path: tuple[int, ...]) -> None:
        """Note who answers in the section from now on."""
        run = job.run
        if not run.is_saved:
            return
        active = ActiveAgent(
            conversation_id=run.conversation_id,
            section_id=run.section_id,
            space_id=run.space_id,
            agent_id=run.agent_id,
            path=path,
        )

        async def attempt() -> None:
            async with self._store.transaction() as uow:
                await uow.active_agents.put(job.scope, active, now=self._clock.now())
                await uow.commit()

        await _repeated(attempt)

    async def flow_variables(self, job: RunJob) -> Mapping[str, Any]:
        """Return the variables that the workflow left in the conversation."""
        if not (job.definition.workflow_id and job.has_past):
            return {}
        async with self._store.snapshot() as uow:
            kept: Mapping[str, Any] = await uow.flow_variables.get(
                job.scope, job.run.conversation_id, job.definition.workflow_id
            )
        return kept

    async def reserve(self, job: RunJob) -> None:
        """Get further sequence numbers if those of the run run out."""
        if not job.run.is_saved or job.next_seq + _SPARE_SEQS <= job.end_seq:
            return
        async with self._store.transaction() as uow:
            job.next_seq = await uow.conversations.reserve(
                job.scope, job.run.conversation_id, seqs=SEQS_PER_RUN
            )
            await uow.commit()
        job.end_seq = job.next_seq + SEQS_PER_RUN

    async def keep(self, job: RunJob, messages: Sequence[Message], ledger: CallLedger) -> None:
        """Store what is complete while the run goes on."""
        if job.run.is_saved:
            await self._persist(job, messages, ledger, None)

    async def finish_answer(
        self,
        job: RunJob,
        messages: Sequence[Message],
        ledger: CallLedger,
        *,
        finish_reason: str,
    ) -> None:
        """Store the answer, its cost, and that only extras remain; they are one fact."""

        def finishing(run: Run) -> Run:
            return replace(
                run, phase=RunPhase.FINISHING, usage=ledger.usage, finish_reason=finish_reason
            )

        if job.run.is_saved:
            await self._persist(job, messages, ledger, finishing)

    async def settle(
        self,
        job: RunJob,
        ending: Settled,
        messages: Sequence[Message],
        ledger: CallLedger,
        *,
        usage: Usage,
        waits: Sequence[ClientWait] = (),
        kept: Kept = nothing_kept,
    ) -> None:
        """Store the end of the run, what it waits with, and what else is kept of it.

        Raises ``RunSettledElsewhere`` if it had an end already.
        """
        now = self._clock.now()
        shown = messages if job.run.is_saved else ()
        # Made before the transaction begins: it is short, and nothing else is awaited inside of it.
        parts = await kept(settled(job.run, ending, usage, now))
        job.is_settling = True
        try:
            await self._persist(
                job,
                shown,
                ledger,
                lambda run: settled(run, ending, usage, now),
                ends=_Ends(waits=waits, parts=parts),
            )
        finally:
            job.is_settling = False

    async def reload(self, job: RunJob) -> Run:
        """Read the run as it is stored."""
        async with self._store.snapshot() as uow:
            stored = await uow.runs.get(job.scope, job.run.id)
        job.run = stored
        return stored

    async def _persist(
        self,
        job: RunJob,
        messages: Sequence[Message],
        ledger: CallLedger,
        change: Callable[[Run], Run] | None,
        *,
        ends: "_Ends | None" = None,
    ) -> None:
        calls = ledger.take()
        ends = ends or _Ends()
        try:
            await _repeated(partial(self._attempt, job, messages, calls, change, ends))
        except BaseException:
            # Also if cancelled: calls that were made and paid for must be in the ledger in the end.
            ledger.give_back(calls)
            raise

    async def _attempt(
        self,
        job: RunJob,
        messages: Sequence[Message],
        calls: NumberedCalls,
        change: Callable[[Run], Run] | None,
        ends: "_Ends",
    ) -> None:
        try:
            await self._write(job, messages, calls, change, ends)
        except StaleRevision as exc:
            wanted = change(job.run) if change else job.run
            async with self._store.snapshot() as uow:
                stored = await uow.runs.get(job.scope, job.run.id)
            if is_over(stored):
                job.run, job.is_lost = stored, not has_same_end(stored, wanted)
                if job.is_lost:
                    raise RunSettledElsewhere("The run is over.", run_id=job.run.id) from exc
                return  # an attempt that seemed to fail did not
            job.run = stored
            # Nobody but us changes a run in progress: an attempt that seemed to fail did not.
            await self._write(job, messages, (), change, ends)

    async def _write(
        self,
        job: RunJob,
        messages: Sequence[Message],
        calls: NumberedCalls,
        change: Callable[[Run], Run] | None,
        ends: "_Ends",
    ) -> None:
        run = change(job.run) if change else None
        async with self._store.transaction() as uow:
            if run:
                # The row first: if somebody else has ended the run its revision stops all that
                # follows.
                await uow.runs.save(job.scope, run)
                await self._keep_variables(uow, job, run)
                await uow.client_waits.add(job.scope, ends.waits)
                await uow.settle(ends.parts)
                uow.collect(*answered(job, run, now=self._clock.now()))
            # No row changes here, so no revision would tell; a lock on the row keeps others from
            # ending it.
            elif (await uow.recovery.hold([job.run.id], waits=True)).get(job.run.id):
                job.is_lost = True
                raise RunSettledElsewhere("The run is over.", run_id=job.run.id)
            await uow.messages.put(job.scope, messages)
            await write_calls(uow, job, calls)
            crashpoint("chat.write.before_commit")
            await uow.commit()
        crashpoint("chat.write.committed")
        if run:
            job.run = run

    async def _keep_variables(self, uow: ConversationUnitOfWork, job: RunJob, run: Run) -> None:
        """Store what the workflow leaves, together with the end of the run."""
        if job.flow_variables is None or not run.is_saved:
            return
        kept = FlowVariables(
            conversation_id=run.conversation_id,
            workflow_id=job.definition.workflow_id,
            space_id=run.space_id,
            values=job.flow_variables,
        )
        await uow.flow_variables.put(job.scope, kept, now=self._clock.now())


async def _repeated(attempt: Callable[[], Awaitable[None]]) -> None:
    """Make an attempt until it succeeds, while the database does not answer."""
    for pause_s in _PAUSES_S:
        with suppress(Unavailable, TimeoutError):
            await attempt()
            return
        await asyncio.sleep(pause_s)
    await attempt()


def answered(job: RunJob, run: Run, *, now: datetime) -> tuple[RunAnswered, ...]:
    """Return the event of a run that is about to be stored with its answer for the first time."""
    memory = job.definition.memory
    is_answered = run.is_finishing or run.status is RunStatus.COMPLETED
    if not (memory.summary or memory.long_term) or not run.is_saved:
        return ()
    if not is_answered or job.run.is_finishing:
        return ()
    event = RunAnswered(
        occurred_at=now,
        space_id=run.space_id,
        aggregate_id=run.id,
        actor_id=run.creator_id,
        conversation_id=run.conversation_id,
        conversation_space_id=job.message_space_id,
        section_id=run.section_id,
        agent_id=run.agent_id,
        rounds=job.definition.history_rounds,
        model=memory.model,
        summary=memory.summary,
        long_term=memory.long_term,
    )
    return (event,)
