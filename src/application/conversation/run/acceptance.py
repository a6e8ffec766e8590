"""The transaction that accepts a run: all of it is stored, or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from application.conversation.dto import IncomingMessage, SubmitOutputs
from application.conversation.run.job import RunJob
from application.conversation.run.preparation import PreparedRun, most_messages, usable
from application.conversation.run.storage import SEQS_PER_RUN
from crossdomain.agent.contract import AgentDefinition, TurnOverrides
from domain.conversation.client_wait import WaitState
from domain.conversation.conversation import Conversation
from domain.conversation.dialogue import output_digest
from domain.conversation.error import (
    ConversationBusy,
    IdempotencyKeyReused,
    NothingToAnswer,
    RunNotFound,
    RunNotRepeatable,
    RunNotWaiting,
)
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.rule import default_name
from domain.conversation.run import Run, RunRequest
from domain.conversation.run_repository import AcceptedRequest
from domain.conversation.value import CancelReason, MessageKind, RunStatus, WaitingFor
from domain.shared.access import TenantScope
from domain.shared.account import current_origin
from domain.shared.crashpoint import crashpoint
from domain.shared.error import StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, ConversationId, MessageId, RunId, SectionId
from domain.shared.limits import Limits
from infra.contract.clock import Clock


@dataclass(slots=True, kw_only=True)
class Thread:
    """The conversation a run joins. ``stored`` None: the run leaves no trace in any."""

    id: ConversationId
    section_id: SectionId
    stored: Conversation | None
    is_new: bool
    first_seq: int

    @property
    def kept_variables(self) -> Mapping[str, str] | None:
        """Variables that last as long as the conversation: those of one opened by key."""
        return self.stored.variables if self.stored and self.stored.key else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInput:
    """The messages of a run; ``messages`` are new and to be stored, the question last if new."""

    messages: list[Message]
    question: Message
    is_new_question: bool
    replaces: RunId | None = None

    @property
    def context(self) -> list[Message]:
        return self.messages[:-1] if self.is_new_question else self.messages


class RunInputBuilder:
    """Makes the messages of a run, in the transaction that accepts it."""

    def __init__(self, ids: IdGenerator) -> None:
        self._ids = ids

    async def take(
        self,
        uow: ConversationUnitOfWork,
        prepared: PreparedRun,
        thread: Thread,
        run_id: RunId,
        now: datetime,
    ) -> RunInput:
        """Return the messages; those of a question that waited, or of a run to redo, are found.

        Raises:
            NothingToAnswer: nobody asked anything.
            RunNotRepeatable: the run to redo is not the last one, or its question is gone.
        """
        if prepared.command.regenerate is not None:
            return await self._repeat(uow, prepared, thread, run_id, now)
        given = [*prepared.context, *([prepared.question] if prepared.question else [])]
        messages = self._messages(given, prepared.definition, thread, run_id, now)
        if prepared.question:
            return RunInput(messages=messages, question=messages[-1], is_new_question=True)
        question = None
        if not thread.is_new:
            question = await uow.messages.open_question(
                prepared.scope, thread.id, thread.section_id
            )
        if question is None:
            raise NothingToAnswer(
                "additional_messages: the last one must be the user's question, because the "
                "conversation has no question without an answer."
            )
        if prepared.command.save_history:
            question.run_id = run_id
            await uow.messages.update(prepared.scope, question)
        return RunInput(messages=messages, question=question, is_new_question=False)

    async def _repeat(
        self,
        uow: ConversationUnitOfWork,
        prepared: PreparedRun,
        thread: Thread,
        run_id: RunId,
        now: datetime,
    ) -> RunInput:
        """Replace the last run by a new one, with its old messages or with the given ones."""
        scope = prepared.scope
        last = await uow.runs.last(scope, thread.id, thread.section_id)
        meant = await uow.messages.get(
            scope, thread.id, MessageId(prepared.command.regenerate or 0)
        )
        if last is None or last.id != meant.run_id or not last.is_terminal:
            raise RunNotRepeatable(
                "Only the last finished run of the current section can be redone.",
                message_id=meant.id,
            )
        given = [*prepared.context, *([prepared.question] if prepared.question else [])]
        if prepared.question is None:
            given = _inputs(
                await uow.messages.of_run(
                    scope, last.id, {MessageKind.QUESTION, MessageKind.ANSWER}
                ),
                last,
            )
        messages = self._messages(given, prepared.definition, thread, run_id, now)
        if not messages or messages[-1].kind is not MessageKind.QUESTION:
            raise RunNotRepeatable("The question of this run was deleted.", run_id=last.id)
        await uow.messages.replace_run(scope, last.id, now=now)
        last.withdraw(now=now)
        await uow.runs.save(scope, last)
        return RunInput(
            messages=messages, question=messages[-1], is_new_question=True, replaces=last.id
        )

    def again(
        self,
        given: Sequence[IncomingMessage],
        definition: AgentDefinition,
        run: Run,
        now: datetime,
    ) -> list[Message]:
        """Return the messages of an unsaved run as its client brings them back."""
        thread = Thread(
            id=run.conversation_id,
            section_id=run.section_id,
            stored=None,
            is_new=True,
            first_seq=1,
        )
        return self._messages(given, definition, thread, run.id, now)

    def _messages(
        self,
        given: Sequence[IncomingMessage],
        definition: AgentDefinition,
        thread: Thread,
        run_id: RunId,
        now: datetime,
    ) -> list[Message]:
        return [
            Message(
                id=MessageId(self._ids.next_id()),
                conversation_id=thread.id,
                space_id=(thread.stored or definition).space_id,
                section_id=thread.section_id,
                run_id=run_id,
                agent_id=definition.agent_id or None,
                seq=thread.first_seq + offset,
                kind=message.kind,
                tool_calls=message.tool_calls,
                tool_call_id=message.tool_call_id,
                parts=message.parts,
                is_text=message.is_text,
                meta=message.meta,
                created_at=now,
                updated_at=now,
            )
            for offset, message in enumerate(given)
        ]


def _inputs(stored: Sequence[Message], run: Run) -> list[IncomingMessage]:
    """Return what the client sent for a run: everything up to the question."""
    question = next((m for m in stored if m.id == run.question_id), None)
    if question is None:
        return []
    return [
        IncomingMessage(
            role="user" if message.kind is MessageKind.QUESTION else "assistant",
            parts=message.parts,
            is_text=message.is_text,
            meta=message.meta,
        )
        for message in stored
        if message.seq <= question.seq
    ]


_ANSWERED: Final = "answered"
"""Finish reason of a run whose question the next one answers."""


@dataclass(slots=True, kw_only=True)
class SupersededRuns:
    """Runs that made way for a new one.

    ``answers`` is the question that the new run answers, ``abandoned`` are those nobody will.
    """

    ended: list[RunId] = field(default_factory=list)
    abandoned: list[WaitingFor] = field(default_factory=list)
    answers: WaitingFor | None = None

    def pass_waiting(
        self, run: Run, prepared: PreparedRun, section_id: SectionId, *, now: datetime
    ) -> None:
        """End a waiting run: what the same agent or workflow asked is answered, else dropped."""
        if self.answers is None and _is_answered(run, prepared, section_id):
            self.answers = run.waits_for
            run.complete(now=now, usage=run.usage, finish_reason=_ANSWERED)
            return
        run.cancel(CancelReason.SUPERSEDED, now=now)
        if run.waits_for is not None:
            self.abandoned.append(run.waits_for)


def _is_answered(run: Run, prepared: PreparedRun, section_id: SectionId) -> bool:
    definition, waits_for = prepared.definition, run.waits_for
    return (
        waits_for is not None
        and not waits_for.calls
        and prepared.question is not None
        and prepared.command.regenerate is None
        and run.section_id == section_id
        and run.agent_id == definition.agent_id
        and waits_for.workflow_id == definition.workflow_id
    )


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
        self._inputs = RunInputBuilder(ids)
        self._limits = limits
        self._owner = owner

    async def accept(self, prepared: PreparedRun, run_id: RunId) -> Acceptance | Repeated:
        """Store everything; the errors are those of ``RunService.start``."""
        try:
            return await self._accept(prepared, run_id)
        except StaleRevision:  # a request with the same key won; now it can be seen
            return await self._accept(prepared, run_id)

    async def repeated(self, prepared: PreparedRun) -> Run | None:
        """Return the run that a request was accepted as before; None if it is new."""
        if not prepared.command.idempotency_key:
            return None
        async with self._store.snapshot() as uow:
            earlier = await self._repeated(uow, prepared, self._clock.now())
        return None if earlier is None else earlier.run

    async def _accept(self, prepared: PreparedRun, run_id: RunId) -> Acceptance | Repeated:
        now = self._clock.now()
        async with self._store.transaction() as uow:
            if repeated := await self._repeated(uow, prepared, now):
                return repeated
            # Locks the conversation: two requests for it pass what follows one after the other.
            thread = await self._thread(uow, prepared, now)
            superseded = await self._supersede_earlier(uow, prepared, thread, now)
            found = await self._inputs.take(uow, prepared, thread, run_id, now)
            run = self._run(prepared, thread, found, run_id, now, answers=superseded.answers)
            await self._insert(uow, prepared, found, run, now)
            crashpoint("chat.accept.before_commit")
            await uow.commit()
        crashpoint("chat.accept.committed")
        next_seq = thread.first_seq + len(found.messages)
        return Acceptance(
            superseded=tuple(superseded.ended),
            abandoned=tuple(superseded.abandoned),
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
                answers=superseded.answers,
                shortcut=prepared.shortcut,
                wants_follow_ups=prepared.wants_follow_ups,
                takes_outputs=prepared.takes_outputs,
                takes_calls=prepared.command.takes_calls,
                steps=prepared.command.steps,
                history=prepared.command.history,
                surface=prepared.command.surface,
            ),
        )

    async def _repeated(
        self, uow: ConversationUnitOfWork, prepared: PreparedRun, now: datetime
    ) -> Repeated | None:
        # Looked for inside the transaction, too: the first request may have been stored while this
        # one waited for its turn.
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
            # How many messages the earlier run had is known once the conversation is locked; then
            # it is too late to reserve more.
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

    async def _supersede_earlier(
        self,
        uow: ConversationUnitOfWork,
        prepared: PreparedRun,
        thread: Thread,
        now: datetime,
    ) -> SupersededRuns:
        """End runs that only have extras left or wait for the user; refuse beside others."""
        superseded = SupersededRuns()
        asking = await self._asking(uow, prepared)
        earlier = await uow.runs.unsettled(prepared.scope, thread.id) if not thread.is_new else ()
        for run in (*earlier, *asking):
            if run.is_finishing:
                run.complete(now=now, usage=run.usage, finish_reason=run.finish_reason)
            elif run.status is RunStatus.REQUIRES_ACTION:
                section_id = run.section_id if run in asking else thread.section_id
                superseded.pass_waiting(run, prepared, section_id, now=now)
            else:
                raise ConversationBusy(
                    "The conversation has a run in progress; wait for it or cancel it.",
                    conversation_id=thread.id,
                    run_id=run.id,
                )
            await uow.runs.save(prepared.scope, run)
            # A client that brings outputs for it later is told that the run waits no more.
            await uow.client_waits.end(run.id, WaitState.REPLACED)
            superseded.ended.append(run.id)
        return superseded

    async def _asking(self, uow: ConversationUnitOfWork, prepared: PreparedRun) -> tuple[Run, ...]:
        """Return the run of which nothing is kept, if it still waits for this input."""
        if prepared.command.answers is None:
            return ()
        try:
            run = await uow.runs.get(prepared.scope, RunId(prepared.command.answers))
        except RunNotFound:
            return ()
        return (run,) if run.status is RunStatus.REQUIRES_ACTION else ()

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
                origin=current_origin(),
                version=command.agent_version,
                answer_meta=command.answer_meta,
            ),
            meta=command.meta,
            inserted_message_ids=tuple(m.id for m in found.context) if command.save_history else (),
            replaces_run_id=found.replaces,
            is_saved=command.save_history,
            workflow_run_id=self._workflow_run(prepared, answers),
            created_at=now,
        ).accepted()
        # Claimed by the transaction that stores it: a row without a lease would be taken for a lost
        # run.
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

    async def find_waiting(self, scope: TenantScope, command: SubmitOutputs) -> Run:
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
        self,
        scope: TenantScope,
        definition: AgentDefinition,
        command: SubmitOutputs,
        *,
        is_saved: bool,
    ) -> RunJob:
        """Claim the run and return what it goes on with; raises as ``find_waiting``."""
        now = self._clock.now()
        lease = timedelta(seconds=self._limits.run_lease_s)
        try:
            async with self._store.transaction() as uow:
                conversation = None
                if is_saved:
                    # The conversation before the run, as ``_accept`` does: in two orders they would
                    # lock each other out.
                    conversation = await uow.conversations.lock(
                        scope,
                        ConversationId(command.conversation_id),
                        seqs=SEQS_PER_RUN,
                        now=now,
                    )
                run = await uow.runs.get(scope, RunId(command.run_id))
                waits_for = _awaited(run, command)
                question, context = await self._resumed_input(uow, scope, definition, run, command)
                run.claim(self._owner, until=now + lease, now=now)
                await uow.runs.save(scope, run)
                await uow.client_waits.answer(
                    run.id,
                    {call_id: output_digest(text) for call_id, text in command.outputs},
                    request_key=_request_key(command),
                )
                crashpoint("chat.resume.before_commit")
                await uow.commit()
            crashpoint("chat.resume.committed")
        except StaleRevision as exc:
            # Of two requests that bring outputs one was faster; the run does not wait for the
            # other.
            raise _not_waiting(command.run_id) from exc
        request = command.request
        next_seq = conversation.next_seq if conversation else question.seq + 1
        return RunJob(
            run=run,
            scope=scope,
            definition=definition,
            message_space_id=(conversation or run).space_id,
            question=question.parts,
            context=tuple(context),
            has_past=conversation is not None,
            first_seq=min(message.seq for message in (question, *context)),
            next_seq=next_seq,
            end_seq=next_seq + SEQS_PER_RUN,
            overrides=request.overrides if request else TurnOverrides(),
            extra_system=request.extra_system if request else (),
            variables=conversation.variables if conversation and conversation.key else None,
            log_id=command.log_id,
            answers=waits_for,
            outputs=dict(command.outputs),
            takes_outputs=request is None,
            takes_calls=request is not None,
            history=request.history if request else "",
            waited=command.ordinal,
            wants_follow_ups=request is None,
            surface=request.surface if request else "coze",
        )

    async def _resumed_input(
        self,
        uow: ConversationUnitOfWork,
        scope: TenantScope,
        definition: AgentDefinition,
        run: Run,
        command: SubmitOutputs,
    ) -> tuple[Message, list[Message]]:
        """Return question and context: stored ones, or those that the client brings back."""
        if not run.is_saved:
            given = usable(command.request.messages, self._limits) if command.request else ()
            if not given:
                raise _not_waiting(run.id)
            *context, question = self._inputs.again(given, definition, run, self._clock.now())
            return question, context
        stored = await uow.messages.of_run(scope, run.id, frozenset(MessageKind))
        found = next((each for each in stored if each.id == run.question_id), None)
        if found is None:
            raise _not_waiting(run.id)
        return found, [message for message in stored if message.id in run.inserted_message_ids]


def _parameters(prepared: PreparedRun) -> Mapping[str, Any]:
    """What the request gives to a workflow that answers, ahead of what the conversation keeps."""
    return {**prepared.command.variables, **prepared.command.parameters}


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


def _request_key(command: SubmitOutputs) -> str:
    """Return the idempotency key of the request that brings outputs, as it is kept."""
    key = command.request.idempotency_key if command.request else ""
    return output_digest(key) if key else ""


def _not_waiting(run_id: int) -> RunNotWaiting:
    return RunNotWaiting(f"Chat {run_id} waits for no tool outputs.", run_id=run_id)
