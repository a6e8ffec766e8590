"""Use cases on single messages."""

from application.conversation.conversation_service import first_made, new_message
from application.conversation.dto import (
    AddMessage,
    EditMessage,
    GiveFeedback,
    MessagePage,
    MessageQuery,
    MessageView,
)
from application.conversation.run.preparation import require_files, require_parts, usable
from application.conversation.view import message_views
from application.shared.repeat import request_key
from crossdomain.file.contract import Files
from domain.conversation.conversation import Conversation
from domain.conversation.event import FeedbackRecorded, MessageCreated, MessageDeleted
from domain.conversation.message import Feedback, Message
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.rule import check_meta, check_parts, default_name
from domain.conversation.value import MessageKind
from domain.shared.access import Permission, Principal
from domain.shared.error import InvalidRequest
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import ConversationId, MessageId, RunId
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class MessageService:
    """Adds, reads, changes, deletes and rates messages of the caller's conversations."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        files: Files,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._files = files
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def create(self, principal: Principal, command: AddMessage) -> MessageView:
        """Store a message in the newest section.

        A request with the idempotency key of an earlier one returns what that one stored.

        Raises:
            ConversationNotFound: (4200).
            IdempotencyKeyReused: the key belongs to another request (4000).
        """
        given = usable([command.message], self._limits)
        if not given:
            raise InvalidRequest("content: a message needs content.", field="content")
        await require_files(given, files=self._files, scope=principal.scope)
        now = self._clock.now()
        request = request_key("message.create", command.idempotency_key, command)
        async with self._store.transaction() as uow:
            conversation = await uow.conversations.lock(
                principal.scope, ConversationId(command.conversation_id), seqs=1, now=now
            )
            principal.require(Permission.MESSAGE_WRITE, conversation.space_id)
            message = new_message(
                MessageId(self._ids.next_id()),
                conversation,
                given[0],
                seq=conversation.next_seq,
            )
            made = await first_made(
                uow, principal, request, message.id, now=now, limits=self._limits
            )
            if made == message.id:
                await self._add(uow, principal, conversation, message)
                await uow.commit()
            else:  # the number that was taken for it goes back
                message = await uow.messages.get(principal.scope, conversation.id, MessageId(made))
        return await self._view(principal, message)

    async def _add(
        self,
        uow: ConversationUnitOfWork,
        principal: Principal,
        conversation: Conversation,
        message: Message,
    ) -> None:
        await uow.messages.add(principal.scope, [message])
        if message.kind is MessageKind.QUESTION and conversation.take_in(
            agent_id=None, name=default_name(message.parts, self._limits)
        ):
            await uow.conversations.save(principal.scope, conversation)
        uow.collect(
            MessageCreated(
                occurred_at=message.created_at,
                space_id=conversation.space_id,
                aggregate_id=conversation.id,
                message_id=message.id,
            )
        )

    async def get(self, principal: Principal, conversation_id: int, message_id: int) -> MessageView:
        """Return one; raise ``MessageNotFound`` (4200)."""
        async with self._store.snapshot() as uow:
            await self._conversation(uow, principal, conversation_id, Permission.MESSAGE_READ)
            message = await uow.messages.get(
                principal.scope, ConversationId(conversation_id), MessageId(message_id)
            )
        return await self._view(principal, message)

    async def edit(self, principal: Principal, command: EditMessage) -> MessageView:
        """Change content or meta of a question or answer."""
        if command.parts is not None:
            check_parts(command.parts, self._limits)
            await require_parts(command.parts, files=self._files, scope=principal.scope)
        check_meta(command.meta or {}, self._limits)
        async with self._store.transaction() as uow:
            conversation = await self._conversation(
                uow, principal, command.conversation_id, Permission.MESSAGE_WRITE
            )
            message = await uow.messages.get(
                principal.scope, conversation.id, MessageId(command.message_id)
            )
            message.edit(
                parts=command.parts,
                is_text=command.is_text,
                meta=command.meta,
                now=self._clock.now(),
            )
            await uow.messages.update(principal.scope, message)
            await uow.commit()
        return await self._view(principal, message)

    async def delete(
        self, principal: Principal, conversation_id: int, message_id: int
    ) -> MessageView:
        """Delete a question or answer and return it; an answer takes its run's details along."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            conversation = await self._conversation(
                uow, principal, conversation_id, Permission.MESSAGE_WRITE
            )
            message = await uow.messages.get(
                principal.scope, conversation.id, MessageId(message_id)
            )
            message.delete(now=now)
            await uow.messages.update(principal.scope, message)
            if message.kind is MessageKind.ANSWER and message.run_id is not None:
                await uow.messages.delete_details(principal.scope, message.run_id, now=now)
            uow.collect(
                MessageDeleted(
                    occurred_at=now,
                    space_id=conversation.space_id,
                    aggregate_id=conversation.id,
                    message_id=message.id,
                )
            )
            await uow.commit()
        return await self._view(principal, message)

    async def list(
        self, principal: Principal, conversation_id: int, query: MessageQuery
    ) -> MessagePage:
        """Return one page; both cursors are refused (4000), an unknown one is not found (4200)."""
        if query.before_id is not None and query.after_id is not None:
            raise InvalidRequest(
                "before_id, after_id: give one of them, not both.", field="before_id"
            )
        cursor = query.after_id if query.before_id is None else query.before_id
        # What follows in list order is older when the newest come first; a page that ends at
        # ``before_id`` is read from the cursor outwards and turned round.
        goes_down = query.descending == (query.before_id is None)
        limit = max(1, min(query.limit, self._limits.page_size))
        async with self._store.snapshot() as uow:
            conversation = await self._conversation(
                uow, principal, conversation_id, Permission.MESSAGE_READ
            )
            if cursor is not None:
                await uow.messages.get(principal.scope, conversation.id, MessageId(cursor))
            edge = None if cursor is None else MessageId(cursor)
            found = list(
                await uow.messages.page(
                    principal.scope,
                    conversation.id,
                    kinds=query.kinds,
                    run_id=None if query.run_id is None else RunId(query.run_id),
                    older_than=edge if goes_down else None,
                    newer_than=None if goes_down else edge,
                    descending=goes_down,
                    limit=limit + 1,
                )
            )
            page = found[:limit]
            rated = [each.id for each in page] if query.is_rated else []
            verdicts = await uow.feedback.own(principal.scope, rated)
        if goes_down != query.descending:
            page.reverse()
        return MessagePage(
            items=await message_views(page, files=self._files, scope=principal.scope),
            has_more=len(found) > limit,
            verdicts=verdicts,
        )

    async def give_feedback(self, principal: Principal, command: GiveFeedback) -> None:
        """Store the caller's verdict on an answer, replacing an earlier one."""
        self._check_feedback(command)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            conversation, message = await self._rated(
                uow, principal, command.conversation_id, command.message_id
            )
            await uow.feedback.put(
                principal.scope,
                Feedback(
                    message_id=message.id,
                    conversation_id=conversation.id,
                    space_id=conversation.space_id,
                    user_id=principal.user_id,
                    kind=command.kind,
                    reasons=command.reasons,
                    comment=command.comment,
                    updated_at=now,
                ),
            )
            uow.collect(
                FeedbackRecorded(
                    occurred_at=now,
                    space_id=conversation.space_id,
                    aggregate_id=conversation.id,
                    message_id=message.id,
                    verdict=command.kind,
                )
            )
            await uow.commit()

    async def withdraw_feedback(
        self, principal: Principal, conversation_id: int, message_id: int
    ) -> None:
        """Remove the caller's verdict, if there is one."""
        async with self._store.transaction() as uow:
            _, message = await self._rated(uow, principal, conversation_id, message_id)
            await uow.feedback.remove(principal.scope, message.id)
            await uow.commit()

    def _check_feedback(self, command: GiveFeedback) -> None:
        limits = self._limits
        if len(command.comment) > limits.feedback_comment_chars:
            raise InvalidRequest(
                f"comment: at most {limits.feedback_comment_chars} characters.", field="comment"
            )
        if len(command.reasons) > limits.meta_pairs or any(
            len(reason) > limits.meta_key_chars for reason in command.reasons
        ):
            raise InvalidRequest(
                f"reason_types: at most {limits.meta_pairs} of {limits.meta_key_chars} characters.",
                field="reason_types",
            )

    async def _rated(
        self,
        uow: ConversationUnitOfWork,
        principal: Principal,
        conversation_id: int,
        message_id: int,
    ) -> tuple[Conversation, Message]:
        conversation = await self._conversation(
            uow, principal, conversation_id, Permission.MESSAGE_WRITE
        )
        message = await uow.messages.get(principal.scope, conversation.id, MessageId(message_id))
        if message.kind is not MessageKind.ANSWER or not message.is_text:
            raise InvalidRequest("message_id: only answers can be rated.", field="message_id")
        return conversation, message

    async def _conversation(
        self,
        uow: ConversationUnitOfWork,
        principal: Principal,
        conversation_id: int,
        permission: Permission,
    ) -> Conversation:
        conversation = await uow.conversations.get(principal.scope, ConversationId(conversation_id))
        principal.require(permission, conversation.space_id)
        return conversation

    async def _view(self, principal: Principal, message: Message) -> MessageView:
        (view,) = await message_views([message], files=self._files, scope=principal.scope)
        return view
