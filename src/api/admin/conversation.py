"""The caller's own conversations on the admin surface, and what can be done with them."""

from typing import Final

import msgspec
from litestar import Controller, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from api.admin.query import Paging, page_size
from api.coze.conversation.incoming import EnterMessage, decode_messages
from api.coze.conversation.message import ModifyMessageRequest, edit_command
from api.coze.conversation.shape import WireMessage, WireSection
from api.shape import Shape
from api.wire import (
    IdempotencyKey,
    WireId,
    WireMap,
    bounded_text,
    optional_id,
    query_choice,
    query_integer,
    request_key,
    required_id,
    required_text,
    string_map,
)
from application.conversation.conversation_service import ConversationService
from application.conversation.dto import (
    ConversationQuery,
    ConversationView,
    CreateConversation,
    ForkConversation,
    GiveFeedback,
    MessageQuery,
)
from application.conversation.message_service import MessageService
from application.shared.page import Paged
from domain.conversation.value import FeedbackKind, Scene
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

_MESSAGES: Final = 50
_ORDERS: Final = {"asc": "asc", "desc": "desc"}
_SCENES: Final = {scene.value: scene.value for scene in (Scene.API, Scene.PLAYGROUND)}


class CreateConversationBody(msgspec.Struct, frozen=True, kw_only=True):
    """A new conversation, perhaps with what was said before."""

    agent_id: WireId | None = None
    name: str | None = None
    metadata: WireMap | None = None
    messages: list[EnterMessage] | None = None
    user_id: WireId | None = None


class RenameConversationBody(msgspec.Struct, frozen=True, kw_only=True):
    """Another name for a conversation."""

    name: str


class ForkBody(msgspec.Struct, frozen=True, kw_only=True):
    """The question before which the new conversation goes its own way."""

    before_message_id: WireId


