"""What workflows do in the conversations of the person they run for."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, Literal

import msgspec

from application.conversation.conversation_service import new_message
from application.conversation.dto import IncomingMessage
from crossdomain.conversation.contract import TalkMessage
from domain.conversation.error import MessageNotFound
from domain.conversation.event import MessageCreated, MessageDeleted
from domain.conversation.history import build_rounds
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore
from domain.conversation.rule import check_parts
from domain.conversation.run_repository import AcceptedRequest
from domain.conversation.value import TERMINAL_STATUSES, MessageKind
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, TextPart
from domain.shared.error import NotFound
from domain.shared.ids import ConversationId, MessageId, RunId, SectionId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator

_SHOWN: Final = frozenset({MessageKind.QUESTION, MessageKind.ANSWER})
_ALL: Final = 2**62
"""Higher than any sequence number."""

_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


class ConversationOperations:
    """Messages and sections for callers whose run was permitted."""

    def __init__(
        self, *, store: ConversationStore, clock: Clock, ids: IdGenerator, limits: Limits
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def clear(self, context: CallContext, conversation_id: int) -> None:
        """Begin a new section; raise ``ConversationNotFound``."""
        scope, now = _owner(context), self._clock.now()
        async with self._store.transaction() as uow:
            conversation = await uow.conversations.lock(
                scope, ConversationId(conversation_id), seqs=0, now=now
            )
            conversation.clear(SectionId(self._ids.next_id()), now=now)
            await uow.summaries.end(scope, conversation.id)
            await uow.conversations.save(scope, conversation)
            await uow.commit()

    async def history(
        self, context: CallContext, conversation_id: int, *, rounds: int
    ) -> Sequence[ChatMessage]:
        """Return the last finished rounds; none of a conversation that is gone."""
        scope, limit = _owner(context), min(rounds, self._limits.history_rounds)
        if limit <= 0:
            return []
        try:
            async with self._store.snapshot() as uow:
                conversation = await uow.conversations.get(scope, ConversationId(conversation_id))
                past = await uow.messages.history(
                    scope,
                    conversation.id,
                    conversation.section_id,
                    before_seq=_ALL,
                    rounds=limit + 1,
                )
        except NotFound:
            return []
        finished = [
            entry
            for entry in past
            if entry.run_status is None or entry.run_status in TERMINAL_STATUSES
        ]
        return [
            message
            for each in build_rounds(finished, limit=limit)
            for message in each.messages
            if message.role in {"user", "assistant"} and not message.tool_calls
        ]

    async def add_message(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        role: Literal["user", "assistant"],
        text: str,
        key: str,
    ) -> TalkMessage:
        """Add a message, once per ``key``; raise ``ConversationNotFound`` or ``InvalidRequest``."""
        scope, now = _owner(context), self._clock.now()
        given = IncomingMessage(role=role, parts=(TextPart(text=text),))
        check_parts(given.parts, self._limits)
        name = f"message:{hashlib.sha256(key.encode()).hexdigest()}"
        async with self._store.transaction() as uow:
            conversation = await uow.conversations.lock(
                scope, ConversationId(conversation_id), seqs=1, now=now
            )
            known = await uow.requests.find(scope, name, since=_EPOCH)
            if known is not None:
                stored = await uow.messages.get(scope, conversation.id, MessageId(known.run_id))
                return _shown(stored)
            message = new_message(
                MessageId(self._ids.next_id()), conversation, given, seq=conversation.next_seq
            )
            await uow.messages.add(scope, [message])
            await uow.requests.add(
                scope,
                AcceptedRequest(
                    space_id=conversation.space_id,
                    key=name,
                    digest="",
                    run_id=RunId(message.id),
                    created_at=now,
                ),
            )
            uow.collect(
                MessageCreated(
                    occurred_at=now,
                    space_id=conversation.space_id,
                    aggregate_id=conversation.id,
                    message_id=message.id,
                )
            )
            await uow.commit()
        return _shown(message)

    async def messages(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        limit: int,
        before_id: int | None = None,
        after_id: int | None = None,
    ) -> tuple[Sequence[TalkMessage], bool]:
        """Return a page, newest first, and whether there is more; raise ``NotFound``."""
        scope = _owner(context)
        goes_down = after_id is None
        async with self._store.snapshot() as uow:
            conversation = await uow.conversations.get(scope, ConversationId(conversation_id))
            found = await uow.messages.page(
                scope,
                conversation.id,
                kinds=_SHOWN,
                run_id=None,
                older_than=None if before_id is None else MessageId(before_id),
                newer_than=None if after_id is None else MessageId(after_id),
                descending=goes_down,
                limit=limit + 1,
            )
        page = [_shown(message) for message in found[:limit]]
        if not goes_down:
            page.reverse()
        return page, len(found) > limit

    async def edit_message(
        self, context: CallContext, conversation_id: int, message_id: int, text: str
    ) -> bool:
        """Change a text; tell whether there was such a message."""
        scope, parts = _owner(context), (TextPart(text=text),)
        check_parts(parts, self._limits)
        try:
            async with self._store.transaction() as uow:
                message = await uow.messages.get(
                    scope, ConversationId(conversation_id), MessageId(message_id)
                )
                message.edit(parts=parts, is_text=True, meta=None, now=self._clock.now())
                await uow.messages.update(scope, message)
                await uow.commit()
        except MessageNotFound:
            return False
        return True

    async def delete_message(
        self, context: CallContext, conversation_id: int, message_id: int
    ) -> bool:
        """Delete a message; tell whether there was one."""
        scope, now = _owner(context), self._clock.now()
        try:
            async with self._store.transaction() as uow:
                message = await uow.messages.get(
                    scope, ConversationId(conversation_id), MessageId(message_id)
                )
                message.delete(now=now)
                await uow.messages.update(scope, message)
                if message.kind is MessageKind.ANSWER and message.run_id is not None:
                    await uow.messages.delete_details(scope, message.run_id, now=now)
                uow.collect(
                    MessageDeleted(
                        occurred_at=now,
                        space_id=message.space_id,
                        aggregate_id=message.conversation_id,
                        message_id=message.id,
                    )
                )
                await uow.commit()
        except MessageNotFound:
            return False
        return True


def _owner(context: CallContext) -> TenantScope:
    """Conversations belong to accounts; which person is meant was decided with the run."""
    return replace(context.scope, end_user_id="")


def _shown(message: Message) -> TalkMessage:
    content = message.shown_text
    if not message.is_text:
        content = msgspec.json.encode(message.parts).decode()
    return TalkMessage(
        id=message.id,
        role="user" if message.role == "user" else "assistant",
        content_type="text" if message.is_text else "object_string",
        content=content,
    )
