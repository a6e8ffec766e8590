"""The transaction that accepts a run: all of it is stored, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from application.conversation.job import RunJob
from application.conversation.preparation import PreparedRun, most_messages
from application.conversation.run_input import InputTaker, RunInput, Thread
from application.conversation.storage import SEQS_PER_RUN
from application.conversation.way import Way
from domain.conversation.conversation import Conversation
from domain.conversation.error import (
    ConversationBusy,
    IdempotencyKeyReused,
)
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.rule import default_name
from domain.conversation.run import Run, RunRequest
from domain.conversation.run_repository import AcceptedRequest
from domain.conversation.value import RunStatus, WaitingFor
from domain.shared.crashpoint import crashpoint
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, ConversationId, RunId, SectionId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """A run that was stored and claimed. ``superseded`` are runs that had to make way."""

    job: RunJob
    superseded: tuple[RunId, ...] = ()
    abandoned: tuple[WaitingFor, ...] = ()
    """What runs waited for that had to make way; nobody will answer it."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """The request was accepted before, as this run."""

    run: Run


class RunAcceptor:
    """Opens or locks the conversation, makes way, and inserts the run with its messages."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        owner: str,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._inputs = InputTaker(ids)
        self._limits = limits
        self._owner = owner

    async def accept(self, prepared: PreparedRun, run_id: RunId) -> Acceptance | Repeated:
        """Store everything; the errors are those of ``RunService.start``."""
        try:
            return await self._accept(prepared, run_id)
        except StaleRevision:  # a request with the same key won; now it can be seen
            return await self._accept(prepared, run_id)

    async def _accept(self, prepared: PreparedRun, run_id: RunId) -> Acceptance | Repeated:
        now = self._clock.now()
        async with self._store.transaction() as uow:
            if repeated := await self._repeated(uow, prepared, now):
                return repeated
            thread = await self._thread(uow, prepared, now)
            way = await self._make_way(uow, prepared, thread, now)
            found = await self._inputs.take(uow, prepared, thread, run_id, now)
            run = self._run(prepared, thread, found, run_id, now, answers=way.answers)
            await self._insert(uow, prepared, found, run, now)
            crashpoint("chat.accept.before_commit")
            await uow.commit()
        crashpoint("chat.accept.committed")
        next_seq = thread.first_seq + len(found.messages)
        return Acceptance(
            superseded=tuple(way.ended),
            abandoned=tuple(way.abandoned),
            job=RunJob(
                run=run,
                scope=prepared.scope,
                definition=prepared.definition,
                message_space_id=(thread.stored or run).space_id,
                question=found.question.parts,
                context=tuple(found.context),
                has_past=not thread.is_new,
                first_seq=thread.first_seq,
                next_seq=next_seq,
                end_seq=next_seq + SEQS_PER_RUN,
                overrides=prepared.overrides,
                extra_system=prepared.command.extra_system,
                variables=thread.kept_variables,
                log_id=prepared.command.log_id,
                parameters=_parameters(prepared),
                answers=way.answers,
                shortcut=prepared.shortcut,
                wants_follow_ups=prepared.wants_follow_ups,
                takes_outputs=prepared.takes_outputs,
                surface=prepared.command.surface,
            ),
        )

    async def _repeated(
        self, uow: ConversationUnitOfWork, prepared: PreparedRun, now: datetime
    ) -> Repeated | None:
        key = prepared.command.idempotency_key
        if not key:
            return None
        since = now - timedelta(seconds=self._limits.idempotency_ttl_s)
        earlier = await uow.requests.find(prepared.scope, key, since=since)
        if earlier is None:
            return None
        if earlier.digest != prepared.digest:
            raise IdempotencyKeyReused(
                "Idempotency-Key: this key was used for a different request.",
                field="Idempotency-Key",
            )
        return Repeated(await uow.runs.get(prepared.scope, earlier.run_id))

    async def _thread(
        self, uow: ConversationUnitOfWork, prepared: PreparedRun, now: datetime
    ) -> Thread:
        """Lock the conversation that is meant, or open one."""
        command, scope = prepared.command, prepared.scope
        seqs = SEQS_PER_RUN + len(prepared.context) + 1
        if command.regenerate is not None:
            seqs += most_messages(command, self._limits)
        stored: Conversation | None = None
        if command.conversation_id is not None:
            stored = await uow.conversations.lock(
                scope, ConversationId(command.conversation_id), seqs=seqs, now=now
            )
        elif command.conversation_key:
            stored = await uow.conversations.lock_key(
                scope, AgentId(command.agent_id), command.conversation_key, seqs=seqs, now=now
            )
        if stored is not None:
            await self._update(uow, prepared, stored)
            return Thread(
                id=stored.id,
                section_id=stored.section_id,
                stored=stored,
                is_new=False,
                first_seq=stored.next_seq,
            )
        new_id = ConversationId(self._ids.next_id())
        opened = None
        if command.save_history:
            opened = self._open(prepared, new_id, next_seq=1 + seqs, now=now)
            await uow.conversations.save(scope, opened)
        return Thread(
            id=new_id, section_id=SectionId(new_id), stored=opened, is_new=True, first_seq=1
        )

    def _open(
        self, prepared: PreparedRun, new_id: ConversationId, *, next_seq: int, now: datetime
    ) -> Conversation:
        command = prepared.command
        conversation = Conversation.open(
            new_id,
            space_id=prepared.definition.space_id,
            creator_id=prepared.scope.principal_id,
            now=now,
            end_user_id=prepared.end_user_id,
            connector_id=command.connector_id,
            scene=command.scene,
            agent_id=prepared.definition.agent_id or None,
            name=self._name(prepared),
            key=command.conversation_key or None,
            key_end_user=prepared.scope.end_user_id,
            next_seq=next_seq,
        )
        if conversation.key:
            conversation.remember(command.variables)
        return conversation

    async def _update(
        self, uow: ConversationUnitOfWork, prepared: PreparedRun, conversation: Conversation
    ) -> None:
        """Write what this run changes of a conversation, if anything."""
        if not prepared.command.save_history:
            return
        changed = conversation.take_in(
            agent_id=prepared.definition.agent_id or None, name=self._name(prepared)
        )
        if conversation.key:
            before = conversation.variables
            changed |= conversation.remember(prepared.command.variables) != before
        if changed:
            await uow.conversations.save(prepared.scope, conversation)

    def _name(self, prepared: PreparedRun) -> str:
        asked = [*prepared.context, *([prepared.question] if prepared.question else [])]
        first = next((message for message in asked if message.role == "user"), None)
        return default_name(first.parts, self._limits) if first else ""

    async def _make_way(
        self,
        uow: ConversationUnitOfWork,
        prepared: PreparedRun,
        thread: Thread,
        now: datetime,
    ) -> Way:
        """End runs that only have extras left or wait for the user; refuse beside others."""
        way = Way()
        if thread.is_new:
            return way
        for run in await uow.runs.unsettled(prepared.scope, thread.id):
            if run.is_finishing:
                run.complete(now=now, usage=run.usage, finish_reason=run.finish_reason)
            elif run.status is RunStatus.REQUIRES_ACTION:
                way.pass_waiting(run, prepared, thread.section_id, now=now)
            else:
                raise ConversationBusy(
                    "The conversation has a run in progress; wait for it or cancel it.",
                    conversation_id=thread.id,
                    run_id=run.id,
                )
            await uow.runs.save(prepared.scope, run)
            way.ended.append(run.id)
        return way

    def _run(
        self,
        prepared: PreparedRun,
        thread: Thread,
        found: RunInput,
        run_id: RunId,
        now: datetime,
        *,
        answers: WaitingFor | None,
    ) -> Run:
        """Make the run, claimed; one that answers a question goes on with the asking workflow."""
        command = prepared.command
        run = Run(
            id=run_id,
            space_id=prepared.definition.space_id,
            conversation_id=thread.id,
            section_id=thread.section_id,
            agent_id=prepared.definition.agent_id,
            agent_version=prepared.definition.version,
            creator_id=prepared.scope.principal_id,
            end_user_id=prepared.end_user_id,
            connector_id=command.connector_id,
            question_id=found.question.id,
            request=RunRequest(
                variables={**(thread.kept_variables or {}), **command.variables},
                is_draft=command.use_draft,
                answer_meta=command.answer_meta,
            ),
            meta=command.meta,
            inserted_message_ids=tuple(m.id for m in found.context) if command.save_history else (),
            replaces_run_id=found.replaces,
            is_saved=command.save_history,
            workflow_run_id=self._workflow_run(prepared, answers),
            created_at=now,
        ).accepted()
        lease = timedelta(seconds=self._limits.run_lease_s)
        run.claim(self._owner, until=now + lease, now=now)
        return run

    def _workflow_run(self, prepared: PreparedRun, answers: WaitingFor | None) -> int:
        if not prepared.definition.workflow_id:
            return 0
        return self._ids.next_id() if answers is None else answers.workflow_run_id

    async def _insert(
        self,
        uow: ConversationUnitOfWork,
        prepared: PreparedRun,
        found: RunInput,
        run: Run,
        now: datetime,
    ) -> None:
        await uow.runs.save(prepared.scope, run)
        if run.is_saved:
            await uow.messages.add(prepared.scope, found.messages)
        if prepared.command.idempotency_key:
            await uow.requests.add(
                prepared.scope,
                AcceptedRequest(
                    space_id=run.space_id,
                    key=prepared.command.idempotency_key,
                    digest=prepared.digest,
                    run_id=run.id,
                    created_at=now,
                ),
            )


def _parameters(prepared: PreparedRun) -> Mapping[str, Any]:
    """What the request gives to a workflow that answers, ahead of what the conversation keeps."""
    return {**prepared.command.variables, **prepared.command.parameters}
