"""What a run is about to answer: its messages, new or found in the conversation it joins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from application.conversation.dto import IncomingMessage
from application.conversation.preparation import PreparedRun
from domain.conversation.conversation import Conversation
from domain.conversation.error import NothingToAnswer, RunNotRepeatable
from domain.conversation.message import Message
from domain.conversation.repository import ConversationUnitOfWork
from domain.conversation.run import Run
from domain.conversation.value import MessageKind
from domain.shared.ids import ConversationId, MessageId, RunId, SectionId
from infra.contract.id_generator import IdGenerator


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


class InputTaker:
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
        messages = self._messages(given, prepared, thread, run_id, now)
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
        messages = self._messages(given, prepared, thread, run_id, now)
        if not messages or messages[-1].kind is not MessageKind.QUESTION:
            raise RunNotRepeatable("The question of this run was deleted.", run_id=last.id)
        await uow.messages.replace_run(scope, last.id, now=now)
        last.withdraw(now=now)
        await uow.runs.save(scope, last)
        return RunInput(
            messages=messages, question=messages[-1], is_new_question=True, replaces=last.id
        )

    def _messages(
        self,
        given: Sequence[IncomingMessage],
        prepared: PreparedRun,
        thread: Thread,
        run_id: RunId,
        now: datetime,
    ) -> list[Message]:
        return [
            Message(
                id=MessageId(self._ids.next_id()),
                conversation_id=thread.id,
                space_id=(thread.stored or prepared.definition).space_id,
                section_id=thread.section_id,
                run_id=run_id,
                agent_id=prepared.definition.agent_id or None,
                seq=thread.first_seq + offset,
                kind=MessageKind.QUESTION if message.role == "user" else MessageKind.ANSWER,
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
