"""Use cases on conversations."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from application.conversation.dto import (
    ConversationPage,
    ConversationQuery,
    ConversationView,
    CreateConversation,
    ForkConversation,
    IncomingMessage,
    SectionView,
)
from application.conversation.run.live import ChatRegistry
from application.conversation.run.preparation import require_files, usable
from application.conversation.signal import RUN_CANCEL
from application.conversation.view import conversation_view
from application.run.registry import Stop
from application.shared.repeat import request_key
from crossdomain.agent.contract import Agents, AgentSelector
from crossdomain.file.contract import Files
from domain.conversation.conversation import Conversation
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.rule import check_end_user, check_meta, check_name, default_name
from domain.conversation.value import CancelReason, MessageKind, RunStatus
from domain.shared.access import Permission, Principal, ResourceKind
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, ConversationId, MessageId, SectionId, SpaceId
from domain.shared.limits import Limits
from domain.shared.repository import RequestKey
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

_FORKED_MESSAGES: Final = 400
"""The newest ones; more than any agent is told of a conversation."""


class ConversationService:
    """Opens, lists, renames, clears and deletes the caller's conversations."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        agents: Agents,
        files: Files,
        registry: ChatRegistry,
        signals: Signals,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._agents = agents
        self._files = files
        self._registry = registry
        self._signals = signals
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def create(self, principal: Principal, command: CreateConversation) -> ConversationView:
        """Open a conversation, its messages in the first section.

        A request with the idempotency key of an earlier one returns what that one opened.

        Raises:
            IdempotencyKeyReused: the key belongs to another request (4000).
            InvalidRequest: a limit is exceeded (4000).
            NotFound: unknown agent or file (4200).
        """
        given = self._checked(command)
        if command.agent_id:
            principal = principal.toward(
                ResourceKind.AGENT,
                command.agent_id,
                permissions=frozenset({Permission.CONVERSATION_WRITE}),
            )
        space_id = await self._space(principal, command)
        principal.require(Permission.CONVERSATION_WRITE, space_id)
        await require_files(given, files=self._files, scope=principal.scope)
        now = self._clock.now()
        first = next((message for message in given if message.role == "user"), None)
        conversation = Conversation.open(
            ConversationId(self._ids.next_id()),
            space_id=space_id,
            creator_id=principal.user_id,
            now=now,
            end_user_id=principal.end_user_id or command.end_user_id,
            connector_id=command.connector_id,
            agent_id=None if command.agent_id is None else AgentId(command.agent_id),
            name=check_name(command.name, self._limits)
            or (default_name(first.parts, self._limits) if first else ""),
            meta=command.meta,
            key_end_user=principal.end_user_id,
            next_seq=len(given) + 1,
        )
        request = request_key("conversation.create", command.idempotency_key, command)
        async with self._store.transaction() as uow:
            made = await first_made(
                uow, principal, request, conversation.id, now=now, limits=self._limits
            )
            if made != conversation.id:
                earlier = await uow.conversations.get(principal.scope, ConversationId(made))
                return conversation_view(earlier)
            await uow.conversations.save(principal.scope, conversation)
            await uow.messages.add(principal.scope, self._messages(conversation, given))
            await uow.commit()
        return conversation_view(conversation)

    async def get(self, principal: Principal, conversation_id: int) -> ConversationView:
        """Return one; raise ``ConversationNotFound`` (4200)."""
        async with self._store.snapshot() as uow:
            conversation = await uow.conversations.get(
                principal.scope, ConversationId(conversation_id)
            )
        principal.require(Permission.CONVERSATION_READ, conversation.space_id)
        return conversation_view(conversation)

    async def list(self, principal: Principal, query: ConversationQuery) -> ConversationPage:
        """Return one page of the conversations of a scene."""
        principal.require_token(Permission.CONVERSATION_READ)
        if query.page_num < 1:
            raise InvalidRequest("page_num: pages count from 1.", field="page_num")
        size = max(1, min(query.page_size, self._limits.page_size))
        offset = (query.page_num - 1) * size
        async with self._store.snapshot() as uow:
            found, total = await uow.conversations.page(
                principal.scope,
                agent_id=AgentId(query.agent_id),
                connector_id=query.connector_id,
                end_user_id=query.end_user_id,
                scene=query.scene,
                descending=query.descending,
                offset=offset,
                limit=size,
            )
        return ConversationPage(
            items=tuple(conversation_view(conversation) for conversation in found),
            has_more=total > offset + len(found),
            total=total,
        )

    async def rename(
        self, principal: Principal, conversation_id: int, *, name: str
    ) -> ConversationView:
        """Give it another name of 1 to 100 characters."""
        wanted = check_name(name, self._limits)
        if not wanted:
            raise InvalidRequest("name: a name is required.", field="name")
        now = self._clock.now()
        async with self._store.transaction() as uow:
            conversation = await uow.conversations.lock(
                principal.scope, ConversationId(conversation_id), seqs=0, now=now
            )
            principal.require(Permission.CONVERSATION_WRITE, conversation.space_id)
            conversation.rename(wanted, now=now)
            await uow.conversations.save(principal.scope, conversation)
            await uow.commit()
        return conversation_view(conversation)

    async def clear(self, principal: Principal, conversation_id: int) -> SectionView:
        """Begin a new section: messages stay listed, later runs do not see them."""
        now = self._clock.now()
        section_id = SectionId(self._ids.next_id())
        async with self._store.transaction() as uow:
            conversation = await uow.conversations.lock(
                principal.scope, ConversationId(conversation_id), seqs=0, now=now
            )
            principal.require(Permission.CONVERSATION_WRITE, conversation.space_id)
            for run in await uow.runs.unsettled(principal.scope, conversation.id):
                if run.status is RunStatus.REQUIRES_ACTION:  # what it waits for is out of sight
                    run.cancel(CancelReason.SUPERSEDED, now=now)
                    await uow.runs.save(principal.scope, run)
            conversation.clear(section_id, now=now)
            await uow.summaries.end(principal.scope, conversation.id)
            await uow.conversations.save(principal.scope, conversation)
            await uow.commit()
        return SectionView(id=section_id, conversation_id=conversation.id)

    async def fork(self, principal: Principal, command: ForkConversation) -> ConversationView:
        """Copy what was said in the section before a message into a conversation of its own.

        Agent, end user and channel stay the same; the older conversation stays as it is.

        Raises:
            ConversationNotFound, MessageNotFound: (4200).
        """
        now = self._clock.now()
        new_id = ConversationId(self._ids.next_id())
        request = request_key("conversation.fork", command.idempotency_key, command)
        async with self._store.transaction() as uow:
            scope = principal.scope
            source = await uow.conversations.get(scope, ConversationId(command.conversation_id))
            principal.require(Permission.CONVERSATION_WRITE, source.space_id)
            edge = await uow.messages.get(scope, source.id, MessageId(command.before_message_id))
            made = await first_made(uow, principal, request, new_id, now=now, limits=self._limits)
            if made != new_id:
                return conversation_view(await uow.conversations.get(scope, ConversationId(made)))
            said = await self._said_before(uow, principal, edge)
            fork = source.fork(
                new_id, now=now, key_end_user=principal.end_user_id, next_seq=len(said) + 1
            )
            await uow.conversations.save(scope, fork)
            copies = [
                message.copied(
                    MessageId(self._ids.next_id()),
                    into=fork.id,
                    section_id=fork.section_id,
                    seq=seq,
                )
                for seq, message in enumerate(said, start=1)
            ]
            await uow.messages.add(scope, copies)
            await uow.commit()
        return conversation_view(fork)

    async def _said_before(
        self, uow: ConversationUnitOfWork, principal: Principal, edge: Message
    ) -> Sequence[Message]:
        """Return the newest questions and answers of a message's section before it, in order."""
        found = await uow.messages.page(
            principal.scope,
            edge.conversation_id,
            kinds={MessageKind.QUESTION, MessageKind.ANSWER},
            run_id=None,
            older_than=edge.id,
            newer_than=None,
            descending=True,
            limit=_FORKED_MESSAGES,
        )
        return [m for m in reversed(found) if m.section_id == edge.section_id]

    async def delete(self, principal: Principal, conversation_id: int) -> None:
        """Delete it with its messages; a running run is cancelled."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            conversation = await uow.conversations.lock(
                principal.scope, ConversationId(conversation_id), seqs=0, now=now
            )
            principal.require(Permission.CONVERSATION_WRITE, conversation.space_id)
            running = await uow.runs.unsettled(principal.scope, conversation.id)
            for run in running:
                if run.status is RunStatus.REQUIRES_ACTION:
                    run.cancel(CancelReason.CONVERSATION_DELETED, now=now)
                    await uow.runs.save(principal.scope, run)
                else:
                    await uow.runs.request_cancel(principal.scope, run.id, now=now)
            conversation.delete(now=now)
            await uow.summaries.end(principal.scope, conversation.id)
            await uow.conversations.save(principal.scope, conversation)
            await uow.commit()
        for run in running:
            if (live := self._registry.find(run.id)) is not None:
                live.stop(Stop.CONVERSATION_DELETED)
            else:
                self._signals.send(RUN_CANCEL, str(run.id))

    def _checked(self, command: CreateConversation) -> Sequence[IncomingMessage]:
        limits = self._limits
        if len(command.messages) > limits.conversation_create_messages:
            raise InvalidRequest(
                f"messages: at most {limits.conversation_create_messages} messages.",
                field="messages",
            )
        check_meta(command.meta, limits)
        check_end_user(command.end_user_id, limits)
        return usable(command.messages, limits)

    async def _space(self, principal: Principal, command: CreateConversation) -> SpaceId:
        """Return the agent's space, or the caller's own, or the only one of the token."""
        if command.agent_id is None:
            return principal.personal_space_id
        if principal.agent_ids is not None and command.agent_id not in principal.agent_ids:
            raise NotFound(f"No agent {command.agent_id}.", agent_id=command.agent_id)
        definition = await self._agents.load(
            principal.scope, AgentId(command.agent_id), AgentSelector(kind="draft")
        )
        return definition.space_id

    def _messages(
        self, conversation: Conversation, given: Sequence[IncomingMessage]
    ) -> Sequence[Message]:
        return [
            new_message(MessageId(self._ids.next_id()), conversation, message, seq=seq)
            for seq, message in enumerate(given, start=1)
        ]


async def first_made(
    uow: ConversationUnitOfWork,
    principal: Principal,
    request: RequestKey | None,
    made: int,
    *,
    now: datetime,
    limits: Limits,
) -> int:
    """Bind a request's key to what it makes; return what it stands for, perhaps for long."""
    if request is None:
        return made
    since = now - timedelta(seconds=limits.idempotency_ttl_s)
    (first,) = await uow.request_keys.claim(principal.scope, request, [made], now=now, since=since)
    return first


def new_message(
    message_id: MessageId, conversation: Conversation, message: IncomingMessage, *, seq: int
) -> Message:
    """Build a message that a client adds outside any run."""
    return Message(
        id=message_id,
        conversation_id=conversation.id,
        space_id=conversation.space_id,
        section_id=conversation.section_id,
        run_id=None,
        agent_id=conversation.agent_id,
        seq=seq,
        kind=MessageKind.QUESTION if message.role == "user" else MessageKind.ANSWER,
        parts=message.parts,
        is_text=message.is_text,
        meta=message.meta,
        created_at=conversation.updated_at,
        updated_at=conversation.updated_at,
    )