class FeedbackBody(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict on an answer, with reasons."""

    feedback_type: FeedbackKind
    reason_types: list[str] = []
    comment: str = ""


class AdminConversation(Shape, of=ConversationView, rename={"meta": "metadata"}):
    """A conversation; times in Unix seconds."""


class AdminConversationList(Paged[AdminConversation]):
    """One page of conversations."""


class OwnVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller said of an answer."""

    message_id: str
    feedback_type: FeedbackKind
    """`like` or `unlike`."""


class AdminMessageList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of messages, newest first unless asked otherwise."""

    items: list[WireMessage]
    feedback: list[OwnVerdict]
    """What the caller said of these answers."""
    next_cursor: str | None


class AdminConversationController(Controller):
    """Look into conversations."""

    path = "/admin/v1/conversations"

    @get(operation_id="admin.conversations.list")
    async def list_page(
        self,
        *,
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
        agent_id: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
        end_user_id: FromQuery[str | None] = None,
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
        scene: FromQuery[str | None] = None,
    ) -> AdminConversationList:
        """Return a page of the caller's conversations with one agent; the cursor is a page."""
        wanted = Paging(page_size(limit, limits), cursor)
        connector = query_integer(connector_id, field="connector_id")
        query = ConversationQuery(
            agent_id=required_id(agent_id, field="agent_id"),
            connector_id=CONNECTOR_API if connector is None else connector,
            end_user_id=principal.end_user_id or end_user_id or "",
            scene=Scene(query_choice(scene, _SCENES, field="scene") or Scene.API),
            descending=query_choice(order, _ORDERS, field="order") != "asc",
            page_num=wanted.number,
            page_size=wanted.size,
        )
        found = await conversations.list(principal, query)
        return AdminConversationList(
            items=AdminConversation.each(found.items),
            total=found.total,
            next_cursor=str(wanted.number + 1) if found.has_more else None,
        )

    @post(operation_id="admin.conversations.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateConversationBody],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
        idempotency_key: IdempotencyKey = None,
    ) -> AdminConversation:
        """Open a conversation, its messages in the first section."""
        user = None if data.user_id is None else str(data.user_id)
        command = CreateConversation(
            agent_id=optional_id(data.agent_id, field="agent_id"),
            name=bounded_text(data.name, field="name", max_chars=limits.conversation_name_chars),
            meta=string_map(data.metadata, field="metadata", limits=limits),
            messages=decode_messages(
                data.messages,
                field="messages",
                maximum=limits.conversation_create_messages,
                limits=limits,
            ),
            connector_id=principal.connector_id,
            end_user_id=bounded_text(user, field="user_id", max_chars=limits.end_user_chars),
            idempotency_key=request_key(idempotency_key, limits=limits),
        )
        return AdminConversation.of(await conversations.create(principal, command))

    @patch("/{conversation_id:str}", operation_id="admin.conversations.update")
    async def rename(
        self,
        *,
        conversation_id: FromPath[str],
        data: JSONBody[RenameConversationBody],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
    ) -> AdminConversation:
        """Give a conversation another name."""
        wanted = parse_id(conversation_id, field="conversation_id")
        name = required_text(data.name, field="name", max_chars=limits.conversation_name_chars)
        return AdminConversation.of(await conversations.rename(principal, wanted, name=name))

    @delete("/{conversation_id:str}", operation_id="admin.conversations.delete")
    async def remove(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
    ) -> None:
        """Delete a conversation with its messages; a running run is cancelled."""
        await conversations.delete(principal, parse_id(conversation_id, field="conversation_id"))

    @post(
        "/{conversation_id:str}/clear",
        status_code=HTTP_200_OK,
        operation_id="admin.conversations.clear",
    )
    async def clear(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
    ) -> WireSection:
        """Begin a new section: messages stay listed, later runs do not see them."""
        wanted = parse_id(conversation_id, field="conversation_id")
        return WireSection.of(await conversations.clear(principal, wanted))

    @post("/{conversation_id:str}/fork", operation_id="admin.conversations.fork")
    async def fork(
        self,
        *,
        conversation_id: FromPath[str],
        data: JSONBody[ForkBody],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
        idempotency_key: IdempotencyKey = None,
    ) -> AdminConversation:
        """Copy what was said before a message into a new conversation; the older one stays."""
        command = ForkConversation(
            conversation_id=parse_id(conversation_id, field="conversation_id"),
            before_message_id=required_id(data.before_message_id, field="before_message_id"),
            idempotency_key=request_key(idempotency_key, limits=limits),
        )
        return AdminConversation.of(await conversations.fork(principal, command))

    @get("/{conversation_id:str}", operation_id="admin.conversations.get")
    async def retrieve(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
    ) -> AdminConversation:
        """Return one of the caller's conversations."""
        wanted = parse_id(conversation_id, field="conversation_id")
        return AdminConversation.of(await conversations.get(principal, wanted))

    @get("/{conversation_id:str}/messages", operation_id="admin.conversations.list_messages")
    async def messages(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        limits: NamedDependency[Limits],
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
    ) -> AdminMessageList:
        """Return a page of messages; the cursor is the last id of the page before."""
        query = MessageQuery(
            descending=query_choice(order, _ORDERS, field="order") != "asc",
            after_id=optional_id(cursor, field="cursor"),
            limit=page_size(limit, limits, default=_MESSAGES),
            is_rated=True,
        )
        wanted = parse_id(conversation_id, field="conversation_id")
        found = await messages.list(principal, wanted, query)
        items = [
            body for each in found.items for body in WireMessage.all_of(each, shows_listed=True)
        ]
        return AdminMessageList(
            items=items,
            feedback=[
                OwnVerdict(message_id=str(message_id), feedback_type=kind)
                for message_id, kind in found.verdicts.items()
            ],
            next_cursor=items[-1].id if found.has_more else None,
        )


class AdminMessageController(Controller):
    """Change, delete and rate single messages."""

    path = "/admin/v1/conversations/{conversation_id:str}/messages/{message_id:str}"

    @patch(operation_id="admin.conversations.update_message")
    async def modify(
        self,
        *,
        conversation_id: FromPath[str],
        message_id: FromPath[str],
        data: JSONBody[ModifyMessageRequest],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        limits: NamedDependency[Limits],
    ) -> WireMessage:
        """Change content or meta of a question or answer."""
        command = edit_command(
            data,
            conversation_id=parse_id(conversation_id, field="conversation_id"),
            message_id=parse_id(message_id, field="message_id"),
            limits=limits,
        )
        return WireMessage.of(await messages.edit(principal, command))

    @delete(operation_id="admin.conversations.delete_message")
    async def remove(
        self,
        *,
        conversation_id: FromPath[str],
        message_id: FromPath[str],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
    ) -> None:
        """Delete a question or answer; an answer takes its run's details along."""
        conversation = parse_id(conversation_id, field="conversation_id")
        await messages.delete(principal, conversation, parse_id(message_id, field="message_id"))

    @put(
        "/feedback",
        operation_id="admin.conversations.set_feedback",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def rate(
        self,
        *,
        conversation_id: FromPath[str],
        message_id: FromPath[str],
        data: JSONBody[FeedbackBody],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
    ) -> None:
        """Like or dislike an answer; a second verdict replaces the first."""
        command = GiveFeedback(
            conversation_id=parse_id(conversation_id, field="conversation_id"),
            message_id=parse_id(message_id, field="message_id"),
            kind=data.feedback_type,
            reasons=tuple(data.reason_types),
            comment=data.comment,
        )
        await messages.give_feedback(principal, command)

    @delete("/feedback", operation_id="admin.conversations.delete_feedback")
    async def withdraw(
        self,
        *,
        conversation_id: FromPath[str],
        message_id: FromPath[str],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
    ) -> None:
        """Take the verdict back."""
        conversation = parse_id(conversation_id, field="conversation_id")
        message = parse_id(message_id, field="message_id")
        await messages.withdraw_feedback(principal, conversation, message)
