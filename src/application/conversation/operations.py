"""Operations of workflows on the conversations of the person they run for."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, Literal

import msgspec

from application.conversation.conversation_service import new_message
from application.conversation.dto import IncomingMessage
from crossdomain.conversation.contract import ConversationMessage, NamedConversation
from domain.conversation.conversation import Conversation
from domain.conversation.error import ConversationNotFound, MessageNotFound, NameTaken
from domain.conversation.event import MessageCreated, MessageDeleted
from domain.conversation.history import build_rounds
from domain.conversation.message import Message
from domain.conversation.repository import (
    ConversationName,
    ConversationStore,
    ConversationUnitOfWork,
    NameSpace,
)
from domain.conversation.rule import check_name, check_parts
from domain.conversation.run_repository import AcceptedRequest
from domain.conversation.value import TERMINAL_STATUSES, MessageKind
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, TextPart
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, ConversationId, MessageId, RunId, SectionId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_SHOWN: Final = frozenset({MessageKind.QUESTION, MessageKind.ANSWER})
_LISTED: Final = 1000
_ALL: Final = 2**62
"""Higher than any sequence number."""

_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


class ConversationOperations:
    """Implements ``crossdomain.conversation.contract.Conversations``.

    Callers were permitted to run; a name is unique per application or agent and person.
    """

    def __init__(
        self, *, store: ConversationStore, clock: Clock, ids: IdGenerator, limits: Limits
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def find(
        self, context: CallContext, owner_id: int, name: str
    ) -> NamedConversation | None:
        """Return the conversation of this name."""
        async with self._store.snapshot() as uow:
            found = await uow.names.find(context.scope, _place(context, owner_id), name)
        return None if found is None else _named(found)

    async def list(self, context: CallContext, owner_id: int) -> Sequence[NamedConversation]:
        """Return all with names, oldest first."""
        async with self._store.snapshot() as uow:
            found = await uow.names.list(context.scope, _place(context, owner_id), limit=_LISTED)
        return [_named(each) for each in found]

    async def open(
        self,
        context: CallContext,
        owner_id: int,
        name: str,
        *,
        is_fixed: bool,
        agent_id: AgentId | None = None,
    ) -> NamedConversation:
        """Return the conversation of this name, opened if there is none."""
        wanted = self._name(name)
        try:
            return await self._open(context, owner_id, wanted, is_fixed, agent_id)
        except NameTaken:  # somebody was faster
            found = await self.find(context, owner_id, wanted)
            if found is None:
                raise
            return found

    async def rename(
        self, context: CallContext, owner_id: int, conversation_id: int, name: str
    ) -> None:
        """Give a conversation another name; raise ``ConversationNotFound`` or ``NameTaken``."""
        place, wanted, now = _place(context, owner_id), self._name(name), self._clock.now()
        async with self._store.transaction() as uow:
            conversation = await _dynamic(uow, context.scope, place, conversation_id)
            await uow.names.remove(context.scope, place, conversation.id)
            named = ConversationName(conversation_id=conversation.id, name=wanted, is_fixed=False)
            await uow.names.add(context.scope, place, named, now=now)
            conversation.rename(wanted, now=now)
            await uow.conversations.save(context.scope, conversation)
            await uow.commit()

    async def delete(self, context: CallContext, owner_id: int, conversation_id: int) -> None:
        """Delete a conversation with its messages; raise ``ConversationNotFound``."""
        place = _place(context, owner_id)
        async with self._store.transaction() as uow:
            conversation = await _dynamic(uow, context.scope, place, conversation_id)
            await uow.names.remove(context.scope, place, conversation.id)
            conversation.delete(now=self._clock.now())
            await uow.conversations.save(context.scope, conversation)
            await uow.commit()

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
    ) -> ConversationMessage:
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
    ) -> tuple[Sequence[ConversationMessage], bool]:
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

    async def _open(
        self,
        context: CallContext,
        owner_id: int,
        name: str,
        is_fixed: bool,
        agent_id: AgentId | None,
    ) -> NamedConversation:
        place, now = _place(context, owner_id), self._clock.now()
        async with self._store.transaction() as uow:
            known = await uow.names.find(context.scope, place, name)
            if known is not None:
                return _named(known)
            conversation = Conversation.open(
                ConversationId(self._ids.next_id()),
                space_id=place.space_id,
                creator_id=context.scope.principal_id,
                now=now,
                end_user_id=place.end_user_id,
                connector_id=context.connector_id,
                agent_id=agent_id,
                name=name,
                key_end_user=context.scope.end_user_id,
            )
            named = ConversationName(conversation_id=conversation.id, name=name, is_fixed=is_fixed)
            await uow.conversations.save(context.scope, conversation)
            await uow.names.add(context.scope, place, named, now=now)
            await uow.commit()
        return _named(named)

    def _name(self, name: str) -> str:
        wanted = check_name(name, self._limits)
        if not wanted:
            raise InvalidRequest("conversationName: a name is required.", field="conversationName")
        return wanted


async def _dynamic(
    uow: ConversationUnitOfWork, scope: TenantScope, place: NameSpace, conversation_id: int
) -> Conversation:
    """Return a conversation whose name this place gave; raise ``ConversationNotFound``."""
    conversation = await uow.conversations.get(scope, ConversationId(conversation_id))
    known = await uow.names.find(scope, place, conversation.name)
    if known is None or known.conversation_id != conversation.id or known.is_fixed:
        raise ConversationNotFound(f"No conversation {conversation_id} with a name of its own.")
    return conversation


def _place(context: CallContext, owner_id: int) -> NameSpace:
    return NameSpace(
        space_id=SpaceId(context.space_id), owner_id=owner_id, end_user_id=context.end_user_id
    )


def _named(named: ConversationName) -> NamedConversation:
    return NamedConversation(id=named.conversation_id, name=named.name, is_fixed=named.is_fixed)


def _owner(context: CallContext) -> TenantScope:
    """Conversations belong to accounts; which person is meant was decided with the run."""
    return replace(context.scope, end_user_id="")


def _shown(message: Message) -> ConversationMessage:
    content = message.shown_text
    if not message.is_text:
        content = msgspec.json.encode(message.parts).decode()
    return ConversationMessage(
        id=message.id,
        role="user" if message.role == "user" else "assistant",
        content_type="text" if message.is_text else "object_string",
        content=content,
    )
