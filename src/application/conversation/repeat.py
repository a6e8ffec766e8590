"""What a run was asked, as its conversation still has it, for those who ask it again."""

import msgspec

from application.conversation.dto import IncomingMessage
from domain.conversation.error import ConversationNotFound, RunNotFound
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore
from domain.conversation.value import MessageKind, MessageStatus
from domain.shared.access import Permission, Principal
from domain.shared.ids import RunId
from domain.shared.limits import Limits


class AskedAgain(msgspec.Struct, frozen=True, kw_only=True):
    """The messages before and with a question, oldest first, and the variables of its request."""

    messages: tuple[IncomingMessage, ...]
    variables: dict[str, str]


class RunInputs:
    """Reads what runs began with."""

    def __init__(self, *, store: ConversationStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits

    async def find(self, principal: Principal, run_id: int) -> AskedAgain | None:
        """Return it; None if nothing of it was kept, or not for the caller."""
        scope, limits = principal.scope, self._limits
        try:
            async with self._store.snapshot() as uow:
                run = await uow.runs.get(scope, RunId(run_id))
                if not principal.may(Permission.MESSAGE_READ, run.space_id):
                    return None
                await uow.conversations.get(scope, run.conversation_id)
                own = await uow.messages.of_run(
                    scope, run.id, {MessageKind.QUESTION, MessageKind.ANSWER}
                )
                question = next((each for each in own if each.id == run.question_id), None)
                if question is None:
                    return None
                given = [each for each in own if each.seq <= question.seq]
                past = await uow.messages.history(
                    scope,
                    run.conversation_id,
                    run.section_id,
                    before_seq=given[0].seq,
                    rounds=limits.history_rounds,
                )
        except (RunNotFound, ConversationNotFound):
            return None
        before = [
            each.message
            for each in past
            if each.message.kind in {MessageKind.QUESTION, MessageKind.ANSWER}
            and each.message.status is MessageStatus.AVAILABLE
        ]
        kept = [*before, *given][-limits.additional_messages :]
        return AskedAgain(messages=tuple(map(_incoming, kept)), variables={**run.request.variables})


def _incoming(message: Message) -> IncomingMessage:
    return IncomingMessage(
        role="user" if message.kind is MessageKind.QUESTION else "assistant",
        parts=message.parts,
        is_text=message.is_text,
    )
