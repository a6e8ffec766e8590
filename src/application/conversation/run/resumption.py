"""The transaction that lets a waiting run go on with what the client submitted."""

from datetime import timedelta

from application.conversation.dto import SubmitOutputs
from application.conversation.run.job import RunJob
from application.conversation.run.storage import SEQS_PER_RUN
from crossdomain.agent.contract import AgentDefinition, TurnOverrides
from domain.conversation.error import RunNotFound, RunNotWaiting
from domain.conversation.repository import ConversationStore
from domain.conversation.run import Run
from domain.conversation.value import MessageKind, RunStatus, WaitingFor
from domain.shared.access import TenantScope
from domain.shared.crashpoint import crashpoint
from domain.shared.error import StaleRevision
from domain.shared.ids import ConversationId, RunId
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class RunResumer:
    """Checks outputs against what a run waits for, and claims the run: only one caller can."""

    def __init__(
        self, *, store: ConversationStore, clock: Clock, limits: Limits, owner: str
    ) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._owner = owner

    async def find(self, scope: TenantScope, command: SubmitOutputs) -> Run:
        """Return the run if these outputs are what it waits for.

        Raises:
            RunNotFound: no such run of the caller in this conversation (4200).
            RunNotWaiting: it waits for nothing, or for other outputs (4105).
        """
        async with self._store.snapshot() as uow:
            run = await uow.runs.get(scope, RunId(command.run_id))
        if run.conversation_id != command.conversation_id:
            raise RunNotFound(f"No run {run.id} in this conversation.", run_id=run.id)
        _awaited(run, command)
        return run

    async def resume(
        self, scope: TenantScope, definition: AgentDefinition, command: SubmitOutputs
    ) -> RunJob:
        """Claim the run and return what it goes on with; the errors are those of ``find``."""
        now = self._clock.now()
        lease = timedelta(seconds=self._limits.run_lease_s)
        try:
            async with self._store.transaction() as uow:
                conversation = await uow.conversations.lock(
                    scope,
                    ConversationId(command.conversation_id),
                    seqs=SEQS_PER_RUN,
                    now=now,
                )
                run = await uow.runs.get(scope, RunId(command.run_id))
                waits_for = _awaited(run, command)
                stored = await uow.messages.of_run(scope, run.id, frozenset(MessageKind))
                question = next((each for each in stored if each.id == run.question_id), None)
                if question is None:
                    raise _not_waiting(run.id)
                run.claim(self._owner, until=now + lease, now=now)
                await uow.runs.save(scope, run)
                crashpoint("chat.resume.before_commit")
                await uow.commit()
            crashpoint("chat.resume.committed")
        except StaleRevision as exc:
            raise _not_waiting(command.run_id) from exc
        context = [message for message in stored if message.id in run.inserted_message_ids]
        return RunJob(
            run=run,
            scope=scope,
            definition=definition,
            message_space_id=conversation.space_id,
            question=question.parts,
            context=tuple(context),
            has_past=True,
            first_seq=min(message.seq for message in (question, *context)),
            next_seq=conversation.next_seq,
            end_seq=conversation.next_seq + SEQS_PER_RUN,
            overrides=TurnOverrides(),
            extra_system=(),
            variables=conversation.variables if conversation.key else None,
            log_id=command.log_id,
            answers=waits_for,
            outputs=dict(command.outputs),
            takes_outputs=True,
            wants_follow_ups=True,
        )


def _awaited(run: Run, command: SubmitOutputs) -> WaitingFor:
    waits_for = run.waits_for
    if run.status is not RunStatus.REQUIRES_ACTION or waits_for is None:
        raise _not_waiting(run.id)
    given = [output_id for output_id, _ in command.outputs]
    if sorted(given) != sorted(waits_for.output_ids):
        awaited = ", ".join(waits_for.output_ids)
        raise RunNotWaiting(
            f"tool_outputs: give exactly one output for each of {awaited}.", run_id=run.id
        )
    return waits_for


def _not_waiting(run_id: int) -> RunNotWaiting:
    return RunNotWaiting(f"Chat {run_id} waits for no tool outputs.", run_id=run_id)
